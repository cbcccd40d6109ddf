// The script for bash, also for the old one of macOS.

import type { CompletedCommand, Value } from "./outline.js";
import { LIST_POPULATORS } from "./populators.js";

export function bashScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  return `# Completions of stoa for bash. Made by \`stoa completions bash\`; do not edit.
_stoa() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="" at="" word i
  local IFS=$'\\n'
  COMPREPLY=()
  ((COMP_CWORD > 0)) && prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  # Bash takes the = of --option=value for a word.
  if [[ "$cur" == "=" ]]; then cur=""
  elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="$at/\${COMP_WORDS[i]}"
    case "$word" in
      ${paths.join("|")}) at="$word" ;;
    esac
  done
  case "$at $prev" in
${commands.flatMap(valueCases).join("\n")}
  esac
  if [[ "$cur" == -* ]]; then
    case "$at" in
${commands.map(({ path, options }) => `      "${path}") ${words(options.flatMap(({ flags }) => flags))} ;;`).join("\n")}
    esac
    return
  fi
  case "$at" in
${commands.map((command) => `    "${command.path}") ${wordsOf(command)} ;;`).join("\n")}
  esac
}
complete -F _stoa stoa
`;
}

function valueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === null) return [];
    const patterns = flags.map((flag) => `"${path} ${flag}"`).join("|");
    return [`    ${patterns}) ${completeValue(value)}; return ;;`];
  });
}

function wordsOf({ commands, argument }: CompletedCommand): string {
  if (commands.length > 0) return words(commands.map(({ name }) => name));
  return argument === null ? ":" : completeValue(argument);
}

function words(list: readonly string[]): string {
  return `COMPREPLY=($(compgen -W $'${list.join("\\n")}' -- "$cur"))`;
}

/** compopt is not in the bash of macOS; there, folders have no slash. */
const FILENAMES = "compopt -o filenames 2>/dev/null";

function completeValue(value: Value): string {
  switch (value.kind) {
    case "words":
      return words(value.words);
    case "project":
      return `COMPREPLY=($(compgen -d -- "$cur") $(compgen -f -X '!*.stoa' -- "$cur")); ${FILENAMES}`;
    case "folder":
      return `COMPREPLY=($(compgen -d -- "$cur")); ${FILENAMES}`;
    case "file":
      return `COMPREPLY=($(compgen -f -- "$cur")); ${FILENAMES}`;
    case "populator":
      return `COMPREPLY=($(compgen -W "$(${LIST_POPULATORS})" -- "$cur"))`;
    case "any":
      return ":";
  }
}
