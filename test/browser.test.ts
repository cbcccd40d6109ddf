// Where the browser for tests of pages is looked for.

import { join } from "node:path";
import { expect, test } from "vitest";
import { findBrowser, howToGetOne } from "../tools/browser.mjs";

const ending = process.platform === "win32" ? ".exe" : "";
const separator = process.platform === "win32" ? ";" : ":";
const PATH = ["/one", "/two"].join(separator);
const there =
  (...paths: string[]) =>
  (path: string) =>
    paths.includes(path);

test("STOA_BROWSER decides, also if nothing is there", () => {
  const env = { STOA_BROWSER: "/mine", PATH };
  const chromium = join("/one", `chromium${ending}`);
  expect(findBrowser(env, there("/mine", chromium))).toBe("/mine");
  expect(findBrowser(env, there(chromium))).toBeUndefined();
  expect(howToGetOne(env)).toContain("STOA_BROWSER names /mine, which is not there");
});

test("otherwise what is in PATH, Chromium before others wherever it is", () => {
  const chrome = join("/one", `google-chrome${ending}`);
  const chromium = join("/two", `chromium${ending}`);
  expect(findBrowser({ PATH }, there(chrome))).toBe(chrome);
  expect(findBrowser({ PATH }, there(chrome, chromium))).toBe(chromium);
});

test("where there is none, it is said how to get one", () => {
  expect(findBrowser({ PATH }, () => false)).toBeUndefined();
  expect(howToGetOne({})).toMatch(/apt-get install chromium.*Chrome.*STOA_BROWSER=/s);
});
