// Rules, filters and validators as conditions that can be compared.

import {
  BUILT_IN_VALIDATORS,
  type Expression,
  modelOfType,
  printExpression,
  type Rule,
} from "@stoa/definition";
import { ALWAYS, type Condition, type Limit } from "./clauses.js";
import { hookMeaning, meaningOf, type Scope, TOP, type View } from "./meaning.js";

/** `text` is what people know of it, where it stands for something that is written elsewhere. */
export function conditionOf(view: View, expression: Expression, scope = TOP, text?: string): Condition {
  if (expression.kind === "literal" && expression.value === true) return ALWAYS;
  if (expression.kind === "unary" && expression.operator === "not") {
    return { kind: "not", part: conditionOf(view, expression.operand, scope, text) };
  }
  if (expression.kind === "binary" && (expression.operator === "and" || expression.operator === "or")) {
    const parts = [expression.left, expression.right].map((part) => conditionOf(view, part, scope, text));
    return { kind: expression.operator === "and" ? "all" : "any", parts };
  }
  const said = text ?? printExpression(expression);
  const computed = computedOf(view, expression);
  if (computed !== undefined && expression.kind === "member") {
    const self = meaningOf(view, expression.on, scope);
    return conditionOf(view, computed, { self, owner: self }, said);
  }
  const key = meaningOf(view, expression, scope);
  return { kind: "test", test: { key, text: said, limit: limitOf(view, expression, scope) } };
}

/** What a computed member works out, so that its parts can be compared. */
function computedOf({ definition }: View, expression: Expression): Expression | undefined {
  if (expression.kind !== "member" || expression.member !== "computed") return undefined;
  const model = modelOfType(expression.on.type);
  const members = definition.models.find(({ name }) => name === model)?.members ?? [];
  const member = members.find(({ name }) => name === expression.name);
  return member?.kind === "computed" ? member.value : undefined;
}

/** Of comparisons with something that is written down. */
function limitOf(view: View, expression: Expression, scope: Scope): Limit | null {
  if (expression.kind === "member")
    return { kind: "values", subject: meaningOf(view, expression, scope), values: ["true"] };
  if (expression.kind !== "binary") return null;
  const { operator, left, right } = expression;
  const [subject, value] = [meaningOf(view, left, scope), meaningOf(view, right, scope)];
  if (operator === "is not") return value === "null" ? { kind: "some", subject } : null;
  if (operator === "in" && right.kind === "array") {
    return { kind: "values", subject, values: right.items.map((item) => meaningOf(view, item, scope)) };
  }
  if (!isWritten(value)) return null;
  if (operator === "is") return { kind: "values", subject, values: [value] };
  const bound = Number(JSON.parse(value));
  if (!Number.isFinite(bound)) return null;
  if (operator === "<" || operator === "<=")
    return { kind: "most", subject, bound, isOpen: operator === "<" };
  if (operator === ">" || operator === ">=")
    return { kind: "least", subject, bound, isOpen: operator === ">" };
  return null;
}

/** A text, a number, true or false: as JSON writes them. */
function isWritten(value: string): boolean {
  return /^("(?:[^"\\]|\\.)+"|-?\d+(\.\d+)?(e[+-]?\d+)?|true|false)$/.test(value);
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
  const given = [
    value === null ? "value" : meaningOf(view, value),
    ...args.map((arg) => meaningOf(view, arg)),
  ];
  const said = [...(value === null ? [] : [value]), ...args].map(printExpression).join(", ");
  const text = `${validator}(${said})`;
  const declared = view.definition.validators.find(({ name }) => name === validator);
  if (declared === undefined || BUILT_IN_VALIDATORS.has(validator)) {
    const key = `${validator}(${given.join(", ")})`;
    return { kind: "test", test: { key, text, limit: validatorLimit(rule, given) } };
  }
  // What it tests is what counts: the same name may stand for another test.
  const { assert, arguments: names } = declared;
  if (assert.kind === "hook") {
    const key = `${hookMeaning(view, assert.hook)}(${given.join(", ")})`;
    return { kind: "test", test: { key, text, limit: null } };
  }
  const bound = new Map(names.map(({ name }, index) => [name, given[index] ?? "null"]));
  return conditionOf(view, assert, { ...TOP, given: bound }, text);
}

function validatorLimit(
  { validator, arguments: args }: ValidatorRule,
  [subject = "value", ...given]: readonly string[],
): Limit | null {
  const bound = numberOf(args[0]);
  switch (validator) {
    case "maxLength":
      return bound === null ? null : { kind: "most", subject: `length(${subject})`, bound, isOpen: false };
    case "minLength":
      return bound === null ? null : { kind: "least", subject: `length(${subject})`, bound, isOpen: false };
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
