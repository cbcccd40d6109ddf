// Rules as JSON Schema, as far as it has words for them. What it cannot say is left to the server, and the document
// tells by which codes the server may still refuse a value (`x-checks`).

import type { Definition, Expression, Rule, ValueType } from "@stoa/definition";
import { ruleCodes } from "../outline/rules.js";
import type { Json, JsonPart } from "./schema.js";

export interface Constraint {
  /** Keywords that hold of every value that the rule lets through; null passes all of them. */
  readonly schema: Json;
  /** Whether the keywords are all that the rule says. */
  readonly isExact: boolean;
  readonly checks: readonly string[];
}

const NOTHING: Constraint = { schema: {}, isExact: true, checks: [] };

export function constrain(definition: Definition, rules: readonly Rule[], type: ValueType): Constraint {
  return allOf(rules.map((rule) => constraintOf({ definition, type }, rule, false)));
}

interface Context {
  readonly definition: Definition;
  readonly type: ValueType;
}

function constraintOf(context: Context, rule: Rule, isNegated: boolean): Constraint {
  switch (rule.kind) {
    case "not":
      return constraintOf(context, rule.rule, !isNegated);
    case "and":
    case "or": {
      const parts = rule.rules.map((part) => constraintOf(context, part, isNegated));
      return (rule.kind === "and") !== isNegated ? allOf(parts) : anyOf(parts, context, rule, isNegated);
    }
    case "condition":
      return unsaid(context, rule, isNegated);
    case "validator": {
      const schema = rule.value === null ? validatorSchema(context.type, rule) : undefined;
      if (schema === undefined) return unsaid(context, rule, isNegated);
      if (!isNegated)
        return schema.isExact ? schema : { ...schema, checks: ruleCodes(context.definition, rule) };
      if (!schema.isExact) return unsaid(context, rule, isNegated);
      return { ...NOTHING, schema: { not: { type: jsonTypes(context.type), ...schema.schema } } };
    }
  }
}

function unsaid({ definition }: Context, rule: Rule, isNegated: boolean): Constraint {
  return { schema: {}, isExact: false, checks: ruleCodes(definition, rule, isNegated) };
}

function allOf(parts: readonly Constraint[]): Constraint {
  return {
    schema: parts.reduce<Json>((merged, { schema }) => merge(merged, schema), {}),
    isExact: parts.every(({ isExact }) => isExact),
    checks: parts.flatMap(({ checks }) => checks),
  };
}

/** Where one of the ways cannot be said, nothing can be said of the choice. */
function anyOf(parts: readonly Constraint[], context: Context, rule: Rule, isNegated: boolean): Constraint {
  if (!parts.every(({ isExact }) => isExact)) return unsaid(context, rule, isNegated);
  return { ...NOTHING, schema: { anyOf: parts.map(({ schema }) => schema) } };
}

/** Both at once: bounds are narrowed; what would stand twice goes into `allOf`. */
function merge(left: Json, right: Json): Json {
  let merged: Record<string, JsonPart> = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const known = merged[key];
    if (known === undefined || known === value) merged[key] = value;
    else if (isNumber(known) && isNumber(value)) merged[key] = narrower(key, known, value);
    else merged = { ...merged, allOf: [...listOf(merged.allOf), { [key]: value }] };
  }
  return merged;
}

export function mergeSchemas(left: Json, right: Json): Json {
  return merge(left, right);
}

function isNumber(part: JsonPart): part is number {
  return typeof part === "number";
}

function narrower(key: string, left: number, right: number): number {
  return key.startsWith("max") ? Math.min(left, right) : Math.max(left, right);
}

function listOf(part: JsonPart): readonly JsonPart[] {
  return Array.isArray(part) ? part : [];
}

type ValidatorRule = Extract<Rule, { kind: "validator" }>;

/** Undefined where JSON Schema has no words for it. */
function validatorSchema(
  type: ValueType,
  { validator, arguments: args }: ValidatorRule,
): Constraint | undefined {
  const values = args.map(literalOf);
  const [first] = values;
  if (values.includes(undefined)) return undefined;
  const exactly = (schema: Json): Constraint => ({ ...NOTHING, schema });
  switch (validator) {
    case "minLength":
      return exactly({ minLength: Math.max(0, Number(first)) });
    case "maxLength":
      return Number(first) < 0 ? undefined : exactly({ maxLength: Number(first) });
    case "matches":
      return exactly({ pattern: String(first) });
    case "min":
      return boundSchema(type, "minimum", first);
    case "max":
      return boundSchema(type, "maximum", first);
    case "oneOf":
      return choiceSchema(type, values);
    case "isEmail":
      return { schema: { format: "email" }, isExact: false, checks: [] };
    case "isUrl":
      return { schema: { format: "uri", pattern: "^[hH][tT][tT][pP][sS]?://" }, isExact: false, checks: [] };
    default:
      return undefined;
  }
}

function literalOf(expression: Expression): string | number | boolean | undefined {
  if (expression.kind === "literal") return expression.value ?? undefined;
  if (expression.kind !== "unary" || expression.operator !== "-") return undefined;
  const value = literalOf(expression.operand);
  return typeof value === "number" ? -value : typeof value === "string" ? `-${value}` : undefined;
}

/** Bounds are for numbers; decimals are texts most of the time, and so are dates. */
function boundSchema(type: ValueType, key: "minimum" | "maximum", bound: unknown): Constraint | undefined {
  const value = Number(bound);
  const isKept = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (!isKept) return undefined;
  if (type.kind === "integer" || type.kind === "float") return { ...NOTHING, schema: { [key]: value } };
  return type.kind === "decimal" ? { schema: { [key]: value }, isExact: false, checks: [] } : undefined;
}

function choiceSchema(type: ValueType, values: readonly (string | number | boolean | undefined)[]) {
  const isPlain = type.kind === "string" || type.kind === "integer" || type.kind === "enum";
  if (!isPlain) return undefined;
  return { ...NOTHING, schema: { enum: [...values, ...(type.nullable ? [null] : [])] } };
}

/** `not` must not hold of null, which passes all rules. */
function jsonTypes({ kind }: ValueType): string[] {
  switch (kind) {
    case "integer":
    case "float":
      return ["number"];
    case "boolean":
      return ["boolean"];
    case "decimal":
      return ["string", "number"];
    case "json":
      return ["string", "number", "boolean", "object", "array"];
    default:
      return ["string"];
  }
}
