// The expressions of a rule that the database works out for the server, in the order in which they stand.

import type { Expression, Rule } from "@stoa/definition";

/** Literals stay where they are: a pattern, for one, is compiled beforehand. */
export function isWorkedOut({ kind }: Expression): boolean {
  return kind !== "literal" && kind !== "array";
}

export function ruleExpressions(rule: Rule): Expression[] {
  return allExpressions(rule).filter(isWorkedOut);
}

function allExpressions(rule: Rule): Expression[] {
  switch (rule.kind) {
    case "condition":
      return [rule.condition];
    case "not":
      return allExpressions(rule.rule);
    case "and":
    case "or":
      return rule.rules.flatMap(allExpressions);
    case "validator":
      return [...(rule.value === null ? [] : [rule.value]), ...rule.arguments];
  }
}
