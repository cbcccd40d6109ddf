// Narrowing: which paths cannot be null once a condition holds (or does not). Null spreads through
// operators, so a comparison that came out true or false had no null in it.

import type { Expression } from "@stoa/definition";

type Facts = ReadonlySet<string>;

const NOTHING: Facts = new Set();

/** `this.author`, `@auth.org`: the key of a path; undefined when the expression is not one. */
export function pathKey(expression: Expression): string | undefined {
  if (expression.kind === "variable") return variableKey(expression.variable, expression.name);
  // Beyond a collection a path means many values.
  if (expression.kind !== "member" || expression.on.type.kind === "collection") return undefined;
  const on = pathKey(expression.on);
  if (on === undefined) return undefined;
  // `author_id` is null exactly when `author` is.
  const name = expression.member === "key" ? expression.name.replace(/_id$/, "") : expression.name;
  return `${on}.${name}`;
}

function variableKey(variable: string, name: string): string {
  if (variable === "auth") return "@auth";
  return name === "" ? variable : `${variable} ${name}`;
}

/** Whether a fact is about a record that has this alias, or about something reached from it. */
export function isAbout(fact: string, alias: string): boolean {
  const key = variableKey("alias", alias);
  return fact === key || fact.startsWith(`${key}.`);
}

/** Paths that are not null when the condition is true. */
export function factsWhenTrue(condition: Expression): Facts {
  if (condition.kind === "binary") return binaryFacts(condition, true);
  if (condition.kind === "unary") {
    return condition.operator === "not" ? factsWhenFalse(condition.operand) : NOTHING;
  }
  return strictPaths(condition);
}

/** Paths that are not null when the condition is false (not merely null). */
export function factsWhenFalse(condition: Expression): Facts {
  if (condition.kind === "binary") return binaryFacts(condition, false);
  if (condition.kind === "unary") {
    return condition.operator === "not" ? factsWhenTrue(condition.operand) : NOTHING;
  }
  return strictPaths(condition);
}

/** Paths that are not null when the condition is false or null: what the right side of `or` may rely on. */
export function factsWhenNotTrue(condition: Expression): Facts {
  if (condition.kind === "binary" && condition.operator === "or") {
    return union(factsWhenNotTrue(condition.left), factsWhenNotTrue(condition.right));
  }
  return condition.type.nullable ? NOTHING : factsWhenFalse(condition);
}

function binaryFacts(condition: Extract<Expression, { kind: "binary" }>, holds: boolean): Facts {
  const { operator, left, right } = condition;
  switch (operator) {
    case "and":
    case "or": {
      const combine = (operator === "and") === holds ? union : intersection;
      return holds
        ? combine(factsWhenTrue(left), factsWhenTrue(right))
        : combine(factsWhenFalse(left), factsWhenFalse(right));
    }
    case "is":
    case "is not":
      return equalityFacts(left, right, (operator === "is") === holds);
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "in":
    case "not in":
      return union(strictPaths(left), strictPaths(right));
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return NOTHING;
  }
}

/** `x is "draft"` and `x is not null` both mean that x is there. */
function equalityFacts(left: Expression, right: Expression, equal: boolean): Facts {
  if (equal) {
    const fromLeft = right.type.nullable ? NOTHING : strictPaths(left);
    const fromRight = left.type.nullable ? NOTHING : strictPaths(right);
    return union(fromLeft, fromRight);
  }
  if (right.type.kind === "null") return strictPaths(left);
  return left.type.kind === "null" ? strictPaths(right) : NOTHING;
}

/** Paths that make the whole expression null when they are null. */
export function strictPaths(expression: Expression): Facts {
  const key = pathKey(expression);
  if (key !== undefined) return prefixes(key);
  switch (expression.kind) {
    case "member":
      return strictPaths(expression.on);
    case "unary":
      return strictPaths(expression.operand);
    case "binary":
      return ["and", "or", "is", "is not"].includes(expression.operator)
        ? NOTHING
        : union(strictPaths(expression.left), strictPaths(expression.right));
    case "call":
      return expression.function === "coalesce"
        ? NOTHING
        : expression.arguments.map(strictPaths).reduce(union, NOTHING);
    case "aggregate":
      return strictPaths(expression.over);
    case "literal":
    case "array":
    case "struct":
    case "variable":
      return NOTHING;
  }
}

/** What a path goes through is there when its end is. */
function prefixes(key: string): Facts {
  if (!key.includes(".")) return new Set([key]);
  const parts = key.split(".");
  return new Set(parts.map((_, index) => parts.slice(0, index + 1).join(".")));
}

function union(left: Facts, right: Facts): Facts {
  if (left.size === 0) return right;
  return right.size === 0 ? left : new Set([...left, ...right]);
}

function intersection(left: Facts, right: Facts): Facts {
  if (left.size === 0 || right.size === 0) return NOTHING;
  return new Set([...left].filter((fact) => right.has(fact)));
}
