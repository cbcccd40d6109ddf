// Single relationships: from a record to the one record they lead to.

import { quoteName } from "@stoa/database";
import type { Model, QueryMember, ReferenceMember, RelationMember } from "@stoa/definition";
import {
  type From,
  idColumn,
  idOf,
  type Link,
  LoneRecord,
  rowRecord,
  type SqlRecord,
  TableRecord,
  tableOf,
} from "./from.js";
import { keyColumn, selectOfQuery } from "./query.js";
import type { Scope } from "./scope.js";

export function linkOf(model: Model, name: string, scope: Scope): Link {
  const member = model.members.find((each) => each.name === name);
  switch (member?.kind) {
    case "reference":
      return referenceLink(member, scope);
    case "relation":
      return relationLink(member, scope);
    case "query":
      return queryLink(member, scope);
    default:
      throw new Error(`\`${model.name}.${name}\` is no relationship.`);
  }
}

/** The id of the record is in the reference; the table is joined only for its other columns. */
function referenceLink({ name, to, column, nullable }: ReferenceMember, { context }: Scope): Link {
  const model = context.model(to);
  return {
    name,
    model,
    isNullable: nullable,
    joinTo: (record, from) => {
      const key = record.column(column);
      const id = idColumn(model);
      return new TableRecord({
        from,
        model,
        isNullable: record.isNullable || nullable,
        known: new Map([[id, key]]),
        join: () => from.leftJoin(tableOf(model), (table) => `${table}.${quoteName(id)} = ${key}`),
      });
    },
  };
}

function relationLink(member: RelationMember, { context }: Scope): Link {
  const model = context.model(member.from);
  return {
    name: member.name,
    model,
    isNullable: true,
    joinTo: (record, from) => joinRelated(record, from, model, keyColumn(model, member)),
  };
}

function joinRelated(record: SqlRecord, from: From, model: Model, column: string): SqlRecord {
  const id = idOf(record);
  const join = () => from.leftJoin(tableOf(model), (table) => `${table}.${quoteName(column)} = ${id}`);
  return new TableRecord({ from, model, isNullable: true, join });
}

function queryLink({ name, query }: QueryMember, scope: Scope): Link {
  const model = scope.context.model(query.model);
  return {
    name,
    model,
    isNullable: true,
    joinTo: (record, from) => {
      const join = () => from.leftJoin(`lateral (${selectOfQuery(query, record, scope)})`, () => "true");
      return new TableRecord({ from, model, isNullable: true, join });
    },
  };
}

/** `coalesce(editor, author)`: the first record that is there. Found by its id, since it may be any of them. */
export function firstOf(records: readonly SqlRecord[], { context }: Scope): SqlRecord {
  const model = records[0]?.model;
  if (model === undefined) throw new Error("`coalesce` has no records.");
  const isNullable = records.every((record) => record.isNullable);
  const id = `coalesce(${records.map(idOf).join(", ")})`;
  return new LoneRecord(context, { model, isNullable }, (from) => {
    const key = quoteName(idColumn(model));
    return rowRecord(
      from,
      model,
      from.join(tableOf(model), (table) => `${table}.${key} = ${id}`),
    );
  });
}
