// Mistakes on the command line, as cases: what is said, and what to do next.

import { describe, expect, it } from "vitest";
import { commandsBelow, Mistake } from "../src/command-line.js";
import { commandPath } from "../src/config/setting-options.js";
import { SETTINGS, type Setting } from "../src/config/settings.js";
import { createProgram } from "../src/main.js";
import { describeMistake } from "../src/mistakes.js";
import { overview } from "../src/overview.js";

async function mistakeOf(line: string): Promise<string> {
  try {
    await createProgram().parseAsync(line.split(" "), { from: "user" });
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const { message, hint, exitCode } = describeMistake(error);
    expect(exitCode).toBe(1);
    return `${message} | ${hint}`;
  }
  return "";
}

describe("mistakes say what to do next", () => {
  it.each([
    ["chekc", "There is no command chekc. | did you mean `stoa check`?"],
    ["migrate", "There is no command migrate. | it is `stoa db migrate`"],
    ["migrat", "There is no command migrat. | did you mean migrate? It is `stoa db migrate`"],
    ["db psuh", "There is no command db psuh. | did you mean `stoa db push`?"],
    ["db check", "There is no command db check. | it is `stoa check`"],
    ["openapi", "There is no command openapi. | it is `stoa generate openapi`"],
    ["lint", "There is no command lint. | it is `stoa check`"],
    ["seed", "There is no command seed. | it is `stoa db populate`"],
    ["frobnicate", "There is no command frobnicate. | `stoa --help` shows what there is"],
    ["db frobnicate", "There is no command db frobnicate. | `stoa db --help` shows what there is"],
    ["./shop", "There is no command ./shop. | a folder or file comes after the command: `stoa check ./shop`"],
    ["check --jsno", "`stoa check` has no option --jsno. | did you mean --json?"],
    ["start --trust-proxi", "`stoa start` has no option --trust-proxi. | did you mean --trust-proxy?"],
    ["start --no-dosc", "`stoa start` has no option --no-dosc. | did you mean --no-docs?"],
    ["check -j", "`stoa check` has no option -j. | did you mean --json?"],
    ["check -x", "`stoa check` has no option -x. | `stoa check --help` shows what there is"],
    ["check --port 3", "`stoa check` has no option --port. | it is an option of `stoa dev`"],
    ["check --xyzzy", "`stoa check` has no option --xyzzy. | `stoa check --help` shows what there is"],
    ["--frobnicate", "`stoa` has no option --frobnicate. | `stoa --help` shows what there is"],
    ["start --port", "The option --port <number> needs a value. | for example: stoa start shop --port 8080"],
    ["start --host", "The option --host <address> needs a value. | write --host <address>"],
    [
      "start --log-level inof",
      '--log-level <level>: "inof" is not possible. | did you mean info? It is one of error, warn, info, debug, silent',
    ],
    [
      "db populate",
      "`stoa db populate` needs the option -p, --populator <name>. | for example: stoa db populate -p Dev",
    ],
    [
      "db migrate",
      "`stoa db migrate` needs the option --name <text>. | for example: stoa db migrate --name init",
    ],
    ["diff", "`stoa diff` needs to know which version to compare with. | for example: stoa diff main"],
    [
      "completions",
      "`stoa completions` needs to know the shell. | for example: stoa completions bash >> ~/.bashrc",
    ],
    ["completions bahs", 'shell: "bahs" is not possible. | did you mean bash? It is one of bash, zsh, fish'],
    ["check a b", "`stoa check` can do nothing with b. | it is called so: stoa check [options] [dir]"],
  ])("stoa %s", async (line, expected) => {
    expect(await mistakeOf(line)).toBe(expected);
  });
});

describe("help", () => {
  it("every command has a summary, and an example of itself", () => {
    for (const command of commandsBelow(createProgram())) {
      let help = "";
      command.configureOutput({
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      expect([commandPath(command), command.summary()]).not.toContain("");
      expect(help).toContain(`stoa ${commandPath(command)}`);
      expect(help).toContain("$ ");
    }
  });

  it("every command has the flags that the table of settings has for it", () => {
    const commands = commandsBelow(createProgram());
    for (const { flags = [] } of SETTINGS as readonly Setting[]) {
      for (const { flags: text, commands: names } of flags) {
        for (const command of commands.filter((each) => names.includes(commandPath(each)))) {
          expect(command.options.map((option) => option.flags)).toContain(text);
        }
      }
    }
  });

  it("the overview has every command once", () => {
    const program = createProgram();
    const lines = overview(program).split("\n");
    for (const command of commandsBelow(program)) {
      const found = lines.filter((line) => line.startsWith(`  ${commandPath(command)} `));
      expect([commandPath(command), found.length]).toEqual([commandPath(command), 1]);
    }
  });
});
