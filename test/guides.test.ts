// The guides work: their files are made, their requests sent, and the answers are those they show. That their other
// examples compile is seen to by reference.test.ts.

import { describe, expect, test } from "vitest";
import { blocksOf, findPages, readPage } from "./walk/markdown.js";
import { walk } from "./walk/walk.js";

const pages = findPages("docs/guides")
  .map(readPage)
  .filter((page) => blocksOf(page).some(({ info }) => info === "http"));

test("most guides have requests", () => {
  expect(pages.length).toBeGreaterThanOrEqual(5);
});

for (const page of pages) describe(page.path, () => walk(page));
