// The guard that `auth-may-be-null` inserts: the source still says what it said, and no longer lets visitors in.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { applyFixes } from "../src/diagnostics/fix.js";
import { compile } from "../src/index.js";
import { readCases, textOf } from "./case-notation.js";

const { shared, cases } = readCases(readFileSync(new URL("cases/anonymous.cases", import.meta.url), "utf8"));

describe("guards inserted into conditions", () => {
  const fixable = cases.flatMap(({ title, files }) => {
    const sources = [...shared, ...files].map((file) => ({ name: file.name, text: textOf(file) }));
    const { diagnostics } = compile(sources);
    const isFixable = diagnostics.some(({ code, fix }) => code === "auth-may-be-null" && fix);
    return isFixable ? [{ title, sources, diagnostics }] : [];
  });

  test("most have one", () => expect(fixable.length).toBeGreaterThan(10));

  test.each(fixable)("$title", ({ sources, diagnostics }) => {
    const guarded = sources.map(({ name, text }) => ({
      name,
      text: applyFixes(name, text, diagnostics).text,
    }));
    expect(compile(guarded).diagnostics).toEqual([]);
  });
});
