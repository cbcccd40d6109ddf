// Migrations, scenario by scenario, on a real server: what is written, and what comes of it. After each the database
// is exactly what the definition asks for, and there is nothing left to deploy.

import { canonicalCatalog, type Database, desiredCatalog, printUpFile, readUpFile } from "@stoa/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import { isOutcome, readScenarios, writeScenarios } from "./migrate-case-notation.js";
import { deployTo, prepareScenario, readScenario, refusalOf } from "./migrate-fixture.js";
import { type PushCase, type Section, sectionOf } from "./schema-case-notation.js";
import { definitionOf, liveCatalog, runSelects } from "./schema-fixture.js";

const files = readScenarios();
const results = new Map<string, PushCase>();

let database: Database;
let url: string;

beforeAll(async () => {
  ({ database, url } = await testDatabase());
});

for (const { name, cases } of files) {
  describe(name, () => {
    for (const item of cases) {
      test(item.title, async () => {
        const sections = await runCase(item);
        results.set(`${name} ${item.title}`, { ...item, sections });
        if (!process.env.UPDATE) expect(sections).toEqual(item.sections);
      });
    }
  });
}

test("there are at least 60 of them, and no two have the same name", () => {
  const titles = files.flatMap(({ name, cases }) => cases.map(({ title }) => `${name} ${title}`));
  expect(titles.length).toBeGreaterThanOrEqual(60);
  expect(new Set(titles).size).toBe(titles.length);
});

afterAll(() => {
  if (!process.env.UPDATE) return;
  for (const { name, introduction, cases } of files) {
    const updated = cases.map((item) => results.get(`${name} ${item.title}`) ?? item);
    writeScenarios(name, introduction, updated);
  }
});

async function runCase(item: PushCase): Promise<Section[]> {
  const scenario = readScenario(item);
  await prepareScenario(database, url, scenario);
  const given = item.sections.filter(({ name }) => !isOutcome(name));
  if (!scenario.migrations) {
    return [
      ...given,
      { name: "refused", text: refusalOf(scenario.plan) },
      ...(await runSelects(database, item)),
    ];
  }
  const stops = await deployAndCheck(item, scenario.migrations);
  const sql = scenario.migrations.at(-1)?.sql ?? "";
  checkFile(sql);
  return [
    ...given,
    { name: "sql", text: sql.slice(sql.indexOf("\n\n")).trim() },
    ...(stops === undefined ? [] : [{ name: "stops", text: stops }]),
    ...(await runSelects(database, item)),
  ];
}

async function deployAndCheck(item: PushCase, migrations: Parameters<typeof deployTo>[1]) {
  const outcome = await deployTo(url, migrations);
  if (outcome.kind === "failed") return `${outcome.message}\n  ${outcome.hint}`;
  expect(outcome).toMatchObject({ kind: "applied", drift: [] });
  const desired = desiredCatalog(definitionOf(sectionOf(item, "new")));
  expect(await liveCatalog(database)).toEqual(canonicalCatalog(desired));
  expect(await deployTo(url, migrations)).toEqual({ kind: "unchanged" });
  return undefined;
}

/** Reading a file and printing it gives the file. */
function checkFile(sql: string): void {
  const steps = readUpFile(sql) ?? [];
  const printed = printUpFile({ name: "x", parent: null, steps });
  expect(printed.slice(printed.indexOf("\n\n"))).toBe(sql.slice(sql.indexOf("\n\n")));
}
