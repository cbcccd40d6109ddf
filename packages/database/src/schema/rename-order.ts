// Renames all at once, in statements that run one after the other: a name that another one still holds is made
// free first, by giving its holder a name in passing. So swaps and rings of names work too.

import type { Rename } from "./parts.js";

export interface OrderedRenames<Item extends Rename> {
  /** To be done first: from a name that another one needs to a passing one. */
  readonly parked: readonly (Rename & { readonly item: Item })[];
  readonly final: readonly (Rename & { readonly item: Item })[];
}

export function orderRenames<Item extends Rename>(items: readonly Item[]): OrderedRenames<Item> {
  const wanted = new Set(items.map(({ to }) => to));
  const parked = items
    .filter(({ from }) => wanted.has(from))
    .map((item, index) => ({ from: item.from, to: `stoa passing name ${index + 1}`, item }));
  const current = new Map(parked.map(({ from, to }) => [from, to]));
  const final = items.map((item) => ({ from: current.get(item.from) ?? item.from, to: item.to, item }));
  return { parked, final };
}
