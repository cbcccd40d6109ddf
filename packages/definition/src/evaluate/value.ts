// Values as the evaluator sees them. Their kinds are known from the types of the expressions, so a value
// carries no tag of its own:
//   string, enum, uuid   a string
//   integer, float       a number
//   decimal              a Decimal: exact, with its digits after the point
//   boolean              a boolean
//   date                 "2026-11-14"
//   datetime             "2026-11-14T10:20:30.123456Z": UTC with microseconds, so that texts compare like moments
//   json                 what JSON.parse gives; a null inside JSON is null like any other
//   record, struct       an object, by name of member or part
//   collection, array    an array
// Missing values of all types are null.

import type { MemberExpression } from "../expression.js";
import type { Decimal } from "./decimal.js";
import type { RangeOptions } from "./problem.js";

export type Value = string | number | boolean | null | Decimal | readonly Value[] | ValueObject;

/** A record, a struct or a JSON object. Records have their `id`. */
export interface ValueObject {
  readonly [name: string]: Value;
}

/** What an expression may look at. Only what the expression mentions needs to be there. */
export interface EvaluationScope {
  readonly this?: Value;
  readonly owner?: Value;
  readonly auth?: Value;
  readonly aliases?: ReadonlyMap<string, Value>;
  readonly inputs?: ReadonlyMap<string, Value>;
  readonly arguments?: ReadonlyMap<string, Value>;
  readonly iterators?: ReadonlyMap<string, Value>;
  /** A datetime; the same for all of a transaction. `today()` is its day. */
  readonly now?: () => string;
  readonly uuid?: () => string;
  readonly fake?: (kind: string, args: readonly Value[]) => Value;
}

/** A compiled expression. Throws an `EvaluationProblem` where there is no value. */
export type Evaluate = (scope: EvaluationScope) => Value;

/** Reads one member of a record that is there. */
export type ReadRecord = (record: ValueObject, scope: EvaluationScope) => Value;

export interface CompileOptions extends RangeOptions {
  /**
   * A result out of range, or a division by zero: with `error`, the default, it is a problem, for values that
   * are written or refused; with `null` the operation at hand gives null, as it does in the database.
   */
  readonly outOfRange?: "error" | "null" | undefined;
  /**
   * How a member of a record is read; asked once per path when the expression is compiled, so that members
   * that cannot be read can be refused before anything runs. Without it, members are properties.
   */
  readonly readMember?: (member: MemberExpression) => ReadRecord;
}

export function isObject(value: Value): value is ValueObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isDecimal(value);
}

/** JSON has no bigint, so nothing else looks like this. */
export function isDecimal(value: Value): value is Decimal {
  return typeof value === "object" && value !== null && "units" in value && typeof value.units === "bigint";
}

/** A property that is the object's own: names such as `constructor` are names like any other. */
export function propertyOf(object: ValueObject, name: string): Value {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}
