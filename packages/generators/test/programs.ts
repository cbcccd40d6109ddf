// The programs that generators are tried on: the examples and the samples of the compiler.

import { readdirSync, readFileSync } from "node:fs";
import { compile, type Source } from "@stoa/compiler";
import type { Definition } from "@stoa/definition";

const ROOT = new URL("../../../", import.meta.url);
export const EXAMPLES = ["blog", "bookstore", "shop", "todo"] as const;
export const SAMPLES = ["blog", "bookstore", "comments", "everything", "keywords", "shop", "wide"] as const;

export function compileText(text: string): Definition {
  return compiled([{ name: "case.stoa", text }]);
}

export function sample(name: string): Definition {
  const file = new URL(`packages/compiler/test/samples/${name}.stoa`, ROOT);
  return compiled([{ name: `${name}.stoa`, text: readFileSync(file, "utf8") }]);
}

export function example(name: string): Definition {
  return compiled(sources(name));
}

/** The files of an example. */
export function sources(name: string): Source[] {
  const folder = new URL(`examples/${name}/`, ROOT);
  return readdirSync(folder)
    .filter((each) => /\w\.stoa$/.test(each))
    .map((each) => ({ name: each, text: readFileSync(new URL(each, folder), "utf8") }));
}

function compiled(given: readonly Source[]): Definition {
  const { definition, diagnostics } = compile(given);
  if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return definition;
}

export const PROGRAMS: readonly (readonly [name: string, definition: Definition])[] = [
  ...EXAMPLES.map((name) => [`examples/${name}`, example(name)] as const),
  ...SAMPLES.map((name) => [name, sample(name)] as const),
];
