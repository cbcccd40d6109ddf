// Push, case by case, on a real server. After each: the database is exactly what the definition asks for, or
// nothing has changed; and a second push finds nothing to do.

import { readFileSync, writeFileSync } from "node:fs";
import {
  applyPush,
  canonicalCatalog,
  type Database,
  desiredCatalog,
  type PushPlan,
  planPush,
} from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import {
  isResult,
  type PushCase,
  readPushCases,
  type Section,
  sectionOf,
  writePushCases,
} from "./schema-case-notation.js";
import { definitionOf, liveCatalog, runSelects } from "./schema-fixture.js";

const PATH = new URL("./schema-cases.txt", import.meta.url);
const { introduction, cases } = readPushCases(readFileSync(PATH, "utf8"));

let database: Database;

beforeAll(async () => {
  database = (await testDatabase()).database;
});

beforeEach(async () => {
  await database.execute(
    "DROP SCHEMA IF EXISTS public CASCADE; DROP SCHEMA IF EXISTS _stoa CASCADE; CREATE SCHEMA public",
  );
});

const results = new Map<string, PushCase>();

describe("push", () => {
  for (const pushCase of cases) {
    test(pushCase.title, async () => {
      const sections = await runCase(pushCase);
      results.set(pushCase.title, { ...pushCase, sections });
      if (!process.env.UPDATE) expect(sections).toEqual(pushCase.sections);
    });
  }
});

afterAll(() => {
  if (!process.env.UPDATE) return;
  writeFileSync(
    PATH,
    writePushCases(
      introduction,
      cases.map((item) => results.get(item.title) ?? item),
    ),
  );
});

async function runCase(pushCase: PushCase): Promise<Section[]> {
  const before = sectionOf(pushCase, "before");
  const old = sectionOf(pushCase, "old");
  const rows = sectionOf(pushCase, "rows");
  const others = sectionOf(pushCase, "others");
  if (before) await database.execute(before);
  if (old) {
    const plan = await planPush(database, definitionOf(old));
    expect(await applyPush(database, plan)).toMatchObject({ kind: "applied" });
  }
  if (rows) await database.execute(rows);
  if (others) await database.execute(others);
  const definition = definitionOf(sectionOf(pushCase, "new"));
  const plan = await pushAndCheck(definition, { isAlone: before + others === "" });
  return [
    ...pushCase.sections.filter((section) => !isResult(section)),
    ...describePlan(plan),
    ...(await runSelects(database, pushCase)),
  ];
}

async function pushAndCheck(definition: Definition, { isAlone }: { readonly isAlone: boolean }) {
  const catalogBefore = await liveCatalog(database);
  const plan = await planPush(database, definition);
  const outcome = await applyPush(database, plan, { acceptDataLoss: true });
  if (plan.obstacles.length > 0) {
    expect(outcome).toMatchObject({ kind: "blocked" });
    expect(await liveCatalog(database)).toEqual(catalogBefore);
    return plan;
  }
  expect(outcome).toMatchObject({ kind: plan.steps.length === 0 ? "unchanged" : "applied" });
  if (isAlone) expect(await liveCatalog(database)).toEqual(canonicalCatalog(desiredCatalog(definition)));
  const again = await planPush(database, definition);
  expect(again).toMatchObject({ steps: [], obstacles: [], record: null });
  return plan;
}

function describePlan({ steps, warnings, obstacles }: PushPlan): Section[] {
  const list = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [{ name, text: lines.join("\n") }];
  return [
    { name: "steps", text: steps.map((step) => `${step.class.padEnd(12)} ${step.words}`).join("\n") },
    ...list(
      "warnings",
      warnings.map(({ message }) => message),
    ),
    ...list(
      "obstacles",
      obstacles.map(({ message, hint }) => `${message}\n  ${hint}`),
    ),
  ];
}
