// Names as programs write them.

/** `merge with another country` and `merge-with` become `mergeWithAnotherCountry` and `mergeWith`. */
export function camelCase(text: string): string {
  const name = pascalCase(text);
  // A single word keeps the case that it is written in: `Admin`.
  return /^\p{Lu}/u.test(text) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

export function pascalCase(...parts: readonly string[]): string {
  const words = parts.flatMap((part) => part.split(/[^\p{ID_Continue}]+/u)).filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/** Names that are given once. */
export class NameList {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** The first of the wanted names that is free; else the last of them with a number. */
  take(...wanted: readonly string[]): string {
    const last = wanted.at(-1) ?? "_";
    let name = wanted.find((each) => !this.#taken.has(each));
    for (let count = 2; name === undefined; count++) {
      if (!this.#taken.has(`${last}${count}`)) name = `${last}${count}`;
    }
    this.#taken.add(name);
    return name;
  }
}
