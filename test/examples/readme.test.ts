// The READMEs of the examples are true: their requests, sent one after the other to the example with its own data,
// get the answers shown. UPDATE=1 writes the answers down.

import { readFileSync, writeFileSync } from "node:fs";
import { checkSources, format } from "@stoa/compiler";
import { writeHookTypes } from "@stoa/generators";
import { afterAll, describe, expect, test } from "vitest";
import { example, sources } from "../../packages/generators/test/programs.js";
import { checkTypes } from "../../packages/generators/test/tsc.js";
import { EXAMPLES, runExample } from "./example.js";
import { type CurlRequest, type ReadmeBlock, readBlocks, writeJson } from "./readme-notation.js";

/** What is different each time. */
const HOLES = new Set(["token", "expiresAt", "requestId", "createdAt", "updatedAt", "publishedOn"]);

describe.each(EXAMPLES)("%s", async (name) => {
  const file = new URL(`../../examples/${name}/README.md`, import.meta.url);
  const readme = readFileSync(file, "utf8");
  const blocks = readBlocks(readme);
  const running = await runExample(name);
  const variables = new Map<string, string>();
  let updated = readme;
  afterAll(async () => {
    if (process.env.UPDATE) writeFileSync(file, updated);
    await running.close();
  });

  const fill = (text: string): string =>
    text.replaceAll(/\$(\w+)/g, (_, variable: string) => variables.get(variable) ?? `no ${variable}`);

  async function send({ method, target, headers, body, variable }: CurlRequest) {
    const filled = Object.entries(headers).map(([key, value]): [string, string] => [key, fill(value)]);
    const response = await fetch(running.url + target, {
      method,
      headers: filled,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const answer = text === "" ? undefined : JSON.parse(text);
    if (variable !== undefined) variables.set(variable, answer.token);
    return { status: response.status, answer };
  }

  test("has requests, and answers to most of them", () => {
    expect(blocks.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(4);
  });

  test.each(blocks.map((block) => [titleOf(block), block] as const))(
    "%s",
    async (_, { requests, answer, text }) => {
      const last = requests.at(-1);
      for (const request of requests) {
        const got = await send(request);
        if (request !== last || answer === undefined) {
          expect(got.status, JSON.stringify(got.answer)).toBeLessThan(300);
          continue;
        }
        if (process.env.UPDATE) updated = updated.replace(text, () => withAnswer(text, got.answer));
        else expect(inSameYear(got.answer)).toEqual(fillHoles(JSON.parse(answer)));
      }
      expect(running.failures).toEqual([]);
    },
  );
});

test.each(EXAMPLES)("the sources of %s compile without a warning and are formatted", (name) => {
  const all = sources(name);
  expect(checkSources(all).diagnostics).toEqual([]);
  for (const source of all) expect(format(source)).toEqual({ kind: "formatted", text: source.text });
});

test.each([
  ["blog", ["texts.ts"]],
  ["shop", ["hooks/ean.ts", "hooks/orders.ts", "hooks/prices.ts"]],
])("the hooks of %s fit the types that are made for them", (name, modules) => {
  const read = (path: string): [string, string] => [
    path,
    readFileSync(new URL(`../../examples/${name}/${path}`, import.meta.url), "utf8"),
  ];
  const httpError = readFileSync(
    new URL("../../packages/runtime/src/http-error.ts", import.meta.url),
    "utf8",
  );
  const files = {
    ...Object.fromEntries(modules.map(read)),
    ".stoa/build/hooks.d.ts": writeHookTypes(example(name)),
    "node_modules/stoa/index.ts": httpError,
  };
  expect(checkTypes(files).output).toBe("");
});

function titleOf({ requests }: ReadmeBlock): string {
  return requests.map(({ method, target }) => `${method} ${target}`).join(", ");
}

function withAnswer(block: string, answer: unknown): string {
  const json = writeJson(inSameYear(makeHoles(answer)));
  return block.replace(/```json\n[^`]*```/, () => `\`\`\`json\n${json}\n\`\`\``);
}

type Change = (value: unknown, key: string) => unknown;

function changeAll(value: unknown, change: Change, key = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => changeAll(each, change));
  if (typeof value !== "object" || value === null) return change(value, key);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, changeAll(each, change, name)]),
  );
}

function makeHoles(answer: unknown): unknown {
  return changeAll(answer, (value, key) => {
    const isNow = key === "publishedAt" && typeof value === "string" && value > "2026";
    return (HOLES.has(key) && typeof value === "string") || isNow ? "…" : value;
  });
}

/** `"…"` stands for what is different each time. */
function fillHoles(shown: unknown): unknown {
  return changeAll(shown, (value) => (value === "…" ? expect.any(String) : value));
}

/** Numbers of orders begin with the year in which they were placed. */
function inSameYear(answer: unknown): unknown {
  return changeAll(answer, (value, key) =>
    key === "number" && typeof value === "string" ? value.replace(/^\d{4}/, "2026") : value,
  );
}
