// The blog's rules, for everybody who may come along.

import { beforeAll, describe, expect, test } from "vitest";
import { type RunningExample, runExample } from "./example.js";

let blog: RunningExample;
const tokens: Record<string, string | undefined> = {};
beforeAll(async () => {
  blog = await runExample("blog");
  tokens.ann = await blog.logIn("ann@example.org", "correct horse");
  tokens.bob = await blog.logIn("bob@example.org", "battery staple");
  tokens.eve = await blog.logIn("eve@example.org", "keeps an eye on it");
});

const DRAFT = "/api/post/soup-an-apology";
const POST = "/api/post/creme-brulee-without-a-torch";

/** Nothing here changes what a later line needs: who is refused comes before who is not. */
describe.each<[request: string, body: object | undefined, expected: Record<string, number>]>([
  [`GET ${POST}`, undefined, { nobody: 200, bob: 200, ann: 200, eve: 200 }],
  [`GET ${DRAFT}`, undefined, { nobody: 404, bob: 404, eve: 200, ann: 200 }],
  [`GET ${DRAFT}/comments`, undefined, { nobody: 404, bob: 404, eve: 200, ann: 200 }],
  [`POST ${DRAFT}/comments`, { text: "Psst" }, { nobody: 401, bob: 404, eve: 201, ann: 201 }],
  [`PATCH ${DRAFT}`, { text: "Finished." }, { nobody: 404, bob: 404, eve: 403, ann: 200 }],
  [`PATCH ${POST}`, { text: "Better." }, { nobody: 401, bob: 403, eve: 403, ann: 200 }],
  [`POST ${DRAFT}/publish`, {}, { nobody: 404, bob: 404, eve: 403 }],
  [`POST ${POST}/comments`, { text: "Nice" }, { nobody: 401, bob: 201, ann: 201, eve: 201 }],
  [`PATCH ${POST}/comments/1`, { text: "Mine" }, { nobody: 401, ann: 403, eve: 403, bob: 200 }],
  [`DELETE ${POST}/comments/2`, undefined, { nobody: 401, bob: 403, ann: 204 }],
  [`DELETE ${POST}/comments/1`, undefined, { nobody: 401, eve: 204 }],
  [`GET ${POST}/tagging`, undefined, { nobody: 404, bob: 404, eve: 404, ann: 200 }],
  [`POST ${POST}/tagging`, { tag_name: "travel" }, { nobody: 401, bob: 403, eve: 403, ann: 201 }],
  ["POST /api/tag", { name: "soup" }, { nobody: 401, bob: 201 }],
  ["PATCH /api/user/ann", { bio: "Hacked" }, { nobody: 401, bob: 403, eve: 403, ann: 200 }],
  ["GET /api/desk/user", undefined, { nobody: 401, bob: 403, ann: 403, eve: 200 }],
  ["PATCH /api/desk/user/bob", { isEditor: true }, { nobody: 401, bob: 403, ann: 403, eve: 200 }],
  ["DELETE /api/desk/user/eve", undefined, { nobody: 401, ann: 403, eve: 403 }],
  [`POST ${POST}/withdraw`, {}, { nobody: 401, ann: 204 }],
  [`DELETE ${POST}`, undefined, { nobody: 404, ann: 204 }],
])("%s", (request, body, expected) => {
  test.each(Object.entries(expected))("by %s is answered with %i", async (who, status) => {
    const answer = await blog.ask(request, { token: tokens[who], ...(body ? { body } : {}) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  });
});

test("a list of somebody's posts has drafts for themselves alone", async () => {
  const slugs = async (who: string) =>
    (await blog.ask("GET /api/user/ann/posts", { token: tokens[who] })).body.data.map(
      ({ slug }: { slug: string }) => slug,
    );
  expect(await slugs("nobody")).toEqual(["night-train-to-lisbon"]);
  expect(await slugs("ann")).toEqual(expect.arrayContaining(["soup-an-apology"]));
});

test("nobody becomes an editor, or writes in another's name", async () => {
  const person = { handle: "dora", name: "Dora", email: "dora@example.org", password: "twelve letters" };
  expect(await blog.ask("POST /api/user", { body: { ...person, isEditor: true } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/isEditor", code: "unknown" }] },
  });
  expect((await blog.ask("POST /api/user", { body: person })).status).toBe(201);
  const body = { title: "In the name of Ann", text: "…", author_id: 3, status: "published" };
  const refused = await blog.ask("POST /api/post", { token: tokens.bob, body });
  expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual(["/author_id", "/status"]);
});

test("slugs stay apart when many posts get one title at once", async () => {
  const body = { title: "Ça va, Łódź?", text: "…" };
  const made = await Promise.all(
    Array.from({ length: 8 }, () => blog.ask("POST /api/post", { token: tokens.bob, body })),
  );
  expect(made.map(({ status }) => status)).toEqual(Array(8).fill(201));
  const slugs = made.map(({ body: { slug } }) => slug).sort();
  expect(slugs).toEqual(["ca-va-odz", ...[2, 3, 4, 5, 6, 7, 8].map((n) => `ca-va-odz-${n}`)]);
});

test("views are counted, all of them", async () => {
  const views = Array.from({ length: 20 }, () => blog.ask("POST /api/post/night-train-to-lisbon/view"));
  const counts = (await Promise.all(views)).map(({ body }) => body.views);
  expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test("the large populator makes what it says, and pages go through it", async () => {
  const large = await runExample("blog", "Large");
  const page = await large.ask("GET /api/post?page=20&pageSize=50");
  expect(page.body).toMatchObject({ totalCount: 1000, totalPages: 20 });
  expect(page.body.data).toHaveLength(50);
  expect(page.body.data[0].commentCount).toBe(10);
  await large.close();
});
