// `stoa explain` as people and programs use it.

import { startThrowaway } from "@stoa/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inFolder, stoa } from "./run.js";

const APP = {
  "app.stoa": `model Author {
  field name { type string, unique }
  relation books { from Book, through author }
}

model Book {
  field title { type string }
  reference author { to Author }
}

api {
  /// Everyone who writes.
  entrypoint Author as author {
    identify { through name }
    response { name }

    list endpoint { paginable }
    create endpoint {}

    entrypoint books { list endpoint {} }
  }
  entrypoint Book {
    list endpoint {
      paginable
      order by { title }
    }
  }
}

populator Few {
  populate Author { set name "Ann" }
}

populator Many {
  populate Author {
    set name "Ann"

    populate books {
      repeat as i 3000
      set title "Volume " + stringify(i.current)
    }
  }
}
`,
};

const ACCESS = {
  "app.stoa": `auth {
  model User
  jwt { issuer "i", audience "a", jwks "k", subject mail }
}

model User {
  field mail { type string, unique }
  relation posts { from Post, through author }
}

model Post {
  field slug { type string, unique }
  field isPublic { type boolean, default false }
  reference author { to User }
}

api {
  entrypoint Post as post {
    identify { through slug }

    list endpoint { authorize { true } }
    get endpoint { authorize { post.isPublic or post.author is @auth } }
    update endpoint { authorize { @auth is not null and post.author is @auth } }
  }
  entrypoint User { list endpoint {} }
}

populator Few {
  populate User {
    set mail "ann"

    populate posts {
      set slug "my-post"
      set isPublic true
    }
  }
  populate User { set mail "bob" }
}
`,
};

const TABLE = `endpoint     of           about   rule
post.list                         public
post.get     post.get     record  post.isPublic or post.author is @auth
post.update  post.update  user    @auth is not null
             post.update  record  post.author is @auth
user.list                         ! everybody: no rule covers it
4 endpoints, 1 that no rule covers (!)
`;

const DECISION = `PATCH /api/post/{post_slug}  post.update
user 2, my-post

✓     post.update  @auth is not null
✗     post.update  post.author is @auth  ← decides
✓     post.get     post.isPublic or post.author is @auth  (who may know about the record)
                     ✓    post.isPublic
                     ✗    post.author is @auth

403 \`post.author is @auth\` of post.update does not hold
`;

const BOOKS = `GET /api/author/{author_name}/books  author.books.list  app.stoa:20:24

Parameters
  author_name  path   string

Rules
  none: everyone may call it

SQL
  `;

describe("without a database", () => {
  it("lists all endpoints", () =>
    inFolder(APP, async (cwd) => {
      expect(await stoa(["explain"], { cwd })).toEqual({
        code: 0,
        stderr: "",
        stdout: [
          "GET    /api/author                      author.list",
          "POST   /api/author                      author.create",
          "GET    /api/author/{author_name}/books  author.books.list",
          "GET    /api/book                        book.list",
          "4 endpoints: `stoa explain <name>` shows one",
          "",
        ].join("\n"),
      });
      const { stdout } = await stoa(["explain", "--json"], { cwd });
      expect(JSON.parse(stdout).endpoints[2]).toEqual({
        name: "author.books.list",
        kind: "list",
        method: "GET",
        path: "/api/author/{author_name}/books",
      });
    }));

  it.each([["author.books.list"], ["GET", "/api/author/ann/books"], ["GET /api/author/:name/books"]])(
    "shows one: %s %s",
    (...words) =>
      inFolder(APP, async (cwd) => {
        const { code, stdout, stderr } = await stoa(["explain", ...words, "--no-plan"], { cwd });
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        expect(stdout.slice(0, BOOKS.length)).toBe(BOOKS);
        expect(stdout).toContain("\n  $1  author_name of the path\n");
        expect(stdout).toMatch(/\nPlan\n {2}none: the database was not asked\n$/);
      }),
  );

  it("takes the folder first", () =>
    inFolder({ "shop/app.stoa": APP["app.stoa"] }, async (cwd) => {
      expect((await stoa(["explain", "shop"], { cwd })).stdout).toContain("4 endpoints");
      const { stdout } = await stoa(["explain", "shop", "book.list", "--no-plan"], { cwd });
      expect(stdout).toContain("warning[missing-index]: No index has the order of this list (title)");
      expect(stdout).toContain("Whether it matters cannot be known yet");
      expect(stdout).toContain("  app.stoa:23:5\n");
      expect(stdout).toContain(
        "= hint: in the model Book, add `index` to the field: field title { …, index }",
      );
    }));

  it("names the nearest of an unknown one", () =>
    inFolder(APP, async (cwd) => {
      const { code, stderr } = await stoa(["explain", "author.book.list"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("There is no endpoint author.book.list.");
      expect(stderr).toContain("did you mean author.books.list?");
    }));

  it("asks which, where a path has several methods", () =>
    inFolder(APP, async (cwd) => {
      const { code, stderr } = await stoa(["explain", "/api/author"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("say which: GET /api/author, POST /api/author");
    }));

  it("shows all but the plan where the database is away", () =>
    inFolder(APP, async (cwd) => {
      const env = { DATABASE_URL: "postgres://nobody:secret-word@127.0.0.1:1/none" };
      const { code, stdout } = await stoa(["explain", "author.books.list"], { cwd, env });
      expect(code).toBe(0);
      expect(stdout).toContain("SQL\n");
      expect(stdout).toContain("Plan\n  none: ");
      expect(stdout).not.toContain("secret-word");
    }));
});

describe("with a database", () => {
  let server: Awaited<ReturnType<typeof startThrowaway>>;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await startThrowaway();
    env = { DATABASE_URL: server.url };
  });

  afterAll(async () => {
    await server.stop();
  });

  it("says what is missing in it", () =>
    inFolder(APP, async (cwd) => {
      const { stdout } = await stoa(["explain", "book.list"], { cwd, env });
      expect(stdout).toContain("none: the database does not match the models: run `stoa db push`");
    }));

  it("warns where a large table is read for a page, and not where it is small", () =>
    inFolder(APP, async (cwd) => {
      await stoa(["db", "populate", "-p", "Few"], { cwd, env });
      const empty = await stoa(["explain", "book.list"], { cwd, env });
      expect(empty.stdout).toContain("Whether it matters cannot be known yet");
      const small = await stoa(["explain", "author.list"], { cwd, env });
      expect(small.stdout).toContain("Seq Scan on author");
      expect(small.stdout).not.toContain("warning");
      await stoa(["db", "populate", "-p", "Many"], { cwd, env });
      const large = await stoa(["explain", "book.list"], { cwd, env });
      expect(large.stdout).toContain("warning[missing-index]");
      expect(large.stdout).not.toContain("cannot be known");
    }));

  it("prints one object for programs", () =>
    inFolder(APP, async (cwd) => {
      await stoa(["db", "populate", "-p", "Few"], { cwd, env });
      const { code, stdout } = await stoa(["explain", "book.list", "--json"], { cwd, env });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        name: "book.list",
        kind: "list",
        method: "GET",
        path: "/api/book",
        at: { file: "app.stoa", line: 23, column: 5 },
        parameters: [{ name: "page" }, { name: "pageSize" }],
        rules: [],
        filter: null,
        order: "title",
        statement: { sql: expect.any(String), formatted: expect.any(String), parameters: expect.any(Array) },
        plan: { kind: "plan", lines: expect.any(Array), tree: { "Node Type": "Append" } },
        warnings: [{ code: "missing-index", table: "book", certainty: "unknown" }],
      });
    }));

  it("says who may do what, and which clause decides", () =>
    inFolder(ACCESS, async (cwd) => {
      await stoa(["db", "populate", "-p", "Few"], { cwd, env });
      const asked = ["explain", "post.update", "--access", "--record", "my-post"];
      const { code, stdout } = await stoa([...asked, "--user", "2"], { cwd, env });
      expect([code, stdout]).toEqual([0, DECISION]);
      const nobody = await stoa([...asked, "--json"], { cwd, env });
      expect(JSON.parse(nobody.stdout)).toMatchObject({ status: 401, user: "nobody", decides: 0 });
    }));
});

describe("--access without a database", () => {
  it("prints the rules as a table, and marks what nobody guards", () =>
    inFolder(ACCESS, async (cwd) => {
      const { code, stdout } = await stoa(["explain", "--access"], { cwd });
      expect([code, stdout]).toEqual([0, TABLE]);
      const { stdout: json } = await stoa(["explain", "user.list", "--access", "--json"], { cwd });
      expect(JSON.parse(json)).toMatchObject({
        endpoints: [{ name: "user.list", guard: "unguarded", rules: [] }],
      });
    }));

  it("wants an endpoint, and all records of its path", () =>
    inFolder(ACCESS, async (cwd) => {
      const none = await stoa(["explain", "--access", "--user", "1"], { cwd });
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("Which endpoint?")]);
    }));
});
