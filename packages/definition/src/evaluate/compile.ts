// The evaluator: an expression becomes closures once, and then gives its value for any scope without looking at
// the expression again. Pure: the clock, new ids, fake values and records come in through the scope. What an
// expression means is said in the reference; the SQL that PostgreSQL runs must give the same.

import type { Expression, LiteralExpression, MemberExpression, VariableExpression } from "../expression.js";
import type { Type } from "../types.js";
import { compileAggregate } from "./aggregate.js";
import { compileCall } from "./call.js";
import { parseDecimal } from "./decimal.js";
import { conversionOf } from "./json.js";
import { parseDatetime } from "./moment.js";
import { compileBinary, compileUnary } from "./operator.js";
import {
  type CompileOptions,
  type Evaluate,
  type EvaluationScope,
  isObject,
  propertyOf,
  type ReadRecord,
  type Value,
  type ValueObject,
} from "./value.js";

export function compileExpression(expression: Expression, options: CompileOptions = {}): Evaluate {
  const compile = (part: Expression): Evaluate => compileExpression(part, options);
  switch (expression.kind) {
    case "literal": {
      const value = literalValue(expression);
      return () => value;
    }
    case "array": {
      const of = expression.type.kind === "array" ? expression.type.of : expression.type;
      const items = expression.items.map((item) => converted(compile(item), item.type, of));
      return (scope) => items.map((item) => item(scope));
    }
    case "struct": {
      const entries = expression.entries.map(({ name, value }) => [name, compile(value)] as const);
      return (scope) => Object.fromEntries(entries.map(([name, value]) => [name, value(scope)]));
    }
    case "variable":
      return compileVariable(expression);
    case "member":
      return compileMember(expression, compile(expression.on), options);
    case "unary":
      return compileUnary(expression, compile(expression.operand));
    case "binary":
      return compileBinary(
        expression,
        { left: compile(expression.left), right: compile(expression.right) },
        options,
      );
    case "call": {
      const { function: name, arguments: args, type } = expression;
      const isChoice = name === "coalesce";
      const compiled = args.map((arg) => (isChoice ? converted(compile(arg), arg.type, type) : compile(arg)));
      return compileCall(expression, compiled, options);
    }
    case "aggregate":
      return compileAggregate(expression, compile(expression.over), options);
  }
}

function literalValue({ type, value }: LiteralExpression): Value {
  if (value === null || (type.kind !== "decimal" && type.kind !== "datetime")) return value;
  const read = type.kind === "decimal" ? parseDecimal(String(value)) : parseDatetime(String(value));
  if (read === undefined) throw new Error(`The literal \`${value}\` is not a ${type.kind}.`);
  return read;
}

/** In the common type of a list or choice: an integer beside decimals is one of them, and so is a value in json. */
function converted(evaluate: Evaluate, from: Type, to: Type): Evaluate {
  const convert = conversionOf(from, to);
  return convert ? (scope) => convert(evaluate(scope)) : evaluate;
}

function compileVariable({ variable, name }: VariableExpression): Evaluate {
  switch (variable) {
    case "this":
    case "owner":
    case "auth":
      return (scope) => found(scope[variable], variable);
    case "alias":
      return (scope) => found(scope.aliases?.get(name), name);
    case "input":
      return (scope) => found(scope.inputs?.get(name), name);
    case "argument":
      return (scope) => found(scope.arguments?.get(name), name);
    case "iterator":
      return (scope) => found(scope.iterators?.get(name), name);
  }
}

function found(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The scope of the expression has no \`${name}\`.`);
  return value;
}

function compileMember(expression: MemberExpression, on: Evaluate, options: CompileOptions): Evaluate {
  const { name, member } = expression;
  if (member === "json" || member === "part") {
    return (scope) => {
      const value = on(scope);
      return isObject(value) ? propertyOf(value, name) : null;
    };
  }
  const read: ReadRecord = options.readMember?.(expression) ?? ((record) => propertyOf(record, name));
  if (expression.on.type.kind === "collection") return overCollection(expression, on, read);
  return (scope) => {
    const record = on(scope);
    return record === null ? null : read(record as ValueObject, scope);
  };
}

/** Collections of collections are flattened; what is reached through a missing record is missing. */
function overCollection({ type }: MemberExpression, on: Evaluate, read: ReadRecord): Evaluate {
  // An array in JSON is one value, and no collection.
  const isOfJson = type.kind === "collection" && type.of.kind === "json";
  return (scope: EvaluationScope) => {
    const records = on(scope) as readonly Value[] | null;
    if (records === null) return null;
    const readOne = (record: Value): Value | readonly Value[] =>
      record === null ? null : read(record as ValueObject, scope);
    return isOfJson ? records.map(readOne) : records.flatMap(readOne);
  };
}
