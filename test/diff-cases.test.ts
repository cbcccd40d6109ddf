// Two programs, and every change between them: what is said, how it is classed, and who is told to be affected.

import { afterAll, describe, expect, test } from "vitest";
import { definitionOf } from "./database/schema-fixture.js";
import { printChanges, readCaseFiles, writeCaseFile } from "./diff/case-notation.js";

const files = readCaseFiles();
const found = new Map<string, string>();

for (const { name, cases } of files) {
  describe(name, () => {
    for (const item of cases) {
      test(item.title, () => {
        const [before, after] = [definitionOf(item.old), definitionOf(item.new)];
        const changes = printChanges(before, after);
        found.set(`${name} ${item.title}`, changes);
        expect(printChanges(before, before)).toBe("");
        expect(printChanges(after, after)).toBe("");
        if (!process.env.UPDATE) expect(changes).toBe(item.changes);
      });
    }
  });
}

test("there are at least 80 of them, and no two have the same name", () => {
  const titles = files.flatMap(({ name, cases }) => cases.map(({ title }) => `${name} ${title}`));
  expect(titles.length).toBeGreaterThanOrEqual(80);
  expect(new Set(titles).size).toBe(titles.length);
});

afterAll(() => {
  if (!process.env.UPDATE) return;
  for (const file of files) {
    const cases = file.cases.map((item) => ({
      ...item,
      changes: found.get(`${file.name} ${item.title}`) ?? item.changes,
    }));
    writeCaseFile({ ...file, cases });
  }
});
