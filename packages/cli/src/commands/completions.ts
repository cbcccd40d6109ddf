// `stoa completions`: a script for a shell, made of the program as it is.

import type { Command } from "commander";
import { bashScript } from "../completions/bash.js";
import { fishScript } from "../completions/fish.js";
import { outlineOf } from "../completions/outline.js";
import { zshScript } from "../completions/zsh.js";
import { EXIT } from "../failure.js";
import { printRaw } from "../terminal.js";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export async function completions(
  shell: keyof typeof SCRIPTS,
  _options: object,
  { parent }: Command,
): Promise<number> {
  if (parent === null) throw new Error("A command has a program.");
  printRaw(SCRIPTS[shell](outlineOf(parent)));
  return EXIT.ok;
}
