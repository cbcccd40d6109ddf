// The generated client of every example against the example itself, in Node.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeClient } from "@stoa/generators";
import { afterAll, expect, test } from "vitest";
import { blog, bookstore, shop, todo } from "./client-scenarios.mjs";
import { TRANSCRIPTS } from "./client-transcripts.js";
import { EXAMPLES, runExample } from "./example.js";

const scenarios = { blog, bookstore, shop, todo };

const folder = mkdtempSync(join(tmpdir(), "stoa-client-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(EXAMPLES)("the client of %s does what its users want", async (name) => {
  const running = await runExample(name);
  const [file] = writeClient(running.definition, { target: "js" });
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, file?.text ?? "");
  const seen = await scenarios[name](await import(pathToFileURL(path).href), running.url);
  expect(seen).toEqual(TRANSCRIPTS[name]);
  expect(running.failures).toEqual([]);
  await running.close();
});
