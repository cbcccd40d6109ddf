// Expressions as SQL. Every composite result stands in parentheses or is a call, so that parts can be put
// together without a thought for precedence. The meaning is that of the evaluator in the definition package;
// a property test holds the two together.

import { quoteName } from "@stoa/database";
import {
  type BinaryExpression,
  type CallExpression,
  type Expression,
  isValueType,
  type MemberExpression,
  type ValueType,
  type VariableExpression,
} from "@stoa/definition";
import { emitAggregate, emitQueryAggregate } from "./aggregate.js";
import { asCondition, fromJson, givesNumber, innerType, readAs, settleBinary, settleCall } from "./any.js";
import { emitArithmetic } from "./arithmetic.js";
import { emitArguments, emitJson } from "./body.js";
import { emitIdentity, emitIn, emitOrder } from "./compare.js";
import { idOf, type SqlRecord } from "./from.js";
import { emitCall } from "./functions.js";
import { inputOr } from "./input.js";
import { asJsonb, jsonPart, jsonValue, ROW } from "./json.js";
import { firstOf, linkOf } from "./link.js";
import { emitLiteral } from "./literal.js";
import { emitCollection } from "./query.js";
import { type Emitter, type Scope, withRecord } from "./scope.js";
import { columnType } from "./types.js";

export const emitter: Emitter = {
  value: (expression, scope) => emitValue(expression, scope),
  condition: (expression, scope) => emitCondition(expression, scope),
  record: (expression, scope) => recordOf(expression, scope),
  member: (record, path, scope) => memberOf(record, path, scope),
  follow: (record, name, scope) => record.follow(linkOf(record.model, name, scope)),
  json: (expression, scope) => emitJson(expression, scope),
  arguments: (hook, scope) => emitArguments(hook, scope),
  collection: (expression, scope, from) => emitCollection(expression, scope, from),
};

function emitValue(expression: Expression, scope: Scope): string {
  switch (expression.kind) {
    case "literal":
      return emitLiteral(expression);
    case "variable":
      return emitVariable(expression, scope);
    case "member":
      return emitMember(expression, scope);
    case "unary":
      return emitUnary(expression, scope);
    case "binary":
      return emitAny(expression, scope) ?? emitBinary(expression, scope, false);
    case "call":
      return emitAny(expression, scope) ?? emitCall(settleCall(expression), scope);
    case "aggregate":
      return emitAggregate(expression, scope);
    case "struct":
      return emitStruct(expression, scope);
    case "array":
      return emitArray(expression, scope);
  }
}

/** What is worked out from results of code is a result of any type as well; undefined for all other expressions. */
function emitAny(expression: BinaryExpression | CallExpression, scope: Scope): string | undefined {
  const type = expression.type.kind === "any" ? innerType(expression) : null;
  if (type === null) return undefined;
  const sql = emitValue(readAs(expression, type), scope);
  return givesNumber(expression, type) ? `to_jsonb(${sql})` : asJsonb(sql, type);
}

function emitCondition(expression: Expression, scope: Scope): string {
  if (expression.kind !== "binary") return emitValue(asCondition(expression), scope);
  const { operator, left, right } = expression;
  if (operator !== "and" && operator !== "or") return emitBinary(expression, scope, true);
  return `(${emitCondition(left, scope)} ${operator} ${emitCondition(right, scope)})`;
}

function emitBinary(unsettled: BinaryExpression, scope: Scope, isCondition: boolean): string {
  const expression = settleBinary(unsettled);
  const { operator, left, right } = expression;
  switch (operator) {
    case "and":
    case "or":
      return `(${emitValue(left, scope)} ${operator} ${emitValue(right, scope)})`;
    case "is":
    case "is not":
      return emitIdentity(expression, scope, isCondition);
    case "in":
    case "not in":
      return emitIn(expression, scope, isCondition);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return emitOrder(expression, scope);
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return emitArithmetic(expression, scope);
  }
}

function emitUnary(
  { operator, operand, type }: Extract<Expression, { kind: "unary" }>,
  scope: Scope,
): string {
  if (operator === "not") return `(not ${emitValue(asCondition(operand), scope)})`;
  const sql = emitValue(operand, scope);
  // From zero, so that there is no -0.
  return type.kind === "float" ? `(0::double precision - ${sql})` : `(- ${sql})`;
}

function emitArray({ items }: Extract<Expression, { kind: "array" }>, scope: Scope): string {
  return `json_build_array(${items.map((item) => jsonValue(emitValue(item, scope), item.type)).join(", ")})`;
}

function emitStruct({ entries }: Extract<Expression, { kind: "struct" }>, scope: Scope): string {
  const items = entries.map(
    ({ name, value }) => `${jsonValue(emitValue(value, scope), value.type)} as ${quoteName(name)}`,
  );
  return `(select row_to_json(${ROW}) from (select ${items.join(", ")}) ${ROW})`;
}

/** An extra input is a parameter; what an action has calculated is a value; of a record it is the id. */
function emitVariable(expression: VariableExpression, scope: Scope): string {
  const { variable, name, type } = expression;
  if (variable === "input" && isValueType(type)) {
    return inputOr(scope, [name], type, (value) => asColumn(value, type, scope));
  }
  const result = variable === "alias" ? scope.results.get(name) : undefined;
  if (result?.kind !== "value") return idOf(variableRecord(expression, scope));
  return result.isAny ? fromJson(result.sql, expression) : result.sql;
}

/** As the column of its type holds it. */
function asColumn(expression: Expression, type: ValueType, scope: Scope): string {
  const sql = emitValue(expression, scope);
  return type.kind === "json" ? asJsonb(sql, expression.type) : `${sql}::${columnType(type)}`;
}

function emitMember(expression: MemberExpression, scope: Scope): string {
  if (expression.member === "json") return jsonPart(emitValue(expression.on, scope), expression.name);
  if (expression.member === "part") {
    return fromJson(jsonPart(emitValue(expression.on, scope), expression.name), expression);
  }
  return memberOf(recordOf(expression.on, scope), expression, scope);
}

function memberOf(record: SqlRecord, { name }: MemberExpression, scope: Scope): string {
  const member = record.model.members.find((each) => each.name === name);
  switch (member?.kind) {
    case "id":
    case "field":
    case "key":
      return record.column(member.column);
    case "reference":
      return record.column(member.column);
    case "computed":
      return ofPresent(record, emitValue(member.value, { ...withRecord(scope, record), strict: null }));
    case "query":
      if (member.query.result.kind !== "aggregate") return idOf(emitter.follow(record, name, scope));
      return ofPresent(record, emitQueryAggregate(member.query, record, scope));
    case "relation":
      return idOf(emitter.follow(record, name, scope));
    default:
      throw new Error(`\`${record.model.name}.${name}\` has no value in SQL.`);
  }
}

/** What is calculated from a record is null where the record is missing. */
function ofPresent(record: SqlRecord, sql: string): string {
  return record.isNullable ? `case when ${idOf(record)} is not null then ${sql} end` : sql;
}

function recordOf(expression: Expression, scope: Scope): SqlRecord {
  if (expression.kind === "variable") return variableRecord(expression, scope);
  if (expression.kind === "member") {
    return emitter.follow(recordOf(expression.on, scope), expression.name, scope);
  }
  if (expression.kind === "call" && expression.function === "coalesce") {
    const present = expression.arguments.filter(({ type }) => type.kind !== "null");
    return firstOf(
      present.map((arg) => recordOf(arg, scope)),
      scope,
    );
  }
  throw new Error(`An expression of the kind \`${expression.kind}\` is no record.`);
}

function variableRecord({ variable, name }: VariableExpression, scope: Scope): SqlRecord {
  const record = findVariable(variable, name, scope);
  if (!record) throw new Error(`The scope of the expression has no \`${name || variable}\`.`);
  return record;
}

function findVariable(variable: VariableExpression["variable"], name: string, scope: Scope) {
  switch (variable) {
    case "this":
      return scope.this;
    case "owner":
      return scope.owner;
    case "auth":
      return scope.auth;
    case "alias":
      return scope.aliases.get(name);
    case "input":
    case "argument":
    case "iterator":
      return undefined;
  }
}
