// The conformance cases: every file in cases/ is a list of small programs, each with exactly the diagnostics
// it must give. A program without any must compile, to a definition that the definition's reader accepts.
// `UPDATE=1` writes what is found into the files.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readDefinitionValue } from "@stoa/definition";
import { describe, expect, test } from "vitest";
import { type Compilation, compile } from "../src/index.js";
import {
  type Case,
  type CaseFile,
  readCases,
  type SourceFile,
  textOf,
  withFound,
  writeCase,
  writeCases,
} from "./case-notation.js";

const folder = new URL("cases/", import.meta.url);

function run(files: readonly SourceFile[]): Compilation {
  return compile(files.map((file) => ({ name: file.name, text: textOf(file) })));
}

/** The case as it should have been written. */
function foundIn({ title, files }: Case, { diagnostics }: Compilation): Case {
  return { title, files: files.map((file) => withFound(file, diagnostics)) };
}

/** What the reader of definitions has to say about the result. */
function problemsIn({ hasErrors, definition }: Compilation) {
  if (hasErrors) return [];
  const read = readDefinitionValue(JSON.parse(JSON.stringify(definition)));
  return read.ok ? [] : read.problems;
}

/** The case file; with `UPDATE=1`, rewritten first. */
function load(place: URL): CaseFile {
  const file = readCases(readFileSync(place, "utf8"));
  if (!process.env.UPDATE) return file;
  const cases = file.cases.map((one) => foundIn(one, run([...file.shared, ...one.files])));
  writeFileSync(place, writeCases({ ...file, cases }));
  return { ...file, cases };
}

for (const name of readdirSync(folder).filter((file) => file.endsWith(".cases"))) {
  const { shared, cases } = load(new URL(name, folder));
  describe(name, () => {
    test.each(cases)("$title", (one) => {
      const expected = { ...one, files: [...shared, ...one.files] };
      const result = run(expected.files);
      expect(writeCase(foundIn(expected, result))).toBe(writeCase(expected));
      expect(problemsIn(result)).toEqual([]);
    });
  });
}
