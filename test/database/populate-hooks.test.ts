// Code and secrets in populators.

import type { SourceCode } from "@stoa/definition";
import { describe, expect, test } from "vitest";
import { hashSecret, verifySecret } from "../../packages/database/src/populate/index.js";
import { failureOf, prepare } from "./populate-run.js";

const withTitle = (hook: string, fields = ""): string => `
  model Author { field name { type string } relation books { from Book, through author } }
  model Book { field title { type string } ${fields} reference author { to Author } }
  populator Dev {
    populate Author as author {
      repeat as i 2
      set name "A"
      populate books { set title hook { ${hook} } }
    }
  }`;

describe("inline code", () => {
  test.each([
    ['arg name author.name, arg n i.current, inline "name + n"', ["A1", "A2"]],
    ['arg name author.name, inline "`${args.name}?` // a comment"', ["A?", "A?"]],
    ['arg class i.current, inline "String(args.class)"', ["1", "2"]],
    ["inline \"Promise.resolve(1).then(() => 'later')\"", ["later", "later"]],
    ['arg who author, inline "JSON.stringify(who)"', ['{"id":1,"name":"A"}', '{"id":2,"name":"A"}']],
    ['arg it { who: author, list: [i.current] }, inline "it.who.name + it.list[0]"', ["A1", "A2"]],
    ['arg price fake("decimal", 1, 1), inline "typeof price + price"', ["string1.00", "string1.00"]],
    ['inline "String(ctx.auth)"', ["null", "null"]],
  ])("%s", async (hook, wanted) => {
    const { run, values } = await prepare(withTitle(hook));
    await run();
    expect(await values("select title from book order by id")).toEqual(wanted);
  });
});

describe("what a hook gives must fit", () => {
  const thing = (type: string, code: string): string => `
    enum Size { small, large }
    model Other { field n { type integer } }
    model Thing { field x { type ${type} } reference other { to Other, nullable } }
    populator Dev { populate Other { set n 1 } populate Thing { set x hook { inline ${JSON.stringify(code)} } } }`;

  test.each([
    ["integer", "42", "42"],
    ["float", "0.5", "0.5"],
    ["decimal(6, 2)", "'1.005'", "1.01"],
    ["decimal", "7", "7"],
    ["boolean", "false", "false"],
    ["date", "'2026-02-28'", "2026-02-28"],
    ["datetime", "new Date(Date.UTC(2026, 0, 1))", "2026-01-01 00:00:00+00"],
    ["datetime", "'2026-01-01T00:00:00+01:00'", "2025-12-31 23:00:00+00"],
    ["json", "({ a: [1, { b: null }], gone: undefined })", '{"a": [1, {"b": null}]}'],
    ["Size", "'small'", "small"],
    ["string, nullable", "undefined", null],
  ])("%s takes %s", async (type, code, wanted) => {
    const { run, values } = await prepare(thing(type, code));
    await run();
    expect(await values("select x::text from thing")).toEqual([wanted]);
  });

  test.each([
    ["integer", "'42'", 'The hook gave "42", but `Thing.x` takes an integer.'],
    ["integer", "1.5", "gave 1.5"],
    ["integer", "null", "gave null"],
    ["integer", "undefined", "gave nothing"],
    ["float", "NaN", "gave null, but `Thing.x` takes a number"],
    ["decimal", "1.5", "takes a decimal as text"],
    ["string", "'a\\0b'", "takes a text without U+0000"],
    ["string", "'\\ud800'", "takes a text without U+0000"],
    ["date", "'2026-02-30'", "takes a date"],
    ["datetime", "'2026-02-28T00:00:00'", "takes a datetime with an offset"],
    ["uuid", "'x'", "takes a uuid"],
    ["Size", "'huge'", "takes one of its enum's values"],
    ["json", "() => 1", "gave a function"],
    ["string", "(() => { throw new Error('no luck') })()", "The hook failed: no luck"],
    ["string", "Promise.reject(new Error('later'))", "The hook failed: later"],
  ])("%s does not take %s", async (type, code, wanted) => {
    const { run, values } = await prepare(thing(type, code));
    const error = await failureOf(run());
    expect(error.reason).toContain(wanted);
    expect(error).toMatchObject({ model: "Thing", place: { file: "app.stoa", line: 5 } });
    expect(await values("select count(*)::int from other")).toEqual([0]);
  });

  test("a reference takes an id", async () => {
    const { run, values } = await prepare(
      thing("integer", "1").replace("set x hook", "set other hook { inline '1' } set x hook"),
    );
    await run();
    expect(await values("select other_id from thing")).toEqual(["1"]);
  });
});

describe("modules", () => {
  const SOURCE = withTitle('arg n i.current, source title from "./titles.ts"');

  test("are loaded by the caller, once per hook, before anything runs", async () => {
    const { run, values } = await prepare(SOURCE);
    const asked: SourceCode[] = [];
    const load = async (code: SourceCode) => {
      asked.push(code);
      return (args: Readonly<Record<string, unknown>>, context: Readonly<Record<string, unknown>>) =>
        `${context.prefix} ${args.n}`;
    };
    await run({ hooks: { load, context: { prefix: "No." } } });
    expect(await values("select title from book order by id")).toEqual(["No. 1", "No. 2"]);
    expect(asked).toMatchObject([{ function: "title", module: "./titles.ts", runtime: null, folder: "" }]);
  });

  test("cannot be run without a host, or when they cannot be loaded", async () => {
    const { run } = await prepare(SOURCE);
    expect((await failureOf(run())).reason).toContain("hook modules are not loaded here");
    const hooks = { load: () => Promise.reject(new Error("no such file")) };
    const error = await failureOf(run({ hooks }));
    expect(error.message).toContain("app.stoa:8");
    expect(error.reason).toContain("cannot be loaded: no such file");
  });

  test("code that is no JavaScript is refused with its place", async () => {
    const { run } = await prepare(withTitle('inline "1 +"'));
    const error = await failureOf(run());
    expect(error.message).toMatch(/^app\.stoa:8:\d+: The code of the hook cannot be compiled/);
  });

  test("queries as arguments are refused: the records are not there yet", async () => {
    const { run } = await prepare(
      withTitle('arg all query { from author.books, select { title } }, inline "1"'),
    );
    expect((await failureOf(run())).reason).toContain("`all` cannot be a query here");
  });
});

describe("passwords", () => {
  const SOURCE = `
    model User {
      field email { type string, unique }
      field password { type string, secret, default "default" }
      field pin { type string, secret, default "1234" }
    }
    auth { model User, password { identify email, secret password } }
    populator Dev {
      populate User {
        repeat as i 3
        set email stringify(i.current)
        set password "open sesame"
      }
      populate User { set email "other" }
    }`;

  test("are stored as hashes, other secrets as they are", async () => {
    const { run, rows } = await prepare(SOURCE);
    await run();
    const users = await rows(`select email, password, pin from "user" order by id`);
    const hashes = users.map((user) => String(user.password));
    expect(hashes.every((hash) => /^\$scrypt\$ln=14,r=8,p=5\$/.test(hash))).toBe(true);
    expect(await verifySecret("open sesame", hashes[0] ?? "")).toBe(true);
    expect(await verifySecret("open", hashes[0] ?? "")).toBe(false);
    expect(await verifySecret("default", hashes[3] ?? "")).toBe(true);
    expect(users[0]?.pin).toBe("1234");
    expect(hashes[1]).toBe(hashes[0]);
  });

  test("by the caller's function where one is given, once for the same one", async () => {
    const { run, values } = await prepare(SOURCE);
    const hashed: string[] = [];
    await run({
      hashSecret: async (secret) => {
        hashed.push(secret);
        return `hash of ${secret}`;
      },
    });
    expect(hashed).toEqual(["open sesame", "default"]);
    expect(await values(`select distinct password from "user" order by 1`)).toEqual([
      "hash of default",
      "hash of open sesame",
    ]);
  });

  test("two hashes of one password differ, and equal spellings are one password", async () => {
    const [first, second] = [await hashSecret("é"), await hashSecret("é")];
    expect(first).not.toBe(second);
    expect(await verifySecret("e\u0301", first)).toBe(true);
    expect(await verifySecret("é", "no hash")).toBe(false);
  });
});
