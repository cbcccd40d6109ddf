// Conditions that hold without a user by accident: null is null, so `post.editor is @auth` lets everybody in where
// a post has no editor. Only `is` can do that; everything else that meets null does not hold.

import type { Expression } from "@stoa/definition";
import { authMayBeNull } from "../diagnostics/messages/api.js";
import type { Expr } from "../syntax/tree.js";
import type { Check } from "./context.js";
import { factsWhenNotTrue, factsWhenTrue, pathKey, strictPaths } from "./facts.js";

const USER = "@auth";

export interface Condition {
  readonly syntax: Expr;
  readonly value: Expression;
  /** Paths that are known not to be null where it stands. */
  readonly facts: ReadonlySet<string>;
}

/** Warns of comparisons that a rule or a filter of a list rests on. What stands under `not` only closes doors. */
export function checkAnonymous(check: Check, condition: Condition): void {
  if (!check.auth || !mayHaveDoors(condition.value, condition.facts)) return;
  const found = doorsIn(condition);
  const cause = `without a user at ${condition.syntax.span.file} ${condition.syntax.span.start}`;
  for (const { syntax, value } of found) {
    const other = otherSide(value, syntax);
    check.report(
      authMayBeNull(syntax.span, {
        text: check.textOf(syntax.span),
        other: other && check.textOf(other.span),
        cause,
      }),
    );
  }
}

interface Comparison {
  readonly syntax: Extract<Expr, { kind: "binary" }>;
  readonly value: Extract<Expression, { kind: "binary" }>;
}

/** Most conditions have none, and need no second look at what is known where. */
function mayHaveDoors(value: Expression, facts: ReadonlySet<string>): boolean {
  if (value.kind !== "binary") return false;
  if (value.operator === "is") return isOpen(value, facts);
  if (value.operator !== "and" && value.operator !== "or") return false;
  return mayHaveDoors(value.left, facts) || mayHaveDoors(value.right, facts);
}

/** The comparisons that may be all it takes for the condition to hold without a user. */
function doorsIn({ syntax, value, facts }: Condition): readonly Comparison[] {
  if (facts.has(USER) || value.kind !== "binary" || syntax.kind !== "binary") return [];
  const left = { syntax: syntax.left, value: value.left };
  const right = { syntax: syntax.right, value: value.right };
  switch (value.operator) {
    case "and":
      // Both sides hold or nothing does, so each of them can rely on the other, in whichever order they stand.
      return [
        ...doorsIn({ ...left, facts: union(facts, factsWhenTrue(value.right)) }),
        ...doorsIn({ ...right, facts: union(facts, factsWhenTrue(value.left)) }),
      ];
    case "or":
      return [
        ...doorsIn({ ...left, facts }),
        ...doorsIn({ ...right, facts: union(facts, factsWhenNotTrue(value.left)) }),
      ];
    case "is":
      return isOpen(value, facts) ? [{ syntax, value }] : [];
    default:
      return [];
  }
}

/** Without a user one side is null, and the other side may be. */
function isOpen({ left, right }: Comparison["value"], facts: ReadonlySet<string>): boolean {
  // `@auth is null` asks for it.
  if (left.type.kind === "null" || right.type.kind === "null") return false;
  if (!isOfUser(left) && !isOfUser(right)) return false;
  return [left, right].every((side) => mayBeNull(side, facts));
}

function isOfUser(value: Expression): boolean {
  return strictPaths(value).has(USER);
}

function mayBeNull(value: Expression, facts: ReadonlySet<string>): boolean {
  const key = pathKey(value);
  return value.type.nullable && (key === undefined || !facts.has(key));
}

/** The side that has nothing to do with the user; undefined when both sides have. */
function otherSide({ left, right }: Comparison["value"], syntax: Comparison["syntax"]): Expr | undefined {
  if (!isOfUser(left)) return syntax.left;
  return isOfUser(right) ? undefined : syntax.right;
}

function union(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return right.size === 0 ? left : new Set([...left, ...right]);
}
