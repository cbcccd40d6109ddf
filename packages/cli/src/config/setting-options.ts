// Settings as flags of commands, and in their help.

import { type Command, Option } from "commander";
import { SETTINGS, type Setting, variablesOf } from "./settings.js";

/** Every command gets the flags that the table of settings has for it; `stoa config` gets all of them. */
export function addSettingOptions(program: Command): void {
  for (const command of program.commands) {
    addSettingOptions(command);
    const name = commandPath(command);
    for (const setting of SETTINGS as readonly Setting[]) {
      for (const { flags, commands } of setting.flags ?? []) {
        if (name === "config" || commands.includes(name)) addOption(command, setting, flags);
      }
    }
  }
}

/** `db push`: what people write after `stoa`. */
export function commandPath(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}

function addOption(command: Command, setting: Setting, flags: string): void {
  const option = new Option(flags, describe(setting));
  if (command.options.some(({ long }) => long === option.long)) return;
  if (setting.type.kind === "choice") option.choices(setting.type.values);
  // `stoa config` lists settings by their names; their flags would say the same once more.
  if (command.name() === "config") option.hideHelp();
  command.addOption(option);
  if (setting.type.kind === "boolean") {
    command.addOption(new Option(flags.replace("--", "--no-"), `not so, whatever is configured`).hideHelp());
  }
}

/** Where a value comes from that no flag gives. */
function describe(setting: Setting): string {
  const { about, variable, default: standard, otherwise = String(standard) } = setting;
  return `${about} (default: ${variable === undefined ? "" : `${variable}, else `}${otherwise})`;
}

/** All settings, for the help of `stoa config`. */
export function describeSettings(): string {
  const lines = (SETTINGS as readonly Setting[]).map((setting) => {
    const { name, about, default: standard, otherwise = String(standard) } = setting;
    return [
      `  ${name}  (${variablesOf(setting).join(" or ")}; default: ${otherwise})`,
      `      ${about}`,
    ].join("\n");
  });
  return `Settings:\n${lines.join("\n")}`;
}
