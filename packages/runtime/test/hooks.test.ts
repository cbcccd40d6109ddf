// Hooks in responses: a program whose hooks are given as functions, rows in a database, requests in, answers out.

import { setTimeout as pause } from "node:timers/promises";
import { compile } from "@stoa/compiler";
import { applyPush, planPush } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../database/test/server.js";
import { createApplication, createHooks, createLog, HttpError } from "../src/index.js";
import { watch } from "./conformance/watch.js";

const PROGRAM = `
model Author {
  field name { type string }
  relation books { from Book, through author }
  hook card { arg name name, arg count count(books), source card from "./cards.ts" }
}

model Book {
  field title { type string }
  field price { type decimal(10, 2) }
  field facts { type json, nullable }
  reference author { to Author, nullable }
  hook blurb { arg title title, arg facts { price: price, author: author.name }, source blurb from "./blurbs.ts" }
  hook tag { arg price price, inline "\`\${price} EUR\`" }
  hook nothing { inline "ctx.auth" }
  hook all {
    arg author author
    arg books author.books
    arg facts { author: author, siblings: author.books, titles: author.books.title, price: price }
    arg list [1, 2]
    arg none {}
    arg first query { from author.books, order by { title desc }, first, select { title } }
    arg self query { select { title, author { name } } }
    inline "args"
  }
}

model Row {
  field text { type string }
  hook loud { arg text text, source loud from "./rows.ts" }
}

api {
  entrypoint Author {
    response { name, card, books { title, blurb } }
    get endpoint {}
    list endpoint {}
  }
  entrypoint Book {
    response { title, facts, blurb, author { name, card }, again: title }
    get endpoint {}
    list endpoint { paginable { pageSize 2 } }
  }
  entrypoint Book as tagged { path "tagged", response { tag, nothing }, list endpoint {} }
  entrypoint Book as everything { path "all", response { all }, get endpoint {} }
  entrypoint Row { response { id, loud }, list endpoint {} }
}
`;

const BIG = '{"n": 123456789012345678901234567890, "deep": [{"x": 1.50}], "s": "\\\\ \\" {"}';
const ROWS = `
insert into "author" ("id", "name") overriding system value values (7, 'Ann'), (9, 'Bo "B" \\ Ö');
insert into "book" ("id", "title", "price", "facts", "author_id") overriding system value values
  (1, 'One', 9.90, '${BIG.replaceAll("'", "''")}', 7), (2, 'Two', 12, null, 7), (3, 'Three', 3.5, null, null);
insert into "row" ("text") select 't' || n from generate_series(1, 2500) n;
`;

type Functions = Record<string, (...args: never[]) => unknown>;

let definition: Definition;
let database: Awaited<ReturnType<typeof testDatabase>>["database"];
let logged = "";
/** What was called with what, in order. */
let calls: [name: string, args: unknown][] = [];

beforeAll(async () => {
  const compiled = compile([{ name: "app.stoa", text: PROGRAM }]);
  if (!compiled.definition) throw new Error(JSON.stringify(compiled.diagnostics));
  definition = compiled.definition;
  ({ database } = await testDatabase());
  await applyPush(database, await planPush(database, definition), {});
  await database.execute(ROWS);
});

beforeEach(() => {
  logged = "";
  calls = [];
});

const GOOD: Functions = {
  "cards.ts#card": (args: { name: string; count: number }) => `${args.name} (${args.count})`,
  "blurbs.ts#blurb": async (args: { title: string }) => ({ of: args.title }),
  "rows.ts#loud": (args: { text: string }) => args.text.toUpperCase(),
};

function open(functions: Functions = {}, requestTimeoutMs = 30_000) {
  const { database: watched, statements } = watch(database);
  const given = Object.entries({ ...GOOD, ...functions }).map(([key, run]) => [
    key,
    (...parameters: never[]) => {
      calls.push([key, parameters[0]]);
      return run(...parameters);
    },
  ]);
  const hooks = createHooks(definition, { hooks: Object.fromEntries(given) });
  const destination = {
    write(text: string) {
      logged += text;
    },
  };
  const log = createLog({ level: "debug", destination });
  const application = createApplication({ definition, database: watched, hooks, log, requestTimeoutMs });
  const get = async (path: string, userId: string | null = null) => {
    statements.length = 0;
    const response = await application.fetch(new Request(`http://stoa.test/api/${path}`), { userId });
    const text = await response.text();
    log.flush();
    return { status: response.status, text, statements: statements.length };
  };
  return { get, application };
}

describe("results stand in their places", () => {
  test("of a record, of records within it, and of lists within it, with one statement", async () => {
    const { get } = open();
    expect(await get("author/7")).toEqual({
      status: 200,
      statements: 1,
      text: '{"name":"Ann","card":"Ann (2)","books":[{"title":"One","blurb":{"of":"One"}}, {"title":"Two","blurb":{"of":"Two"}}]}',
    });
  });

  test("and everything around them is as the database wrote it", async () => {
    const { text } = await open().get("book/1");
    expect(text).toContain(
      '"facts":{"n": 123456789012345678901234567890, "s": "\\\\ \\" {", "deep": [{"x": 1.50}]}',
    );
    expect(text).toContain('"blurb":{"of":"One"},"author":{"name":"Ann","card":"Ann (2)"},"again":"One"}');
  });

  test("of a record that is missing stay away", async () => {
    const { status, text } = await open().get("book/3");
    expect([status, text]).toEqual([
      200,
      '{"title":"Three","facts":null,"blurb":{"of":"Three"},"author":null,"again":"Three"}',
    ]);
    expect(calls.map(([name]) => name)).toEqual(["blurbs.ts#blurb"]);
  });

  test("of a page", async () => {
    const { status, text, statements } = await open().get("book?page=2");
    expect([status, statements]).toEqual([200, 1]);
    expect(JSON.parse(text)).toEqual({
      page: 2,
      pageSize: 2,
      totalPages: 2,
      totalCount: 3,
      data: [{ title: "Three", facts: null, blurb: { of: "Three" }, author: null, again: "Three" }],
    });
  });

  test("of inline code, which needs no bundle", async () => {
    const application = createApplication({
      definition: { ...definition, apis: definition.apis.map(onlyTagged) },
      database,
    });
    const response = await application.fetch(new Request("http://stoa.test/api/tagged"), { userId: "7" });
    expect(await response.text()).toBe(
      '[{"tag":"9.90 EUR","nothing":{"id":"7"}},{"tag":"12.00 EUR","nothing":{"id":"7"}},{"tag":"3.50 EUR","nothing":{"id":"7"}}]',
    );
  });

  test("with the arguments that the program says", async () => {
    await open().get("book/1");
    expect(calls).toEqual([
      ["blurbs.ts#blurb", { title: "One", facts: { price: "9.90", author: "Ann" } }],
      ["cards.ts#card", { name: "Ann", count: 2 }],
    ]);
  });
});

test("arguments hold records as what is stored of them, wherever they stand", async () => {
  const author = { id: 7, name: "Ann" };
  const { all: one } = JSON.parse((await open().get("all/2")).text);
  const books = [
    { id: 1, title: "One", price: "9.90", facts: expect.anything(), author_id: 7 },
    { id: 2, title: "Two", price: "12.00", facts: null, author_id: 7 },
  ];
  expect(one).toEqual({
    author,
    books,
    facts: { author, siblings: books, titles: ["One", "Two"], price: "12.00" },
    list: [1, 2],
    none: {},
    first: { title: "Two" },
    self: { title: "Two", author: { name: "Ann" } },
  });
  const { all: other } = JSON.parse((await open().get("all/3")).text);
  expect(other).toMatchObject({ author: null, books: null, first: null, self: { author: null } });
});

function onlyTagged(api: Definition["apis"][number]): Definition["apis"][number] {
  return { ...api, entrypoints: api.entrypoints.filter(({ segment }) => segment === "tagged") };
}

describe("a batch form", () => {
  const cardBatch = (args: readonly { name: string }[]) => args.map(({ name }) => name.length);

  test("is called once, with the arguments of all records in their order", async () => {
    const { get } = open({
      "blurbs.ts#blurbBatch": async (args: readonly { title: string }[]) =>
        args.map(({ title }, index) => `${index} ${title}`),
      "cards.ts#cardBatch": cardBatch,
    });
    const { text } = await get("author");
    expect(JSON.parse(text)).toEqual([
      {
        name: "Ann",
        card: 3,
        books: [
          { title: "One", blurb: "0 One" },
          { title: "Two", blurb: "1 Two" },
        ],
      },
      { name: 'Bo "B" \\ Ö', card: 10, books: [] },
    ]);
    expect(calls.map(([name]) => name)).toEqual(["cards.ts#cardBatch", "blurbs.ts#blurbBatch"]);
  });

  test("is not called for nothing", async () => {
    await open({ "cards.ts#cardBatch": cardBatch }).get("book/3");
    expect(calls.map(([name]) => name)).toEqual(["blurbs.ts#blurb"]);
  });

  test("may give promises", async () => {
    const { get } = open({ "cards.ts#cardBatch": (args: readonly object[]) => args.map(async () => "soon") });
    expect((await get("author/9")).text).toContain('"card":"soon"');
  });

  test.each([
    ["no array", () => ({}), "`cardBatch` gave no array of results"],
    ["too few", () => [], "`cardBatch` gave 0 results for 1 records"],
  ])("that gives %s is a bug", async (_, run, words) => {
    const { status, text } = await open({ "cards.ts#cardBatch": run }).get("author/9");
    expect([status, JSON.parse(text).code]).toEqual([500, "internal"]);
    expect(text).not.toContain("card");
    expect(logged).toContain(`The hook \`Author.card\` failed: ${words}`);
  });
});

describe("a stream of many records", () => {
  test("runs hooks for a thousand at a time", async () => {
    const sizes: number[] = [];
    const { get } = open({
      "rows.ts#loudBatch": (args: readonly { text: string }[]) => {
        sizes.push(args.length);
        return args.map(({ text }) => text.toUpperCase());
      },
    });
    const { text, statements } = await get("row");
    const rows: { id: number; loud: string }[] = JSON.parse(text);
    expect(statements).toBe(1);
    expect(sizes).toEqual([1000, 1000, 500]);
    expect(rows.map(({ loud }) => loud)).toEqual(Array.from({ length: 2500 }, (_, n) => `T${n + 1}`));
  });

  test("calls a plain function for some records at once, never for all", async () => {
    let running = 0;
    let most = 0;
    const { get } = open({
      "rows.ts#loud": async ({ text }: { text: string }) => {
        most = Math.max(most, ++running);
        await pause(0);
        running--;
        return text;
      },
    });
    expect(JSON.parse((await get("row")).text)).toHaveLength(2500);
    expect(most).toBe(16);
  });

  test("fails as a whole if a hook does before the answer began, and breaks off later", async () => {
    const failing = (at: string) =>
      open({
        "rows.ts#loud": ({ text }: { text: string }) => {
          if (text === at) throw new HttpError(409, "busy", "Come again");
          return text;
        },
      });
    const early = await failing("t10").get("row");
    expect([early.status, JSON.parse(early.text).code]).toEqual([409, "busy"]);
    await expect(failing("t2100").get("row")).rejects.toThrow("broke off");
  });
});

describe("what hooks get", () => {
  test("is a context with the user, a log and a signal", async () => {
    type Context = { auth: unknown; log: { info(text: string, fields: object): void }; signal: unknown };
    const { get } = open({
      "cards.ts#card": (_: never, { auth, log, signal }: Context) => {
        log.info("from a hook", { colour: "red" });
        return { auth, isSignal: signal instanceof AbortSignal };
      },
    });
    expect((await get("author/9")).text).toContain('"card":{"auth":null,"isSignal":true}');
    expect(logged).toMatch(/"msg":"from a hook","colour":"red","requestId":"[\w.-]+"/);
    expect((await get("author/9", "7")).text).toContain('"auth":{"id":"7"}');
  });
});

describe("results", () => {
  const resultOf = async (result: unknown) => {
    const { status, text } = await open({ "cards.ts#card": () => result }).get("author/9");
    return status === 200 ? JSON.stringify(JSON.parse(text).card) : status;
  };

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "null"],
    ["a date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["a text with everything in it", '"\\\n\u2028\u0000é👍', '"\\"\\\\\\n\u2028\\u0000é👍"'],
    ["a promise", Promise.resolve([1, { a: null }]), '[1,{"a":null}]'],
    ["false", false, "false"],
  ])("%s", async (_, result, written) => {
    expect(await resultOf(result)).toBe(written);
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  test.each<[string, unknown, string]>([
    ["a BigInt", 1n, "BigInt"],
    ["a function", () => 1, "its result is a function, which is no JSON"],
    ["a function within", { then_: () => 1 }, "`then_` in its result is a function"],
    ["a symbol", Symbol("x"), "its result is a symbol"],
    ["a cycle", cycle, "circular"],
  ])("%s cannot be sent: 500, and the log says whose it is", async (_, result, words) => {
    expect(await resultOf(result)).toBe(500);
    expect(logged).toContain("The hook `Author.card` failed: ");
    expect(logged).toContain(words);
  });
});

describe("hooks that fail", () => {
  test.each<[string, () => unknown, string]>([
    [
      "throw",
      () => {
        throw new Error("secret words");
      },
      "secret words",
    ],
    ["reject", () => Promise.reject(new TypeError("late words")), "late words"],
    [
      "throw a text",
      () => {
        throw "just text";
      },
      "just text",
    ],
  ])("%s: 500 without details, and the log has the rest", async (_, run, words) => {
    const { status, text } = await open({ "cards.ts#card": run }).get("author/9");
    expect([status, JSON.parse(text).code]).toEqual([500, "internal"]);
    expect(text).not.toContain("words");
    expect(logged).toContain(`The hook \`Author.card\` failed: `);
    expect(logged).toContain(words);
    if (words.includes(" words")) expect(logged).toContain("hooks.test.ts");
  });

  test("with an HttpError answer as they say", async () => {
    const answer = async (error: () => Error) => {
      const run = () => {
        throw error();
      };
      const { status, text } = await open({ "cards.ts#card": run }).get("author/9");
      const { requestId: _, ...document } = JSON.parse(text);
      return { status, document };
    };
    expect(await answer(() => new HttpError(402, "unpaid", "Pay first"))).toEqual({
      status: 402,
      document: {
        type: "about:blank",
        title: "Payment Required",
        status: 402,
        code: "unpaid",
        detail: "Pay first",
      },
    });
    expect((await answer(() => new HttpError(403, "forbidden", "Not you"))).document).toEqual({
      type: "https://stoa.dev/errors/forbidden",
      title: "This is not allowed",
      status: 403,
      code: "forbidden",
      detail: "Not you",
    });
    expect((await answer(() => new HttpError(200, "fine", "Fine"))).status).toBe(500);
    expect(logged).toContain("The status of an HttpError is from 400 to 599, not 200.");
  });

  test("by hanging are cut off at the deadline; what they do later harms nobody", async () => {
    let signal: AbortSignal | undefined;
    const { get } = open(
      {
        "cards.ts#card": async (_: never, context: { signal: AbortSignal }) => {
          signal = context.signal;
          await pause(300);
          throw new Error("too late");
        },
      },
      100,
    );
    const { status, text } = await get("author/9");
    expect([status, JSON.parse(text).detail]).toEqual([503, "The request took too long"]);
    expect(signal?.aborted).toBe(true);
    await pause(300);
    expect(logged).not.toContain("too late");
  });

  test("stop being called when the request is given up", async () => {
    const { get } = open({ "rows.ts#loud": () => pause(50, "x") }, 120);
    expect((await get("row")).status).toBe(503);
    const before = calls.length;
    await pause(200);
    expect(calls.length).toBeLessThanOrEqual(before + 16);
  });
});

describe("code that is missing", () => {
  test("is told when the application is made", () => {
    expect(() => createApplication({ definition, database })).toThrow(
      "The code of the hook `Author.card` was not given: there is no function `cards.ts#card`.",
    );
    const hooks = createHooks(definition, { hooks: { ...GOOD, "cards.ts#card": 5 } });
    expect(() => createApplication({ definition, database, hooks })).toThrow(
      "there is no function `cards.ts#card`",
    );
  });

  test("as is inline code that is no expression", () => {
    const text =
      'model A { hook h { inline "1 +" } }\napi { entrypoint A { response { h }, list endpoint {} } }';
    const broken = compile([{ name: "app.stoa", text }]).definition as Definition;
    expect(() => createApplication({ definition: broken, database })).toThrow(
      /The code of the hook `A\.h` is no JavaScript expression: Unexpected token/,
    );
  });
});
