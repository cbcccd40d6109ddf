// Names that others rely on: paths, parameters, endpoints, request fields, tables and constraints. They follow
// from the source alone, and a change of any of them is a change for clients or databases.

import type { Definition, Endpoint, Entrypoint, RequestField } from "@stoa/definition";
import { expect, test } from "vitest";
import { compile } from "../src/index.js";

function define(text: string): Definition {
  const { definition, diagnostics } = compile([{ name: "main.stoa", text }]);
  if (!definition) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return definition;
}

function endpointsOf(definition: Definition): Endpoint[] {
  const walk = (entrypoint: Entrypoint): Endpoint[] => [
    ...entrypoint.endpoints,
    ...entrypoint.entrypoints.flatMap(walk),
  ];
  return definition.apis.flatMap((api) => api.entrypoints.flatMap(walk));
}

/** `title?` is optional, `title = …` has a default. */
function showField(field: RequestField): string {
  if (field.kind === "object") {
    return `${field.name}${field.required ? "" : "?"} { ${field.fields.map(showField).join(", ")} }`;
  }
  return `${field.name}${field.required ? "" : "?"}${field.default ? " = …" : ""}`;
}

const LIBRARY = `
  model BlogPost {
    field title { type string }
    field views { type integer, default 0 }
    field note { type string, nullable }
    reference author { to Author }
    reference reviewedBy { to Author, nullable, unique }
    relation replies { from Reply, through post }
    timestamps
    unique { title, author }
    index { author, views desc }
  }
  model Author {
    field slug { type string, unique }
    field password { type string, secret }
    relation recentPosts { from BlogPost, through author }
    relation profile { from Profile, through author }
  }
  model Profile { field handle { type string, unique } reference author { to Author, unique } }
  model Reply { field text { type string } reference post { to BlogPost } reference parent { to Reply, nullable } relation replies { from Reply, through parent } }
`;

function routes(api: string): string[] {
  return endpointsOf(define(LIBRARY + api)).map(({ method, path, name }) => `${method} ${path} ${name}`);
}

test("paths and names of endpoints", () => {
  const api = `api {
    entrypoint BlogPost { list endpoint {} create endpoint {} get endpoint {} update endpoint {} delete endpoint {}
      POST one "/publish now/" {} GET many "top" {}
      entrypoint author { get endpoint {} }
      entrypoint replies { get endpoint {} entrypoint replies { get endpoint {} list endpoint {} } }
    }
  }`;
  expect(routes(api)).toEqual([
    "GET /api/blog-post blog-post.list",
    "POST /api/blog-post blog-post.create",
    "GET /api/blog-post/{blog_post_id} blog-post.get",
    "PATCH /api/blog-post/{blog_post_id} blog-post.update",
    "DELETE /api/blog-post/{blog_post_id} blog-post.delete",
    "POST /api/blog-post/{blog_post_id}/publish%20now blog-post.POST:one:publish%20now",
    "GET /api/blog-post/top blog-post.GET:many:top",
    "GET /api/blog-post/{blog_post_id}/author blog-post.author.get",
    "GET /api/blog-post/{blog_post_id}/replies/{reply_id} blog-post.replies.get",
    "GET /api/blog-post/{blog_post_id}/replies/{reply_id}/replies/{reply_id_2} blog-post.replies.replies.get",
    "GET /api/blog-post/{blog_post_id}/replies/{reply_id}/replies blog-post.replies.replies.list",
  ]);
});

test("names of apis, segments and identifiers", () => {
  const api = `api BackOffice {
    entrypoint Author { path "writers" identify { through slug } get endpoint {} entrypoint recentPosts { get endpoint {} } }
    entrypoint Author { identify { through profile.handle } get endpoint {} entrypoint profile { get endpoint {} } }
    entrypoint BlogPost { identify { through reviewedBy_id } get endpoint {} }
  }`;
  expect(routes(api)).toEqual([
    "GET /api/back-office/writers/{author_slug} BackOffice.writers.get",
    "GET /api/back-office/writers/{author_slug}/recent-posts/{blog_post_id} BackOffice.writers.recent-posts.get",
    "GET /api/back-office/author/{author_profile_handle} BackOffice.author.get",
    "GET /api/back-office/author/{author_profile_handle}/profile BackOffice.author.profile.get",
    "GET /api/back-office/blog-post/{blog_post_reviewed_by_id} BackOffice.blog-post.get",
  ]);
});

test("fields of requests", () => {
  const api = `api {
    entrypoint BlogPost {
      create endpoint as post {
        extra inputs { field comment { type string } field urgent { type boolean, default false } }
        action {
          create { reference author { through profile.handle } input { note { required } } set views length(comment) }
          create post.replies as reply { input { text { default "first" } } deny { parent } }
          validate with key "comment" { urgent }
        }
      }
      update endpoint { action { update { input { title, note { required } } } } }
      delete endpoint {}
      entrypoint replies { create endpoint {} update endpoint {} }
    }
    entrypoint Author { create endpoint {} update endpoint {} GET many "find" { extra inputs { field q { type string } } action { respond { body q } } } }
  }`;
  const requests = endpointsOf(define(LIBRARY + api)).map(
    ({ name, request }) =>
      `${name} ${request ? `${request.in}: ${request.fields.map(showField).join(", ")}` : "-"}`,
  );
  expect(requests).toEqual([
    "blog-post.create body: comment, urgent? = …, author_profile_handle, note, title, reviewedBy_id?, reply? { text? = … }",
    "blog-post.update body: title?, note",
    "blog-post.delete -",
    "blog-post.replies.create body: text, parent_id?",
    "blog-post.replies.update body: text?, parent_id?",
    "author.create body: slug, password",
    "author.update body: slug?, password?",
    "author.GET:many:find query: q",
  ]);
});

test("tables, columns, keys and indexes", () => {
  const { table } = define(LIBRARY).models.find(({ name }) => name === "BlogPost") ?? {};
  expect(table?.name).toBe("blog_post");
  expect(table?.columns.map(({ name }) => name)).toEqual([
    "id",
    "title",
    "views",
    "note",
    "author_id",
    "reviewed_by_id",
    "created_at",
    "updated_at",
  ]);
  const named = [...(table?.uniques ?? []), ...(table?.foreignKeys ?? []), ...(table?.indexes ?? [])];
  expect([table?.primaryKey.name, ...named.map(({ name }) => name)]).toEqual([
    "blog_post__pkey",
    "blog_post__reviewed_by_id__key",
    "blog_post__title__author_id__key",
    "blog_post__author_id__fkey",
    "blog_post__reviewed_by_id__fkey",
    "blog_post__author_id__idx",
    "blog_post__author_id__views_desc__idx",
  ]);
});

test("a key that is written twice is one key", () => {
  const { table } =
    define("model A { field a { type string, unique } unique { a } unique { a } }").models[0] ?? {};
  expect(table?.uniques.map(({ name }) => name)).toEqual(["a__a__key"]);
});
