// Validators: what each tests, and what it says when the test fails. Comparisons are those of the evaluator, so that
// `min(x)` and `value >= x` can never disagree.

import {
  type BinaryOperator,
  compileExpression,
  conversionOf,
  type Definition,
  type Evaluate,
  EvaluationProblem,
  type EvaluationScope,
  type Expression,
  type Hook,
  isDecimal,
  type Json,
  jsonOf,
  type Type,
  textLength,
  type Validator,
  type Value,
  type VariableExpression,
} from "@stoa/definition";
import { isEmail, isUrl } from "./address.js";
import { Fault, type FaultParams } from "./fault.js";
import { compilePattern } from "./pattern.js";

/** What rules see, and what their hooks get beside their arguments. */
export interface RuleRun {
  readonly scope: EvaluationScope;
  readonly hookContext: unknown;
}

export type ValidatorHook = (args: Readonly<Record<string, Json>>, context: unknown) => unknown;

export interface ValidatorHooks {
  /** The code of the hook of a validator; asked once, when the rules are compiled. Throws where there is none. */
  find(validator: string): ValidatorHook;
}

/** A validator and its arguments, in a rule. The value under test is never null. */
export interface Test {
  /** Whether it waits for a hook; `passes` gives promises then. */
  readonly isAsync: boolean;
  passes(value: Value, run: RuleRun): boolean | Promise<boolean>;
  /** What is said when it does not pass; with `isNegated`, when it does and must not. */
  refuse(isNegated: boolean, run: RuleRun): Fault;
}

export interface ValidatorCall {
  readonly validator: string;
  readonly arguments: readonly Expression[];
  /** The type of the value under test. */
  readonly type: Type;
}

export interface ValidatorSource {
  readonly definition: Definition;
  readonly hooks: ValidatorHooks;
}

export function compileValidator(source: ValidatorSource, call: ValidatorCall): Test {
  const declared = source.definition.validators.find(({ name }) => name === call.validator);
  if (declared !== undefined) return compileDeclared(source, declared, call);
  const args = call.arguments.map((argument) => compileExpression(argument));
  const [first = () => null] = args;
  const firstType = call.arguments[0]?.type ?? call.type;
  const show: Show = (run) => shown(first(run.scope), firstType);
  switch (call.validator) {
    case "minLength":
      return lengthTest(
        (length, limit) => length >= limit,
        first,
        (run) => minLength(show(run)),
      );
    case "maxLength":
      return lengthTest(
        (length, limit) => length <= limit,
        first,
        (run) => maxLength(show(run)),
      );
    case "min":
      return syncTest(comparison(call, ">="), (run) => lowest(show(run)));
    case "max":
      return syncTest(comparison(call, "<="), (run) => highest(show(run)));
    case "matches":
      return patternTest(call.arguments[0]);
    case "isEmail":
      return syncTest(
        (value) => isEmail(textOf(value)),
        () => EMAIL,
      );
    case "isUrl":
      return syncTest(
        (value) => isUrl(textOf(value)),
        () => WEB_ADDRESS,
      );
    case "oneOf":
      return syncTest(comparison(call, "in"), (run) => oneOf(shownList(call, args, run)));
    default:
      throw new Error(`There is no validator \`${call.validator}\`.`);
  }
}

// ---------------------------------------------------------------- what is said

type Shown = string | number | boolean;
type Show = (run: RuleRun) => Shown;

/** What a validator says when it fails, and when it must fail and does not. */
interface Saying {
  readonly code: string;
  readonly message: string;
  readonly negated: string;
  readonly params?: FaultParams;
}

function minLength(min: Shown): Saying {
  const message = `must have at least ${characters(min)}`;
  return { code: "min-length", message, negated: `must have fewer than ${characters(min)}`, params: { min } };
}

function maxLength(max: Shown): Saying {
  const message = `must have at most ${characters(max)}`;
  return { code: "max-length", message, negated: `must have more than ${characters(max)}`, params: { max } };
}

function characters(count: Shown): string {
  return count === 1 ? "1 character" : `${count} characters`;
}

function lowest(min: Shown): Saying {
  return {
    code: "min",
    message: `must be at least ${min}`,
    negated: `must be less than ${min}`,
    params: { min },
  };
}

function highest(max: Shown): Saying {
  return {
    code: "max",
    message: `must be at most ${max}`,
    negated: `must be more than ${max}`,
    params: { max },
  };
}

function patternSaying(pattern: string): Saying {
  const message = `must match the pattern ${pattern}`;
  return { code: "pattern", message, negated: `must not match the pattern ${pattern}`, params: { pattern } };
}

const EMAIL: Saying = {
  code: "email",
  message: "must be an e-mail address",
  negated: "must not be an e-mail address",
};

const WEB_ADDRESS: Saying = {
  code: "url",
  message: "must be a URL that begins with http:// or https://",
  negated: "must not be a URL",
};

function oneOf(values: readonly string[]): Saying {
  const list = values.join(", ");
  const message = `must be one of: ${list}`;
  return { code: "one-of", message, negated: `must not be one of: ${list}`, params: { values } };
}

function saidOf({ code, message, negated, params }: Saying, isNegated: boolean): Fault {
  return isNegated ? new Fault(`not-${code}`, negated, params) : new Fault(code, message, params);
}

/** An argument as clients see it. */
function shown(value: Value, type: Type): Shown {
  const json = jsonOf(value, type);
  return typeof json === "object" ? JSON.stringify(json) : json;
}

function shownList(
  { arguments: expressions, type }: ValidatorCall,
  args: readonly Evaluate[],
  run: RuleRun,
): string[] {
  return args.map((argument, index) => String(shown(argument(run.scope), expressions[index]?.type ?? type)));
}

// ---------------------------------------------------------------- built-in validators

function syncTest(passes: (value: Value, run: RuleRun) => boolean, say: (run: RuleRun) => Saying): Test {
  return { isAsync: false, passes, refuse: (isNegated, run) => saidOf(say(run), isNegated) };
}

function lengthTest(
  compare: (length: number, limit: number) => boolean,
  limit: Evaluate,
  say: (run: RuleRun) => Saying,
): Test {
  return syncTest((value, run) => compare(textLength(textOf(value)), limit(run.scope) as number), say);
}

/** Results of hooks have any type, so a `validate` action can come here with anything. */
function textOf(value: Value): string {
  if (typeof value === "string") return value;
  throw new EvaluationProblem("type-mismatch", "The value is not a string.");
}

const SUBJECT = "value";

/** The value under test beside the arguments, as an expression of the language. */
function comparison({ type, arguments: args }: ValidatorCall, operator: BinaryOperator): Comparison {
  const left: VariableExpression = { kind: "variable", type, variable: "argument", name: SUBJECT };
  const [first] = args;
  if (first === undefined) throw new Error("A comparison needs something to compare with.");
  const list: Expression = {
    kind: "array",
    type: { kind: "array", of: first.type, nullable: false },
    items: args,
  };
  const right = operator === "in" ? list : first;
  const boolean: Type = { kind: "boolean", nullable: true };
  const evaluate = compileExpression({ kind: "binary", type: boolean, operator, left, right });
  // Arguments are literals as a rule, which look at nothing; this is run for every value.
  const areLiterals = args.every(({ kind }) => kind === "literal");
  return (value, { scope }) => {
    const subject = new Map<string, Value>();
    subject.set(SUBJECT, value);
    return evaluate(areLiterals ? { arguments: subject } : { ...scope, arguments: subject }) === true;
  };
}

type Comparison = (value: Value, run: RuleRun) => boolean;

function patternTest(argument: Expression | undefined): Test {
  if (argument?.kind !== "literal") throw new Error("A pattern is a literal.");
  const pattern = String(argument.value);
  const isFound = compilePattern(pattern);
  return syncTest(
    (value) => isFound(textOf(value)),
    () => patternSaying(pattern),
  );
}

// ---------------------------------------------------------------- validators of the program

function compileDeclared({ hooks }: ValidatorSource, validator: Validator, call: ValidatorCall): Test {
  const [subject, ...rest] = validator.arguments;
  if (subject === undefined) throw new Error(`The validator \`${validator.name}\` tests nothing.`);
  const convert = conversionOf(call.type, subject.type) ?? ((value: Value) => value);
  const further = rest.map(({ name, type }, index) => ({
    name,
    type,
    evaluate: typedArgument(call, index, type),
  }));
  const scopeOf = (value: Value, { scope }: RuleRun): EvaluationScope => ({
    ...(scope.now && { now: scope.now }),
    ...(scope.uuid && { uuid: scope.uuid }),
    arguments: new Map<string, Value>([
      [subject.name, convert(value)],
      ...further.map(({ name, evaluate }) => [name, evaluate(scope)] as const),
    ]),
  });
  const refuse = (isNegated: boolean, { scope }: RuleRun): Fault => {
    const params = paramsOf(further.map(({ name, type, evaluate }) => [name, jsonOf(evaluate(scope), type)]));
    const { code, message } = validator.error;
    if (isNegated) return new Fault(`not-${code}`, "is not allowed", params);
    return new Fault(code, message ?? "is not valid", params);
  };
  const { assert } = validator;
  if (assert.kind === "hook") {
    const run = compileHook(assert.hook, hooks.find(validator.name), validator.name);
    return { isAsync: true, refuse, passes: (value, rule) => run(scopeOf(value, rule), rule.hookContext) };
  }
  const holds = compileExpression(assert);
  return { isAsync: false, refuse, passes: (value, run) => holds(scopeOf(value, run)) === true };
}

function typedArgument({ arguments: args }: ValidatorCall, index: number, type: Type): Evaluate {
  const argument = args[index];
  if (argument === undefined) throw new Error("An argument of a validator is missing.");
  const evaluate = compileExpression(argument);
  const convert = conversionOf(argument.type, type);
  return convert ? (scope) => convert(evaluate(scope)) : evaluate;
}

/** Single values tell a client something; all else would only be long. */
function paramsOf(entries: readonly (readonly [string, Json])[]): FaultParams | undefined {
  const single = entries.filter((entry): entry is readonly [string, Shown] => typeof entry[1] !== "object");
  return single.length > 0 ? Object.fromEntries(single) : undefined;
}

function compileHook(
  { arguments: args }: Hook,
  run: ValidatorHook,
  validator: string,
): (scope: EvaluationScope, context: unknown) => Promise<boolean> {
  const values = args.map(({ name, value }) => {
    if (value.kind === "query") throw new Error(`The hook of the validator \`${validator}\` cannot query.`);
    return { name, type: value.expression.type, evaluate: compileExpression(value.expression) };
  });
  return async (scope, context) => {
    const entries = values.map(({ name, type, evaluate }) => [name, jsonOf(evaluate(scope), type)]);
    const result = await run(Object.fromEntries(entries), context);
    if (typeof result === "boolean") return result;
    throw new TypeError(
      `The hook of the validator \`${validator}\` gave ${describe(result)}, not true or false.`,
    );
  };
}

function describe(result: unknown): string {
  return result === null || result === undefined
    ? String(result)
    : isDecimal(result as Value)
      ? "a decimal"
      : `a ${typeof result}`;
}
