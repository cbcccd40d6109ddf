// Values that are written: from the request, from a lookup, from expressions, from code, from the parent.

import type { Assignment, Expression, FieldMember, Member, Model, ValueType } from "@stoa/definition";
import { From, idOf, rowRecord, type SqlRecord, tableOf } from "../../sql/from.js";
import { inputOr } from "../../sql/input.js";
import { asJsonb } from "../../sql/json.js";
import { type Scope, withRecord } from "../../sql/scope.js";
import { columnType } from "../../sql/types.js";
import { identifier } from "../chain.js";

type WrittenMember = Extract<Member, { kind: "field" | "key" | "reference" }>;

export function writtenMember(model: Model, name: string): WrittenMember {
  const member = model.members.find((each) => each.name === name);
  if (member?.kind === "field" || member?.kind === "key" || member?.kind === "reference") return member;
  throw new Error(`\`${model.name}.${name}\` cannot be written.`);
}

/** The type of a member's column; of a reference that of its key. */
export function memberType(model: Model, member: WrittenMember): ValueType {
  if (member.kind !== "reference") return member.type;
  const key = model.members.find((each) => each.name === member.key);
  if (key?.kind !== "key") throw new Error(`\`${model.name}.${member.name}\` has no key.`);
  return key.type;
}

/** The value of an assignment, of the type of its column. `call` numbers the calls of code. */
export function assignedValue(
  assignment: Assignment,
  model: Model,
  scope: Scope,
  call: (assignment: Assignment) => number,
): string {
  const member = writtenMember(model, assignment.member);
  const type = memberType(model, member);
  switch (assignment.kind) {
    case "input":
      return inputOr(scope, assignment.field, type, (value) => storedValue(value, type, scope));
    case "lookup":
      return foundId(assignment, model, scope);
    case "set":
      return storedValue(assignment.value, type, { ...scope, strict: `/${assignment.member}` });
    case "parent":
      return idOf(scope.emitter.record(assignment.value, scope));
    case "hook":
      return scope.context.parameter({ kind: "hook", call: call(assignment), type });
  }
}

function storedValue(value: Expression, type: ValueType, scope: Scope): string {
  if (value.type.kind === "record") return idOf(scope.emitter.record(value, scope));
  const sql = scope.emitter.value(value, scope);
  if (value.type.kind === "any") return `(${sql} #>> '{}')::${columnType(type)}`;
  return type.kind === "json" && value.type.kind !== "json" && value.type.kind !== "null"
    ? asJsonb(sql, value.type)
    : sql;
}

type LookupAssignment = Extract<Assignment, { kind: "lookup" }>;

/** The id of the record that a unique value of the request names. */
function foundId(assignment: LookupAssignment, model: Model, scope: Scope): string {
  const target = lookedUp(assignment, model, scope);
  const from = new From(scope.context);
  const record = rowRecord(from, target, from.add(tableOf(target)));
  from.where(`${identifier(record, assignment.path, scope)} = ${lookupParameter(assignment, target, scope)}`);
  return `(select ${idOf(record)}${from.render()})`;
}

/** Holds where the request gives a value that nothing has. */
export function nothingFound(assignment: LookupAssignment, model: Model, scope: Scope): string {
  const target = lookedUp(assignment, model, scope);
  return `${lookupParameter(assignment, target, scope)} is not null and ${foundId(assignment, model, scope)} is null`;
}

function lookedUp({ member }: LookupAssignment, model: Model, { context }: Scope): Model {
  const reference = writtenMember(model, member);
  if (reference.kind !== "reference") throw new Error(`\`${model.name}.${member}\` is no reference.`);
  return context.model(reference.to);
}

function lookupParameter({ field, path }: LookupAssignment, target: Model, { context }: Scope): string {
  return context.parameter({ kind: "input", path: field, type: endOfPath(target, path, context) });
}

function endOfPath(model: Model, [name, ...rest]: readonly string[], context: Scope["context"]): ValueType {
  const member = model.members.find((each) => each.name === name);
  if (member?.kind === "reference" && rest.length > 0)
    return endOfPath(context.model(member.to), rest, context);
  if (member?.kind === "relation") return endOfPath(context.model(member.from), rest, context);
  if (member?.kind === "id" || member?.kind === "field" || member?.kind === "key") return member.type;
  throw new Error(`\`${model.name}.${name}\` identifies nothing.`);
}

/** What a new record has where nothing assigns a value: its default, the time, or null. */
export function defaultValue(member: FieldMember, scope: Scope): string | null {
  if (member.maintained) return "now()";
  if (member.default === null) return null;
  return storedValue(member.default, member.type, scope);
}

export function columnsOfUpdate(
  assignments: readonly Assignment[],
  options: {
    readonly model: Model;
    readonly old: SqlRecord;
    readonly scope: Scope;
    readonly isOptional: (field: readonly string[]) => boolean;
    readonly call: (assignment: Assignment) => number;
  },
): [column: string, sql: string][] {
  const { model, old, isOptional, call } = options;
  const scope = withRecord(options.scope, old);
  const written = assignments.map((assignment): [string, string] => {
    const { column } = writtenMember(model, assignment.member);
    const value = assignedValue(assignment, model, scope, call);
    const isInput = assignment.kind === "input" || assignment.kind === "lookup";
    if (!isInput || !isOptional(assignment.field)) return [column, value];
    if (scope.defaults.has(assignment.field.join("."))) return [column, value];
    const given = scope.context.parameter({ kind: "given", path: assignment.field });
    return [column, `case when ${given} then ${value} else ${old.column(column)} end`];
  });
  return [...written, ...maintainedColumns(model)];
}

function maintainedColumns({ members }: Model): [string, string][] {
  return members.flatMap((member): [string, string][] =>
    member.kind === "field" && member.maintained && member.name === "updatedAt"
      ? [[member.column, "now()"]]
      : [],
  );
}
