// The script for fish.

import type { CompletedCommand, CompletedOption, Value } from "./outline.js";
import { LIST_POPULATORS } from "./populators.js";

export function fishScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  return `# Completions of stoa for fish. Made by \`stoa completions fish\`; do not edit.
function __stoa_at
    set -l at ""
    set -l words (commandline -opc)
    for word in $words[2..-1]
        switch "$at/$word"
            case ${paths.join(" ")}
                set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end
function __stoa_populators
    set -l files *.stoa
    test (count $files) -gt 0; or return
    ${LIST_POPULATORS.replace("*.stoa", "$files")}
end
complete -c stoa -e
complete -c stoa -f
${commands.flatMap(linesOf).join("\n")}
`;
}

function linesOf(command: CompletedCommand): string[] {
  const start = `complete -c stoa -n ${quote(`__stoa_at ${quote(command.path)}`)}`;
  return [
    ...command.commands.map(({ name, about }) => `${start} -a ${name} -d ${quote(about)}`),
    ...command.options.map((option) => `${start} ${optionText(option)}`),
    ...(command.argument === null ? [] : [`${start} ${completeValue(command.argument)}`]).map((line) =>
      line.trimEnd(),
    ),
  ];
}

function optionText({ flags, about, value }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  // `-x` is `-r` without files, and cannot be taken back.
  const required = value?.kind === "file" ? "-r" : "-x";
  const taken = value === null ? [] : [`${required} ${completeValue(value)}`.trimEnd()];
  return [...names, ...taken, `-d ${quote(about)}`].join(" ");
}

/** Within single quotes, fish knows \\' and \\\\ alone. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function completeValue(value: Value): string {
  switch (value.kind) {
    case "words":
      return `-a ${quote(value.words.join(" "))}`;
    case "project":
      return "-a '(__fish_complete_directories; for file in *.stoa; echo $file; end)'";
    case "folder":
      return "-a '(__fish_complete_directories)'";
    case "file":
      return "-F";
    case "populator":
      return "-a '(__stoa_populators)'";
    case "any":
      return "";
  }
}
