// Every relative link in every markdown file of the repository leads to a file that is there, and every anchor to a
// heading of it.

import { existsSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsOf, findPages, linksOf, type Page, ROOT, readPage } from "./walk/markdown.js";

const IGNORED = /(^|\/)(node_modules|dist|\.dist-\w+|\.stoa|template)\//;
const FOLDERS = ["docs", "examples", "bench", "packages", "tools", "test"];
const AT_THE_TOP = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"];

const paths = [...AT_THE_TOP, ...FOLDERS.flatMap(findPages)].filter((path) => !IGNORED.test(path));
const pages = new Map(paths.map((path) => [path, readPage(path)] as const));

function isGood(target: string, { path }: Page): boolean {
  const [file = "", anchor] = decodeURIComponent(target).split("#");
  const full = file === "" ? path : posix.join(posix.dirname(path), file);
  if (full.startsWith("..") || !existsSync(new URL(full, ROOT))) return false;
  if (anchor === undefined) return true;
  const page = pages.get(full);
  return page !== undefined && anchorsOf(page).has(anchor);
}

test("the pages are found", () => {
  expect(paths.length).toBeGreaterThan(100);
});

describe("relative links lead somewhere", () => {
  test.each([...pages])("%s", (_, page) => {
    const relative = linksOf(page).filter((target) => !/^[a-z]+:/i.test(target));
    expect(relative.filter((target) => !isGood(target, page))).toEqual([]);
  });
});

test("the index of the documentation leads to every guide and page beside it", () => {
  const linked = linksOf(readPage("docs/README.md")).map((target) =>
    posix.join("docs", target.replace(/#.*/, "")),
  );
  const wanted = paths.filter(
    (path) => /^docs\/(guides\/)?[^/]+\.md$/.test(path) && path !== "docs/README.md",
  );
  expect(wanted.filter((path) => !linked.includes(path))).toEqual([]);
});
