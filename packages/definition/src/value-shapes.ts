// The shapes of types and expressions, in the order of types.ts and expression.ts.

import type {
  AggregateExpression,
  AggregateName,
  BinaryExpression,
  CallExpression,
  Expression,
  LiteralExpression,
  MemberExpression,
  StructEntry,
  VariableExpression,
} from "./expression.js";
import {
  boolean,
  choice,
  either,
  integer,
  list,
  literal,
  named,
  nameOf,
  nothing,
  number,
  object,
  optional,
  type Shape,
  text,
  union,
} from "./shape.js";
import type {
  CollectionType,
  DecimalType,
  EnumType,
  PlainKind,
  RecordType,
  StructField,
  StructType,
  Type,
  ValueType,
} from "./types.js";

/** The variant of a union with this kind, for those that have no name of their own. */
export type Variant<Union, Kind> = Extract<Union, { readonly kind: Kind }>;

// ---------------------------------------------------------------- types

export const typeShape: Shape<Type> = named("Type", "The type of a value, as the checker inferred it.", () =>
  union(
    plainType,
    decimalType,
    enumType,
    recordType,
    collectionType,
    structType,
    object<Variant<Type, "array">>({ kind: literal("array"), of: typeShape, nullable: boolean }),
    object<Variant<Type, "null">>({ kind: literal("null"), nullable: literal(true) }),
    object<Variant<Type, "any">>({ kind: literal("any"), nullable: boolean }),
  ),
);

const plainType: Shape<Variant<Type, PlainKind>> = named("PlainType", "A type without further details.", () =>
  object({
    kind: choice("string", "integer", "float", "boolean", "date", "datetime", "uuid", "json"),
    nullable: boolean,
  }),
);

const decimalType: Shape<DecimalType> = named(
  "DecimalType",
  "Digits in all, and digits after the point; absent: unlimited.",
  () =>
    object({
      kind: literal("decimal"),
      nullable: boolean,
      precision: optional(integer(1)),
      scale: optional(integer(0)),
    }),
);

const enumType: Shape<EnumType> = named("EnumType", "One of the values of an enum.", () =>
  object({ kind: literal("enum"), enum: nameOf("enum"), nullable: boolean }),
);

const recordType: Shape<RecordType> = named("RecordType", "One record of a model.", () =>
  object({ kind: literal("record"), model: nameOf("model"), nullable: boolean }),
);

const collectionType: Shape<CollectionType> = named(
  "CollectionType",
  "Records of a model, or values reached through them.",
  () => object({ kind: literal("collection"), of: typeShape, nullable: boolean }),
);

const structType: Shape<StructType> = named("StructType", "A value made of named parts.", () =>
  object({ kind: literal("struct"), fields: list(structField), nullable: boolean }),
);

const structField: Shape<StructField> = named("StructField", "A part of a struct.", () =>
  object({ name: text, type: typeShape }),
);

export const valueType: Shape<ValueType> = named(
  "ValueType",
  "What a column, an input or an argument can hold.",
  () => union(plainType, decimalType, enumType),
);

// ---------------------------------------------------------------- expressions

export const expression: Shape<Expression> = named(
  "Expression",
  "An expression, resolved and typed: every name is bound, every node knows its type.",
  () =>
    union(
      literalExpression,
      object<Variant<Expression, "array">>({
        kind: literal("array"),
        type: typeShape,
        items: list(expression),
      }),
      object<Variant<Expression, "struct">>({
        kind: literal("struct"),
        type: typeShape,
        entries: list(structEntry),
      }),
      variableExpression,
      memberExpression,
      object<Variant<Expression, "unary">>({
        kind: literal("unary"),
        type: typeShape,
        operator: choice("not", "-"),
        operand: expression,
      }),
      binaryExpression,
      callExpression,
      aggregateExpression,
    ),
);

const literalExpression: Shape<LiteralExpression> = named(
  "LiteralExpression",
  "A value as it stands. Decimals are texts, so that no digit is lost.",
  () => object({ kind: literal("literal"), type: typeShape, value: either(text, number, boolean, nothing) }),
);

const structEntry: Shape<StructEntry> = named("StructEntry", "A part of a struct and its value.", () =>
  object({ name: text, value: expression }),
);

const variableExpression: Shape<VariableExpression> = named(
  "VariableExpression",
  "Where a value comes from. The name is empty for `this`, `owner` and `auth`.",
  () =>
    object({
      kind: literal("variable"),
      type: typeShape,
      variable: choice("this", "owner", "alias", "input", "argument", "iterator", "auth"),
      name: text,
    }),
);

const memberExpression: Shape<MemberExpression> = named(
  "MemberExpression",
  "`on.name`. On a collection it gives the collection of the members' values.",
  () =>
    object({
      kind: literal("member"),
      type: typeShape,
      on: expression,
      name: text,
      member: choice(
        "id",
        "field",
        "key",
        "reference",
        "relation",
        "computed",
        "query",
        "hook",
        "json",
        "part",
      ),
    }),
);

const binaryExpression: Shape<BinaryExpression> = named(
  "BinaryExpression",
  "`left operator right`. For `/` and `%`, `onZero` says what a divisor of zero gives.",
  () =>
    object({
      kind: literal("binary"),
      type: typeShape,
      operator: choice(
        "or",
        "and",
        "is",
        "is not",
        "<",
        "<=",
        ">",
        ">=",
        "in",
        "not in",
        "+",
        "-",
        "*",
        "/",
        "%",
      ),
      left: expression,
      right: expression,
      onZero: optional(choice("null", "error")),
    }),
);

const callExpression: Shape<CallExpression> = named("CallExpression", "A call of a built-in function.", () =>
  object({
    kind: literal("call"),
    type: typeShape,
    function: choice(
      "length",
      "lower",
      "upper",
      "trim",
      "concat",
      "substring",
      "replace",
      "contains",
      "startsWith",
      "endsWith",
      "stringify",
      "now",
      "today",
      "uuid",
      "abs",
      "round",
      "floor",
      "ceil",
      "coalesce",
      "fake",
    ),
    arguments: list(expression),
  }),
);

const aggregateExpression: Shape<AggregateExpression> = named(
  "AggregateExpression",
  "An aggregate over a collection: of records for `count` and `exists`, of values for the others.",
  () => object({ kind: literal("aggregate"), type: typeShape, function: aggregateName, over: expression }),
);

export const aggregateName: Shape<AggregateName> = choice("count", "sum", "avg", "min", "max", "exists");
