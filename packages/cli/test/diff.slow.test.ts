// `stoa diff` as people use it: folders, files, what was built, and revisions of git.

import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFolder, stoa } from "./run.js";
import { inTerminal } from "./terminal.js";

const APP = `model Book {
  field title { type string }
  field pages { type integer, default 0 }
}

api {
  entrypoint Book as book {
    list endpoint {}
    create endpoint {}
  }
}
`;
const LESS = APP.replace("    create endpoint {}\n", "");
const MORE = APP.replace("create endpoint {}", "create endpoint {}\n    get endpoint {}");

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", stdio: "pipe" });
}

/** Writes the files and commits them. */
async function commit(cwd: string, files: Readonly<Record<string, string>>, message = "x"): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  git(cwd, "add", "-A");
  git(cwd, "commit", "-q", "-m", message);
}

function inRepository(use: (cwd: string) => Promise<void>): Promise<void> {
  return inFolder({}, async (cwd) => {
    git(cwd, "init", "-q", "-b", "main");
    await commit(cwd, { "shop/app.stoa": APP });
    await use(cwd);
  });
}

describe("files and folders", () => {
  const files = { "old/app.stoa": APP, "new/app.stoa": LESS, "more.stoa": MORE };

  it("tells breaking changes first, per place, with counts at the end", () =>
    inFolder(files, async (cwd) => {
      const { code, stdout, stderr } = await stoa(["diff", "old", "new"], { cwd });
      expect(stderr).toBe("");
      expect(stdout).toBe(`API

  POST /api/book
  breaking    is gone
              clients that call POST /api/book: it is answered with 404 or 405 now

1 change; API: 1 breaking
`);
      expect(code).toBe(0);
    }));

  it("--fail-on says when to exit with 1", () =>
    inFolder(files, async (cwd) => {
      const run = async (...args: string[]) => (await stoa(["diff", ...args], { cwd })).code;
      expect(await run("old", "new", "--fail-on", "breaking")).toBe(1);
      expect(await run("old", "more.stoa", "--fail-on", "breaking")).toBe(0);
      expect(await run("old", "more.stoa", "--fail-on", "any")).toBe(1);
      expect(await run("old", "old", "--fail-on", "any")).toBe(0);
      expect(await run("old", "new", "--fail-on", "nothing")).toBe(1);
    }));

  it("says so where nothing has changed", () =>
    inFolder(files, async (cwd) => {
      expect(await stoa(["diff", "old", "old"], { cwd })).toMatchObject({
        code: 0,
        stdout: "✓ nothing has changed since old: neither the API nor the database\n",
      });
    }));

  it("--json has every change as data", () =>
    inFolder(files, async (cwd) => {
      const { stdout } = await stoa(["diff", "old", "more.stoa", "--json"], { cwd });
      expect(JSON.parse(stdout)).toEqual({
        old: "old",
        new: "more.stoa",
        changes: [
          {
            part: "api",
            kind: "header-added",
            class: "compatible",
            where: "POST /api/book",
            operation: "book.create",
            what: "answers with the header `location`",
            why: "clients pass over what they do not know",
            affects: null,
            step: null,
          },
          {
            part: "api",
            kind: "endpoint-added",
            class: "compatible",
            where: "GET /api/book/{book_id}",
            operation: "book.get",
            what: "is new",
            why: "nobody can have called it before",
            affects: null,
            step: null,
          },
        ],
        counts: { api: { breaking: 0, compatible: 2 }, database: { breaking: 0, compatible: 0 } },
      });
    }));

  it("has the tables, with the class that migrations give them", () =>
    inFolder({ ...files, "db.stoa": APP.replace("title", "name") }, async (cwd) => {
      const { stdout } = await stoa(["diff", "old", "db.stoa", "--json"], { cwd });
      const { changes } = JSON.parse(stdout) as { changes: { part: string; where: string; step: string }[] };
      expect(changes.filter(({ part }) => part === "database")).toMatchObject([
        { kind: "drop-column", class: "breaking", where: "book", step: "destructive" },
        { kind: "add-column", class: "breaking", where: "book", step: "data" },
      ]);
    }));

  it("takes what was built, as a folder or a file", () =>
    inFolder(files, async (cwd) => {
      await stoa(["build", "old", "--out", "built"], { cwd });
      for (const built of ["built", "built/definition.json"]) {
        const { stdout } = await stoa(["diff", built, "new"], { cwd });
        expect(stdout).toContain("is gone");
      }
    }));

  it("tells the same of several endpoints once, and has colours on a terminal only", () =>
    inFolder({ "a.stoa": APP, "b.stoa": APP.replace("pages", "sheets") }, async (cwd) => {
      const { stdout } = await stoa(["diff", "a.stoa", "b.stoa"], { cwd });
      expect(stdout).toContain("no longer answers with `pages`");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours begin with
      expect(stdout).not.toMatch(/\u001b/);
      const coloured = await stoa(["diff", "a.stoa", "b.stoa"], { cwd, env: { FORCE_COLOR: "1" } });
      expect(coloured.stdout).toContain("\u001b[1m\u001b[31mbreaking");
      const { screen } = await inTerminal(["diff", "a.stoa", "b.stoa"], [], { cwd });
      expect(screen).toBe(stdout);
    }));

  it("refuses what is no version, in words", () =>
    inFolder(
      { ...files, "empty/x.txt": "", "note.txt": "x", "newer.json": '{"version":99}' },
      async (cwd) => {
        const fails = async (...args: string[]) => {
          const { code, stderr } = await stoa(["diff", ...args], { cwd });
          expect(code).toBe(1);
          expect(stderr).not.toMatch(/\bat .*\.[jt]s:/);
          return stderr;
        };
        expect(await fails("empty", "new")).toContain("There are no .stoa files in empty.");
        const here = await stoa(["diff", "../old"], { cwd: join(cwd, "empty") });
        expect(here.stderr).toContain("There are no .stoa files in this folder.");
        expect(await fails("note.txt", "new")).toContain("note.txt is not a .stoa file.");
        expect(await fails("newer.json", "new")).toContain("made by a newer Stoa (version 99)");
        expect(await fails("--", "-x", "new")).toContain("it begins with a dash");
        expect(await fails("main", "new")).toContain(
          "There is no file or folder main, and this folder is not in a git repository.",
        );
        expect(await fails()).toContain("`stoa diff` needs to know which version to compare with.");
      },
    ));
});

describe("revisions of git", () => {
  it("compare the present folder with what it was, and leave the work tree alone", () =>
    inRepository(async (cwd) => {
      git(cwd, "tag", "v1");
      await commit(cwd, { "shop/app.stoa": MORE });
      await writeFile(join(cwd, "shop/app.stoa"), LESS);
      const shop = join(cwd, "shop");
      const status = git(cwd, "status", "--porcelain");
      for (const revision of ["main", "HEAD"]) {
        const { stdout } = await stoa(["diff", revision], { cwd: shop });
        expect(stdout).toContain("  GET /api/book/{book_id}\n");
        expect(stdout).toContain("API: 2 breaking");
      }
      for (const revision of ["v1", "HEAD~1", "main~1", git(cwd, "rev-parse", "v1").trim()]) {
        const { stdout } = await stoa(["diff", revision], { cwd: shop });
        expect(stdout).toContain("API: 1 breaking");
      }
      expect((await stoa(["diff", "v1", "shop"], { cwd })).stdout).toContain("API: 1 breaking");
      expect((await stoa(["diff", "v1", "HEAD"], { cwd: shop })).stdout).toContain("API: 2 compatible");
      expect(git(cwd, "status", "--porcelain")).toBe(status);
    }));

  it("have paths, from the top or from here", () =>
    inRepository(async (cwd) => {
      await rm(join(cwd, "shop"), { recursive: true });
      await commit(cwd, { "store/app.stoa": LESS });
      const store = join(cwd, "store");
      const names = ["main~1:shop", "main~1:shop/", "main~1:../shop", "main~1:shop/app.stoa"];
      for (const name of names)
        expect((await stoa(["diff", name], { cwd: store })).stdout).toContain("is gone");
      const gone = await stoa(["diff", "main~1"], { cwd: store });
      expect(gone).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("There is no store in main~1."),
      });
      expect(gone.stderr).toContain("main~1:path/to/project");
      const none = await stoa(["diff", "main:", "store"], { cwd });
      expect(none.stdout).toContain("nothing has changed");
    }));

  it("that do not compile are shown with the revision's name", () =>
    inRepository(async (cwd) => {
      await commit(cwd, { "shop/app.stoa": APP.replace("type string", "type sting") });
      await commit(cwd, { "shop/app.stoa": APP });
      const { code, stderr } = await stoa(["diff", "HEAD~1"], { cwd: join(cwd, "shop") });
      expect(code).toBe(1);
      expect(stderr).toContain("error[unknown-type]");
      expect(stderr).toContain("HEAD~1:shop/app.stoa:2:22");
      const json = await stoa(["diff", "HEAD~1", "--json"], { cwd: join(cwd, "shop") });
      expect(JSON.parse(json.stdout).diagnostics).toMatchObject([
        { code: "unknown-type", file: "HEAD~1:shop/app.stoa" },
      ]);
    }));

  it("that do not exist are told with the nearest name, or what there is", () =>
    inRepository(async (cwd) => {
      const shop = join(cwd, "shop");
      git(cwd, "branch", "release");
      const hint = async (name: string) => (await stoa(["diff", name], { cwd: shop })).stderr;
      expect(await hint("relaese")).toContain("did you mean release?");
      expect(await hint("nowhere-near")).toContain("there are: main, release");
      expect(await hint("main..release")).toContain("stoa diff main release");
      expect(await hint("HEAD~9")).toContain("no such revision in this git repository");
      expect(await hint("main:nowhere")).toContain("There is no nowhere in main.");
      git(cwd, "clone", "-q", "--depth", "1", `file://${cwd}`, join(cwd, "shallow"));
      const shallow = await stoa(["diff", "HEAD~9"], { cwd: join(cwd, "shallow/shop") });
      expect(shallow.stderr).toContain("fetch-depth: 0");
    }));

  it("a name that could be either is asked back", () =>
    inRepository(async (cwd) => {
      await mkdir(join(cwd, "main"));
      await writeFile(join(cwd, "main/app.stoa"), LESS);
      const { code, stderr } = await stoa(["diff", "main", "shop"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("main is a file or folder here, and a revision of git.");
      expect(stderr).toContain("./main for the one, or main:./ for the other");
      expect((await stoa(["diff", "./main", "shop"], { cwd })).stdout).toContain("is new");
    }));

  it("tell whether the modules of hooks have changed", () =>
    inRepository(async (cwd) => {
      const app = `${LESS.replace("}\n\n", '  hook loud { arg title title, source shout from "./shout" }\n}\n\n')}`;
      const shown = app.replace("list endpoint {}", "list endpoint { response { loud } }");
      const shout = "export function shout({ title }: { title: string }): string { return title; }\n";
      await commit(cwd, { "shop/app.stoa": shown, "shop/shout.ts": shout });
      const shop = join(cwd, "shop");
      expect((await stoa(["diff", "HEAD"], { cwd: shop })).stdout).toContain("nothing has changed");
      await writeFile(join(shop, "shout.ts"), shout.replace("return title", "return `${title}!`"));
      const { stdout } = await stoa(["diff", "HEAD"], { cwd: shop });
      expect(stdout).toContain("code of Book.loud\n  compatible  its module `shout` has changed");
    }));

  it("names with odd letters, and what looks like options of git, do no harm", () =>
    inRepository(async (cwd) => {
      git(cwd, "checkout", "-q", "-b", "wünsche/größe");
      const ok = await stoa(["diff", "wünsche/größe"], { cwd: join(cwd, "shop") });
      expect(ok.stdout).toContain("nothing has changed");
      for (const name of ["--output=x", "--help-me", ":/x;touch y", "$(touch y)", "a b", ""]) {
        const { code, stderr } = await stoa(["diff", "--", name], { cwd: join(cwd, "shop") });
        expect(code).toBe(1);
        expect(stderr).not.toContain("bug");
      }
      expect(git(cwd, "status", "--porcelain")).toBe("");
    }));
});

it("the guide shows what the command prints", () =>
  inFolder({}, async (cwd) => {
    const guide = await readFile(new URL("../../../docs/guides/changing-an-api.md", import.meta.url), "utf8");
    const [before = "", after = ""] = [...guide.matchAll(/```stoa\n(.*?)```/gs)].map(([, text]) => text);
    const shown = /```text\n\$ stoa diff main\n(.*?)```/s.exec(guide)?.[1];
    git(cwd, "init", "-q", "-b", "main");
    await commit(cwd, { "app.stoa": before });
    await writeFile(join(cwd, "app.stoa"), after);
    expect((await stoa(["diff", "main"], { cwd })).stdout).toBe(shown);
  }));
