// The OpenAPI document: valid by an independent validator, without a warning of a linter, and the same every time.

import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { writeOpenApi } from "../src/index.js";
import { example, PROGRAMS } from "./programs.js";

const config = await createConfig({ extends: ["recommended"] });

describe.each(PROGRAMS)("%s", (_, definition) => {
  const text = writeOpenApi(definition, { title: "Test", version: "1.2.3" });

  test("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test("has nothing that a linter would warn of", async () => {
    const problems = await lintFromString({ source: text, absoluteRef: "/openapi.json", config });
    const told = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`,
    );
    expect(told).toEqual([]);
  });

  test("is the same every time", () => {
    expect(writeOpenApi(structuredClone(definition), { title: "Test", version: "1.2.3" })).toBe(text);
  });
});

test("the linter does look", async () => {
  const bare = {
    openapi: "3.1.0",
    info: { title: "x", version: "1" },
    paths: { "/a": { get: { responses: {} } } },
  };
  const problems = await lintFromString({ source: JSON.stringify(bare), absoluteRef: "/a.json", config });
  expect(new Set(problems.map(({ ruleId }) => ruleId))).toContain("operation-summary");
});

test("the document of the example, to be read", async () => {
  const definition = example("bookstore");
  await expect(writeOpenApi(definition, { title: "Bookstore", version: "1.0.0" })).toMatchFileSnapshot(
    "__snapshots__/bookstore.openapi.json",
  );
});
