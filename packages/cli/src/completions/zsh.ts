// The script for zsh, to be sourced or put into a folder of the fpath.

import type { CompletedCommand, CompletedOption, Value, Word } from "./outline.js";
import { LIST_POPULATORS } from "./populators.js";

export function zshScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  return `#compdef stoa
# Completions of stoa for zsh. Made by \`stoa completions zsh\`; do not edit.
_stoa() {
  local at="" cur="$words[CURRENT]" prev="$words[CURRENT-1]"
  local -a list
  integer i
  if [[ "$cur" == --*=* ]]; then
    prev="\${cur%%=*}"
    compset -P '*='
  fi
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/$words[i]" in
      (${paths.join("|")}) at="$at/$words[i]" ;;
    esac
  done
  case "$at $prev" in
${commands.flatMap(valueCases).join("\n")}
  esac
  if [[ "$cur" == -* ]]; then
    case "$at" in
${commands.map(({ path, options }) => `      ("${path}") ${describe("option", options.flatMap(optionWords), "-o ")} ;;`).join("\n")}
    esac
    return
  fi
  case "$at" in
${commands.map((command) => `    ("${command.path}") ${wordsOf(command)} ;;`).join("\n")}
  esac
}
if [[ "$funcstack[1]" == _stoa ]]; then _stoa "$@"; else compdef _stoa stoa; fi
`;
}

function valueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === null) return [];
    const patterns = flags.map((flag) => `"${path} ${flag}"`).join("|");
    return [`    (${patterns}) ${completeValue(value)}; return ;;`];
  });
}

function optionWords({ flags, about }: CompletedOption): Word[] {
  return flags.map((name) => ({ name, about }));
}

function wordsOf({ commands, argument }: CompletedCommand): string {
  if (commands.length > 0) return describe("command", commands);
  return argument === null ? ":" : completeValue(argument);
}

function describe(what: string, list: readonly Word[], flags = ""): string {
  const items = list.map(({ name, about }) => quote(`${name.replaceAll(":", "\\:")}:${about}`));
  return `list=(${items.join(" ")}); _describe ${flags}${what} list`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function completeValue(value: Value): string {
  switch (value.kind) {
    case "words":
      return `compadd -- ${value.words.map(quote).join(" ")}`;
    case "project":
      return "_files -g '*.stoa(-.)'";
    case "folder":
      return "_files -/";
    case "file":
      return "_files";
    case "populator":
      return `compadd -- \${(f)"$(setopt localoptions nullglob; ${LIST_POPULATORS})"}`;
    case "any":
      return ":";
  }
}
