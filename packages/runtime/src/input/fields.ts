// The fields of a request schema, compiled: how each is read, what it must satisfy, and what it is without the client.

import {
  compileExpression,
  conversionOf,
  type Evaluate,
  type Expression,
  isDecimal,
  type RequestField,
  roundDecimal,
  someExpression,
  type Value,
  type ValueType,
} from "@stoa/definition";
import type { Slot } from "./inputs.js";
import { pointerOf } from "./pointer.js";
import { allOf, type CompiledRule, compileRule, conjuncts } from "./rule.js";
import type { ValidatorSource } from "./validator.js";
import { type EnumValues, inputTextReader, type ReadInputText, type ReadTree, treeReader } from "./value.js";

export type CompiledField = ValueField | ObjectField;

export interface ValueField {
  readonly kind: "value";
  readonly name: string;
  readonly slot: Slot;
  /** Where its errors are told. */
  readonly pointer: string;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly readTree: ReadTree;
  readonly readText: ReadInputText;
  readonly rule: Extract<CompiledRule, { isAsync: false }> | null;
  /** Run after everything else. */
  readonly hookRule: Extract<CompiledRule, { isAsync: true }> | null;
  /** `later`: it can only be worked out by those who have the records. */
  readonly default: Evaluate | "later" | null;
}

export interface ObjectField {
  readonly kind: "object";
  readonly name: string;
  readonly pointer: string;
  readonly isRequired: boolean;
  readonly shape: ObjectShape;
}

export interface ObjectShape {
  readonly names: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly fields: readonly CompiledField[];
  readonly hasRequired: boolean;
}

export interface FieldSource extends ValidatorSource {
  readonly enumValues: EnumValues;
  /** Where the next slot is added. */
  readonly slots: Slot[];
}

export function compileFields(
  source: FieldSource,
  fields: readonly RequestField[],
  path: readonly string[] = [],
): ObjectShape {
  const compiled = fields.map((field) => compileField(source, field, [...path, field.name]));
  const names = compiled.map(({ name }) => name);
  return {
    names,
    known: new Set(names),
    fields: compiled,
    hasRequired: compiled.some(({ isRequired }) => isRequired),
  };
}

/** The fields that hold values, those inside objects among them. */
export function valueFieldsOf({ fields }: ObjectShape): readonly ValueField[] {
  return fields.flatMap((field) => (field.kind === "value" ? [field] : valueFieldsOf(field.shape)));
}

function compileField(source: FieldSource, field: RequestField, path: readonly string[]): CompiledField {
  const { name, required: isRequired } = field;
  const pointer = pointerOf(path);
  if (field.kind === "object") {
    return { kind: "object", name, pointer, isRequired, shape: compileFields(source, field.fields, path) };
  }
  const { type } = field;
  const slot: Slot = { index: source.slots.length, path, source: field.source };
  source.slots.push(slot);
  return {
    kind: "value",
    name,
    slot,
    pointer,
    isRequired,
    isNullable: type.nullable,
    readTree: treeReader(type, source.enumValues),
    readText: inputTextReader(type, source.enumValues),
    ...compileRules(source, field),
    default: compileDefault(field.default, type),
  };
}

function compileRules(
  source: FieldSource,
  { validate, type }: Extract<RequestField, { kind: "value" }>,
): Pick<ValueField, "rule" | "hookRule"> {
  const rules = validate.flatMap(conjuncts).map((rule) => compileRule(source, rule, type));
  const rule = allOf(rules.filter((each) => !each.isAsync));
  const hookRule = allOf(rules.filter((each) => each.isAsync));
  return {
    rule: rules.length === 0 || rule.isAsync ? null : rule,
    hookRule: hookRule.isAsync ? hookRule : null,
  };
}

/** As the column will hold it, so that those who read the input see the same as later readers of the record. */
function compileDefault(expression: Expression | null, type: ValueType): ValueField["default"] {
  if (expression === null) return null;
  if (mentionsVariable(expression)) return "later";
  const evaluate = compileExpression(expression);
  const convert = conversionOf(expression.type, type) ?? ((value: Value) => value);
  const scale = type.kind === "decimal" ? type.scale : undefined;
  return (scope) => {
    const value = convert(evaluate(scope));
    return scale !== undefined && isDecimal(value) ? roundDecimal(value, scale) : value;
  };
}

/** Defaults of inputs may look at the records of the path and at the user, who are not there yet. */
function mentionsVariable(expression: Expression): boolean {
  return someExpression(expression, ({ kind }) => kind === "variable");
}
