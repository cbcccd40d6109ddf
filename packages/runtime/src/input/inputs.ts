// The inputs of a request, once they are known to be valid.

import type { RequestSource, Value } from "@stoa/definition";

export interface Input {
  /** Whether the request brought it. */
  readonly given: boolean;
  /**
   * Where the value comes from. `later`: the default mentions records, so whoever has them works it out; `nothing`:
   * neither given nor by default.
   */
  readonly from: InputOrigin;
  /** Null as well where there is none. */
  readonly value: Value;
}

export type InputOrigin = "request" | "default" | "later" | "nothing";

/** A field of the request, as a place among the inputs. */
export interface Slot {
  readonly index: number;
  readonly path: readonly string[];
  readonly source: RequestSource;
}

export interface Inputs {
  readonly kind: "inputs";
  /** By the path of the request field: `["note", "text"]`. Throws for paths that the schema does not have. */
  get(path: readonly string[]): Input;
  /** The same by the index of its slot, for those who look it up beforehand. */
  at(index: number): Input;
  all(): readonly { readonly slot: Slot; readonly input: Input }[];
  /** Values of the extra inputs by name, as the scope of expressions takes them; those `later` are missing. */
  extras(): ReadonlyMap<string, Value>;
}

/** The slots of a schema, found by path. */
export class SlotTable {
  readonly slots: readonly Slot[];
  readonly #byPath: ReadonlyMap<string, Slot>;

  constructor(slots: readonly Slot[]) {
    this.slots = slots;
    this.#byPath = new Map(slots.map((slot) => [keyOf(slot.path), slot]));
  }

  find(path: readonly string[]): Slot {
    const slot = this.#byPath.get(keyOf(path));
    if (slot === undefined) throw new Error(`The request has no field \`${path.join(".")}\`.`);
    return slot;
  }
}

/** Names have no points. */
function keyOf(path: readonly string[]): string {
  return path.join(".");
}

const NOTHING: Input = { given: false, from: "nothing", value: null };

export class InputValues implements Inputs {
  readonly kind = "inputs";
  readonly #table: SlotTable;
  readonly #inputs: (Input | undefined)[];

  constructor(table: SlotTable) {
    this.#table = table;
    this.#inputs = new Array(table.slots.length);
  }

  set(index: number, from: InputOrigin, value: Value): void {
    this.#inputs[index] = { given: from === "request", from, value };
  }

  get(path: readonly string[]): Input {
    return this.at(this.#table.find(path).index);
  }

  at(index: number): Input {
    return this.#inputs[index] ?? NOTHING;
  }

  all(): { readonly slot: Slot; readonly input: Input }[] {
    return this.#table.slots.map((slot) => ({ slot, input: this.at(slot.index) }));
  }

  extras(): ReadonlyMap<string, Value> {
    const extras = new Map<string, Value>();
    for (const { slot, input } of this.all()) {
      const [name] = slot.path;
      const isThere = slot.source.kind === "extra" && input.from !== "later";
      if (isThere && name !== undefined) extras.set(name, input.value);
    }
    return extras;
  }
}
