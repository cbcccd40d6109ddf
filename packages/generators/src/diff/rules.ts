// Who is let in: the rules of an endpoint and of the entrypoints above it, all together.

import type { Finding } from "./change.js";
import { type Clause, clausesOf, compareClauses, printClauses, type Test } from "./clauses.js";
import type { Comparison, Side } from "./comparison.js";
import { conditionOf } from "./conditions.js";
import * as say from "./endpoint-messages.js";

export function compareRules({ before, after }: Comparison): Finding[] {
  const [old, now] = [clausesOfRules(before), clausesOfRules(after)];
  const { relation, added, removed } = compareClauses(old, now);
  const replaced = old.filter((clause) => !now.some((each) => isSameClause(each, clause)));
  const replacing = now.filter((clause) => !old.some((each) => isSameClause(each, clause)));
  const [was, is] = [printClauses(replaced), printClauses(replacing)];
  if (relation !== "same" && was === is && is !== "") {
    if (relation === "laxer") return [say.ruleMeaningLaxer(is)];
    const change = relation === "stricter" ? say.ruleMeaningStricter : say.ruleMeaningChanged;
    return [change(is, affectedBy(added))];
  }
  switch (relation) {
    case "same":
      return [];
    case "stricter":
      return [
        replaced.length === 0
          ? say.ruleStricter(printClauses(added), affectedBy(added))
          : say.ruleTightened(was, is, affectedBy(added)),
      ];
    case "laxer":
      return [replacing.length === 0 ? say.ruleLaxer(printClauses(removed)) : say.ruleLoosened(was, is)];
    case "different":
      return [say.ruleChanged(printClauses(removed), printClauses(added), affectedBy(added))];
  }
}

function clausesOfRules({ view, operation }: Side): Clause[] {
  const rules = [
    ...operation.entrypoints.flatMap(({ authorize }) => authorize),
    ...operation.endpoint.authorize,
  ];
  return rules.flatMap(({ condition }) => clausesOf(conditionOf(view, condition)));
}

function isSameClause(one: Clause, other: Clause): boolean {
  return one.length === other.length && one.every(({ key }) => other.some((test) => test.key === key));
}

/** Those for whom the new clauses do not hold. */
function affectedBy(clauses: readonly Clause[]): string {
  const tests = clauses.flat();
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return affectedByTest(only);
  const text = printClauses(clauses);
  return `${isAboutUser(text) ? "users" : "callers"} for whom \`${text}\` does not hold`;
}

function affectedByTest({ text, limit }: Test): string {
  if (text === "@auth is not null") return "callers without a token";
  if (!isAboutUser(text)) return `callers of records for which \`${text}\` does not hold`;
  const member = /^@auth\.([\w.]+)(?: (?:is|in) |$)/.exec(text)?.[1];
  // What is computed is known by its name; what it looks at is not.
  const isNamed = limit?.kind === "values" && (text.includes(" ") || limit.values.join() === "true");
  if (member !== undefined && isNamed) {
    const values = limit.values.map((value) => `\`${value.replace(/^"|"$/g, "")}\``);
    return `users whose \`${member}\` is not ${values.join(" or ")}`;
  }
  return `users for whom \`${text}\` does not hold`;
}

function isAboutUser(text: string): boolean {
  return text.includes("@auth");
}
