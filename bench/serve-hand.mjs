// The same API as `library.mjs` describes, by hand: Fastify and `postgres`, with prepared statements, JSON that is
// made by the database and sent as it comes, and validation compiled from JSON schemas.

import Fastify from "fastify";
import postgres from "postgres";
import { PAGE_SIZE } from "./library.mjs";
import { answerUsage } from "./server-child.mjs";

const { host, port, user, database, password, connections } = JSON.parse(process.argv[2] ?? "{}");

const sql = postgres({ host, port, user, database, password, max: connections, onnotice: () => {} });
const app = Fastify({ logger: false, keepAliveTimeout: 65_000 });

const JSON_TYPE = "application/json; charset=utf-8";
const SLUG = { type: "string", minLength: 1, maxLength: 200 };
const SLUG_PARAMS = { type: "object", properties: { slug: SLUG } };
const PAGE_QUERY = {
  type: "object",
  properties: {
    page: { type: "integer", minimum: 1, default: 1 },
    pageSize: { type: "integer", minimum: 1, maximum: 100, default: PAGE_SIZE },
  },
  additionalProperties: false,
};
const BOOK_FIELDS = {
  title: { type: "string", minLength: 2, maxLength: 200 },
  slug: { type: "string", pattern: "^[a-z0-9-]+$", maxLength: 80 },
  pages: { type: "integer", minimum: 1, maximum: 10_000 },
  price: { type: "string", pattern: "^(?!0+(\\.0+)?$)[0-9]{1,5}(\\.[0-9]{1,2})?$" },
  genre: { type: "string", enum: ["novel", "poetry", "essay"] },
  author_id: { type: "integer", minimum: 1 },
};
const NEW_BOOK = {
  type: "object",
  properties: BOOK_FIELDS,
  required: Object.keys(BOOK_FIELDS),
  additionalProperties: false,
};
const BOOK_CHANGES = {
  type: "object",
  properties: BOOK_FIELDS,
  minProperties: 1,
  additionalProperties: false,
};

/** @param {import("fastify").FastifyReply} reply @param {readonly { json: string }[]} rows */
function sendRow(reply, [row]) {
  if (row === undefined) return reply.code(404).send({ code: "not-found" });
  return reply.header("content-type", JSON_TYPE).send(row.json);
}

app.get("/api/author/:slug", { schema: { params: SLUG_PARAMS } }, async (request, reply) => {
  const { slug } = /** @type {{ slug: string }} */ (request.params);
  const rows = await sql`
    select row_to_json(r)::text as json
    from (
      select id, name, slug, country, born_on as "bornOn", is_active as "isActive"
      from author where slug = ${slug}
    ) r`;
  return sendRow(reply, rows);
});

app.get("/api/nested/author/:slug", { schema: { params: SLUG_PARAMS } }, async (request, reply) => {
  const { slug } = /** @type {{ slug: string }} */ (request.params);
  const rows = await sql`
    select row_to_json(r)::text as json
    from (
      select a.id, a.name, a.slug, coalesce(
        (select json_agg(row_to_json(b)) from (
          select id, title, price::text as price,
            (select count(*) from review where review.book_id = book.id) as "reviewCount"
          from book where author_id = a.id order by id
        ) b), '[]') as books
      from author a where a.slug = ${slug}
    ) r`;
  return sendRow(reply, rows);
});

for (const table of ["note", "entry"]) {
  const text = `
    select (select count(*) from ${table})::int as count, coalesce(
      (select json_agg(row_to_json(r)) from (
        select id, title, text, rank, price::text as price, is_open as "isOpen", day
        from ${table} order by rank, id limit $1::bigint offset $2::bigint
      ) r), '[]')::text as data`;
  app.get(`/api/${table}`, { schema: { querystring: PAGE_QUERY } }, async (request, reply) => {
    const { page, pageSize } = /** @type {{ page: number, pageSize: number }} */ (request.query);
    const [row] = await sql.unsafe(text, [pageSize, (page - 1) * pageSize], { prepare: true });
    const { count, data } = /** @type {{ count: number, data: string }} */ (row);
    const pages = Math.ceil(count / pageSize);
    const counts = `"page":${page},"pageSize":${pageSize},"totalPages":${pages},"totalCount":${count}`;
    return reply.header("content-type", JSON_TYPE).send(`{${counts},"data":${data}}`);
  });
}

app.post("/api/book", { schema: { body: NEW_BOOK } }, async (request, reply) => {
  const book = /** @type {any} */ (request.body);
  const rows = await sql`
    with written as (
      insert into book (title, slug, pages, price, genre, author_id)
      values (${book.title}, ${book.slug}, ${book.pages}, ${book.price}, ${book.genre}, ${book.author_id})
      returning *
    )
    select row_to_json(r)::text as json
    from (
      select id, title, slug, pages, price::text as price, genre,
        (select row_to_json(a) from (select slug from author where id = author_id) a) as author
      from written
    ) r`;
  reply.code(201).header("location", `/api/book/${book.slug}`);
  return sendRow(reply, rows);
});

app.patch(
  "/api/book/:slug",
  { schema: { params: SLUG_PARAMS, body: BOOK_CHANGES } },
  async (request, reply) => {
    const { slug } = /** @type {{ slug: string }} */ (request.params);
    const changes = /** @type {any} */ (request.body);
    const rows = await sql`
    with written as (
      update book set ${sql(changes, Object.keys(changes))} where slug = ${slug} returning *
    )
    select row_to_json(r)::text as json
    from (
      select id, title, slug, pages, price::text as price, genre,
        (select row_to_json(a) from (select slug from author where id = author_id) a) as author
      from written
    ) r`;
    return sendRow(reply, rows);
  },
);

/** What the database refuses: a slug that is taken, an author who does not exist. */
app.setErrorHandler((/** @type {any} */ error, _request, reply) => {
  if (error.code === "23505") return reply.code(409).send({ code: "conflict" });
  if (error.code === "23503") return reply.code(422).send({ code: "validation" });
  return reply.code(error.statusCode ?? 500).send({ code: error.code, message: error.message });
});

await app.listen({ port: 0, host: "127.0.0.1" });
answerUsage(/** @type {import("node:net").AddressInfo} */ (app.server.address()).port);
