// Where the hooks of a select stand in its JSON.

import type { Select } from "@stoa/definition";
import type { HookSlot } from "./plan.js";

export function hookSlots({ items, model }: Select, path: readonly string[] = []): HookSlot[] {
  return items.flatMap((item): HookSlot[] => {
    const here = [...path, item.name];
    if (item.kind === "hook") return [{ path: here, model, hook: item.hook }];
    if (item.kind === "value") return [];
    return hookSlots(item.select, item.many ? [...here, "*"] : here);
  });
}
