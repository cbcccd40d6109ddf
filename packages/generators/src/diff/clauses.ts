// Conditions as lists of clauses that must all hold, each a list of tests of which one must: so it can be told whether
// a condition asks for more than another. Where that cannot be told, they are simply different.

export interface Test {
  /** The same for tests that mean the same. */
  readonly key: string;
  /** As people write it. */
  readonly text: string;
  readonly limit: Limit | null;
}

/** What a test says of one value, where that can be compared. */
export type Limit =
  | { readonly kind: "values"; readonly subject: string; readonly values: readonly string[] }
  | { readonly kind: "most"; readonly subject: string; readonly bound: number; readonly isOpen: boolean }
  | { readonly kind: "least"; readonly subject: string; readonly bound: number; readonly isOpen: boolean }
  | { readonly kind: "some"; readonly subject: string };

export type Condition =
  | { readonly kind: "all" | "any"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition }
  | { readonly kind: "test"; readonly test: Test };

export type Clause = readonly Test[];

export const ALWAYS: Condition = { kind: "all", parts: [] };

export function clausesOf(condition: Condition): Clause[] {
  switch (condition.kind) {
    case "all":
      return condition.parts.flatMap(clausesOf);
    case "any":
      return anyOf(condition.parts.map(clausesOf));
    case "test":
      return [[condition.test]];
    case "not":
      return clausesOf(negate(condition.part));
  }
}

/** `a or (b and c)` is `a or b` and `a or c`; where that would grow long, it is one test that nothing is known of. */
function anyOf(parts: readonly Clause[][]): Clause[] {
  const count = parts.reduce((product, part) => product * part.length, 1);
  if (count > MOST_CLAUSES) return [[unknownTest(parts)]];
  return parts.reduce<Clause[]>(
    (sofar, part) => sofar.flatMap((left) => part.map((right) => [...left, ...right])),
    [[]],
  );
}

const MOST_CLAUSES = 64;

function unknownTest(parts: readonly Clause[][]): Test {
  const keys = parts.map((part) =>
    part.map((clause) => clause.map(({ key }) => key).join(" or ")).join(" and "),
  );
  return { key: keys.sort().join(" or "), text: parts.map(printClauses).join(" or "), limit: null };
}

function negate(condition: Condition): Condition {
  switch (condition.kind) {
    case "all":
    case "any":
      return { kind: condition.kind === "all" ? "any" : "all", parts: condition.parts.map(negate) };
    case "not":
      return condition.part;
    case "test": {
      const { key, text } = condition.test;
      return { kind: "test", test: { key: `not ${key}`, text: `not (${text})`, limit: null } };
    }
  }
}

export interface ClauseChange {
  readonly relation: "same" | "stricter" | "laxer" | "different";
  /** Of the new ones, those that nothing asked for before; of the old ones, those that nothing asks for any more. */
  readonly added: readonly Clause[];
  readonly removed: readonly Clause[];
}

export function compareClauses(before: readonly Clause[], after: readonly Clause[]): ClauseChange {
  const added = after.filter((clause) => !before.some((old) => implies(old, clause)));
  const removed = before.filter((clause) => !after.some((later) => implies(later, clause)));
  const relation =
    added.length === 0
      ? removed.length === 0
        ? "same"
        : "laxer"
      : removed.length === 0
        ? "stricter"
        : "different";
  return { relation, added, removed };
}

/** Whoever fulfils the one fulfils the other. */
function implies(one: Clause, other: Clause): boolean {
  return one.every((test) => other.some((wider) => testImplies(test, wider)));
}

function testImplies(one: Test, other: Test): boolean {
  if (one.key === other.key || one.key === "false") return true;
  return one.limit !== null && other.limit !== null && limitImplies(one.limit, other.limit);
}

function limitImplies(one: Limit, other: Limit): boolean {
  // What has a certain value is there, and so is the record that it belongs to.
  if (other.kind === "some")
    return one.subject === other.subject || one.subject.startsWith(`${other.subject}.`);
  if (one.subject !== other.subject) return false;
  if (one.kind === "values" && other.kind === "values")
    return one.values.every((value) => other.values.includes(value));
  if (one.kind === "most" && other.kind === "most")
    return one.bound < other.bound || (one.bound === other.bound && (one.isOpen || !other.isOpen));
  if (one.kind === "least" && other.kind === "least")
    return one.bound > other.bound || (one.bound === other.bound && (one.isOpen || !other.isOpen));
  return false;
}

export function printClauses(clauses: readonly Clause[]): string {
  const texts = clauses.map((clause) => {
    const text = clause.map((test) => test.text).join(" or ");
    return clause.length > 1 && clauses.length > 1 ? `(${text})` : text;
  });
  return texts.join(" and ");
}
