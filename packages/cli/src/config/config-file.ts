// `stoa.config.ts`, `.js`, `.mjs` or `.json`: found, loaded, and given as plain data.

import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LineIndex } from "@stoa/compiler";
import { EXIT, Failure } from "../failure.js";
import type { ConfigContext } from "./config-module.js";
import { show } from "./value.js";

export const CONFIG_FILES = [
  "stoa.config.ts",
  "stoa.config.mts",
  "stoa.config.js",
  "stoa.config.mjs",
  "stoa.config.cjs",
  "stoa.config.json",
] as const;

export interface ConfigFile {
  readonly name: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** All files that it is made of, for whoever watches them. */
  readonly inputs: readonly string[];
}

export async function readConfigFile(root: string, context: ConfigContext): Promise<ConfigFile | undefined> {
  const name = findConfigFile(root);
  if (name === undefined) return undefined;
  const path = join(root, name);
  if (name.endsWith(".json"))
    return { name, content: requireObject(readJson(path, name), name), inputs: [path] };
  const { loadConfigModule } = await import("./config-module.js");
  const { exported, inputs } = await loadConfigModule(root, name, context);
  return { name, content: requireObject(exported, name), inputs };
}

/** There is one at most: which of two would win is nothing to remember. */
export function findConfigFile(root: string): string | undefined {
  // A link that leads nowhere is one, too: it would be missed in silence.
  const found = CONFIG_FILES.filter(
    (name) => lstatSync(join(root, name), { throwIfNoEntry: false })?.isDirectory() === false,
  );
  if (found.length <= 1) return found[0];
  throw new Failure(`There are several config files: ${found.join(", ")}.`, {
    hint: "keep one of them",
  });
}

function readJson(path: string, name: string): unknown {
  const text = readText(path, name).replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new Failure(`${name}:${placeIn(text, message)}: it is not JSON: ${reasonOf(message)}.`, {
      hint: "mend it; comments and trailing commas are not allowed in JSON, but they are in stoa.config.ts",
    });
  }
}

export function readText(path: string, name: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Failure(`${name} cannot be read: ${(error as Error).message}.`, {
      hint: "mend the file or its permissions, then run the command again",
      exitCode: EXIT.environment,
    });
  }
}

/** What Node says ends with the place, in one way or another. Without a place, it is the end that is missing. */
function placeIn(text: string, message: string): string {
  const offset = Number(/ at position (\d+)/.exec(message)?.[1] ?? text.length);
  const { line, column } = new LineIndex(text).position(offset);
  return `${line}:${column}`;
}

function reasonOf(message: string): string {
  const [reason = ""] = message.split(/ in JSON at position | at position |, "|, \.\.\."/);
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}

function requireObject(content: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof content === "object" && content !== null && !Array.isArray(content)) {
    return content as Readonly<Record<string, unknown>>;
  }
  throw new Failure(`${name} must give an object with settings, not ${show(content)}.`, {
    hint: name.endsWith(".json") ? 'write { "port": 8080 }' : "write export default { port: 8080 }",
  });
}
