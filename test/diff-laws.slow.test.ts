// The laws of `stoa diff`, on random programs: nothing differs from itself; what clients could see in the documents is
// told; what comes one way goes the other way; and where nothing is said to break, values of the new answers fit the old
// document, and values of old requests fit the new one.

import { readFileSync } from "node:fs";
import { compile } from "@stoa/compiler";
import { compareTables } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { type ApiChange, compareApis, writeOpenApi } from "@stoa/generators";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyMutants, mutantsOf } from "../packages/compiler/test/mutation/mutants.js";
import { PROGRAMS, sample } from "../packages/generators/test/programs.js";
import { type Schema, valid } from "./contract/arbitrary.js";
import { definitionOf } from "./database/schema-fixture.js";
import { Document, type Exchange } from "./diff/document.js";
import { type AppSpec, anyEdit, anyTwoApps, appSource } from "./diff/programs.js";

/** One slip of so many is tried. */
const SLIP_STEP = Number(process.env.SLIP_STEP ?? 12);
const RUNS = Number(process.env.DIFF_RUNS ?? 150);

function changesOf(before: Definition, after: Definition): ApiChange[] {
  return compareApis({ definition: before }, { definition: after });
}

describe("nothing differs from itself", () => {
  test.each(PROGRAMS)("%s", (_, definition) => {
    const copy: Definition = JSON.parse(JSON.stringify(definition));
    expect(changesOf(definition, copy)).toEqual([]);
    expect(compareTables(definition, copy)).toEqual([]);
  });
});

const anyPair = fc.oneof(anyTwoApps, { arbitrary: anyEdit, weight: 2 });

function definitionsOf([first, second]: readonly [AppSpec, AppSpec], saysWas: boolean) {
  return [
    definitionOf(appSource(first)),
    definitionOf(appSource(second, saysWas ? first.models : undefined)),
  ] as const;
}

test(`documents that differ in what they say have changes that say it, ${RUNS} times`, () => {
  const seen = { different: 0, same: 0 };
  fc.assert(
    fc.property(anyPair, fc.boolean(), (pair, saysWas) => {
      const [before, after] = definitionsOf(pair, saysWas);
      const changes = changesOf(before, after);
      const isTold = changes.some(({ kind }) => kind !== "documentation");
      const isDifferent = new Document(before).content !== new Document(after).content;
      seen[isDifferent ? "different" : "same"]++;
      if (isDifferent) expect(isTold).toBe(true);
      if (changes.length === 0) expect(writeOpenApi(after)).toBe(writeOpenApi(before));
    }),
    { numRuns: RUNS },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 20);
});

/** Slips of the finger in rich programs: a few of them compile, and mean something else. */
test.each(["blog", "shop", "everything"])("slips in %s that its document shows are told", (name) => {
  const file = new URL(`../packages/compiler/test/samples/${name}.stoa`, import.meta.url);
  const text = readFileSync(file, "utf8");
  const before = sample(name);
  const content = new Document(before).content;
  const slips = mutantsOf(name, text).filter((_, index) => index % SLIP_STEP === 0);
  const seen = slips.filter((slip) => {
    const { definition } = compile([{ name: `${name}.stoa`, text: applyMutants(text, [slip]) }]);
    if (definition === undefined || new Document(definition).content === content) return false;
    for (const changes of [changesOf(before, definition), changesOf(definition, before)]) {
      expect(changes.filter(({ kind }) => kind !== "documentation")).not.toEqual([]);
    }
    return true;
  });
  expect(seen.length).toBeGreaterThan(0);
});

const OPPOSITES: Readonly<Record<string, string>> = {
  "endpoint-added": "endpoint-removed",
  "property-added": "property-removed",
  "property-nullable": "property-not-nullable",
  "input-added": "input-removed",
  "input-required": "input-optional",
  "input-nullable": "input-not-nullable",
  "input-stricter": "input-laxer",
  "input-unique": "input-not-unique",
  "filter-stricter": "filter-laxer",
  "paging-added": "paging-removed",
  "problem-added": "problem-removed",
  "header-added": "header-removed",
};

test(`the other way round, what came goes, ${RUNS} times`, () => {
  fc.assert(
    fc.property(anyPair, (pair) => {
      const [before, after] = definitionsOf(pair, false);
      const [there, back] = [changesOf(before, after), changesOf(after, before)];
      const count = (changes: readonly ApiChange[], kind: string) =>
        changes.filter((change) => change.kind === kind).length;
      for (const [one, other] of Object.entries(OPPOSITES)) {
        expect([one, count(there, one)]).toEqual([one, count(back, other)]);
        expect([other, count(there, other)]).toEqual([other, count(back, one)]);
      }
      expect(there.length).toBe(back.length);
    }),
    { numRuns: RUNS },
  );
});

test(`where nothing breaks, the documents fit each other, ${RUNS} times`, () => {
  const seen = { unbroken: 0, values: 0 };
  fc.assert(
    fc.property(anyEdit, fc.nat(), (pair, seed) => {
      const [before, after] = definitionsOf(pair, false);
      const changes = changesOf(before, after);
      if (changes.length === 0 || changes.some((change) => change.class === "breaking")) return;
      seen.unbroken++;
      const [old, now] = [new Document(before), new Document(after)];
      for (const [address, exchange] of old.exchanges) {
        const other = now.exchanges.get(address);
        expect(other, address).toBeDefined();
        if (other) seen.values += checkFit(exchange, other, seed);
      }
    }),
    { numRuns: RUNS * 3 },
  );
  expect(seen.unbroken).toBeGreaterThan(RUNS / 10);
  expect(seen.values).toBeGreaterThan(RUNS);
});

/** Requests of the old document in the new one, answers of the new document in the old one. */
function checkFit(before: Exchange, after: Exchange, seed: number): number {
  const requests = before.request === null ? [] : samples(before.request, seed);
  for (const value of requests) expectFit(after.request ?? {}, value);
  const answers = [...after.answers].flatMap(([status, schema]) => {
    const old = before.answers.get(status);
    expect(old, status).toBeDefined();
    const values = samples(schema, seed);
    for (const value of values) expectFit(open(old ?? {}), value);
    return values;
  });
  return requests.length + answers.length;
}

function samples(schema: Schema, seed: number): unknown[] {
  return fc.sample(
    valid(without("x-checks", schema), () => ({})),
    { numRuns: 3, seed },
  );
}

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addFormat("decimal", /^-?\d+(\.\d+)?$/);
ajv.addFormat("int64", true);

function expectFit(schema: Schema, value: unknown): void {
  const isFit = ajv.validate(schema, value);
  expect(isFit ? [] : [value, ajv.errors]).toEqual([]);
}

/** Clients pass over properties that they do not know. */
function open(schema: Schema): Schema {
  return without("additionalProperties", schema);
}

function without(name: string, schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === name ? undefined : value)));
}
