// The shapes of what models are made of, in the order of definition.ts: members, queries, hooks, tables, rules
// and validators. Selects stand here too, because hooks take them as arguments.

import type {
  Column,
  ColumnType,
  ComputedMember,
  Constraint,
  Enum,
  EnumCheck,
  EnumValue,
  FieldMember,
  ForeignKey,
  Hook,
  HookArgument,
  HookCode,
  HookMember,
  IdMember,
  Index,
  KeyMember,
  Member,
  Model,
  OrderTerm,
  Place,
  Query,
  QueryMember,
  QueryResult,
  QuerySource,
  ReferenceMember,
  RelationMember,
  Rule,
  Select,
  SelectItem,
  Table,
  UniqueConstraint,
  Validator,
  ValidatorArgument,
} from "./definition.js";
import {
  boolean,
  choice,
  integer,
  list,
  literal,
  named,
  nameOf,
  nullable,
  object,
  optional,
  type Shape,
  text,
  tuple,
  union,
} from "./shape.js";
import { aggregateName, expression, typeShape, type Variant, valueType } from "./value-shapes.js";

export const at: Shape<Place> = named(
  "Place",
  "Index of the source file, then line and column of the start and of the end, from 1.",
  () =>
    tuple(
      ["file", integer(0)],
      ["line", integer(1)],
      ["column", integer(1)],
      ["endLine", integer(1)],
      ["endColumn", integer(1)],
    ),
);

export const doc: Shape<string | null> = nullable(text);

export const enumShape: Shape<Enum> = named("Enum", "A type with a fixed list of values.", () =>
  object({ name: text, doc, at, values: list(enumValue) }),
);

const enumValue: Shape<EnumValue> = named("EnumValue", "A value of an enum.", () =>
  object({ name: text, doc }),
);

// ---------------------------------------------------------------- models

export const model: Shape<Model> = named("Model", "A model and its table. `was` is its former name.", () =>
  object({
    name: text,
    doc,
    at,
    was: nullable(text),
    timestamps: boolean,
    members: list(member),
    table,
  }),
);

const member: Shape<Member> = named("Member", "What a model has, in the order of the source.", () =>
  union(
    idMember,
    fieldMember,
    keyMember,
    referenceMember,
    relationMember,
    computedMember,
    queryMember,
    hookMember,
  ),
);

const idMember: Shape<IdMember> = named("IdMember", "The identifier that every model has.", () =>
  object({ kind: literal("id"), name: literal("id"), type: valueType, column: text }),
);

const fieldMember: Shape<FieldMember> = named(
  "FieldMember",
  "A stored value. A maintained one is written by the system alone.",
  () =>
    object({
      kind: literal("field"),
      name: text,
      doc,
      at,
      type: valueType,
      column: text,
      unique: boolean,
      secret: boolean,
      default: nullable(expression),
      validate: nullable(rule),
      maintained: boolean,
      was: nullable(text),
    }),
);

const keyMember: Shape<KeyMember> = named(
  "KeyMember",
  "The field `<reference>_id` that a reference brings along.",
  () =>
    object({
      kind: literal("key"),
      name: text,
      reference: text,
      type: valueType,
      column: text,
      unique: boolean,
    }),
);

const onDelete: Shape<"cascade" | "set null" | "restrict"> = choice("cascade", "set null", "restrict");

const referenceMember: Shape<ReferenceMember> = named(
  "ReferenceMember",
  "A foreign key. `key` is the name of its key member.",
  () =>
    object({
      kind: literal("reference"),
      name: text,
      doc,
      at,
      to: nameOf("model"),
      key: text,
      column: text,
      unique: boolean,
      nullable: boolean,
      onDelete,
      was: nullable(text),
    }),
);

const relationMember: Shape<RelationMember> = named(
  "RelationMember",
  "The reverse side of a reference: a single record that may be missing, otherwise a collection.",
  () =>
    object({
      kind: literal("relation"),
      name: text,
      doc,
      at,
      from: nameOf("model"),
      through: text,
      single: boolean,
    }),
);

const computedMember: Shape<ComputedMember> = named("ComputedMember", "A value calculated on read.", () =>
  object({ kind: literal("computed"), name: text, doc, at, type: typeShape, value: expression }),
);

const queryMember: Shape<QueryMember> = named("QueryMember", "A named, derived relationship.", () =>
  object({ kind: literal("query"), name: text, doc, at, type: typeShape, query }),
);

const hookMember: Shape<HookMember> = named("HookMember", "A property calculated by custom code.", () =>
  object({ kind: literal("hook"), name: text, doc, at, hook }),
);

export const query: Shape<Query> = named(
  "Query",
  "A query over records: `this` in it is the queried record, `owner` the record it belongs to.",
  () =>
    object({
      from: querySource,
      model: nameOf("model"),
      filter: nullable(expression),
      orderBy: list(orderTerm),
      limit: nullable(integer(0)),
      offset: nullable(integer(0)),
      result: queryResult,
    }),
);

const querySource: Shape<QuerySource> = named(
  "QuerySource",
  "All records of a model, or those on a path.",
  () =>
    union(
      object<Variant<QuerySource, "model">>({ kind: literal("model"), model: nameOf("model") }),
      object<Variant<QuerySource, "path">>({ kind: literal("path"), path: expression }),
    ),
);

const queryResult: Shape<QueryResult> = named(
  "QueryResult",
  "`first` may be missing, `one` must exist.",
  () =>
    union(
      object<Variant<QueryResult, "many">>({ kind: literal("many") }),
      object<Variant<QueryResult, "first">>({ kind: literal("first") }),
      object<Variant<QueryResult, "one">>({ kind: literal("one") }),
      object<Variant<QueryResult, "aggregate">>({
        kind: literal("aggregate"),
        function: aggregateName,
        value: nullable(expression),
      }),
    ),
);

export const orderTerm: Shape<OrderTerm> = named("OrderTerm", "A value to order by.", () =>
  object({ value: expression, descending: boolean }),
);

export const hook: Shape<Hook> = named("Hook", "Custom code and the values it is called with.", () =>
  object({ arguments: list(hookArgument), code: hookCode }),
);

type HookValue = HookArgument["value"];

const hookArgument: Shape<HookArgument> = named("HookArgument", "An argument of a hook.", () =>
  object({
    name: text,
    value: union(
      object<Variant<HookValue, "expression">>({ kind: literal("expression"), expression }),
      object<Variant<HookValue, "query">>({ kind: literal("query"), query: nullable(query), select }),
    ),
  }),
);

const hookCode: Shape<HookCode> = named(
  "HookCode",
  "The code of a hook; without a runtime its module is relative to the folder of the source file.",
  () =>
    union(
      object<Variant<HookCode, "inline">>({ kind: literal("inline"), code: text }),
      object<Variant<HookCode, "source">>({
        kind: literal("source"),
        function: text,
        module: text,
        runtime: nullable(nameOf("runtime")),
        folder: text,
      }),
    ),
);

// ---------------------------------------------------------------- tables

const table: Shape<Table> = named("Table", "The table of a model, as it is in the database.", () =>
  object({
    name: text,
    columns: list(column),
    primaryKey: constraint,
    uniques: list(uniqueConstraint),
    foreignKeys: list(foreignKey),
    checks: list(enumCheck),
    indexes: list(index),
  }),
);

const column: Shape<Column> = named("Column", "A column. `was` is its former name.", () =>
  object({
    name: text,
    type: columnType,
    nullable: boolean,
    generated: nullable(choice("identity", "uuid")),
    was: nullable(text),
  }),
);

type PlainColumnType = Exclude<ColumnType, { readonly kind: "numeric" }>;

const columnType: Shape<ColumnType> = named("ColumnType", "A type of PostgreSQL.", () =>
  union(
    object<PlainColumnType>({
      kind: choice("text", "bigint", "double precision", "boolean", "date", "timestamptz", "uuid", "jsonb"),
    }),
    object<Variant<ColumnType, "numeric">>({
      kind: literal("numeric"),
      precision: optional(integer(1)),
      scale: optional(integer(0)),
    }),
  ),
);

const constraint: Shape<Constraint> = named("Constraint", "A constraint over columns.", () =>
  object({ name: text, columns: list(text) }),
);

const uniqueConstraint: Shape<UniqueConstraint> = named(
  "UniqueConstraint",
  "A unique constraint, with the members to blame when it is violated.",
  () => object({ name: text, columns: list(text), members: list(text) }),
);

const foreignKey: Shape<ForeignKey> = named("ForeignKey", "The foreign key of a reference.", () =>
  object({
    name: text,
    columns: list(text),
    member: text,
    table: nameOf("table"),
    targetColumns: list(text),
    onDelete,
  }),
);

const enumCheck: Shape<EnumCheck> = named("EnumCheck", "Holds a column to the values of an enum.", () =>
  object({ name: text, columns: list(text), member: text, values: list(text) }),
);

const index: Shape<Index> = named("Index", "An index, and why it is there.", () =>
  object({
    name: text,
    columns: list(object<Index["columns"][number]>({ name: text, descending: boolean })),
    reason: choice("foreign key", "declared"),
  }),
);

// ---------------------------------------------------------------- validation

export const rule: Shape<Rule> = named(
  "Rule",
  "A condition on a value. A validator's `value` is null where the rule stands on a member or input.",
  () =>
    union(
      object<Variant<Rule, "and" | "or">>({ kind: choice("and", "or"), rules: list(rule) }),
      object<Variant<Rule, "not">>({ kind: literal("not"), rule }),
      object<Variant<Rule, "validator">>({
        kind: literal("validator"),
        validator: nameOf("validator"),
        value: nullable(expression),
        arguments: list(expression),
      }),
      object<Variant<Rule, "condition">>({ kind: literal("condition"), condition: expression }),
    ),
);

export const validator: Shape<Validator> = named(
  "Validator",
  "A validator. Its first argument is the value under test.",
  () =>
    object({
      name: text,
      doc,
      at,
      arguments: list(validatorArgument),
      assert: union(
        expression,
        object<Variant<Validator["assert"], "hook">>({ kind: literal("hook"), hook }),
      ),
      error: object({ code: text, message: nullable(text) }),
    }),
);

const validatorArgument: Shape<ValidatorArgument> = named(
  "ValidatorArgument",
  "An argument of a validator.",
  () => object({ name: text, type: valueType }),
);

// ---------------------------------------------------------------- selects

export const select: Shape<Select> = named("Select", "The properties of a record that are sent.", () =>
  object({ model: nameOf("model"), items: list(selectItem) }),
);

const selectItem: Shape<SelectItem> = named(
  "SelectItem",
  "A property of a response; a nested one is a related record, or with `many` a collection of them.",
  () =>
    union(
      object<Variant<SelectItem, "value">>({ kind: literal("value"), name: text, value: expression, doc }),
      object<Variant<SelectItem, "nested">>({
        kind: literal("nested"),
        name: text,
        value: expression,
        many: boolean,
        nullable: boolean,
        select,
        doc,
      }),
      object<Variant<SelectItem, "hook">>({ kind: literal("hook"), name: text, hook: text, doc }),
    ),
);
