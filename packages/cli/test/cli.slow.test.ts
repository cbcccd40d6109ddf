// The command line as people use it: arguments and files in; exit code, output and files out.

import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readDefinition } from "@stoa/definition";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { inFolder, stoa } from "./run.js";

const GOOD = "model Author {\n  field name { type string }\n}\n";
const TYPO = "model Author {\n  feild name { type string }\n}\n";
const WARNED = `auth {
  model User
  password { identify email, secret password }
}

model User {
  field email { type string, unique }
  field password { type string, secret }
}

api {
  entrypoint User { list endpoint {} }
}
`;

describe("stoa check", () => {
  it("says that all is well, on standard output, and exits with 0", () =>
    inFolder({ "app.stoa": GOOD }, async (cwd) => {
      expect(await stoa(["check"], { cwd })).toEqual({
        code: 0,
        stdout: "✓ 1 file checked, no errors\n",
        stderr: "",
      });
    }));

  it("shows every error of every file, with its place and a hint, and exits with 1", () =>
    inFolder(
      { "a.stoa": TYPO, "deep/b.stoa": "model Book { reference author { to Autor } }" },
      async (cwd) => {
        const { code, stdout, stderr } = await stoa(["check"], { cwd });
        expect(code).toBe(1);
        expect(stdout).toBe("");
        expect(stderr).toContain("error[misspelt-word]");
        expect(stderr).toContain("a.stoa:2:3");
        expect(stderr).toContain("error[unknown-model]");
        expect(stderr).toContain("deep/b.stoa:1:36");
        expect(stderr).toContain("2 errors (2 can be fixed with `stoa check --fix`)");
        expect(stderr).not.toContain("\u001b[");
      },
    ));

  it("colours what it prints when asked to, and not when NO_COLOR is set", () =>
    inFolder({ "a.stoa": TYPO }, async (cwd) => {
      const coloured = await stoa(["check"], { cwd, env: { FORCE_COLOR: "1" } });
      expect(coloured.stderr).toContain("\u001b[31m");
      const plain = await stoa(["check"], { cwd, env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
      expect(plain.stderr).not.toContain("\u001b[");
    }));

  it("prints one JSON object for programs", () =>
    inFolder({ "a.stoa": TYPO }, async (cwd) => {
      const { code, stdout, stderr } = await stoa(["check", "--json"], { cwd });
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
      expect(JSON.parse(stdout)).toEqual({
        diagnostics: [
          {
            code: "misspelt-word",
            severity: "error",
            message: expect.stringContaining("feild"),
            hint: expect.stringContaining("field"),
            file: "a.stoa",
            start: { line: 2, column: 3 },
            end: { line: 2, column: 8 },
            fix: {
              title: "Replace by `field`",
              file: "a.stoa",
              start: { line: 2, column: 3 },
              end: { line: 2, column: 8 },
              text: "field",
            },
          },
        ],
      });
    }));

  it("applies fixes with --fix, says which, and leaves other files alone", () =>
    inFolder({ "a.stoa": TYPO, "b.stoa": "enum   Mood { good }\n" }, async (cwd) => {
      const { code, stdout } = await stoa(["check", "--fix"], { cwd });
      expect(code).toBe(0);
      expect(stdout).toContain("fixed a.stoa");
      expect(await readFile(join(cwd, "a.stoa"), "utf8")).toBe(GOOD);
      expect(await readFile(join(cwd, "b.stoa"), "utf8")).toBe("enum   Mood { good }\n");
    }));

  it("does not fail for warnings", () =>
    inFolder({ "a.stoa": WARNED }, async (cwd) => {
      const { code, stdout, stderr } = await stoa(["check"], { cwd });
      expect(code).toBe(0);
      expect(stderr).toContain("warning[unguarded-endpoint]");
      expect(stdout).toBe("✓ 1 file checked, no errors (1 warning)\n");
    }));

  it("takes a folder or a single file", () =>
    inFolder({ "app/a.stoa": GOOD, "other/b.stoa": TYPO }, async (cwd) => {
      expect((await stoa(["check", "app"], { cwd })).code).toBe(0);
      expect((await stoa(["check", "other/b.stoa"], { cwd })).code).toBe(1);
    }));

  it("looks neither into node_modules nor into hidden folders", () =>
    inFolder({ "a.stoa": GOOD, "node_modules/x/b.stoa": TYPO, ".stoa/c.stoa": TYPO }, async (cwd) => {
      expect((await stoa(["check"], { cwd })).code).toBe(0);
    }));
});

describe("files that are not as they should be", () => {
  it("a folder without sources", () =>
    inFolder({ "readme.txt": "" }, async (cwd) => {
      const { code, stderr } = await stoa(["check"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toBe(
        "error: There are no .stoa files in this folder.\n  = hint: create one, for example app.stoa, or name the folder that holds them; `stoa init` makes a new project\n",
      );
    }));

  it("a folder that does not exist", () =>
    inFolder({}, async (cwd) => {
      const { code, stderr } = await stoa(["check", "nowhere"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("There is no folder nowhere.");
    }));

  it("a file that is no source", () =>
    inFolder({ "a.txt": "" }, async (cwd) => {
      const { code, stderr } = await stoa(["check", "a.txt"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("a.txt is not a .stoa file.");
    }));

  it("a file that cannot be read is the environment's fault: exit code 2", () =>
    inFolder({ "a.stoa": GOOD }, async (cwd) => {
      await symlink(join(cwd, "gone.stoa"), join(cwd, "b.stoa"));
      const { code, stderr } = await stoa(["check"], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain("b.stoa cannot be read: it is a link that leads nowhere.");
    }));

  it("a folder with the name of a source is just a folder", () =>
    inFolder({ "a.stoa": GOOD }, async (cwd) => {
      await mkdir(join(cwd, "b.stoa"));
      expect((await stoa(["check"], { cwd })).code).toBe(0);
    }));

  it("a file that is not UTF-8", () =>
    inFolder({ "a.stoa": Buffer.from("// caf\xe9\nmodel A {}\n", "latin1") }, async (cwd) => {
      const { code, stderr } = await stoa(["check"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("error[not-utf8]: This file is not UTF-8 text.");
      expect(stderr).toContain("a.stoa:1:7");
    }));

  it("an empty file is a warning", () =>
    inFolder({ "a.stoa": GOOD, "b.stoa": "\n" }, async (cwd) => {
      const { code, stderr } = await stoa(["check"], { cwd });
      expect(code).toBe(0);
      expect(stderr).toContain("warning[empty-file]: This file declares nothing.");
    }));

  it("failures come as JSON too", () =>
    inFolder({}, async (cwd) => {
      const { code, stdout } = await stoa(["check", "--json"], { cwd });
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ diagnostics: [], error: { hint: expect.any(String) } });
    }));
});

describe("stoa build", () => {
  it("writes a definition that can be read, the same bytes every time", () =>
    inFolder({ "app.stoa": GOOD }, async (cwd) => {
      const first = await stoa(["build"], { cwd });
      expect(first).toEqual({
        code: 0,
        stdout: "✓ built 1 model, 0 endpoints into .stoa/build/definition.json\n",
        stderr: "",
      });
      const text = await readFile(join(cwd, ".stoa/build/definition.json"), "utf8");
      expect(readDefinition(text)).toMatchObject({ ok: true });
      await stoa(["build"], { cwd });
      expect(await readFile(join(cwd, ".stoa/build/definition.json"), "utf8")).toBe(text);
    }));

  it("writes where --out says", () =>
    inFolder({ "app/a.stoa": GOOD }, async (cwd) => {
      const { code, stdout } = await stoa(["build", "app", "--out", "made/here", "--json"], { cwd });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        diagnostics: [],
        definition: join(cwd, "made/here/definition.json"),
      });
    }));

  it("leaves the last definition alone when there are errors", () =>
    inFolder({ "a.stoa": GOOD }, async (cwd) => {
      await stoa(["build"], { cwd });
      const before = await readFile(join(cwd, ".stoa/build/definition.json"), "utf8");
      await writeFile(join(cwd, "a.stoa"), TYPO);
      expect((await stoa(["build"], { cwd })).code).toBe(1);
      expect(await readFile(join(cwd, ".stoa/build/definition.json"), "utf8")).toBe(before);
    }));

  it("says in words when it cannot write", () =>
    inFolder({ "a.stoa": GOOD, taken: "a file where the folder should be" }, async (cwd) => {
      const { code, stderr } = await stoa(["build", "--out", "taken"], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain("The definition cannot be written");
      expect(stderr).toContain("--out");
    }));
});

describe("stoa fmt", () => {
  it("formats in place and says what it did", () =>
    inFolder({ "a.stoa": "enum   Mood { good }", "b.stoa": GOOD }, async (cwd) => {
      const { code, stdout } = await stoa(["fmt"], { cwd });
      expect({ code, stdout }).toEqual({ code: 0, stdout: "formatted a.stoa\n" });
      expect(await readFile(join(cwd, "a.stoa"), "utf8")).toBe("enum Mood { good }\n");
      expect(await stoa(["fmt"], { cwd })).toMatchObject({ code: 0, stdout: "✓ 2 files in good style\n" });
    }));

  it("changes nothing with --check, and exits with 1", () =>
    inFolder({ "a.stoa": "enum   Mood { good }" }, async (cwd) => {
      const { code, stdout } = await stoa(["fmt", "--check"], { cwd });
      expect(code).toBe(1);
      expect(stdout).toBe("not formatted a.stoa\n1 file to format: run `stoa fmt`\n");
      expect(await readFile(join(cwd, "a.stoa"), "utf8")).toBe("enum   Mood { good }");
    }));

  it("formats the good files and leaves a broken one alone", () =>
    inFolder({ "a.stoa": "enum   Mood { good }", "b.stoa": TYPO }, async (cwd) => {
      const { code, stderr } = await stoa(["fmt"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("error[misspelt-word]");
      expect(await readFile(join(cwd, "a.stoa"), "utf8")).toBe("enum Mood { good }\n");
      expect(await readFile(join(cwd, "b.stoa"), "utf8")).toBe(TYPO);
    }));
});

describe("stoa itself", () => {
  it("prints its version", () =>
    inFolder({}, async (cwd) => {
      expect(await stoa(["--version"], { cwd })).toEqual({
        code: 0,
        stdout: `${manifest.version}\n`,
        stderr: "",
      });
    }));

  it.each([["--help"], ["help"], ["check", "--help"], ["build", "--help"], ["fmt", "--help"]])(
    "explains itself with an example: %s %s",
    (...args) =>
      inFolder({}, async (cwd) => {
        const { code, stdout } = await stoa(args, { cwd });
        expect(code).toBe(0);
        expect(stdout).toContain("Usage: stoa");
        expect(stdout).toContain("$ stoa ");
      }),
  );

  it("without a command, shows what there is by purpose, and what to try first", () =>
    inFolder({}, async (cwd) => {
      const { code, stdout, stderr } = await stoa([], { cwd });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Database\n {2}db push {2,}make the database match the models$/m);
      expect(stdout).toMatch(/^Try first\n {2}\$ stoa /m);
    }));

  it("suggests the nearest command", () =>
    inFolder({}, async (cwd) => {
      const { code, stderr } = await stoa(["chekc"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("did you mean `stoa check`?");
    }));

  it("refuses an option it does not know", () =>
    inFolder({}, async (cwd) => {
      const { code, stderr } = await stoa(["check", "--jsno"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("did you mean --json?");
    }));
});
