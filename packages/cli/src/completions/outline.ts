// What shells can complete: commands, options and values, read from the program itself.

import type { Argument, Command, Option } from "commander";

export interface CompletedCommand {
  /** `/db/push`; the program itself is the empty text. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly CompletedOption[];
  /** What may stand there without a flag; null for nothing that is known. */
  readonly argument: Value | null;
}

export interface Word {
  readonly name: string;
  readonly about: string;
}

export interface CompletedOption {
  /** `-p` and `--populator`, those that there are. */
  readonly flags: readonly string[];
  readonly about: string;
  /** Null for a switch. */
  readonly value: Value | null;
}

export type Value =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** A folder, or one source. */
  | { readonly kind: "project" }
  | { readonly kind: "folder" }
  | { readonly kind: "file" }
  | { readonly kind: "populator" }
  /** Nobody but the user knows. */
  | { readonly kind: "any" };

/** The program and all commands below. */
export function outlineOf(program: Command): readonly CompletedCommand[] {
  return outlineBelow(program, "", []);
}

/** `stoa help` is about the commands beside it. */
function outlineBelow(
  command: Command,
  path: string,
  beside: readonly string[],
): readonly CompletedCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const names = commands.map((each) => each.name());
  const own: CompletedCommand = {
    path,
    commands: commands.map((each) => ({ name: each.name(), about: each.summary() || each.description() })),
    options: help.visibleOptions(command).map(optionOf),
    argument: commands.length > 0 ? null : argumentOf(command, beside),
  };
  return [own, ...commands.flatMap((each) => outlineBelow(each, `${path}/${each.name()}`, names))];
}

function optionOf(option: Option): CompletedOption {
  const flags = [option.short, option.long].filter((flag) => typeof flag === "string");
  const takesValue = option.required || option.optional;
  return { flags, about: option.description, value: takesValue ? valueKind(option) : null };
}

/** By the choices that it has, and otherwise by what its value is called. */
function valueKind({ argChoices, flags, long }: Option): Value {
  if (argChoices) return { kind: "words", words: argChoices };
  if (long === "--populator") return { kind: "populator" };
  if (flags.includes("<folder>")) return { kind: "folder" };
  return flags.includes("<file>") ? { kind: "file" } : { kind: "any" };
}

function argumentOf(command: Command, beside: readonly string[]): Value | null {
  const [argument] = command.registeredArguments;
  if (argument === undefined) return null;
  if (argument.argChoices) return { kind: "words", words: argument.argChoices };
  if (command.name() !== "help") return placeOf(argument);
  return { kind: "words", words: beside.filter((name) => name !== "help") };
}

function placeOf(argument: Argument): Value {
  switch (argument.name()) {
    case "dir":
    case "words":
      return { kind: "project" };
    default:
      return { kind: "file" };
  }
}
