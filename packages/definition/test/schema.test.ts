import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { jsonSchema } from "../src/schema.js";
import { definitionShape } from "../src/shapes.js";
import { collectNamed } from "./arbitrary.js";
import { library } from "./library.js";

test("is a valid schema with an identifier", () => {
  const ajv = new Ajv2020({ strict: true });
  expect(ajv.validateSchema(jsonSchema())).toBe(true);
  expect(jsonSchema()).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://stoa.dev/schema/definition-1.json",
    title: "Stoa application definition",
  });
});

test("accepts a definition written by hand", () => {
  expect(new Ajv2020({ strict: true }).validate(jsonSchema(), library)).toBe(true);
});

test("is the same every time", () => {
  expect(JSON.stringify(jsonSchema())).toBe(JSON.stringify(jsonSchema()));
});

test("has every named shape, once, in order, and described", () => {
  const { $defs } = jsonSchema() as { $defs: Record<string, { description: string }> };
  expect(Object.keys($defs)).toEqual([...collectNamed(definitionShape).keys()].sort());
  for (const { description } of Object.values($defs)) expect(description).toMatch(/^[A-Z`].*\.$/);
});
