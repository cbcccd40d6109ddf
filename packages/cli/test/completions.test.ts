// The scripts for shells: bash runs its own; those of other shells are checked by them where they are installed, and
// by their text everywhere.

import { execFile, execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { bashScript } from "../src/completions/bash.js";
import { fishScript } from "../src/completions/fish.js";
import { outlineOf } from "../src/completions/outline.js";
import { zshScript } from "../src/completions/zsh.js";
import { createProgram } from "../src/main.js";
import { inFolder } from "./run.js";

const OUTLINE = outlineOf(createProgram());
const PROJECT = {
  "app.stoa": "populator Dev {}\n  populator Load {\n}\n// populator No {}\n",
  "readme.md": "",
  "shop here/x.stoa": "",
};

/** What bash offers for the last word, in a project. */
function offers(...words: string[]): Promise<string[]> {
  return inFolder(PROJECT, async (cwd) => {
    await writeFile(join(cwd, "script.bash"), bashScript(OUTLINE));
    const run = `source ./script.bash\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n_stoa\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ["--noprofile", "--norc", "-c", run, "bash", "stoa", ...words];
    const { stdout, stderr } = await promisify(execFile)("bash", args, { cwd });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((line) => line !== "");
  });
}

describe("bash", () => {
  it.each<[readonly string[], readonly string[]]>([
    [["ch"], ["check"]],
    [
      ["db", "p"],
      ["push", "populate"],
    ],
    [["db", "push", "--dr"], ["--dry-run"]],
    [
      ["start", "--log-level", ""],
      ["error", "warn", "info", "debug", "silent"],
    ],
    [["start", "--log-level", "=", "d"], ["debug"]],
    [["start", "shop here", "--tr"], ["--trust-proxy"]],
    [
      ["generate", "client", "--target", ""],
      ["ts", "js"],
    ],
    [
      ["db", "populate", "-p", ""],
      ["Dev", "Load"],
    ],
    [["db", "populate", "--populator", "L"], ["Load"]],
    [
      ["completions", ""],
      ["bash", "zsh", "fish"],
    ],
    [
      ["check", ""],
      ["shop here", "app.stoa"],
    ],
    [["check", "s"], ["shop here"]],
    [["build", "--out", ""], ["shop here"]],
    [["generate", "openapi", "--output", "r"], ["readme.md"]],
    [["start", "--port", ""], []],
    [["check", "build", "--f"], ["--fix"]],
    [["help", "exp"], ["explain"]],
    [["-"], ["-v", "--version", "-h", "--help"]],
  ])("after stoa %j offers %j", async (words, expected) => {
    expect(await offers(...words)).toEqual(expected);
  });

  it("offers every command", async () => {
    const all = createProgram().commands.map((command) => command.name());
    expect(await offers("")).toEqual([...all, "help"]);
  });
});

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ["-c", "exit 0"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const OTHERS = { zsh: zshScript(OUTLINE), fish: fishScript(OUTLINE) };

describe.each(["zsh", "fish"] as const)("%s", (shell) => {
  const script = OTHERS[shell];

  it("has every command with its summary, and every option", () => {
    for (const { commands, options } of OUTLINE) {
      for (const { name, about } of commands) {
        expect(script).toContain(name);
        expect(script.replaceAll("'\\''", "'").replaceAll("\\'", "'")).toContain(about);
      }
      for (const { flags } of options) {
        for (const flag of flags) expect(script).toContain(flag.replace(/^-+/, ""));
      }
    }
  });

  it("closes its quotes and blocks", async () => {
    // zsh leaves the quotes for a quote within, fish does not.
    const quotes = script.replaceAll(shell === "fish" ? "\\'" : "'\\''", "").match(/'/g) ?? [];
    expect(quotes.length % 2).toBe(0);
    const count = (word: RegExp) => script.match(word)?.length ?? 0;
    if (shell === "zsh") expect(count(/^ *case /gm)).toBe(count(/^ *esac$/gm));
    else expect(count(/^ *(function|for|switch) /gm)).toBe(count(/^ *end$/gm));
    // The shell itself knows best, where there is one.
    if (!isInstalled(shell)) return;
    await inFolder({ script }, async (cwd) => {
      const { stderr } = await promisify(execFile)(shell, ["-n", "script"], { cwd });
      expect(stderr).toBe("");
    });
  });
});

it("fish offers what bash does, where it is installed", async () => {
  if (!isInstalled("fish")) return expect(OTHERS.fish).toContain("complete -c stoa -n");
  await inFolder({ ...PROJECT, "script.fish": OTHERS.fish }, async (cwd) => {
    const ask = async (line: string) => {
      const run = `source ./script.fish; complete -C ${JSON.stringify(line)}`;
      const { stdout, stderr } = await promisify(execFile)("fish", ["--no-config", "-c", run], { cwd });
      expect(stderr).toBe("");
      return stdout
        .trim()
        .split("\n")
        .map((each) => each.split("\t")[0]);
    };
    expect(await ask("stoa db p")).toEqual(["populate", "push"]);
    expect(await ask("stoa start --log-level d")).toEqual(["debug"]);
    expect(await ask("stoa db populate -p ")).toEqual(["Dev", "Load"]);
    expect(await ask("stoa check a")).toEqual(["app.stoa"]);
  });
});
