// The types of clients: they hold under the strictest options, and wrong calls do not compile.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { writeRuntimeText } from "../../../tools/client-runtime.mjs";
import { writeClient } from "../src/index.js";
import { RESERVED } from "../src/outline/reserved.js";
import { example, PROGRAMS, sample } from "./programs.js";
import { checkTypes } from "./tsc.js";

const runtime = readFileSync(new URL("../src/client/runtime.ts", import.meta.url), "utf8");

test("the copy of the runtime part is that of the module", () => {
  const copy = readFileSync(new URL("../src/client/runtime-text.ts", import.meta.url), "utf8");
  expect(copy, "run node tools/client-runtime.mjs").toBe(writeRuntimeText());
});

test("nothing of a program takes a name of the runtime part", () => {
  const names = [...runtime.matchAll(/^(?:export )?(?:interface|type|class|function|const) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const exported = [...runtime.matchAll(/^export (?:interface|type|class|function|const) (\w+)/gm)].map(
    ([, name]) => name,
  );
  expect(RESERVED).toEqual(expect.arrayContaining(exported));
  expect(names.length).toBeGreaterThan(40);
});

test("all clients hold under strict options, in both targets", () => {
  const files = PROGRAMS.flatMap(([name, definition]) =>
    (["ts", "js"] as const).flatMap((target) =>
      writeClient(definition, { target })
        .filter((file) => file.name.endsWith(".ts"))
        .map((file) => [`${name.replace("/", "-")}-${target}/${file.name}`, file.text]),
    ),
  );
  expect(checkTypes(Object.fromEntries(files)).output).toBe("");
});

const [bookstore] = writeClient(example("bookstore"), { target: "ts" });
const [blog] = writeClient(sample("blog"), { target: "ts" });

const CALLS = `
import { ApiError, createClient, type Author, type Page } from "./bookstore/client.js";
import { createClient as createBlog } from "./blog/client.js";

const client = createClient({ baseUrl: "http://localhost" });

export async function right(): Promise<void> {
  const author: Author = await client.author.create({ name: "Ann", slug: "ann" });
  const page: Page<Author> = await client.author.list({ page: 2, pageSize: 5 });
  for await (const { name } of client.author.list()) name.toUpperCase();
  const books = await client.author(author.slug).books.list();
  books.map((book) => book.title.length + (book.publishedOn?.length ?? 0));
  await client.author("ann").books.create({ title: "T", price: 5, publishedOn: null }, { retries: 2 });
  const { etag, data } = await client.author("ann").get().answer();
  await client.author("ann").update({ name: "B" }, { ifMatch: etag ?? "" });
  const unchanged: null | { readonly bookCount: number } = await client.author("ann").get({ ifNoneMatch: '"x"' });
  const { price } = await client.book(1).reprice({ newPrice: "5.00" });
  const nothing: void = await client.author("ann").delete();
  console.log(page.totalCount, data.bestsellers[0]?.price, unchanged, price.length, nothing);
  const result = await client.author.create({ name: "A", slug: "a" }).result();
  if (result.ok) console.log(result.data.bookCount);
  else {
    switch (result.problem.code) {
      case "validation":
        for (const { path, code } of result.problem.errors) if (path === "/slug" && code === "pattern") console.log(path);
        break;
      case "conflict":
        console.log(result.problem.errors?.[0]?.code === "unique");
        break;
      case "malformed":
      case "too-large":
      case "unsupported-media-type":
      case "internal":
      case "unavailable":
      case "unexpected-answer":
        break;
      default: {
        const never: never = result.problem;
        console.log(never);
      }
    }
  }
  try {
    await client.author("x").get();
  } catch (error) {
    if (error instanceof ApiError && error.problem.code === "not-found") console.log(error.problem.status satisfies 404);
  }
}

export async function wrong(): Promise<void> {
  // @ts-expect-error a field is missing
  await client.author.create({ name: "Ann" });
  // @ts-expect-error there is no such field
  await client.author.create({ name: "Ann", slug: "a", age: 5 });
  // @ts-expect-error of another type
  await client.author.create({ name: 5, slug: "a" });
  // @ts-expect-error null where there is none
  await client.author.create({ name: null, slug: "a" });
  // @ts-expect-error identified by a text
  client.author(5);
  // @ts-expect-error identified by a number
  client.book("5");
  // @ts-expect-error books are not created here
  client.book.create({});
  // @ts-expect-error reviews belong to one book
  client.book.reviews.list();
  // @ts-expect-error this list has no pages
  client.author("ann").books.list({ page: 1 });
  // @ts-expect-error answers are read only
  (await client.author("ann").get()).name = "B";
  // @ts-expect-error not in the answer
  (await client.author.list()).data[0]?.price;
  // @ts-expect-error nothing comes back
  (await client.author("ann").delete()).id;
  // @ts-expect-error may be null
  (await client.book(1).get()).publishedOn.length;
  // @ts-expect-error may be unchanged
  (await client.author("ann").get({ ifNoneMatch: "x" })).name;
  // @ts-expect-error only changes are of a certain record
  client.author.create({ name: "Ann", slug: "a" }, { ifMatch: "x" });
  const { problem } = await client.author("ann").get().result();
  // @ts-expect-error a get does not conflict
  if (problem?.code === "conflict") return;
  const created = await client.author.create({ name: "A", slug: "a" }).result();
  // @ts-expect-error no rule of these inputs has such a code
  if (created.problem?.code === "validation" && created.problem.errors[0]?.code === "max-length") return;
}

const other = createBlog({ token: () => Promise.resolve("t") });

export async function accounts(): Promise<void> {
  const { user, token } = await other.auth.login({ email: "a", password: "b" });
  console.log(user.displayName, token);
  await other.Admin.user(5).memberships.create({ role_name: "editor" });
  await other.people("ann").profile.create({ handle: "ann" });
  const { publishedAt } = await other.post("x").publish();
  const status: "draft" | "review" | "published" | "archived" = (await other.post("x").get()).status;
  console.log(publishedAt, status);
  // @ts-expect-error secrets are in no answer
  user.password;
  // @ts-expect-error by e-mail
  other.auth.login({ name: "a", password: "b" });
  // @ts-expect-error there is one profile
  other.people("ann").profile("x");
}
`;

test("right calls compile, and wrong ones do not", () => {
  const files = {
    "bookstore/client.ts": bookstore?.text ?? "",
    "blog/client.ts": blog?.text ?? "",
    "calls.ts": CALLS,
  };
  expect(checkTypes(files).output).toBe("");
});

test("the examples of the guide compile", () => {
  const guide = readFileSync(new URL("../../../docs/client.md", import.meta.url), "utf8");
  const [head = "", ...blocks] = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, block = ""]) => block);
  const [imports = "", ...rest] = head.split("\n\n");
  const code = [rest.join("\n\n"), ...blocks].join("\n");
  const text = `${imports}\nexport async function guide(): Promise<void> {\n${code}\nconsole.log(bestsellers);\n}\n`;
  expect(blocks.length).toBeGreaterThan(3);
  expect(checkTypes({ "client.ts": bookstore?.text ?? "", "guide.ts": text }).output).toBe("");
});
