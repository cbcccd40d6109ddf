// The JSON Schema of the definition, made from the shapes: for editors, and for those who read definitions
// without this package.

import { isScalar, type ObjectShape, type ScalarShape, type ShapeNode, type TupleShape } from "./shape.js";
import { definitionShape } from "./shapes.js";

/** An identifier; nobody fetches it. */
export const SCHEMA_ID = "https://stoa.dev/schema/definition-1.json";

/** Draft 2020-12. Every call gives an equal object. */
export function jsonSchema(): object {
  const definitions = new Map<string, Schema>();
  const reference = toSchema(definitionShape, definitions);
  const byName = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: SCHEMA_ID,
    title: "Stoa application definition",
    ...reference,
    $defs: Object.fromEntries(byName),
  };
}

type Schema = Readonly<Record<string, unknown>>;
type Definitions = Map<string, Schema>;

/** Named shapes become references, and their schemas are added to the definitions. */
function toSchema(shape: ShapeNode, definitions: Definitions): Schema {
  if (isScalar(shape)) return toScalarSchema(shape);
  switch (shape.kind) {
    case "nullable":
      return allowNull(toSchema(shape.of, definitions));
    case "list":
      return { type: "array", items: toSchema(shape.of, definitions) };
    case "tuple":
      return toTupleSchema(shape, definitions);
    case "object":
      return toObjectSchema(shape, definitions);
    case "union":
      return { oneOf: shape.variants.map((variant) => toSchema(variant, definitions)) };
    case "named":
      if (!definitions.has(shape.name)) {
        definitions.set(shape.name, {});
        const body = toSchema(shape.body(), definitions);
        definitions.set(shape.name, { description: shape.description, ...body });
      }
      return { $ref: `#/$defs/${shape.name}` };
  }
}

function toScalarSchema(shape: ScalarShape): Schema {
  switch (shape.kind) {
    case "text":
      return shape.names === null
        ? { type: "string" }
        : { type: "string", description: `Names a ${shape.names}.` };
    case "integer":
      return shape.minimum === null ? { type: "integer" } : { type: "integer", minimum: shape.minimum };
    case "number":
    case "boolean":
    case "null":
      return { type: shape.kind };
    case "literal":
      return { const: shape.value };
    case "choice":
      return { enum: shape.values };
    case "either":
      return { anyOf: shape.alternatives.map(toScalarSchema) };
  }
}

function toTupleSchema(shape: TupleShape, definitions: Definitions): Schema {
  const { length } = shape.items;
  return {
    type: "array",
    prefixItems: shape.items.map(({ name, shape }) => ({ title: name, ...toSchema(shape, definitions) })),
    items: false,
    minItems: length,
    maxItems: length,
  };
}

function toObjectSchema(shape: ObjectShape, definitions: Definitions): Schema {
  const fields = [...shape.fields];
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([key, field]) => [key, toSchema(field.shape, definitions)])),
    required: fields.filter(([, field]) => !field.optional).map(([key]) => key),
    additionalProperties: false,
  };
}

/** `type: [x, "null"]` where that says it all, else an alternative. */
function allowNull(schema: Schema): Schema {
  const { type } = schema;
  if (type === "string" || type === "integer") return { ...schema, type: [type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}
