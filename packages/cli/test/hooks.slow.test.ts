// Modules of hooks: what `stoa build` makes of them, what it says about them, and that they run.

import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { inFolder, stoa } from "./run.js";
import { until, whileServing } from "./serve.js";

const PROGRAM = `model Book {
  field title { type string }
  hook blurb { arg title title, source writeBlurb from "./hooks/blurbs.ts" }
  hook tag { arg title title, source tag from "hooks/tags" }
}

api {
  entrypoint Book { response { title, blurb, tag }, list endpoint {} }
}
`;

const BLURBS = `import { HttpError } from "stoa";
import { join } from "node:path";
import type { BookBlurb } from "../.stoa/build/hooks.js";
import { shout } from "./texts.js";

enum Mood { good = "good" }

export const writeBlurb: BookBlurb = ({ title }) => {
  if (title === "") throw new HttpError(409, "empty", "No title");
  return { mood: Mood.good, text: shout(title), path: join("a", "b") };
};
export const unused = 1;
`;

const PROJECT = {
  "app.stoa": PROGRAM,
  "hooks/blurbs.ts": BLURBS,
  "hooks/texts.ts": "export const shout = (text: string): string => text.toUpperCase();\n",
  "hooks/tags.mjs": "export const tagBatch = (all) => all.map(({ title }) => title.length);\n",
};

const built = (cwd: string, name: string): string => join(cwd, ".stoa/build", name);

describe("stoa build with hooks", () => {
  it("writes one bundle of TypeScript and JavaScript, its source map, and types", () =>
    inFolder(PROJECT, async (cwd) => {
      const { code, stdout, stderr } = await stoa(["build"], { cwd });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("built 1 model, 1 endpoint");
      const { hooks } = await import(pathToFileURL(built(cwd, "hooks.mjs")).href);
      expect(Object.keys(hooks)).toEqual(["hooks/blurbs.ts#writeBlurb", "hooks/tags#tagBatch"]);
      expect(hooks["hooks/blurbs.ts#writeBlurb"]({ title: "hi" })).toEqual({
        mood: "good",
        text: "HI",
        path: join("a", "b"),
      });
      expect(() => hooks["hooks/blurbs.ts#writeBlurb"]({ title: "" })).toThrow("No title");
      const map = JSON.parse(await readFile(built(cwd, "hooks.mjs.map"), "utf8"));
      expect(map.sources).toContain("../../hooks/blurbs.ts");
      expect(await readFile(built(cwd, "hooks.d.ts"), "utf8")).toContain("export type BookBlurb = (args");
    }));

  it("is the same for the same sources", () =>
    inFolder(PROJECT, async (cwd) => {
      await stoa(["build"], { cwd });
      const first = await readFile(built(cwd, "hooks.mjs"), "utf8");
      await stoa(["build"], { cwd });
      expect(await readFile(built(cwd, "hooks.mjs"), "utf8")).toBe(first);
    }));

  it("leaves packages where they are", () =>
    inFolder(
      {
        ...PROJECT,
        "hooks/tags.mjs":
          'import { length } from "measure";\nexport const tag = ({ title }) => length(title);\n',
        "node_modules/measure/package.json": '{ "name": "measure", "type": "module", "main": "index.js" }',
        "node_modules/measure/index.js": "export const length = (text) => text.length;\n",
      },
      async (cwd) => {
        expect((await stoa(["build"], { cwd })).code).toBe(0);
        expect(await readFile(built(cwd, "hooks.mjs"), "utf8")).toContain('from "measure"');
        const { hooks } = await import(pathToFileURL(built(cwd, "hooks.mjs")).href);
        expect(hooks["hooks/tags#tag"]({ title: "four" })).toBe(4);
      },
    ));

  it("takes away what there is no more", () =>
    inFolder(PROJECT, async (cwd) => {
      await stoa(["build"], { cwd });
      await writeFile(join(cwd, "app.stoa"), "model Book {\n  field title { type string }\n}\n");
      expect((await stoa(["build"], { cwd })).code).toBe(0);
      for (const name of ["hooks.mjs", "hooks.mjs.map", "hooks.d.ts"]) {
        expect(existsSync(built(cwd, name))).toBe(false);
      }
    }));

  it("tells programs where the files are", () =>
    inFolder(PROJECT, async (cwd) => {
      const { stdout } = await stoa(["build", "--json"], { cwd });
      expect(JSON.parse(stdout)).toEqual({
        definition: expect.stringMatching(/definition\.json$/),
        hooks: expect.stringMatching(/hooks\.mjs$/),
        hookTypes: expect.stringMatching(/hooks\.d\.ts$/),
        diagnostics: [],
      });
    }));

  it("takes CommonJS, whose exports only running it would tell", () =>
    inFolder(
      { ...PROJECT, "hooks/tags.mjs": "", "hooks/tags.cjs": "module.exports = { tag: () => 5 };\n" },
      async (cwd) => {
        await rm(join(cwd, "hooks/tags.mjs"));
        expect((await stoa(["build"], { cwd })).code).toBe(0);
        const { hooks } = await import(pathToFileURL(built(cwd, "hooks.mjs")).href);
        expect(hooks["hooks/tags#tag"]()).toBe(5);
      },
    ));
});

describe("mistakes in hooks are told with their place, and nothing is written", () => {
  const failing = (
    files: Record<string, string>,
    use: (stderr: string, cwd: string) => void | Promise<void>,
  ) =>
    inFolder({ ...PROJECT, ...files }, async (cwd) => {
      const { code, stderr } = await stoa(["build"], { cwd });
      expect(code).toBe(1);
      expect(existsSync(built(cwd, "definition.json"))).toBe(false);
      await use(stderr, cwd);
    });

  it("a module that is missing", () =>
    failing({ "app.stoa": PROGRAM.replace("blurbs.ts", "blurb.ts") }, (stderr) => {
      expect(stderr).toBe(`error[hook-module]: There is no module hooks/blurb.ts.
  ╭─ app.stoa:3:56
3 │   hook blurb { arg title title, source writeBlurb from "./hooks/blurb.ts" }
  │                                                        ^^^^^^^^^^^^^^^^^^
  = hint: did you mean blurbs.ts?

1 error
`);
    }));

  it("a module outside of the project, by its path or through a link", async () => {
    await failing({ "app.stoa": PROGRAM.replace("./hooks/blurbs.ts", "../x.ts") }, (stderr) => {
      expect(stderr).toContain("error[hook-module]: The module ../x.ts is outside of the project's folder.");
      expect(stderr).toContain("app.stoa:3:56");
    });
    await inFolder({ "secret/x.ts": "export const writeBlurb = 1", "app/app.stoa": PROGRAM }, async (cwd) => {
      await mkdir(join(cwd, "app/hooks"));
      await symlink(join(cwd, "secret/x.ts"), join(cwd, "app/hooks/blurbs.ts"));
      const { code, stderr } = await stoa(["build", "app"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("The module hooks/blurbs.ts is outside of the project's folder.");
    });
  });

  it("a function that the module does not export", () =>
    failing({ "app.stoa": PROGRAM.replace("writeBlurb", "writeBlurp") }, (stderr) => {
      expect(stderr).toBe(`error[hook-function]: hooks/blurbs.ts exports no function writeBlurp.
  ╭─ app.stoa:3:40
3 │   hook blurb { arg title title, source writeBlurp from "./hooks/blurbs.ts" }
  │                                        ^^^^^^^^^^
  = hint: it exports unused, writeBlurb; did you mean writeBlurb?

1 error
`);
    }));

  it("a syntax error, in the module itself", () =>
    failing(
      { "hooks/texts.ts": 'const ä = "é"; export const shout = (text: string => text;\n' },
      (stderr) => {
        expect(stderr).toContain("error[hook-code]: ");
        expect(stderr).toMatch(/╭─ hooks\/texts\.ts:1:\d+\n1 │ const ä = "é"; export const shout = /);
        expect(stderr).not.toContain("node_modules");
      },
    ));

  it("an import that leads nowhere", () =>
    failing(
      { "hooks/tags.mjs": 'import { x } from "./nowhere.js";\nexport const tag = () => x;\n' },
      (stderr) => {
        expect(stderr).toContain('error[hook-code]: Could not resolve "./nowhere.js".');
        expect(stderr).toContain("hooks/tags.mjs:1:19");
      },
    ));

  it("inline code that is no expression", () =>
    failing({ "app.stoa": PROGRAM.replace('source tag from "hooks/tags"', 'inline "title +"') }, (stderr) => {
      expect(stderr).toContain(
        "error[hook-code]: The code of the hook is no JavaScript expression: Unexpected token",
      );
      expect(stderr).toContain("app.stoa:4:31");
    }));

  it("for programs as diagnostics", () =>
    inFolder({ ...PROJECT, "hooks/tags.mjs": "export const tagg = 1;\n" }, async (cwd) => {
      const { code, stdout, stderr } = await stoa(["build", "--json"], { cwd });
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
      expect(JSON.parse(stdout)).toEqual({
        diagnostics: [
          {
            code: "hook-function",
            severity: "error",
            message: "hooks/tags exports no function tag.",
            hint: "it exports tagg; did you mean tagg?",
            file: "app.stoa",
            start: { line: 4, column: 38 },
            end: { line: 4, column: 41 },
          },
        ],
      });
    }));
});

describe("where modules are looked for", () => {
  it("in the folder of the runtime", () =>
    inFolder(
      {
        "app.stoa": 'runtime Code { source path "./code" }\n',
        "deep/b.stoa": 'model B {\n  field t { type string }\n  hook h { source h from "x/y.ts" }\n}\n',
        "code/x/y.ts": "export const h = (): number => 7;\n",
      },
      async (cwd) => {
        expect((await stoa(["build"], { cwd })).stderr).toBe("");
        const { hooks } = await import(pathToFileURL(built(cwd, "hooks.mjs")).href);
        expect(hooks["code/x/y.ts#h"]()).toBe(7);
      },
    ));

  it("else beside the source that names them", () =>
    inFolder(
      {
        "deep/b.stoa": 'model B {\n  field t { type string }\n  hook h { source h from "./y.ts" }\n}\n',
        "deep/y.ts": "export function h(): number { return 8 }\n",
      },
      async (cwd) => {
        expect((await stoa(["build"], { cwd })).stderr).toBe("");
        const { hooks } = await import(pathToFileURL(built(cwd, "hooks.mjs")).href);
        expect(hooks["deep/y.ts#h"]()).toBe(8);
      },
    ));
});

describe("hooks of populators", () => {
  const populated = (module: string) => ({
    "app.stoa":
      'model Author {\n  field name { type string }\n}\n\npopulator Dev {\n  populate Author {\n    repeat as i 3\n    set name hook { arg n i.current, source name from "./names.ts" }\n  }\n}\n',
    "names.ts": module,
  });

  it("may be TypeScript", () =>
    inFolder(populated("export const name = ({ n }: { n: number }): string => `A${n}`;\n"), async (cwd) => {
      const { code, stdout, stderr } = await stoa(["db", "populate", "-p", "Dev"], { cwd });
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("error") });
      expect(stdout).toContain("Dev: 3 rows");
    }));

  it("are told to be broken with the line of the module", () =>
    inFolder(populated("export const name = (\n"), async (cwd) => {
      const { code, stderr } = await stoa(["db", "populate", "-p", "Dev"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain(
        "The hook in `./names.ts` cannot be loaded: names.ts:2:1: Unexpected end of file",
      );
    }));
});

describe("stoa start with hooks", () => {
  const SERVED = {
    "app.stoa": `${PROGRAM}
populator Dev {
  populate Book { repeat as i 3, set title stringify(i.current) }
}
`,
    "hooks/blurbs.ts": `import { HttpError } from "stoa";
export function writeBlurbBatch(all: readonly { title: string }[], ctx: { log: { info(text: string): void } }) {
  ctx.log.info("blurbs of " + all.length);
  void Promise.reject(new Error("forgotten"));
  return all.map(({ title }) => "No. " + title);
}
export const refuse = () => { throw new HttpError(402, "unpaid", "Pay first"); };
`,
    "hooks/tags.mjs": 'export { refuse as tag } from "./blurbs.ts";\n',
  };

  it("runs them, answers with their errors, and outlives what they forget", () =>
    inFolder(SERVED, async (cwd) => {
      expect((await stoa(["db", "populate", "-p", "Dev"], { cwd })).code).toBe(0);
      expect((await stoa(["build"], { cwd })).stderr).toBe("");
      await whileServing([], { cwd }, async ({ url, log }) => {
        const refused = await fetch(`${url}/api/book`);
        expect(refused.status).toBe(402);
        expect(await refused.json()).toMatchObject({ code: "unpaid", detail: "Pay first" });
        await until(() => log().some(({ msg }) => msg === "code failed where nobody waited for it"));
        expect((await fetch(`${url}/health/live`)).status).toBe(200);
        expect(log().filter(({ msg }) => msg === "blurbs of 3")).toHaveLength(1);
      });
      await writeFile(join(cwd, "hooks/tags.mjs"), "export const tag = ({ title }) => title;\n");
      expect((await stoa(["build"], { cwd })).code).toBe(0);
      await whileServing([], { cwd }, async ({ url }) => {
        expect(await (await fetch(`${url}/api/book`)).json()).toEqual([
          { title: "1", blurb: "No. 1", tag: "1" },
          { title: "2", blurb: "No. 2", tag: "2" },
          { title: "3", blurb: "No. 3", tag: "3" },
        ]);
      });
    }));

  it("says what is wrong when they are not built, or do not load", () =>
    inFolder(SERVED, async (cwd) => {
      await stoa(["build"], { cwd });
      await writeFile(built(cwd, "hooks.mjs"), 'throw new Error("no key");\n');
      const broken = await stoa(["start", "--port", "0"], { cwd });
      expect(broken.code).toBe(1);
      expect(broken.stderr).toContain("The hooks cannot be loaded: .stoa/build/hooks.mjs:1:7: no key");
      expect(broken.stderr).toContain("then run `stoa build`");
      await rm(built(cwd, "hooks.mjs"));
      const missing = await stoa(["start", "--port", "0"], { cwd });
      expect(missing.code).toBe(1);
      expect(missing.stderr).toContain("The hooks are not built: there is no .stoa/build/hooks.mjs.");
    }));
});
