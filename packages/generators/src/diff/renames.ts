// What was called something else before: `was` of models and members, as far as the old definition knows the old name.

import type { Definition, Member } from "@stoa/definition";

export class Renames {
  readonly #models = new Map<string, string>();
  /** By the new names: `Author.name`. */
  readonly #members = new Map<string, string>();

  constructor(before: Definition, after: Definition) {
    for (const { name, was, members } of after.models) {
      const isKnown = (each: string) => before.models.some((model) => model.name === each);
      // A `was` that has done its work may stay where it is.
      if (was !== null && isKnown(was) && !isKnown(name)) this.#models.set(name, was);
      const old = before.models.find((model) => model.name === this.modelBefore(name));
      for (const [to, from] of old ? renamedMembers(old.members, members) : [])
        this.#members.set(`${name}.${to}`, from);
    }
  }

  modelBefore(name: string): string {
    return this.#models.get(name) ?? name;
  }

  memberBefore(model: string, name: string): string {
    return this.#members.get(`${model}.${name}`) ?? name;
  }
}

function renamedMembers(before: readonly Member[], after: readonly Member[]): [string, string][] {
  const known = new Set(before.map(({ name }) => name));
  return after.flatMap((member): [string, string][] => {
    if (member.kind !== "field" && member.kind !== "reference") return [];
    const { name, was } = member;
    if (was === null || !known.has(was) || known.has(name)) return [];
    const old = before.find((each) => each.name === was);
    const isReference = member.kind === "reference" && old?.kind === "reference";
    return [[name, was], ...(isReference ? [[member.key, old.key] as [string, string]] : [])];
  });
}
