// Rules of validate actions that the server tests: their expressions were worked out by the database, and stand in
// the rule as arguments.

import {
  type Definition,
  type Expression,
  isValueType,
  type Rule,
  type Value,
  valueFromJson,
} from "@stoa/definition";
import type { Problem } from "../exchange.js";
import type { Fault } from "../input/fault.js";
import { compileRule, pointerOf, type ValidatorHooks } from "../input/index.js";
import { invalid } from "../input/query-string.js";
import type { Step } from "../plan/write/program.js";
import { isWorkedOut } from "../plan/write/rule-values.js";

type RuleStep = Extract<Step, { kind: "rule" }>;

/** Null when the rule holds for the values, which come in the order of its expressions. */
export type CheckRule = (
  step: RuleStep,
  values: readonly unknown[],
  context: unknown,
) => Promise<Problem | null>;

export function compileRuleSteps(
  definition: Definition,
  hooks: ValidatorHooks,
  steps: readonly Step[],
): CheckRule {
  const compiled = new Map(
    steps.flatMap((step) =>
      step.kind === "rule" ? [[step, compileStep(definition, hooks, step)] as const] : [],
    ),
  );
  return async (step, values, context) => {
    const rule = compiled.get(step);
    if (rule === undefined) throw new Error("The rule of a step was not compiled.");
    const { names, compiledRule } = rule;
    const args = new Map(names.map(([name, read], index): [string, Value] => [name, read(values[index])]));
    const fault = await compiledRule.check(null, { scope: { arguments: args }, hookContext: context });
    return fault === null ? null : problemOf(step.key, fault);
  };
}

/** Null when a password may be stored. */
export type CheckPassword = (secret: string, context: unknown) => Promise<Problem | null>;

/** The rules of the field that users log in with, for passwords that no request has brought. */
export function compilePasswordRule(definition: Definition, hooks: ValidatorHooks): CheckPassword {
  const { auth, models } = definition;
  const model = models.find(({ name }) => name === auth?.model);
  const field = model?.members.find(({ name }) => name === auth?.password?.secret);
  if (field?.kind !== "field" || field.validate === null) return async () => null;
  const rule = compileRule({ definition, hooks }, field.validate, field.type);
  return async (secret, hookContext) => {
    const now = new Date().toISOString();
    const scope = { now: () => now, uuid: () => crypto.randomUUID() };
    const fault = await rule.check(secret, { scope, hookContext });
    return fault === null ? null : problemOf([field.name], fault);
  };
}

function problemOf(field: readonly string[], { code, message, params }: Fault): Problem {
  const error = { path: pointerOf(field), code, message };
  return invalid([params === undefined ? error : { ...error, params }]);
}

type ReadValue = (json: unknown) => Value;

function compileStep(definition: Definition, hooks: ValidatorHooks, { rule }: RuleStep) {
  const names: [string, ReadValue][] = [];
  const named = (expression: Expression): Expression => {
    if (!isWorkedOut(expression)) return expression;
    const name = `$${names.length}`;
    names.push([name, readerOf(expression)]);
    return { kind: "variable", variable: "argument", name, type: expression.type };
  };
  const rewritten = rewrite(rule, named);
  const type = { kind: "any", nullable: true } as const;
  return { names, compiledRule: compileRule({ definition, hooks }, rewritten, type) };
}

function readerOf({ type }: Expression): ReadValue {
  return (json) => (isValueType(type) ? (valueFromJson(type, json) ?? null) : (json as Value));
}

function rewrite(rule: Rule, named: (expression: Expression) => Expression): Rule {
  switch (rule.kind) {
    case "condition":
      return { ...rule, condition: named(rule.condition) };
    case "not":
      return { ...rule, rule: rewrite(rule.rule, named) };
    case "and":
    case "or":
      return { ...rule, rules: rule.rules.map((each) => rewrite(each, named)) };
    case "validator":
      return {
        ...rule,
        value: rule.value === null ? null : named(rule.value),
        arguments: rule.arguments.map(named),
      };
  }
}
