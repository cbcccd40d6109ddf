// The types of hooks, held against the real TypeScript compiler: code that fits passes, code that does not fails.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compile } from "@stoa/compiler";
import type { Definition } from "@stoa/definition";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeHookTypes } from "../src/index.js";

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));

const PROGRAM = `
enum Genre { novel, poetry }

auth { model User, password { identify email, secret password } }

model User {
  field email { type string, unique }
  field password { type string, secret }
}

model Author {
  field name { type string }
  relation books { from Book, through author }
  hook card { arg person query { select { name, books { title } } }, source card from "./cards.ts" }
}

model Book {
  field title { type string }
  field genre { type Genre, nullable }
  field price { type decimal(10, 2) }
  field publishedAt { type datetime, nullable }
  field details { type json, nullable }
  reference author { to Author, nullable }
  hook blurb {
    arg title title
    arg facts { pages: details.pages, price: price, genre: genre }
    arg author author
    arg titles author.books.title
    arg last query { from author.books, order by { id desc }, first, select { title, author { name } } }
    arg all query { from author.books, select { title } }
    source writeBlurb from "./code/blurbs.ts"
  }
  hook tag { inline "1" }
}

validator isFree {
  arg value { type string }
  assert { hook { arg name value, source isFree from "./names.ts" } }
  error { code "taken" }
}

api {
  entrypoint Book as book {
    authorize { true }
    create endpoint as created {
      action {
        create {
          set title hook { source first from "./set.ts" }
          set genre hook { source second from "./set.ts" }
          set publishedAt hook { source third from "./set.ts" }
        }
        execute as sent { hook { arg title created.title, arg user @auth, source send from "./set.ts" } }
      }
    }
  }
}

populator Dev { populate Author { repeat as i 3, set name hook { arg i i, source name from "./names.ts" } } }
`;

let folder: string;
let definition: Definition;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stoa-types-"));
  const compiled = compile([{ name: "app.stoa", text: PROGRAM }]);
  if (!compiled.definition) throw new Error(JSON.stringify(compiled.diagnostics));
  definition = compiled.definition;
  await writeFile(join(folder, "hooks.d.ts"), writeHookTypes(definition));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const RIGHT = `
        export const blurb: hooks.BookBlurb = (args, ctx) => {
          ctx.log.info("blurb", { title: args.title.toUpperCase() });
          const genre: "novel" | "poetry" | null = args.facts.genre;
          const price: string = args.facts.price;
          const author: string | undefined = args.author?.name;
          const all: readonly string[] = args.all.map(({ title }) => title);
          return { genre, price, author, all, last: args.last?.author?.name, titles: args.titles?.length };
        };
        export const blurbs: hooks.BookBlurbBatch = async (all) => all.map(({ title }) => title);
        export async function card({ person }: hooks.AuthorCardArgs, ctx: hooks.HookContext) {
          ctx.signal.throwIfAborted();
          const id: number | undefined = ctx.auth?.id;
          return person.books.map(({ title }) => [title, id]);
        }
        card satisfies hooks.AuthorCard;
        export const isFree: hooks.IsFreeAssert = async ({ name }) => name.length > 3;
        export const title: hooks.BookCreateSetTitle = () => "T";
        export const genre: hooks.BookCreateSetGenre = () => null;
        export const moment: hooks.BookCreateSetPublishedAt = async () => new Date();
        export const send: hooks.BookCreateExecuteSent = async ({ title }, { db, request, response }) => {
          const rows = await db.sql\`select count(*)::int as n from book where title = \${title}\`;
          const [row] = await db.sql<{ n: number }>\`select 1 as n\`;
          const agent: string | readonly string[] | undefined = request.headers["user-agent"];
          response.status(202).header("X-Count", String(row?.n)).send({ agent, n: rows[0]?.n });
          return { sent: title.length };
        };
        export const counted: hooks.BookCreateSetTitle = async (_, ctx) => String((await ctx.db.sql\`select 1\`).length);
        export const name: hooks.DevAuthorSetName = ({ i }) => "A" + i.current.toFixed();
      `;

/** What is wrong, the code, and a word that TypeScript says about it. */
const WRONG: readonly [name: string, code: string, word: string][] = [
  ["an argument of another type", "const f: hooks.BookBlurb = ({ title }) => title.toFixed()", "toFixed"],
  ["an argument that there is not", "const f: hooks.BookBlurb = ({ titel }) => titel", "titel"],
  ["an argument that may be null", "const f: hooks.BookBlurb = ({ author }) => author.name", "null"],
  ["a parameter of another type", "const f: hooks.AuthorCard = (args: { person: string }) => 1", "person"],
  ["a result of another type", "const f: hooks.BookCreateSetTitle = () => 5", "number"],
  ["a result that is null", "const f: hooks.BookCreateSetTitle = () => null", "null"],
  ["a value that the enum has not", 'const f: hooks.BookCreateSetGenre = () => "prose"', "prose"],
  ["a validator that does not tell", 'const f: hooks.IsFreeAssert = async () => "yes"', "string"],
  ["a batch that gives one result", "const f: hooks.BookBlurbBatch = () => 1", "number"],
  ["a model's hook with a transaction", "const f: hooks.BookBlurb = (_, ctx) => ctx.db", "'db'"],
  [
    "an answer from where there is none",
    "const f: hooks.BookCreateSetTitle = (_, ctx) => ctx.response",
    "response",
  ],
  ["a secret", "const f = (user: hooks.UserRecord) => user.password", "UserRecord"],
];

let said = "";

/** One run for all files, since each takes a second. */
beforeAll(async () => {
  const files = [RIGHT, ...WRONG.map(([, code]) => `export ${code};`)];
  for (const [index, code] of files.entries()) {
    const text = `import type * as hooks from "./hooks.js";\n${code}\n`;
    await writeFile(join(folder, `code-${index}.ts`), text);
  }
  const names = files.map((_, index) => `code-${index}.ts`);
  const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "nodenext"];
  const run = promisify(execFile)(process.execPath, [TSC, ...flags, ...names], { cwd: folder });
  said = await run.then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
});

function saidAbout(index: number): string[] {
  return said.split("\n").filter((line) => line.startsWith(`code-${index}.ts`));
}

test("the file is as it should be read", () => {
  const text = writeHookTypes(definition);
  expect(text.slice(text.indexOf("/** What code gets"))).toMatchSnapshot();
});

test("code that fits passes", () => {
  expect(saidAbout(0)).toEqual([]);
  expect(said).not.toContain("hooks.d.ts");
});

describe("code that does not fit fails", () => {
  test.each(WRONG.map(([name, , word], index) => [name, word, index + 1] as const))(
    "%s",
    (_, word, index) => {
      const [first] = saidAbout(index);
      expect(first).toMatch(/^code-\d+\.ts\(2,\d+\): error TS\d+: /);
      expect(said).toContain(word);
    },
  );
});

test("names that meet are numbered, and names are always names", () => {
  const text = `
    model Book { field t { type string } hook setX { source x from "./x.ts" } }
    model BookSet { field t { type string } hook x { source x from "./x.ts" } hook xArgs { source x from "./x.ts" } }
  `;
  const { definition: clashing } = compile([{ name: "a.stoa", text }]);
  const names = [...writeHookTypes(clashing as Definition).matchAll(/^export type (\w+) = \(/gm)].map(
    ([, name]) => name,
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual([
    "BookSetX",
    "BookSetXBatch",
    "BookSetX2",
    "BookSetX2Batch",
    "BookSetXArgs2",
    "BookSetXArgs2Batch",
  ]);
});

test("a program without hooks has types all the same", () => {
  const { definition: none } = compile([{ name: "a.stoa", text: "model A { field t { type string } }" }]);
  expect(writeHookTypes(none as Definition)).toContain("export interface HookContext");
});
