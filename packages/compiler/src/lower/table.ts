// The table of a model: columns, keys, indexes, and their stable names.

import type {
  Column,
  ColumnType,
  EnumCheck,
  ForeignKey,
  Index,
  Table,
  UniqueConstraint,
  ValueType,
} from "@stoa/definition";
import { columnName, tableName } from "../check/database-names.js";
import { constraintName, snakeCase } from "../naming.js";
import type { FieldMember, Member, Model, Program, ReferenceMember } from "../resolve/program.js";
import { itemOf, itemsOf } from "../syntax/tree.js";

export function lowerTable(program: Program, model: Model): Table {
  const table = tableName(model).name;
  return {
    name: table,
    columns: [...model.members.values()].flatMap((member) => columnOf(program, member)),
    primaryKey: { name: constraintName(table, [], "pkey"), columns: ["id"] },
    uniques: uniquesOf(model, table),
    foreignKeys: referencesOf(model).flatMap((reference) => foreignKeyOf(program, reference, table)),
    checks: checksOf(program, model, table),
    indexes: indexesOf(model, table),
  };
}

/** Column of a stored member: of a key, that of its reference. */
export function columnOfMember(model: Model, name: string): string {
  const member = model.members.get(name);
  const stored = member?.kind === "key" ? member.reference : member;
  return (stored && columnName(stored)?.name) ?? snakeCase(name);
}

function columnOf(program: Program, member: Member): Column[] {
  const name = columnName(member)?.name;
  if (name === undefined) return [];
  if (member.kind === "id") {
    const generated = member.type.kind === "uuid" ? "uuid" : "identity";
    return [{ name, type: columnType(member.type), nullable: false, generated, was: null }];
  }
  if (member.kind === "field" && member.type) {
    const was = member.node && itemOf(member.node.body, "was");
    const type = columnType(member.type);
    return [
      {
        name,
        type,
        nullable: member.type.nullable,
        generated: null,
        was: was ? snakeCase(was.name.text) : null,
      },
    ];
  }
  if (member.kind !== "reference") return [];
  const was = itemOf(member.node.body, "was");
  const type = columnType(idType(program, member));
  return [
    {
      name,
      type,
      nullable: member.nullable,
      generated: null,
      was: was ? `${snakeCase(was.name.text)}_id` : null,
    },
  ];
}

/** Type of the id that a reference points at. */
export function idType(program: Program, reference: ReferenceMember): ValueType {
  const id = reference.to === undefined ? undefined : program.models.get(reference.to)?.members.get("id");
  return id?.kind === "id" ? id.type : { kind: "integer", nullable: false };
}

function columnType(type: ValueType): ColumnType {
  switch (type.kind) {
    case "string":
    case "enum":
      return { kind: "text" };
    case "integer":
      return { kind: "bigint" };
    case "float":
      return { kind: "double precision" };
    case "decimal":
      return type.precision === undefined || type.scale === undefined
        ? { kind: "numeric" }
        : { kind: "numeric", precision: type.precision, scale: type.scale };
    case "datetime":
      return { kind: "timestamptz" };
    case "json":
      return { kind: "jsonb" };
    case "boolean":
    case "date":
    case "uuid":
      return { kind: type.kind };
  }
}

function referencesOf(model: Model): ReferenceMember[] {
  return [...model.members.values()].filter(
    (member): member is ReferenceMember => member.kind === "reference",
  );
}

function fieldsOf(model: Model): FieldMember[] {
  return [...model.members.values()].filter((member): member is FieldMember => member.kind === "field");
}

function uniquesOf(model: Model, table: string): UniqueConstraint[] {
  const single = [...fieldsOf(model), ...referencesOf(model)]
    .filter((member) => member.unique)
    .map((member) => [member.name]);
  const composite = itemsOf(model.node.body, "unique").map((node) => node.members.map((name) => name.text));
  const all = [...single, ...composite].map((members) => {
    const columns = members.map((name) => columnOfMember(model, name));
    return { name: constraintName(table, columns, "key"), columns, members };
  });
  // The same key may be written twice: `field a { unique }` and `unique { a }`.
  return [...new Map(all.map((key) => [key.name, key])).values()];
}

function foreignKeyOf(program: Program, reference: ReferenceMember, table: string): ForeignKey[] {
  const target = reference.to === undefined ? undefined : program.models.get(reference.to);
  const column = columnName(reference)?.name;
  if (!target || column === undefined) return [];
  return [
    {
      name: constraintName(table, [column], "fkey"),
      columns: [column],
      member: reference.name,
      table: tableName(target).name,
      targetColumns: ["id"],
      onDelete: reference.onDelete,
    },
  ];
}

function checksOf(program: Program, model: Model, table: string): EnumCheck[] {
  return fieldsOf(model).flatMap((field) => {
    const column = columnName(field)?.name;
    if (field.type?.kind !== "enum" || column === undefined) return [];
    const values = [...(program.enums.get(field.type.enum)?.values ?? [])];
    return [
      { name: constraintName(table, [column], "check"), columns: [column], member: field.name, values },
    ];
  });
}

function indexesOf(model: Model, table: string): Index[] {
  const plain = (columns: readonly string[], reason: Index["reason"]): Index => ({
    name: constraintName(table, columns, "idx"),
    columns: columns.map((name) => ({ name, descending: false })),
    reason,
  });
  // A unique constraint brings its own index.
  const foreign = referencesOf(model)
    .filter((reference) => !reference.unique)
    .map((reference) => plain([columnOfMember(model, reference.name)], "foreign key"));
  const fields = fieldsOf(model)
    .filter((field) => !field.unique && field.node && itemOf(field.node.body, "index"))
    .map((field) => plain([columnOfMember(model, field.name)], "declared"));
  const composite = itemsOf(model.node.body, "index").map(({ members }): Index => {
    const columns = members.map(({ name, descending }) => ({
      name: columnOfMember(model, name.text),
      descending,
    }));
    const parts = columns.map(({ name, descending }) => (descending ? `${name}_desc` : name));
    return { name: constraintName(table, parts, "idx"), columns, reason: "declared" };
  });
  const byName = new Map([...foreign, ...fields, ...composite].map((index) => [index.name, index]));
  return [...byName.values()];
}
