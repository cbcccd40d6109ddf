// What enums are called: as the program says, unless that means something else to those who read the texts.

import type { Definition } from "@stoa/definition";
import { NameList, pascalCase } from "./names.js";
import { RESERVED } from "./reserved.js";

const known = new WeakMap<Definition, ReadonlyMap<string, string>>();

/** By the names of the program. */
export function enumNames(definition: Definition): ReadonlyMap<string, string> {
  const names = known.get(definition) ?? nameEnums(definition);
  known.set(definition, names);
  return names;
}

function nameEnums({ enums }: Definition): ReadonlyMap<string, string> {
  const list = new NameList(RESERVED);
  return new Map(enums.map(({ name }) => [name, list.take(pascalCase(name))]));
}
