// Examples of values: what a populator would write, else what the type suggests. An example that its own schema
// would refuse is worse than none.

import {
  type Assignment,
  type Definition,
  type Expression,
  type Populate,
  type RequestField,
  readPattern,
} from "@stoa/definition";
import type { Json, JsonPart } from "./schema.js";

type ValueField = Extract<RequestField, { kind: "value" }>;

export function exampleOf(definition: Definition, field: ValueField, schema: Json): JsonPart {
  const { source } = field;
  const found = source.kind === "member" ? memberExample(definition, source.model, source.member) : undefined;
  return listOf([found, typeExample(field.type.kind, schema)], schema);
}

/** Of a property of an answer that shows a member as it is. */
export function storedExample(definition: Definition, model: string, member: string, schema: Json): JsonPart {
  const kind = kindOf(definition, model, member);
  return listOf([memberExample(definition, model, member), typeExample(kind, schema)], schema);
}

function listOf(candidates: readonly JsonPart[], schema: Json): JsonPart {
  const good = candidates.find((value) => value !== undefined && fits(value, schema));
  return good === undefined ? undefined : [good];
}

function kindOf({ models }: Definition, model: string, name: string): string {
  const member = models.find((each) => each.name === model)?.members.find((each) => each.name === name);
  return member !== undefined && "type" in member ? member.type.kind : "";
}

const MOMENT = "2026-11-14T10:20:30.000Z";

function typeExample(kind: string, { format }: Json): JsonPart {
  switch (kind) {
    case "string":
      if (format === "email") return "ada@example.org";
      return format === "uri" ? "https://example.org/" : undefined;
    case "integer":
      return 1;
    case "float":
      return 0.5;
    case "decimal":
      return "9.99";
    case "date":
      return MOMENT.slice(0, 10);
    case "datetime":
      return MOMENT;
    case "uuid":
      return "018f3c5e-7a1b-7c3d-9e4f-5a6b7c8d9e0f";
    default:
      return undefined;
  }
}

// ---------------------------------------------------------------- populators

function memberExample({ populators }: Definition, model: string, member: string): JsonPart {
  const populates = populators.flatMap((populator) => populator.populates.flatMap(populatesBelow));
  for (const populate of populates.filter((each) => each.model === model)) {
    const value = assignedExample(populate.assignments.find((each) => each.member === member));
    if (value !== undefined) return value;
  }
  return undefined;
}

function populatesBelow(populate: Populate): Populate[] {
  return [populate, ...populate.populates.flatMap(populatesBelow)];
}

function assignedExample(assignment: Assignment | undefined): JsonPart {
  return assignment?.kind === "set" ? expressionExample(assignment.value) : undefined;
}

/** Of texts that are put together from parts that have examples themselves. */
function expressionExample(expression: Expression): JsonPart {
  switch (expression.kind) {
    case "literal":
      return expression.value ?? undefined;
    case "member":
      return expression.on.kind === "variable" && expression.on.variable === "iterator" ? 1 : undefined;
    case "binary": {
      if (expression.operator !== "+" || expression.type.kind !== "string") return undefined;
      const [left, right] = [expressionExample(expression.left), expressionExample(expression.right)];
      return left === undefined || right === undefined ? undefined : `${left}${right}`;
    }
    case "call":
      return callExample(expression.function, expression.arguments);
    default:
      return undefined;
  }
}

function callExample(name: string, args: readonly Expression[]): JsonPart {
  const [first] = args;
  const value = first === undefined ? undefined : expressionExample(first);
  if (name === "stringify") return value === undefined ? undefined : String(value);
  return name === "fake" ? FAKES[String(value)] : undefined;
}

const FAKES: Readonly<Record<string, JsonPart>> = {
  firstName: "Ada",
  lastName: "Lovelace",
  fullName: "Ada Lovelace",
  username: "ada",
  email: "ada@example.org",
  phone: "+44 20 7946 0123",
  url: "https://example.org/",
  jobTitle: "Engineer",
  product: "Difference Engine",
  color: "blue",
  street: "12 St James's Square",
  zipCode: "SW1Y 4JH",
  boolean: true,
  pastDatetime: "2026-03-14T09:26:53.000Z",
  futureDatetime: "2027-03-14T09:26:53.000Z",
  city: "London",
  country: "Portugal",
  company: "Analytical Engines",
  word: "engine",
  sentence: "It weaves patterns of numbers.",
  paragraph: "It weaves patterns of numbers. Nobody has seen it finished.",
  pastDate: "2026-03-14",
  futureDate: "2027-03-14",
};

// ---------------------------------------------------------------- fit

/** By the keywords that a schema of ours can have; what it cannot judge does not fit. */
function fits(value: JsonPart, schema: Json): boolean {
  const { pattern, minLength, maxLength, minimum, maximum, enum: values } = schema;
  if (schema.not !== undefined || schema.anyOf !== undefined || schema.allOf !== undefined) return false;
  if (!hasType(value, schema.type)) return false;
  if (Array.isArray(values) && !values.includes(value)) return false;
  if (typeof value === "number")
    return value >= Number(minimum ?? value) && value <= Number(maximum ?? value);
  if (typeof value !== "string") return true;
  const length = [...value].length;
  const isLong = length >= Number(minLength ?? 0) && length <= Number(maxLength ?? length);
  return isLong && (pattern === undefined || matches(value, String(pattern)));
}

function hasType(value: JsonPart, type: JsonPart): boolean {
  const types = Array.isArray(type) ? type : [type];
  if (typeof value === "number")
    return types.includes("number") || (types.includes("integer") && Number.isInteger(value));
  return types.includes(typeof value);
}

/** Patterns of programs run in linear time, and those of ours do; both are valid for JavaScript. */
function matches(value: string, pattern: string): boolean {
  return readPattern(pattern).kind === "pattern" && new RegExp(pattern, "u").test(value);
}
