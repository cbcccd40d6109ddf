// The steps that fill a row: `set` and hooks in the order of the source, then the reference to the parent and
// what nothing was said about: defaults, timestamps, null. Rules of fields (`validate`) are not run: populated data is
// the author's own, and the constraints of the database hold in any case.

import {
  type Assignment,
  type CompileOptions,
  compileExpression,
  conversionOf,
  type Definition,
  type Evaluate,
  type EvaluationScope,
  type FieldMember,
  isDecimal,
  type Model,
  type Place,
  type Populate,
  type ReferenceMember,
  roundDecimal,
  type Type,
  type Value,
  type ValueObject,
  type ValueType,
  valueFromJson,
} from "@stoa/definition";
import { messageOfProblem, PopulateError, RowProblem, sourcePlace } from "./failure.js";
import { compileHook, type LoadedHooks } from "./hooks.js";
import type { HookContext } from "./inline-code.js";
import { hookResult, memberName, nameOfType, shorten } from "./messages.js";
import { findMember, type Row } from "./row.js";
import type { HashSecret } from "./secret.js";

/** What the expressions of a run see, and how it hashes passwords. */
export interface RunScope extends EvaluationScope {
  readonly hashSecret: HashSecret;
}

/** Fills one member of a row. Gives a promise where code or a hash has to be waited for. */
export interface Step {
  readonly member: string;
  readonly at: Place;
  readonly apply: (row: Row, scope: RunScope) => Promise<void> | undefined;
}

export interface StepPlanner {
  readonly definition: Definition;
  readonly hooks: LoadedHooks;
  readonly context: HookContext;
  readonly options: CompileOptions;
}

export function planSteps(planner: StepPlanner, populate: Populate, model: Model): Step[] {
  const set = populate.assignments.flatMap((assignment) => planAssignment(planner, assignment, model));
  const parent = populate.parent ? [parentStep(model, populate)] : [];
  const known = new Set([...set, ...parent].map((step) => step.member));
  const rest = model.members.flatMap((member): Step[] => {
    if (member.kind === "reference" && !known.has(member.key)) return [emptyReference(member)];
    if (member.kind !== "field" || known.has(member.name)) return [];
    return [defaultStep(planner, model, member)];
  });
  return [...set, ...parent, ...rest];
}

function planAssignment(planner: StepPlanner, assignment: Assignment, model: Model): Step[] {
  if (assignment.kind !== "set" && assignment.kind !== "hook") return [];
  const member = findMember(model, assignment.member);
  return [
    located(planner.definition, assignment.at, () => {
      if (assignment.kind === "hook") return hookStep(planner, assignment, model);
      if (member.kind === "reference") return referenceStep(planner, assignment, member);
      return valueStep(planner, assignment, model);
    }),
  ];
}

type SetAssignment = Extract<Assignment, { readonly kind: "set" }>;
type HookAssignment = Extract<Assignment, { readonly kind: "hook" }>;

function valueStep(planner: StepPlanner, { member: name, value, at }: SetAssignment, model: Model): Step {
  const target = targetOf(model, name);
  const evaluate = compileExpression(value, planner.options);
  const store = storeOf(value.type, target.type);
  const put = putterOf(planner.definition, model, target);
  return { member: target.name, at, apply: (row, scope) => put(row, scope, store(evaluate(scope))) };
}

/** A record: its id is stored, and it can be read through the row while that is at hand. */
function referenceStep(
  { options }: StepPlanner,
  { value, at }: SetAssignment,
  { name, key }: ReferenceMember,
): Step {
  const evaluate = compileExpression(value, options);
  return {
    member: key,
    at,
    apply: (row, scope) => {
      const target = evaluate(scope);
      row[name] = target;
      row[key] = idOf(target);
      return undefined;
    },
  };
}

function hookStep(planner: StepPlanner, { member: name, hook, at }: HookAssignment, model: Model): Step {
  const { definition, hooks, context, options } = planner;
  const target = targetOf(model, name);
  const run = hooks.get(hook);
  if (!run) throw new Error(`The hook of \`${name}\` is not loaded.`);
  const call = compileHook(definition, { hook, run, context }, options);
  const read = hookReader(definition, model, target);
  const put = putterOf(definition, model, target);
  const apply: Step["apply"] = (row, scope) => {
    const result = call(scope);
    if (!(result instanceof Promise)) return put(row, scope, read(result));
    return result.then((settled) => put(row, scope, read(settled)));
  };
  return { member: target.name, at, apply };
}

function parentStep(model: Model, { parent, at }: Populate): Step {
  const reference = findMember(model, parent?.reference ?? "");
  const alias = parent?.alias ?? "";
  if (reference.kind !== "reference") throw new Error(`\`${reference.name}\` is not a reference.`);
  const apply: Step["apply"] = (row, scope) => {
    const record = scope.aliases?.get(alias) ?? null;
    row[reference.name] = record;
    row[reference.key] = idOf(record);
    return undefined;
  };
  return { member: reference.key, at, apply };
}

function emptyReference({ name, key, at }: ReferenceMember): Step {
  const apply: Step["apply"] = (row) => {
    row[name] = null;
    row[key] = null;
    return undefined;
  };
  return { member: key, at, apply };
}

function defaultStep(planner: StepPlanner, model: Model, field: FieldMember): Step {
  const { name, at } = field;
  const put = putterOf(planner.definition, model, field);
  const evaluate = defaultValue(field, planner.options);
  return { member: name, at, apply: (row, scope) => put(row, scope, evaluate(scope)) };
}

function defaultValue(
  { default: expression, maintained, type }: FieldMember,
  options: CompileOptions,
): Evaluate {
  if (maintained) return (scope) => scope.now?.() ?? null;
  if (!expression) return () => null;
  const evaluate = compileExpression(expression, options);
  const store = storeOf(expression.type, type);
  return (scope) => store(evaluate(scope));
}

function idOf(record: Value): Value {
  return record === null ? null : ((record as ValueObject).id ?? null);
}

/** The member that holds the value: of a reference, its key. */
interface Target {
  readonly name: string;
  readonly type: ValueType;
}

function targetOf(model: Model, name: string): Target {
  const member = findMember(model, name);
  if (member.kind === "reference") return targetOf(model, member.key);
  if (member.kind === "field" || member.kind === "key") return member;
  throw new Error(`\`${memberName(model, name)}\` cannot be written.`);
}

/** A value as the column will hold it, so that those who read it from the row see the same as later readers. */
function storeOf(from: Type, to: ValueType): (value: Value) => Value {
  const convert = conversionOf(from, to) ?? ((value: Value) => value);
  if (to.kind !== "decimal" || to.scale === undefined) return convert;
  const { scale } = to;
  return (value) => {
    const converted = convert(value);
    return isDecimal(converted) ? roundDecimal(converted, scale) : converted;
  };
}

type Put = (row: Row, scope: RunScope, value: Value) => Promise<void> | undefined;

/** Passwords are stored as hashes by whatever writes them. */
function putterOf({ auth }: Definition, model: Model, { name }: Target): Put {
  const isPassword = auth?.model === model.name && auth.password?.secret === name;
  if (!isPassword) {
    return (row, _scope, value) => {
      row[name] = value;
      return undefined;
    };
  }
  return (row, scope, value) => {
    const hashed = typeof value === "string" ? scope.hashSecret(value) : value;
    if (!(hashed instanceof Promise)) {
      row[name] = hashed;
      return undefined;
    }
    return hashed.then((text) => {
      row[name] = text;
    });
  };
}

/** What a hook gave, in the type of the member. */
function hookReader({ enums }: Definition, model: Model, { name, type }: Target): (result: unknown) => Value {
  const store = storeOf(type, type);
  const values = type.kind === "enum" ? enums.find((item) => item.name === type.enum)?.values : undefined;
  const isAllowed = (value: Value): boolean => values?.some((item) => item.name === value) ?? true;
  return (result) => {
    const value = valueFromJson(type, result ?? null);
    const fits = value !== undefined && (value === null ? type.nullable : isAllowed(value));
    if (fits) return store(value);
    throw new RowProblem(hookResult(memberName(model, name), describe(result), nameOfType(type)));
  };
}

function describe(result: unknown): string {
  if (result === undefined) return "nothing";
  const text = typeof result === "function" ? "a function" : JSON.stringify(result);
  return text === undefined ? `a ${typeof result}` : shorten(text);
}

/** Runs a part of the planning; what cannot be planned is reported at its place. */
export function located<Result>(definition: Definition, at: Place, plan: () => Result): Result {
  try {
    return plan();
  } catch (error) {
    const message = messageOfProblem(error);
    if (!message) throw error;
    throw new PopulateError({ message, place: sourcePlace(definition, at), cause: error });
  }
}
