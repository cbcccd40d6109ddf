import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Definition } from "../src/definition.js";
import { readDefinition } from "../src/read.js";
import { writeDefinition } from "../src/write.js";
import { arbitraryDefinition } from "./arbitrary.js";
import { library } from "./library.js";

const definitions = arbitraryDefinition(6);

describe("layout", () => {
  test("short lists and objects of scalars stay on one line", () => {
    const [author] = library.models;
    const text = writeDefinition({ ...library, models: author === undefined ? [] : [author] });
    expect(text.split("\n").slice(0, 44).join("\n")).toMatchInlineSnapshot(`
      "{
        "version": 1,
        "sources": ["library.stoa"],
        "enums": [
          {
            "name": "Genre",
            "doc": null,
            "at": [0, 10, 1, 10, 30],
            "values": [
              { "name": "poetry", "doc": null },
              { "name": "prose", "doc": null }
            ]
          }
        ],
        "models": [
          {
            "name": "Author",
            "doc": "Who writes.",
            "at": [0, 1, 1, 3, 2],
            "was": null,
            "timestamps": false,
            "members": [
              {
                "kind": "id",
                "name": "id",
                "type": { "kind": "integer", "nullable": false },
                "column": "id"
              },
              {
                "kind": "field",
                "name": "name",
                "doc": null,
                "at": [0, 2, 3, 2, 30],
                "type": { "kind": "string", "nullable": false },
                "column": "name",
                "unique": true,
                "secret": false,
                "default": null,
                "validate": {
                  "kind": "validator",
                  "validator": "minLength",
                  "value": null,
                  "arguments": [
                    {"
    `);
    expect(text.endsWith("}\n")).toBe(true);
  });

  test("long ones do not", () => {
    const sources = ["a", "b", "c"].map((name) => `${name.repeat(30)}.stoa`);
    expect(
      writeDefinition({ ...library, sources })
        .split("\n")
        .slice(2, 7),
    ).toEqual([
      '  "sources": [',
      `    "${sources[0]}",`,
      `    "${sources[1]}",`,
      `    "${sources[2]}"`,
      "  ],",
    ]);
  });
});

describe("round trip", () => {
  test("what is written is read again, to the last digit", () => {
    const property = fc.property(definitions, (definition) => {
      expect(readDefinition(writeDefinition(definition))).toEqual({ ok: true, definition });
    });
    fc.assert(property, { numRuns: 100 });
  });

  test("the text does not depend on the order of keys", () => {
    const property = fc.property(definitions, fc.infiniteStream(fc.nat()), (definition, numbers) => {
      const shuffled = shuffleKeys(definition, numbers) as Definition;
      expect(writeDefinition(shuffled)).toBe(writeDefinition(definition));
    });
    fc.assert(property, { numRuns: 50 });
  });

  test("keys that the types do not know are left out", () => {
    expect(writeDefinition({ ...library, ...{ extra: 1 } })).toBe(writeDefinition(library));
  });
});

test("what is no definition is a bug of the caller", () => {
  expect(() => writeDefinition({ ...library, apis: undefined as never })).toThrow("does not fit its shape");
  expect(() => writeDefinition({ ...library, sources: [Number.NaN as never] })).toThrow(
    "no way to write NaN",
  );
});

function shuffleKeys(value: unknown, numbers: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => shuffleKeys(item, numbers));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => ({
    key,
    item: shuffleKeys(item, numbers),
    rank: Number(numbers.next().value),
  }));
  return Object.fromEntries(entries.sort((a, b) => a.rank - b.rank).map(({ key, item }) => [key, item]));
}
