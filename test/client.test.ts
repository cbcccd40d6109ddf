// Generated clients against real servers.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Definition } from "@stoa/definition";
import { writeClient } from "@stoa/generators";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { example, sample } from "../packages/generators/test/programs.js";
import { type Served, serve } from "./serve.js";

// biome-ignore lint/suspicious/noExplicitAny: what it looks like is known only once it is written; types have a test of their own
type AnyClient = any;

interface ClientModule {
  createClient(options?: object): AnyClient;
  readonly ApiError: new () => Error & { readonly problem: Record<string, unknown> };
}

const folder = mkdtempSync(join(tmpdir(), "stoa-client-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function load(name: string, definition: Definition): Promise<ClientModule> {
  const [file] = writeClient(definition, { target: "js" });
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, file?.text ?? "");
  return import(pathToFileURL(path).href);
}

describe("the bookstore", () => {
  let served: Served;
  let module: ClientModule;
  let client: AnyClient;
  beforeAll(async () => {
    const definition = example("bookstore");
    served = await serve(definition);
    module = await load("bookstore", definition);
    client = module.createClient({ baseUrl: served.url });
  });
  afterAll(() => served.close());

  test("creates, reads, changes and deletes", async () => {
    const ann = await client.author.create({ name: "Ann Lee", slug: "ann" });
    expect(ann).toEqual({ id: ann.id, name: "Ann Lee", slug: "ann", bookCount: 0 });
    const book = await client.author("ann").books.create({ title: "One", price: "25.50" });
    expect(await client.author("ann").books.list()).toEqual([book]);
    expect((await client.author("ann").get()).bestsellers).toEqual([{ title: "One", price: "25.50" }]);
    expect(await client.book(book.id).reprice({ newPrice: 30 })).toEqual({ id: book.id, price: "30.00" });
    expect((await client.author("ann").update({ name: "Ann B" })).name).toBe("Ann B");
    expect(await client.author("ann").delete()).toBeUndefined();
    expect((await client.author("ann").get().result()).problem.code).toBe("not-found");
  });

  test("goes through all pages", async () => {
    for (let index = 10; index < 35; index++)
      await client.author.create({ name: `A ${index}`, slug: `a-${index}` });
    const page = await client.author.list({ page: 2, pageSize: 10 });
    expect({ ...page, data: page.data.length }).toEqual({
      page: 2,
      pageSize: 10,
      totalPages: 3,
      totalCount: 25,
      data: 10,
    });
    const names: string[] = [];
    for await (const { name } of client.author.list({ pageSize: 7 })) names.push(name);
    expect(names).toEqual(Array.from({ length: 25 }, (_, index) => `A ${index + 10}`));
    const sizes: number[] = [];
    for await (const { data } of client.author.list({ page: 2 }).pages()) sizes.push(data.length);
    expect(sizes).toEqual([5]);
  });

  test("tells problems by their code, thrown and as data", async () => {
    const refused = await client.author.create({ name: "A", slug: "No!" }).result();
    expect(refused.ok).toBe(false);
    expect(refused.problem.errors.map(({ path, code }: Record<string, string>) => [path, code])).toEqual([
      ["/name", "min-length"],
      ["/slug", "pattern"],
    ]);
    await client.author.create({ name: "Twin", slug: "twin" });
    const error = await client.author
      .create({ name: "Twin", slug: "twin" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(module.ApiError);
    expect(error.problem).toMatchObject({
      status: 409,
      code: "conflict",
      errors: [{ path: "/slug", code: "unique" }],
    });
  });

  test("knows what has changed", async () => {
    await client.author.create({ name: "Tag", slug: "tag" });
    const { etag, status, requestId } = await client.author("tag").get().answer();
    expect([typeof etag, status, typeof requestId]).toEqual(["string", 200, "string"]);
    expect(await client.author("tag").get({ ifNoneMatch: etag })).toBeNull();
    await client.author("tag").update({ name: "Tagged" }, { ifMatch: etag });
    const late = await client.author("tag").update({ name: "Late" }, { ifMatch: etag }).result();
    expect(late.problem.code).toBe("precondition-failed");
  });

  test("identifiers reach the server as they are, or not at all", async () => {
    expect((await client.author("a/b?c#d é%").get().result()).problem.code).toBe("not-found");
    for (const id of ["", ".", ".."]) expect(() => client.author(id)).toThrow(TypeError);
  });

  test("can be given up", async () => {
    const controller = new AbortController();
    const call = client.author.list({ signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toThrow(/abort/i);
  });

  test("repeats what is safe to repeat, with one key for a POST", async () => {
    const keys: (string | null)[] = [];
    let failures = 2;
    const unsteady = async (url: string, init: RequestInit): Promise<Response> => {
      keys.push(new Headers(init.headers).get("Idempotency-Key"));
      const response = await fetch(url, init);
      if (failures-- > 0) throw new TypeError("the line was cut after the request");
      return response;
    };
    const shaky = module.createClient({ baseUrl: served.url, fetch: unsteady, retries: 3 });
    const made = await shaky.author.create({ name: "Once", slug: "once" }).answer();
    expect(made.headers.get("Idempotent-Replayed")).toBe("true");
    expect(new Set(keys).size).toBe(1);
    failures = 1;
    await expect(shaky.author("once").update({ name: "Twice" })).rejects.toThrow("the line was cut");
    failures = 1;
    expect((await shaky.author("once").get()).name).toBe("Twice");
    failures = 1;
    await expect(shaky.author("once").get({ retries: 0 })).rejects.toThrow("the line was cut");
  });

  test("waits as long as the server asks for", async () => {
    let calls = 0;
    const busy = async (url: string, init: RequestInit): Promise<Response> =>
      calls++ === 0 ? new Response("", { status: 503, headers: { "Retry-After": "0" } }) : fetch(url, init);
    const patient = module.createClient({ baseUrl: `${served.url}/`, fetch: busy, retries: 1 });
    expect((await patient.author.list()).page).toBe(1);
    expect(calls).toBe(2);
  });

  test("an answer of somebody else is told as such", async () => {
    const proxy = async () => new Response("<h1>Bad gateway</h1>", { status: 502 });
    const behind = module.createClient({ fetch: proxy });
    expect((await behind.author.list().result()).problem).toMatchObject({
      code: "unexpected-answer",
      status: 502,
    });
  });

  test("works where modules are required, and when it is compiled to CommonJS", async () => {
    const [file] = writeClient(example("bookstore"), { target: "ts" });
    const { code } = transformSync(file?.text ?? "", { loader: "ts", format: "cjs" });
    const path = join(folder, "bookstore.cjs");
    writeFileSync(path, code);
    const required: ClientModule = createRequire(import.meta.url)(path);
    expect((await required.createClient({ baseUrl: served.url }).author.list()).page).toBe(1);
  });

  test("is small", () => {
    const [file] = writeClient(example("bookstore"), { target: "js" });
    const { code } = transformSync(file?.text ?? "", { minify: true, format: "esm" });
    expect(gzipSync(code).length).toBeLessThan(3000);
  });
});

describe("the blog, with accounts", () => {
  let served: Served;
  let client: AnyClient;
  beforeAll(async () => {
    const definition = sample("blog");
    served = await serve(definition);
    const { hashSecret } = await import("@stoa/database");
    const hash = await hashSecret("correct horse");
    await served.database.query(
      `insert into "user" (email, password, display_name, is_admin) values ('ann@example.org', $1, 'Ann', true)`,
      [hash],
    );
    client = (await load("blog", definition)).createClient({ baseUrl: served.url });
  });
  afterAll(() => served.close());

  test("logs in, is somebody, and logs out", async () => {
    expect((await client.auth.me().result()).problem.code).toBe("unauthenticated");
    expect(
      (await client.auth.login({ email: "ann@example.org", password: "no" }).result()).problem.code,
    ).toBe("unauthenticated");
    const { user, token } = await client.auth.login({ email: "ann@example.org", password: "correct horse" });
    expect(user).toMatchObject({ email: "ann@example.org", displayName: "Ann" });
    expect(await client.auth.me()).toEqual(user);
    const post = await client.post.create({ title: "First", slug: "first", text: "Hello" });
    expect(post).toMatchObject({ slug: "first", status: "draft" });
    expect((await client.Admin.user.list()).data).toHaveLength(1);
    expect(await client.auth.logout()).toBeUndefined();
    expect((await client.Admin.user.list().result()).problem.code).toBe("unauthenticated");
    client.$setToken(token);
    expect((await client.auth.me().result()).problem.code).toBe("unauthenticated");
  });
});
