// Rules, filters and validators as conditions that can be compared.

import { BUILT_IN_VALIDATORS, type Expression, printExpression, type Rule } from "@stoa/definition";
import { ALWAYS, type Condition, type Limit } from "./clauses.js";
import { hookMeaning, meaningOf, type View } from "./meaning.js";

export function conditionOf(view: View, expression: Expression): Condition {
  if (expression.kind === "literal" && expression.value === true) return ALWAYS;
  if (expression.kind === "unary" && expression.operator === "not") {
    return { kind: "not", part: conditionOf(view, expression.operand) };
  }
  if (expression.kind === "binary" && (expression.operator === "and" || expression.operator === "or")) {
    const parts = [expression.left, expression.right].map((part) => conditionOf(view, part));
    return { kind: expression.operator === "and" ? "all" : "any", parts };
  }
  const key = meaningOf(view, expression);
  return { kind: "test", test: { key, text: printExpression(expression), limit: limitOf(view, expression) } };
}

/** Of comparisons with something that is written down. */
function limitOf(view: View, expression: Expression): Limit | null {
  if (expression.kind === "member")
    return { kind: "values", subject: meaningOf(view, expression), values: ["true"] };
  if (expression.kind !== "binary") return null;
  const { operator, left, right } = expression;
  const subject = meaningOf(view, left);
  if (operator === "is not") return isNull(right) ? { kind: "some", subject } : null;
  if (operator === "in" && right.kind === "array") {
    return { kind: "values", subject, values: right.items.map((item) => meaningOf(view, item)) };
  }
  if (right.kind !== "literal" || isNull(right)) return null;
  if (operator === "is") return { kind: "values", subject, values: [meaningOf(view, right)] };
  const bound = Number(right.value);
  if (typeof right.value === "boolean" || !Number.isFinite(bound)) return null;
  if (operator === "<" || operator === "<=")
    return { kind: "most", subject, bound, isOpen: operator === "<" };
  if (operator === ">" || operator === ">=")
    return { kind: "least", subject, bound, isOpen: operator === ">" };
  return null;
}

function isNull(expression: Expression): boolean {
  return expression.kind === "literal" && expression.value === null;
}

export function ruleCondition(view: View, rule: Rule): Condition {
  switch (rule.kind) {
    case "and":
    case "or":
      return {
        kind: rule.kind === "and" ? "all" : "any",
        parts: rule.rules.map((part) => ruleCondition(view, part)),
      };
    case "not":
      return { kind: "not", part: ruleCondition(view, rule.rule) };
    case "condition":
      return conditionOf(view, rule.condition);
    case "validator":
      return validatorCondition(view, rule);
  }
}

type ValidatorRule = Extract<Rule, { readonly kind: "validator" }>;

function validatorCondition(view: View, rule: ValidatorRule): Condition {
  const { validator, arguments: args, value } = rule;
  const subject = value === null ? "value" : meaningOf(view, value);
  const given = args.map((arg) => meaningOf(view, arg));
  const said = [...(value === null ? [] : [value]), ...args].map(printExpression).join(", ");
  const key = `${assertMeaning(view, validator)}(${[subject, ...given].join(", ")})`;
  return {
    kind: "test",
    test: { key, text: `${validator}(${said})`, limit: validatorLimit(rule, subject, given) },
  };
}

/** The same name may stand for another test. */
function assertMeaning(view: View, name: string): string {
  const declared = view.definition.validators.find((each) => each.name === name);
  if (declared === undefined || BUILT_IN_VALIDATORS.has(name)) return name;
  const { assert, arguments: args } = declared;
  const test = assert.kind === "hook" ? hookMeaning(view, assert.hook) : meaningOf(view, assert);
  return `${name} ${args.map((arg) => arg.name).join(" ")}: ${test}`;
}

function validatorLimit(
  { validator, arguments: args }: ValidatorRule,
  subject: string,
  given: readonly string[],
): Limit | null {
  const bound = numberOf(args[0]);
  switch (validator) {
    case "maxLength":
      return bound === null ? null : { kind: "most", subject: `length of ${subject}`, bound, isOpen: false };
    case "minLength":
      return bound === null ? null : { kind: "least", subject: `length of ${subject}`, bound, isOpen: false };
    case "max":
      return bound === null ? null : { kind: "most", subject, bound, isOpen: false };
    case "min":
      return bound === null ? null : { kind: "least", subject, bound, isOpen: false };
    case "oneOf":
      return { kind: "values", subject, values: given };
    default:
      return null;
  }
}

/** Decimals are texts, and so are dates, which are no numbers. */
function numberOf(expression: Expression | undefined): number | null {
  if (expression?.kind === "unary" && expression.operator === "-") {
    const value = numberOf(expression.operand);
    return value === null ? null : -value;
  }
  if (expression?.kind !== "literal" || expression.value === null || expression.value === "") return null;
  const value = Number(expression.value);
  return Number.isFinite(value) ? value : null;
}
