// Types of values, as the checker infers them and as the runtime and the generators use them.

/** Types without further details. */
export type PlainKind = "string" | "integer" | "float" | "boolean" | "date" | "datetime" | "uuid" | "json";

export type Type =
  | { readonly kind: PlainKind; readonly nullable: boolean }
  | DecimalType
  | EnumType
  | RecordType
  | CollectionType
  | StructType
  /** A list of literals: the right side of `in`, or an argument. */
  | { readonly kind: "array"; readonly of: Type; readonly nullable: boolean }
  /** The type of the literal `null`. */
  | { readonly kind: "null"; readonly nullable: true }
  /** The result of a hook: any JSON value. */
  | { readonly kind: "any"; readonly nullable: boolean };

export interface DecimalType {
  readonly kind: "decimal";
  readonly nullable: boolean;
  /** Digits in all, and digits after the point; absent: unlimited. */
  readonly precision?: number;
  readonly scale?: number;
}

export interface EnumType {
  readonly kind: "enum";
  readonly enum: string;
  readonly nullable: boolean;
}

export interface RecordType {
  readonly kind: "record";
  readonly model: string;
  readonly nullable: boolean;
}

/** Records of a model, or values reached through them. Nullable when reached through something that may be null. */
export interface CollectionType {
  readonly kind: "collection";
  readonly of: Type;
  readonly nullable: boolean;
}

export interface StructType {
  readonly kind: "struct";
  readonly fields: readonly StructField[];
  readonly nullable: boolean;
}

export interface StructField {
  readonly name: string;
  readonly type: Type;
}

/** What a column, an input or an argument can hold. */
export type ValueType = Extract<Type, { readonly kind: PlainKind }> | DecimalType | EnumType;

export function isValueType(type: Type): type is ValueType {
  switch (type.kind) {
    case "record":
    case "collection":
    case "struct":
    case "array":
    case "null":
    case "any":
      return false;
    default:
      return true;
  }
}
