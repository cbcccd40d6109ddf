// Configuration as people use it: files and variables in; what commands do, and what `stoa config` says, out.

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFolder, stoa } from "./run.js";
import { until, whileServing } from "./serve.js";

const SOURCES = {
  "app.stoa":
    "model Note {\n  field text { type string }\n}\n\napi {\n  entrypoint Note { create endpoint {} }\n}\n",
};
const CONFIG = `import { defineConfig } from "stoa";

export default defineConfig(({ command }) => ({
  port: command === "dev" ? 4000 : 8080,
  database: { url: "postgres://nobody:secret-word@127.0.0.1:1/none" },
  logLevel: "debug",
  docs: true,
  maxBodyBytes: 20,
  buildFolder: "made",
}));
`;
const FILES = { ...SOURCES, "stoa.config.ts": CONFIG };

describe("stoa config", () => {
  it("prints every setting with its origin, and no password", () =>
    inFolder({ ...FILES, ".env": "HOST=0.0.0.0\n" }, async (cwd) => {
      const env = { STOA_MAX_BODY_BYTES: "30", STOA_LOG_LEVLE: "x" };
      const { code, stdout, stderr } = await stoa(["config", "--trust-proxy"], { cwd, env });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^port +8080 +stoa\.config\.ts$/m);
      expect(stdout).toMatch(/^host +127\.0\.0\.1 +default$/m);
      expect(stdout).toMatch(/^dev\.populator +– +default: Dev, if there is one$/m);
      const origins = stdout
        .split("\n")
        .slice(1, -1)
        .map((line) => line.search(/(default|environment|stoa\.config|--)\S*/));
      expect(new Set(origins).size).toBe(1);
      expect(stdout).toMatch(
        /^database\.url +postgres:\/\/nobody:\*\*\*@127\.0\.0\.1:1\/none +stoa\.config\.ts$/m,
      );
      expect(stdout).toMatch(/^maxBodyBytes +30 +environment STOA_MAX_BODY_BYTES$/m);
      expect(stdout).toMatch(/^trustProxy +true +--trust-proxy$/m);
      expect(stdout).toMatch(/^buildFolder +made +stoa\.config\.ts$/m);
      expect(stderr).toContain(
        "STOA_LOG_LEVLE sets nothing: there is no such setting (did you mean STOA_LOG_LEVEL?)",
      );
      expect(stderr).toContain(".env is for `stoa dev` alone: `stoa config --for dev`");
      expect(stdout + stderr).not.toContain("secret-word");
    }));

  it("says what is in force for another command", () =>
    inFolder({ ...FILES, ".env": "HOST=0.0.0.0\n" }, async (cwd) => {
      const { code, stdout } = await stoa(["config", "--for", "dev"], { cwd });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^port +4000 +stoa\.config\.ts$/m);
      expect(stdout).toMatch(/^host +0\.0\.0\.0 +\.env HOST$/m);
      const unknown = await stoa(["config", "--for", "strat"], { cwd });
      expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("did you mean start?") });
    }));

  it("prints one JSON object for programs, also of what is wrong", () =>
    inFolder({ "stoa.config.json": '{ "prot": 1, "host": "::1" }' }, async (cwd) => {
      const { code, stdout, stderr } = await stoa(["config", "--json"], { cwd });
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({
        command: "start",
        file: "stoa.config.json",
        settings: {
          port: { value: 3000, from: { kind: "default" } },
          host: { value: "::1", from: { kind: "file", file: "stoa.config.json" } },
          docs: { value: null },
        },
        problems: [{ message: "stoa.config.json: there is no setting prot." }],
      });
    }));
});

describe("commands read it", () => {
  it("and point out what .env sets for `stoa dev` alone, beside the answer for programs", () =>
    inFolder({ ...SOURCES, ".env": "DATABASE_URL=postgres://u:secret-word@h/d\n" }, async (cwd) => {
      const { code, stdout, stderr } = await stoa(["explain", "--json"], { cwd });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toBeInstanceOf(Object);
      expect(stderr).toBe(
        "warning: .env sets DATABASE_URL, which only `stoa dev` reads\n  = hint: set it in the environment for other commands, e.g. `DATABASE_URL=… stoa explain`\n",
      );
    }));

  it("build and start, and a flag wins", () =>
    inFolder(FILES, async (cwd) => {
      const built = await stoa(["build"], { cwd });
      expect(built).toMatchObject({ code: 0, stdout: expect.stringContaining("into made/definition.json") });
      await whileServing([], { cwd }, async ({ url, log }) => {
        const body = JSON.stringify({ text: "longer than it may be" });
        const headers = { "content-type": "application/json" };
        const answer = await fetch(`${url}/api/note`, { method: "POST", headers, body });
        expect(answer.status).toBe(413);
        expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
        await fetch(`${url}/health/live`);
        await until(() => log().some(({ level }) => level === "debug"));
      });
      await whileServing(["--no-docs"], { cwd }, async ({ url }) => {
        expect((await fetch(`${url}/openapi.json`)).status).toBe(404);
      });
    }));

  it("db push names the place of the URL, and never its password", () =>
    inFolder(FILES, async (cwd) => {
      const { code, stderr } = await stoa(["db", "push"], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain("check database.url in stoa.config.ts, and that the server is running");
      expect(stderr).not.toContain("secret-word");
      const reset = await stoa(["db", "reset", "--yes"], {
        cwd,
        env: { DATABASE_URL: "postgres://db.example.com/shop" },
      });
      expect(reset.stderr).toContain("This looks like a production database: it is on db.example.com.");
    }));

  it.each([["build"], ["start"], ["db", "push"], ["db", "deploy"], ["explain", "note.create"]])(
    "and say what is wrong with it: stoa %s %s",
    (...args) =>
      inFolder({ ...SOURCES, "stoa.config.ts": "throw new Error('not today')" }, async (cwd) => {
        const { code, stdout, stderr } = await stoa(args, { cwd });
        expect(code).toBe(1);
        expect(stdout).toBe("");
        expect(stderr).toMatch(
          /^error: stoa\.config\.ts:1:7: the config file fails: Error: not today\n {2}= hint: .*\n$/,
        );
      }),
  );

  it("check and fmt do without", () =>
    inFolder({ ...SOURCES, "stoa.config.ts": "throw new Error('not today')" }, async (cwd) => {
      expect(await stoa(["check"], { cwd, env: { PORT: "x" } })).toMatchObject({ code: 0, stderr: "" });
      expect((await stoa(["fmt"], { cwd })).code).toBe(0);
    }));

  it("leaves nothing behind", () =>
    inFolder(FILES, async (cwd) => {
      await stoa(["build"], { cwd });
      await rm(join(cwd, "made"), { recursive: true });
      expect(existsSync(join(cwd, ".stoa"))).toBe(false);
    }));
});

describe("for programs", () => {
  it.each([
    [["check", "--jsno", "--json"], "did you mean --json?", 1],
    [["db", "psuh", "--json"], "did you mean `stoa db push`?", 1],
    [["config", "nowhere", "--json"], "check the path", 1],
    [["generate", "openapi", "--json"], "create one", 1],
  ])("errors are JSON too: stoa %j", (args, hint, exitCode) =>
    inFolder({}, async (cwd) => {
      const { code, stdout, stderr } = await stoa(args, { cwd });
      expect({ code, stderr }).toEqual({ code: exitCode, stderr: "" });
      expect(JSON.parse(stdout)).toEqual({
        diagnostics: [],
        error: { message: expect.any(String), hint: expect.stringContaining(hint), exitCode },
      });
    }),
  );

  it("what was generated", () =>
    inFolder(SOURCES, async (cwd) => {
      const shown = await stoa(["generate", "client", "--target", "js", "--json"], { cwd });
      const { files } = JSON.parse(shown.stdout);
      expect(files.length).toBeGreaterThan(1);
      expect(files[0]).toEqual({ name: expect.any(String), text: expect.any(String) });
      const written = await stoa(["generate", "openapi", "--output", "o.json", "--json"], { cwd });
      expect(JSON.parse(written.stdout)).toEqual({ diagnostics: [], files: [{ path: join(cwd, "o.json") }] });
      expect(existsSync(join(cwd, "o.json"))).toBe(true);
    }));

  it("colours are off where nobody sees them, and as FORCE_COLOR and NO_COLOR say", () =>
    inFolder({}, async (cwd) => {
      const coloured = async (env: Record<string, string>) =>
        (await stoa([], { cwd, env })).stdout.includes("\u001b[");
      expect(await coloured({})).toBe(false);
      expect(await coloured({ FORCE_COLOR: "1" })).toBe(true);
      expect(await coloured({ FORCE_COLOR: "0" })).toBe(false);
      expect(await coloured({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    }));
});

it("the script for a shell is printed", () =>
  inFolder({}, async (cwd) => {
    const { code, stdout, stderr } = await stoa(["completions", "bash"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("complete -F _stoa stoa");
  }));
