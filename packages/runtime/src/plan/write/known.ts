// What the aliases of a program name, from one statement to the next.

import type { Select, ValueType } from "@stoa/definition";
import type { Scope, SqlResult } from "../../sql/scope.js";
import { columnType } from "../../sql/types.js";
import { keptRecord, keptRecords, keptValue } from "./settings.js";

export type Known =
  | { readonly kind: "record"; readonly model: string; readonly isNullable: boolean }
  | { readonly kind: "records"; readonly model: string }
  | { readonly kind: "value"; readonly type: ValueType | null };

interface Entry {
  readonly known: Known;
  readonly setting: string;
  readonly shape: Select | null;
}

/** Aliases in the order of their coming; each has a setting that keeps its value. */
export class Aliases {
  readonly #entries = new Map<string, Entry>();

  /** The setting for a new alias. */
  add(alias: string, known: Known, shape: Select | null = null): string {
    const setting = `a${this.#entries.size}`;
    this.#entries.set(alias, { known, setting, shape });
    return setting;
  }

  /** A statement's scope with all aliases in it. */
  bindTo(scope: Scope): Scope {
    const aliases = new Map(scope.aliases);
    const results = new Map<string, SqlResult>(scope.results);
    for (const [alias, { known, setting }] of this.#entries) {
      if (known.kind === "record") {
        const about = { model: scope.context.model(known.model), isNullable: known.isNullable };
        aliases.set(alias, keptRecord(scope.context, about, setting));
      } else if (known.kind === "records") {
        results.set(alias, keptRecords(scope.context.model(known.model), setting));
      } else results.set(alias, keptValue(setting, known.type === null ? null : columnType(known.type)));
    }
    return { ...scope, aliases, results, shapes: this.#shapes() };
  }

  #shapes(): ReadonlyMap<string, Select> {
    const shaped = [...this.#entries].flatMap(([alias, { shape }]) =>
      shape === null ? [] : [[alias, shape] as const],
    );
    return new Map(shaped);
  }
}
