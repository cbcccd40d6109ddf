// Explanations: what the definition alone lets say, and what a database with rows adds to it or takes back.

import { compile } from "@stoa/compiler";
import { applyPush, connect, type Database, planPush } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../database/test/server.js";
import { type Explanation, explainEndpoint, findPlace, layoutSql, placesOf } from "../src/index.js";

function definitionOf(text: string): Definition {
  const { definition, diagnostics } = compile([{ name: "app.stoa", text }]);
  if (!definition) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return definition;
}

function explain(definition: Definition, name: string, database: Database | null): Promise<Explanation> {
  const found = findPlace(placesOf(definition), name);
  if (found.kind !== "found") throw new Error(`There is no endpoint ${name}.`);
  return explainEndpoint(definition, found.place, database);
}

const LIBRARY = `auth {
  model User
  password { identify email, secret password }
}

enum State { draft, ready }

model User {
  field email { type string, unique }
  field password { type string, secret }
  field isEditor { type boolean }
  field age { type integer, nullable }
}

model Book {
  field title { type string }
  field isbn { type string }
  field state { type State }
  field stock { type integer, index }
  field price { type decimal(10, 2) }
  reference owner { to User }
  relation pages { from Page, through book }
  timestamps
}

model Page {
  field number { type integer }
  field text { type string }
  reference book { to Book, on delete cascade }
}
`;

function withList(list: string): Definition {
  return definitionOf(`${LIBRARY}
api {
  entrypoint Book as book {
    // stoa-ignore unguarded-endpoint: a test
    list endpoint { ${list} }
  }
}
`);
}

describe("what the definition says", () => {
  const definition = definitionOf(`${LIBRARY}
api {
  entrypoint User as user {
    authorize { @auth is not null and not (@auth.age < 18) }
    response { email }

    get endpoint {}
  }
}
`);

  it("is the route, the parameters, the rules and the statement", async () => {
    const { plan, statement, ...rest } = await explain(definition, "user.get", null);
    expect(rest).toMatchObject({
      name: "user.get",
      kind: "get",
      method: "GET",
      path: "/api/user/{user_id}",
      at: { file: "app.stoa" },
      parameters: [{ name: "user_id", in: "path", type: "integer", about: null }],
      rules: [{ of: "user", condition: "@auth is not null and not @auth.age < 18" }],
      filter: null,
      order: null,
      warnings: [],
    });
    expect(plan).toEqual({ kind: "none", reason: "the database was not asked" });
    expect(statement?.parameters).toEqual(
      expect.arrayContaining(["user_id of the path", "the id of the user, or null"]),
    );
    expect(statement?.formatted.replace(/\s+/g, "")).toBe(statement?.sql.replace(/\s+/g, ""));
  });

  it("tells the parameters of pages", async () => {
    const { parameters, filter, order } = await explain(
      withList(
        'paginable { pageSize 5, max 50 }, filter { state is "ready" and stock > 0 }, order by { price desc, title }',
      ),
      "book.list",
      null,
    );
    expect(parameters.map(({ name, about }) => `${name}: ${about}`)).toEqual([
      "page: from 1; 1 when not given",
      "pageSize: from 1, at most 50; 5 when not given",
    ]);
    expect({ filter, order }).toEqual({
      filter: 'state is "ready" and stock > 0',
      order: "price desc, title",
    });
  });
});

const NEEDS: readonly [list: string, hint: string | null][] = [
  ["paginable", null],
  ["order by { title }", null],
  ["paginable, order by { stock desc }", null],
  ["paginable, order by { title }", "add `index` to the field: field title { …, index }"],
  ["paginable, order by { price desc, title }", "write: index { price desc, title }"],
  ["paginable, order by { createdAt desc }", "write: index { createdAt desc }"],
  ["paginable, order by { length(title) }", null],
  ['filter { isbn is "1" }', "add `index` to the field: field isbn { …, index }"],
  ['filter { isbn in ["1", "2"] and title is "x" }', "write: index { isbn, title }"],
  ['filter { isbn is "1" or title is "x" }', null],
  ["filter { isbn is title }", null],
  ['filter { "1" is isbn }', "add `index` to the field: field isbn { …, index }"],
  ['filter { stock is 1 and isbn is "1" }', null],
  ['filter { state is "ready" }', null],
  ["filter { price > 3 }", null],
  ["filter { owner is @auth }", null],
  ["paginable, filter { owner is @auth }, order by { title }", null],
  ['paginable, filter { state is "ready" }, order by { title desc }', "write: index { state, title desc }"],
];

describe("indexes that a list would like to have", () => {
  it.each(NEEDS)("%s", async (list, hint) => {
    const { warnings } = await explain(withList(list), "book.list", null);
    const expected = { code: "missing-index", hint: `in the model Book, ${hint}`, certainty: "unknown" };
    expect(warnings).toEqual(hint === null ? [] : [expect.objectContaining(expected)]);
  });
});

describe("what the database says", () => {
  let database: Database;
  const byTitle = withList("paginable, order by { title }");
  const byIsbn = withList('filter { isbn is "77" }');
  const byExpensive = withList("filter { price > 4999 }");

  beforeAll(async () => {
    ({ database } = await testDatabase());
    await applyPush(database, await planPush(database, byTitle), { acceptDataLoss: true });
    await database.execute("insert into \"user\" (email, password, is_editor) values ('a', 'a', true)");
  });

  const fill = (rows: number) =>
    database.execute(`truncate book cascade; insert into book (title, isbn, state, stock, price, owner_id, created_at, updated_at)
      select 't' || n, n, 'ready', n, n, 1, now(), now() from generate_series(1, ${rows}) n; analyze book`);

  it("nothing of an empty table", async () => {
    await fill(0);
    const { plan, warnings } = await explain(byTitle, "book.list", database);
    // The user is looked up as well, in case there is one.
    expect(plan).toMatchObject({ kind: "plan" });
    expect(plan).toHaveProperty(
      "tables",
      expect.arrayContaining([expect.objectContaining({ table: "book", rows: 0 })]),
    );
    expect(warnings).toMatchObject([{ code: "missing-index", certainty: "unknown" }]);
  });

  it("that a small table is no problem", async () => {
    await fill(500);
    for (const definition of [byTitle, byIsbn]) {
      expect(await explain(definition, "book.list", database)).toMatchObject({ warnings: [] });
    }
  });

  it("that a large table is one, and no longer when there is the index", async () => {
    await fill(5000);
    for (const definition of [byTitle, byIsbn]) {
      const { warnings } = await explain(definition, "book.list", database);
      expect(warnings).toMatchObject([{ code: "missing-index", certainty: "sure", table: "book" }]);
    }
    await database.execute("create index for_title on book (title); create index for_isbn on book (isbn)");
    for (const definition of [byTitle, byIsbn]) {
      expect(await explain(definition, "book.list", database)).toMatchObject({ warnings: [] });
    }
    await database.execute("drop index for_title; drop index for_isbn");
  });

  it("that few of many rows are looked for where the definition could not tell", async () => {
    await fill(5000);
    const { warnings } = await explain(byExpensive, "book.list", database);
    expect(warnings).toMatchObject([{ code: "sequential-scan", message: expect.stringContaining("price") }]);
    const all = withList("filter { price > 1 }");
    expect(await explain(all, "book.list", database)).toMatchObject({ warnings: [] });
  });

  it("how it reads the first page, whoever asks", async () => {
    await fill(5000);
    const { plan } = await explain(withList("paginable, filter { owner is @auth }"), "book.list", database);
    if (plan.kind !== "plan") throw new Error(plan.reason);
    expect(plan.lines.join("\n")).toContain("Limit");
    expect(plan.lines.join("\n")).toContain("$1");
    const left = await database.query("select 1 from pg_prepared_statements where name like 'stoa%'");
    expect(left).toEqual([]);
  });

  it("that its tables are not there", async () => {
    const other = definitionOf(
      "model Car { field name { type string } }\napi { entrypoint Car { list endpoint {} } }",
    );
    const { plan } = await explain(other, "car.list", database);
    expect(plan).toEqual({
      kind: "none",
      reason: "the database does not match the models: run `stoa db push`",
    });
  });

  it("nothing where it is away", async () => {
    const nowhere = connect({ url: "postgres://nobody@127.0.0.1:1/none" });
    const { plan, statement } = await explain(byTitle, "book.list", nowhere);
    await nowhere.close();
    expect(plan).toMatchObject({ kind: "none" });
    expect(statement).not.toBeNull();
  });
});

describe("finding an endpoint", () => {
  const definition = definitionOf(`${LIBRARY}
api {
  entrypoint Book as book {
    authorize { @auth is not null }

    list endpoint {}
    get endpoint {}
    create endpoint {}
    GET one "pages-of" { action { respond { body { ok: true } } } }

    entrypoint pages { list endpoint {} }
  }
}
`);
  const find = (text: string) => {
    const found = findPlace(placesOf(definition), text);
    switch (found.kind) {
      case "found":
        return found.place.endpoint.name;
      case "several":
        return found.places.map(({ endpoint }) => endpoint.name);
      case "unknown":
        return { nearest: found.nearest };
    }
  };

  it.each([
    ["book.list", "book.list"],
    ["Book.List", "book.list"],
    ["GET /api/book", "book.list"],
    ["get /api/book/", "book.list"],
    ["GET /api/book/7?x=1", "book.get"],
    ["GET /api/book/:id/pages", "book.pages.list"],
    ["/api/book/{book_id}/pages", "book.pages.list"],
    ["/api/book", ["book.list", "book.create"]],
    ["book.lst", { nearest: "book.list" }],
    ["GET /api/bok", { nearest: "GET /api/book" }],
    ["PUT /api/book", { nearest: null }],
    ["nothing like it", { nearest: null }],
  ])("%s", (text, expected) => {
    expect(find(text)).toEqual(expected);
  });
});

describe("the layout of statements", () => {
  it("keeps what is short on a line", () => {
    expect(layoutSql('select count(*) from "a" t1 where t1."x" = $1')).toBe(
      'select count(*)\nfrom "a" t1\nwhere t1."x" = $1',
    );
  });

  it("breaks joins, conditions and inner queries", () => {
    const inner = `(select max(t3."number") from "page" t3 join "book" t4 on t4."id" = t3."book_id" where t3."text" is not null)`;
    const sql = `select t1."id", t1."title", ${inner} as "last", 'a, (select b' as "text" from "book" t1 left join "user" t2 on t2."id" = t1."owner_id" where t1."stock" > 1 and (t1."a" is distinct from t2."b") order by t1."id" limit $1 offset $2`;
    expect(layoutSql(sql)).toBe(`select
  t1."id", t1."title",
  (
    select max(t3."number")
    from "page" t3
      join "book" t4 on t4."id" = t3."book_id"
    where t3."text" is not null
  ) as "last",
  'a, (select b' as "text"
from "book" t1
  left join "user" t2 on t2."id" = t1."owner_id"
where t1."stock" > 1
  and (t1."a" is distinct from t2."b")
order by t1."id"
limit $1 offset $2`);
  });

  it("shows the head and the branches of a union", () => {
    const sql = `with "$auth" as materialized (select * from "user" where "id" = $1) (select 'u' where not coalesce(((select t1."id" from "$auth" t1) is not null), false)) union all (select 'p')`;
    expect(layoutSql(sql)).toBe(`with "$auth" as materialized (select * from "user" where "id" = $1)
(
  select 'u'
  where not coalesce(((select t1."id" from "$auth" t1) is not null), false)
)
union all
(select 'p')`);
  });
});
