// The commands by purpose: what `stoa` shows by itself, and in its help.

import type { Command } from "commander";
import { commandsBelow } from "./command-line.js";
import { commandPath } from "./config/setting-options.js";
import { paletteFor } from "./terminal.js";
import { version } from "./version.js";

/** Commands that are in none of them are under the last. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["Write", ["init", "dev", "check", "fmt", "lsp"]],
  ["Run", ["build", "start", "config"]],
  ["Database", ["db"]],
  ["Look closer", ["explain", "diff"]],
  ["For clients", ["generate"]],
  ["More", []],
];

const FIRST: readonly (readonly [command: string, line: string, about: string])[] = [
  ["init", "stoa init shop", "a new project that runs"],
  ["dev", "stoa dev", "serve this folder while you write"],
  ["check", "stoa check", "is everything right in this folder?"],
  ["build", "stoa build && stoa start", "serve it as in production"],
];

/** Puts every command into its group. Whatever is new is at least under `More`. */
export function groupCommands(program: Command): void {
  for (const command of program.commands) command.helpGroup(`${groupOf(command.name())}:`);
}

function groupOf(name: string): string {
  return GROUPS.find(([, names]) => names.includes(name))?.[0] ?? "More";
}

/** Short, for somebody who has just typed `stoa`. */
export function overview(program: Command): string {
  const palette = paletteFor(process.stdout);
  const all = commandsBelow(program);
  const width = Math.max(...all.map((command) => commandPath(command).length));
  const groups = GROUPS.flatMap(([title]) => {
    const commands = all.filter((command) => groupOf(commandPath(command).split(" ")[0] ?? "") === title);
    const lines = commands.map((command) => `  ${commandPath(command).padEnd(width)}  ${command.summary()}`);
    return lines.length === 0 ? [] : [palette.strong(title), ...lines, ""];
  });
  const first = FIRST.filter(([name]) => program.commands.some((command) => command.name() === name));
  const lineWidth = Math.max(...first.map(([, line]) => line.length));
  return [
    `${palette.strong(`stoa ${version}`)} ${palette.faint("· describe models and an api, get a REST application on PostgreSQL")}`,
    "",
    ...groups,
    palette.strong("Try first"),
    ...first.map(
      ([, line, about]) => `  ${palette.note("$")} ${line.padEnd(lineWidth)}  ${palette.faint(about)}`,
    ),
    "",
    "`stoa <command> --help` explains a command, with examples.",
  ].join("\n");
}
