// The example's README is true: its requests, sent to the example with its own data, get the answers shown.

import { readFileSync } from "node:fs";
import { compile } from "@stoa/compiler";
import { applyPush, planPush, populate } from "@stoa/database";
import { type Application, createApplication } from "@stoa/runtime";
import { beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../packages/database/test/server.js";

const folder = new URL("../examples/bookstore/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");

const REQUEST = /```sh\ncurl '?(\S+?)'?\n```\n\n```json\n(.*?)```/gs;
const requests = [...read("README.md").matchAll(REQUEST)].map(([, url = "", answer = ""]) => ({
  url,
  answer,
}));

describe("the requests of the bookstore's README", () => {
  let application: Application;

  beforeAll(async () => {
    const names = ["api.stoa", "bookstore.stoa", "populators.stoa"];
    const { definition } = compile(names.map((name) => ({ name, text: read(name) })));
    if (!definition) throw new Error("The example does not compile.");
    const { database } = await testDatabase();
    await applyPush(database, await planPush(database, definition), { acceptDataLoss: true });
    await populate(database, definition, "Dev");
    application = createApplication({ definition, database });
  });

  it("are there", () => {
    expect(requests.length).toBeGreaterThan(4);
  });

  it.each(requests)("$url", async ({ url, answer }) => {
    const response = await application.fetch(new Request(url));
    expect(await response.json()).toEqual(withHoles(JSON.parse(answer)));
  });
});

/** `"…"` stands for what is different each time. */
function withHoles(value: unknown): unknown {
  if (value === "…") return expect.any(String);
  if (Array.isArray(value)) return value.map(withHoles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withHoles(each)]));
}
