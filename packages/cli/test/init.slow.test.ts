// `stoa init`, as a process; what it makes is looked at where it is made.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inFolder, stoa } from "./run.js";
import { inTerminal, KEYS } from "./terminal.js";

it("makes a project that compiles, and says what to do next", () =>
  inFolder({}, async (cwd) => {
    const { code, stdout, stderr } = await stoa(["init", "shop"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`✓ shop: 13 files in shop

  cd shop
  npm install
  npm run dev

README.md says what there is and what to do next.
`);
    expect(await stoa(["build", "shop"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect((await stoa(["fmt", "--check", "shop"], { cwd })).code).toBe(0);
  }));

it("uses the present folder, keeps what is there, and tells programs", () =>
  inFolder({ "README.md": "mine", ".gitignore": "x" }, async (cwd) => {
    const { code, stdout } = await stoa(["init", "--accounts", "--name", "club", "--json"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      folder: expect.stringMatching(/stoa cli é /),
      name: "club",
      accounts: true,
      kept: [".gitignore", "README.md"],
      files: expect.arrayContaining(["src/auth.stoa", "package.json"]),
      next: ["npm install", "npm run dev"],
    });
    expect(await readFile(join(cwd, "README.md"), "utf8")).toBe("mine");
  }));

it("reminds of what git should leave out where .gitignore is kept", () =>
  inFolder({ ".gitignore": "x" }, async (cwd) => {
    const { stdout } = await stoa(["init", "--yes"], { cwd });
    expect(stdout).toContain("kept .gitignore: add node_modules/ and .stoa/ to it");
  }));

it("refuses a folder that is in use", () =>
  inFolder({ "package.json": "{}", "app.stoa": "" }, async (cwd) => {
    const { code, stderr, stdout } = await stoa(["init"], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "error: This folder is not empty: there is app.stoa, package.json.\n  = hint: name a new folder; nothing was changed\n",
    );
    const json = await stoa(["init", "--json"], { cwd });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout).error.inTheWay).toEqual(["app.stoa", "package.json"]);
    expect((await readdir(cwd)).length).toBe(2);
  }));

it("refuses names that npm would", () =>
  inFolder({}, async (cwd) => {
    const { code, stderr } = await stoa(["init", "shop", "--name", "My Shop"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain("for example my-shop");
    expect(await readdir(cwd)).toEqual([]);
  }));

it.each<[string, readonly string[], boolean]>([
  ["is asked again", ["maybe", "y"], true],
  ["is asked again twice, and then taken as no", ["maybe", "yess", "of course"], false],
])("who answers neither yes nor no %s", (_, answers, hasAccounts) =>
  inFolder({}, async (cwd) => {
    const keys = answers.map((answer) => `${answer}${KEYS.enter}`);
    const { code, screen } = await inTerminal(["init", "shop"], keys, { cwd });
    expect(code).toBe(0);
    expect(screen.split("With accounts").length - 1).toBe(answers.length);
    expect(screen.split("Please answer y or n.").length - 1).toBe(answers.length - 1);
    expect((await readdir(join(cwd, "shop/src"))).includes("auth.stoa")).toBe(hasAccounts);
  }),
);
