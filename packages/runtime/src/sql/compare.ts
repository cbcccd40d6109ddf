// Comparisons. `is` is null-safe; the others are null where an operand is. Where null and false are one, as in
// WHERE, the plain operators of SQL do, which indexes can serve.

import type { BinaryExpression, Expression, Type } from "@stoa/definition";
import { From, idOf } from "./from.js";
import { asJsonb } from "./json.js";
import { mayBeNull } from "./nullness.js";
import { collated, type Element, type Scope } from "./scope.js";

/** `is` and `is not`. */
export function emitIdentity(expression: BinaryExpression, scope: Scope, isCondition: boolean): string {
  const { left, right, operator } = expression;
  const isNegated = operator === "is not";
  if (isNull(right)) return nullTest(left, scope, isNegated);
  if (isNull(left)) return nullTest(right, scope, isNegated);
  const [a, b] = comparable(left, right, { scope, isCondition });
  return equality(a, b, isNegated, isCondition);
}

function isNull({ type }: Expression): boolean {
  return type.kind === "null";
}

function nullTest(expression: Expression, scope: Scope, isNegated: boolean): string {
  if (isNull(expression)) return String(!isNegated);
  return `(${operandOf(expression, { scope, isCondition: false }).sql} ${isNegated ? "is not null" : "is null"})`;
}

interface Operand {
  readonly sql: string;
  readonly isNullable: boolean;
}

function equality(left: Operand, right: Operand, isNegated: boolean, isCondition: boolean): string {
  const isNullable = left.isNullable || right.isNullable;
  if (!isNullable) return `(${left.sql} ${isNegated ? "<>" : "="} ${right.sql})`;
  // If one of them is always there, null is just another value that is not equal to it.
  const isPlain = isCondition && !isNegated && !(left.isNullable && right.isNullable);
  if (isPlain) return `(${left.sql} = ${right.sql})`;
  return `(${left.sql} ${isNegated ? "is distinct from" : "is not distinct from"} ${right.sql})`;
}

interface ComparisonPlace {
  readonly scope: Scope;
  /** Whether null and false are one. */
  readonly isCondition: boolean;
}

/** A value; for a record its id. */
function operandOf(expression: Expression, { scope, isCondition }: ComparisonPlace): Operand {
  if (expression.type.kind === "record") {
    const record = scope.emitter.record(expression, scope);
    return { sql: idOf(record), isNullable: record.isNullable };
  }
  const sql = scope.emitter.value(expression, scope);
  return { sql, isNullable: mayBeNull(expression, { context: scope.context, isCondition }) };
}

/** Both sides in one type of PostgreSQL. */
function comparable(left: Expression, right: Expression, place: ComparisonPlace): [Operand, Operand] {
  const [a, b] = [operandOf(left, place), operandOf(right, place)];
  return [inTypeOf(a, left.type, right.type), inTypeOf(b, right.type, left.type)];
}

function inTypeOf(operand: Operand, own: Type, other: Type): Operand {
  if (own.kind === "json" || own.kind === "null" || other.kind !== "json") return operand;
  return { ...operand, sql: asJsonb(operand.sql, own) };
}

export function emitOrder({ left, right, operator }: BinaryExpression, scope: Scope): string {
  const [a, b] = [scope.emitter.value(left, scope), scope.emitter.value(right, scope)];
  return `(${a} ${operator} ${collated(b, right.type)})`;
}

/** `in` and `not in`: null where the value or the list is, never because of nulls in the list. */
export function emitIn(expression: BinaryExpression, scope: Scope, isCondition: boolean): string {
  const isNegated = expression.operator === "not in";
  const place = { scope, isCondition: isCondition && !isNegated };
  const test =
    expression.right.kind === "array" ? inList(expression, place) : inCollection(expression, place);
  return isNegated ? `(not ${test})` : test;
}

function inList({ left, right }: BinaryExpression, place: ComparisonPlace): string {
  if (right.kind !== "array") throw new Error("The right side of `in` is no list.");
  const of = right.type.kind === "array" ? right.type.of : right.type;
  const needle = inTypeOf(operandOf(left, place), left.type, of);
  const present = right.items.filter((item) => !isNull(item));
  const items = present.map((item) => inTypeOf(itemOperand(item, of, place), of, left.type));
  const isPlain = items.every((item) => !item.isNullable);
  if (isPlain && items.length > 0) return `(${needle.sql} in (${items.map(({ sql }) => sql).join(", ")}))`;
  const tests = items.map((item) => equality(needle, item, false, place.isCondition));
  const test = tests.length === 0 ? "false" : `(${tests.join(" or ")})`;
  // Against a missing value `is not distinct from` would hold for a missing item.
  return `case when ${needle.sql} is null then null else ${test} end`;
}

/** An item in the type of its list: an integer beside decimals is one of them, and so is a value in json. */
function itemOperand(item: Expression, of: Type, place: ComparisonPlace): Operand {
  const operand = inTypeOf(operandOf(item, place), item.type, of);
  const isWidened = of.kind === "decimal" && item.type.kind === "integer";
  return isWidened ? { ...operand, sql: `(${operand.sql})::numeric` } : operand;
}

function inCollection({ left, right }: BinaryExpression, place: ComparisonPlace): string {
  const { scope, isCondition } = place;
  const needle = operandOf(left, place);
  const from = new From(scope.context);
  const { element, nullWhen } = scope.emitter.collection(right, scope, from);
  const of = right.type.kind === "collection" ? right.type.of : right.type;
  const sought = inTypeOf(needle, left.type, of);
  from.where(`${inTypeOf(elementOperand(element), of, left.type).sql} = ${sought.sql}`);
  const test = `exists (select 1${from.render()})`;
  const guards = [
    ...(needle.isNullable ? [`${needle.sql} is null`] : []),
    ...(nullWhen === null ? [] : [nullWhen]),
  ];
  if (isCondition || guards.length === 0) return test;
  return `case when ${guards.join(" or ")} then null else ${test} end`;
}

function elementOperand(element: Element): Operand {
  if (element.kind === "record") return { sql: idOf(element.record), isNullable: element.record.isNullable };
  return { sql: element.sql, isNullable: element.type.nullable };
}
