// The reader and the JSON Schema come from the same shapes; an independent validator says whether they mean
// the same: both accept every value of a shape, and they agree on every single mistake in one.

import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkShape } from "../src/check.js";
import { readDefinitionValue } from "../src/read.js";
import { jsonSchema, SCHEMA_ID } from "../src/schema.js";
import { casesOf } from "../src/shape.js";
import { definitionShape } from "../src/shapes.js";
import { arbitraryDefinition, arbitraryOf, collectNamed } from "./arbitrary.js";
import { arbitraryMutant, type Mutant } from "./mutation.js";

const ajv = new Ajv2020({ strict: true });
ajv.addSchema(jsonSchema());

const named = [...collectNamed(definitionShape).values()];
const kinds = named.flatMap((shape) => {
  const body = shape.body();
  return body.kind === "union" ? [...casesOf(body).keys()] : [];
});

describe.each(named)("$name", (shape) => {
  const accepts = ajv.compile({ $ref: `${SCHEMA_ID}#/$defs/${shape.name}` });
  const values = arbitraryOf(shape, 3);

  test("its values are accepted", () => {
    const property = fc.property(values, (value) => {
      expect(checkShape(value, shape)).toEqual([]);
      expect(accepts(value), ajv.errorsText(accepts.errors)).toBe(true);
    });
    fc.assert(property, { numRuns: 20 });
  });

  test("a mistake is refused by both, or by neither", () => {
    const mutants = values.chain((value) => arbitraryMutant(value, kinds));
    const property = fc.property(mutants, (mutant) => {
      const problems = checkShape(mutant.value, shape);
      expect(problems.length === 0).toBe(accepts(mutant.value));
      expectPlaces(
        problems.map(({ path }) => path),
        mutant,
      );
    });
    fc.assert(property, { numRuns: 60 });
  });
});

describe("whole definitions", () => {
  const accepts = ajv.compile({ $ref: SCHEMA_ID });
  const definitions = arbitraryDefinition(6);

  test("are accepted", () => {
    const property = fc.property(definitions, (definition) => {
      expect(readDefinitionValue(definition)).toEqual({ ok: true, definition });
      expect(accepts(definition), ajv.errorsText(accepts.errors)).toBe(true);
    });
    fc.assert(property, { numRuns: 50 });
  });

  test("with a mistake are refused by both, save for stray names, which only the reader sees", () => {
    const mutants = definitions.chain((definition) => arbitraryMutant(definition, kinds));
    const property = fc.property(mutants, (mutant) => {
      const result = readDefinitionValue(mutant.value);
      const problems = result.ok ? [] : result.problems;
      if (!accepts(mutant.value)) expect(problems).not.toEqual([]);
      else for (const { message } of problems) expect(message).toMatch(/^there is no /);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

/** Every problem points at what was changed: the place, or the object that misses a key or changed its kind. */
function expectPlaces(paths: readonly string[], { did, place, container }: Mutant): void {
  const around = did === "replace" && !place.endsWith("/kind") ? place : container;
  for (const path of paths) expect(`${path}/`.startsWith(`${around}/`), `${path} in ${around}`).toBe(true);
  if (did === "delete" && paths.length > 0) expect(paths).toContain(container);
  if (did === "add key") expect(paths).toContain(place);
}
