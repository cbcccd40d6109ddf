// Mistakes in arguments, and what to do next: the nearest name, where the name is known, an example.

import { findNearest } from "@stoa/definition";
import type { Command, Option } from "commander";
import { commandsBelow, type Mistake } from "./command-line.js";
import { commandPath } from "./config/setting-options.js";
import { Failure } from "./failure.js";

export function describeMistake({ command, code, message }: Mistake): Failure {
  const [, quoted = ""] = /'([^']*)'/.exec(message) ?? [];
  switch (code) {
    case "commander.unknownCommand":
      return unknownCommand(command, command.args[0] ?? quoted);
    case "commander.unknownOption":
      return unknownOption(command, quoted);
    case "commander.missingArgument":
      return new Failure(`${called(command)} needs to know ${inWords(quoted)}.`, {
        hint: exampleOf(command),
      });
    case "commander.missingMandatoryOptionValue":
      return new Failure(`${called(command)} needs the option ${quoted}.`, {
        hint: exampleOf(command, quoted),
      });
    case "commander.optionMissingArgument":
      return new Failure(`The option ${quoted} needs a value.`, { hint: exampleOf(command, quoted) });
    case "commander.invalidArgument":
      return invalidValue(command, message);
    case "commander.excessArguments":
      return tooMany(command);
    default:
      return new Failure(sentence(message.replace(/^error: /, "")), { hint: seeHelp(command) });
  }
}

/** An argument; for those whose name alone says little, what it is for. */
function inWords(argument: string): string {
  return argument === "old" ? "which version to compare with" : `the ${argument}`;
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return start.endsWith(".") ? start : `${start}.`;
}

/** `stoa db push`, as people write it. */
function called(command: Command): string {
  return command.parent ? `\`stoa ${commandPath(command)}\`` : "`stoa`";
}

function seeHelp(command: Command): string {
  return `${called(command).slice(0, -1)} --help\` shows what there is`;
}

// ---------------------------------------------------------------- names

/** What other tools call it. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  compile: ["build"],
  create: ["init"],
  format: ["fmt"],
  lint: ["check"],
  new: ["init"],
  openapi: ["generate openapi"],
  routes: ["explain"],
  run: ["dev", "start"],
  seed: ["db populate"],
  serve: ["dev", "start"],
  sql: ["explain"],
  swagger: ["generate openapi"],
  validate: ["check"],
  version: ["--version"],
  watch: ["dev"],
};

function unknownCommand(command: Command, name: string): Failure {
  const message = `There is no command ${command.parent ? `${commandPath(command)} ` : ""}${name}.`;
  return new Failure(message, { hint: commandHint(command, name) ?? seeHelp(command) });
}

function commandHint(command: Command, name: string): string | undefined {
  const program = rootOf(command);
  const paths = commandsBelow(program).map(commandPath);
  const lastWord = (path: string) => path.slice(path.lastIndexOf(" ") + 1);
  const beside = findNearest(
    name,
    command.commands.map((each) => each.name()),
  );
  if (beside !== null)
    return `did you mean \`stoa ${command.parent ? `${commandPath(command)} ` : ""}${beside}\`?`;
  if (/[./\\]/.test(name)) return `a folder or file comes after the command: \`stoa check ${name}\``;
  const elsewhere = findNearest(name, paths.map(lastWord));
  const path = paths.find((each) => lastWord(each) === elsewhere);
  if (path !== undefined) {
    return lastWord(path) === name
      ? `it is \`stoa ${path}\``
      : `did you mean ${elsewhere}? It is \`stoa ${path}\``;
  }
  const other = SYNONYMS[name]?.find((each) => paths.includes(each) || each.startsWith("--"));
  return other === undefined ? undefined : `it is \`stoa ${other}\``;
}

function unknownOption(command: Command, flag: string): Failure {
  const message = `${called(command)} has no option ${flag}.`;
  const near = nearestOption(flag, optionsOf(command));
  if (near !== undefined) return new Failure(message, { hint: `did you mean ${near}?` });
  const owner = commandsBelow(rootOf(command)).find((each) =>
    each.options.some((option) => option.long === flag),
  );
  const hint = owner ? `it is an option of ${called(owner)}` : seeHelp(command);
  return new Failure(message, { hint });
}

/** For a single letter: the option that begins with it. */
function nearestOption(flag: string, options: readonly Option[]): string | undefined {
  const all = options.flatMap(({ long }) => long ?? []);
  if (!flag.startsWith("--")) return all.find((long) => long.startsWith(`-${flag}`));
  return findNearest(flag, all) ?? undefined;
}

function optionsOf(command: Command): readonly Option[] {
  const { parent } = command;
  return [
    ...command.createHelp().visibleOptions(command),
    ...command.options,
    ...(parent ? optionsOf(parent) : []),
  ];
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

// ---------------------------------------------------------------- values

function invalidValue(command: Command, message: string): Failure {
  // What it has to say of an option, and of an argument.
  const ofOption = /option '([^']*)' argument '([^']*)' is invalid/.exec(message);
  const ofArgument = /value '([^']*)' is invalid for argument '([^']*)'/.exec(message);
  const [name = "", value = ""] = ofOption?.slice(1) ?? ofArgument?.slice(1).reverse() ?? [];
  const choices = /Allowed choices are (.*)\.$/.exec(message)?.[1]?.split(", ") ?? [];
  if (choices.length === 0)
    return new Failure(sentence(message.replace(/^error: /, "")), { hint: seeHelp(command) });
  const near = findNearest(value, choices);
  const all = `one of ${choices.join(", ")}`;
  return new Failure(`${name}: "${value}" is not possible.`, {
    hint: near === null ? all : `did you mean ${near}? It is ${all}`,
  });
}

function tooMany(command: Command): Failure {
  const { args, registeredArguments } = command;
  const extra = args.slice(registeredArguments.length).join(" ");
  const usage = `stoa ${commandPath(command)} ${command.usage()}`;
  return new Failure(`${called(command)} can do nothing with ${extra}.`, {
    hint: `it is called so: ${usage}`,
  });
}

/** One of the examples in the help of the command; best with this option. */
function exampleOf(command: Command, flags = ""): string {
  const examples = [...helpOf(command).matchAll(/^ +\$ (stoa .*?)(?: {3,}.*)?$/gm)].map(
    ([, line]) => line ?? "",
  );
  const names = flags.split(/[ ,]+/).filter((word) => word.startsWith("-"));
  const fitting = examples.find((line) => names.some((name) => line.split(/[ =]/).includes(name)));
  const example = names.length === 0 ? examples[0] : fitting;
  if (example !== undefined) return `for example: ${example}`;
  return flags === "" ? seeHelp(command) : `write ${flags.split(", ").at(-1)}`;
}

function helpOf(command: Command): string {
  let text = "";
  const { writeOut } = command.configureOutput();
  const take = (part: string): void => {
    text += part;
  };
  command.configureOutput({ writeOut: take }).outputHelp();
  if (writeOut) command.configureOutput({ writeOut });
  return text;
}
