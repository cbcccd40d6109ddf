// New projects: where they may be, what they are called, what is in the way.

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkSources, format, type Source } from "@stoa/compiler";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CreateOptions, createProject } from "../src/create.js";
import { checkName, nameFor } from "../src/name.js";
import { InitProblem } from "../src/problem.js";

const template = fileURLToPath(new URL("../template", import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stoa create é "));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const create = (options: Omit<CreateOptions, "template">) => createProject({ template, ...options });

async function problemOf(work: Promise<unknown>): Promise<InitProblem> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof InitProblem) return error;
  throw new Error(`There was no problem: ${String(error)}`);
}

const FILES = [
  ".editorconfig",
  ".env.example",
  ".gitignore",
  ".vscode/extensions.json",
  ".vscode/settings.json",
  "README.md",
  "package.json",
  "src/api.stoa",
  "src/hooks/urgency.ts",
  "src/models.stoa",
  "src/populators.stoa",
  "test/api.test.js",
  "tsconfig.json",
];

describe.each([
  { accounts: false, files: FILES },
  { accounts: true, files: [...FILES, "src/auth.stoa"].sort() },
])("a project, with accounts: $accounts", ({ accounts, files }) => {
  it("has all files, with its own name", async () => {
    const dir = join(folder, "deep/my-shop");
    expect(await create({ dir, accounts })).toEqual({
      folder: dir,
      name: "my-shop",
      accounts,
      files,
      kept: [],
    });
    for (const file of files) {
      expect(await readFile(join(dir, file), "utf8")).not.toContain("my-stoa-app");
    }
    expect(JSON.parse(await readFile(join(dir, "package.json"), "utf8"))).toMatchObject({
      name: "my-shop",
      private: true,
      scripts: { dev: "stoa dev", build: "stoa build", start: "stoa start" },
    });
    expect(await readFile(join(dir, ".gitignore"), "utf8")).toContain(".stoa/");
  });

  it("compiles without a warning, and is in good style", async () => {
    await create({ dir: folder, accounts });
    const names = files.filter((name) => name.endsWith(".stoa"));
    const read = async (name: string): Promise<Source> => ({
      name,
      text: await readFile(join(folder, name), "utf8"),
    });
    const sources = await Promise.all(names.map(read));
    expect(checkSources(sources).diagnostics).toEqual([]);
    for (const source of sources) expect(format(source)).toEqual({ kind: "formatted", text: source.text });
  });
});

describe("the folder", () => {
  it("may be a fresh repository, whose files are kept", async () => {
    await mkdir(join(folder, ".git"));
    await mkdir(join(folder, ".vscode"));
    await writeFile(join(folder, "README.md"), "mine");
    await writeFile(join(folder, "LICENSE"), "mine");
    await writeFile(join(folder, ".vscode/settings.json"), "{}");
    const { kept, files } = await create({ dir: folder, name: "shop" });
    expect(kept).toEqual([".vscode/settings.json", "README.md"]);
    expect(files).toContain(".vscode/extensions.json");
    expect(await readFile(join(folder, "README.md"), "utf8")).toBe("mine");
    expect(await readFile(join(folder, ".vscode/settings.json"), "utf8")).toBe("{}");
  });

  it("may hold nothing else: what is in the way is listed, and nothing is changed", async () => {
    await mkdir(join(folder, "src"));
    for (const name of ["package.json", "README.md"]) await writeFile(join(folder, name), "mine");
    const problem = await problemOf(create({ dir: folder }));
    expect(problem.inTheWay).toEqual(["package.json", "src"]);
    expect(problem.message).toContain("is not empty: there is package.json, src.");
    expect((await readdir(folder)).sort()).toEqual(["README.md", "package.json", "src"]);
  });

  it("is in few words even if it is full", async () => {
    for (let index = 10; index < 40; index++) await writeFile(join(folder, `f${index}`), "");
    const { message, inTheWay } = await problemOf(create({ dir: folder }));
    expect(message).toContain("f16, f17 and 22 more.");
    expect(inTheWay.length).toBe(30);
  });

  it("cannot be a file, nor be below one", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    expect((await problemOf(create({ dir: file }))).message).toBe(`${file} is a file.`);
    expect((await problemOf(create({ dir: join(file, "shop") }))).message).toContain(
      "a part of the path is a file",
    );
  });

  it.runIf(existsSync("/proc/self"))("cannot be where no folder can be made", async () => {
    const problem = await problemOf(create({ dir: "/proc/stoa/shop" }));
    expect(problem.message).toMatch(/cannot be written: (no folder can be made there|you are not allowed)/);
    expect(problem.isEnvironment).toBe(true);
  });

  it("is as it was if a file cannot be written", async () => {
    // A file where a folder is needed; root may write anywhere, so permissions would not do.
    await mkdir(join(folder, "template/shared/src"), { recursive: true });
    await writeFile(join(folder, "template/shared/a.txt"), "a");
    await writeFile(join(folder, "template/shared/src/b.txt"), "b");
    await mkdir(join(folder, "template/plain/a.txt"), { recursive: true });
    await writeFile(join(folder, "template/plain/a.txt/c.txt"), "c");
    const dir = join(folder, "shop");
    const broken = createProject({ template: join(folder, "template"), dir });
    expect((await problemOf(broken)).isEnvironment).toBe(true);
    expect(existsSync(dir)).toBe(false);
  });
});

describe("questions", () => {
  it("are asked for what was not said, the folder first", async () => {
    const asked: string[] = [];
    const questions = {
      folder: async (proposal: string) => {
        asked.push(proposal);
        return join(folder, "answer");
      },
      accounts: async () => {
        asked.push("accounts");
        return true;
      },
    };
    expect(await create({ questions })).toMatchObject({ name: "answer", accounts: true });
    expect(asked).toEqual(["my-stoa-app", "accounts"]);
    await create({ questions, dir: join(folder, "said"), accounts: false });
    expect(asked.length).toBe(2);
  });

  it("are not asked in vain", async () => {
    await writeFile(join(folder, "there"), "");
    const questions = { folder: async () => folder, accounts: () => Promise.reject(new Error("asked")) };
    expect((await problemOf(create({ questions }))).inTheWay).toEqual(["there"]);
  });
});

describe("names", () => {
  it.each(["shop", "my-shop", "a.b_c~d", "@me/shop", "0", "a".repeat(214)])("%s is one", (name) => {
    expect(checkName(name)).toBe(name);
  });

  it.each([
    ["", "it is empty"],
    ["Shop", "it has capital letters"],
    ["my shop", "it has characters that cannot be in an address"],
    [".shop", "it begins with a dot or an underscore"],
    ["_shop", "it begins with a dot or an underscore"],
    ["../shop", "it begins with a dot or an underscore"],
    ["a/b", "it has characters that cannot be in an address"],
    ["@me", "a scope is followed by one name"],
    ["@me/a/b", "a scope is followed by one name"],
    ["@/a", "it has characters that cannot be in an address"],
    ["naïve", "it has characters that cannot be in an address"],
    ["http", "Node has something else by this name"],
    ["node_modules", "Node has something else by this name"],
    ["stoa", "a package of this name is installed into the project"],
    ["a".repeat(215), "it is longer than 214 characters"],
  ])("%s is none", (name, reason) => {
    expect(() => checkName(name)).toThrow(reason);
  });

  it.each([
    ["My Shop", "my-shop"],
    ["Café Zoë", "cafe-zoe"],
    ["stoa", "stoa-app"],
    ["http", "http-app"],
    ["__x__", "x__"],
    ["日本", "my-stoa-app"],
    ["", "my-stoa-app"],
  ])("for the folder %s there is %s", (given, name) => {
    expect(nameFor(given)).toBe(name);
    expect(checkName(nameFor(given))).toBe(name);
  });
});
