// What `.env` sets for a command that does not read it: such a command goes on with a default, and people wonder.

import { Failure } from "../failure.js";
import { type DotenvFile, readDotenv, type Warning } from "./dotenv.js";
import { findVariable, type Variables } from "./environment.js";
import { SETTINGS, type Setting } from "./settings.js";

export interface UnreadOptions {
  readonly root: string;
  readonly command: string;
  readonly env: Variables;
  /** Whether nothing sets it, so that what `.env` says would count. */
  readonly isDefault: (setting: (typeof SETTINGS)[number]) => boolean;
}

export function findUnread({ root, command, env, isDefault }: UnreadOptions): readonly Warning[] {
  const files = readQuietly(root, env);
  return SETTINGS.filter((setting) => isUsed(setting, command) && isDefault(setting)).flatMap((setting) => {
    // The later file wins, and is the one to be named.
    for (const { name, variables } of [...files].reverse()) {
      const found = findVariable(setting, variables);
      if (found) return [isUnread(name, found.variable, command)];
    }
    return [];
  });
}

/** A file that cannot be read is the business of the command that reads it. */
function readQuietly(root: string, env: Variables): readonly DotenvFile[] {
  try {
    return readDotenv(root, env).files;
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** Whoever has its flag uses it. What has no flag is for serving, and connections are for every database. */
function isUsed(setting: Setting, command: string): boolean {
  const { name, flags } = setting;
  if (flags) return flags.some(({ commands }) => commands.includes(command));
  return command === "start" || (name === "database.connections" && /^(db|explain)\b/.test(command));
}

function isUnread(file: string, variable: string, command: string): Warning {
  return {
    message: `${file} sets ${variable}, which only \`stoa dev\` reads`,
    hint: `set it in the environment for other commands, e.g. \`${variable}=… stoa ${command}\``,
  };
}
