// Something went and something of the same kind came: it may have been renamed, and then its values should stay.
// Nobody but the author knows, so it is asked, never guessed.

import type { Definition, Model } from "@stoa/definition";
import type { CatalogTable } from "../schema/catalog.js";
import { pairCatalogs, type TablePair } from "../schema/pairs.js";
import type { ModelPlacement, Placement, Renames } from "../schema/renames.js";
import type { SafeInput } from "./safe-steps.js";

/** By names in the source, and by names in the database. */
export type LookAlike =
  | {
      readonly kind: "model";
      readonly from: string;
      readonly to: string;
      readonly oldTable: string;
      readonly table: string;
    }
  | {
      readonly kind: "field" | "reference";
      readonly model: string;
      readonly from: string;
      readonly to: string;
      readonly table: string;
      readonly oldColumn: string;
      readonly column: string;
    };

export interface LookAlikeInput extends SafeInput {
  readonly definition: Definition;
  readonly placement: Placement;
}

/** The first of them: an answer to one may settle others. */
export function findLookAlikes(input: LookAlikeInput): LookAlike[] {
  const { pairs, created, dropped } = pairCatalogs(input.from, input.to, input.renames);
  const free = [...created];
  const tables = dropped.flatMap((old) => {
    const index = free.findIndex((table) => isSimilar(old, table));
    const [table] = index < 0 ? [] : free.splice(index, 1);
    return table ? [tableLookAlike(old, table, input)] : [];
  });
  return [...tables, ...pairs.flatMap((pair) => columnLookAlikes(pair, input))];
}

const SYSTEM_COLUMNS = new Set(["id", "created_at", "updated_at"]);

/** More than half of the columns are the same. A table with nothing but an id is like any other. */
function isSimilar(a: CatalogTable, b: CatalogTable): boolean {
  const keys = ({ columns }: CatalogTable) =>
    columns.filter(({ name }) => !SYSTEM_COLUMNS.has(name)).map(({ name, type }) => `${name} ${type}`);
  const [left, right] = [keys(a), new Set(keys(b))];
  const shared = left.filter((key) => right.has(key)).length;
  return shared * 2 > Math.max(left.length, right.size) || left.length + right.size === 0;
}

function tableLookAlike(old: CatalogTable, table: CatalogTable, input: LookAlikeInput): LookAlike {
  const { definition, placement } = input;
  const from = Object.entries(placement.models).find(([, model]) => model.table === old.name)?.[0];
  const to = modelOf(definition, table.name)?.name;
  const names = { oldTable: old.name, table: table.name };
  return { kind: "model", from: from ?? old.name, to: to ?? table.name, ...names };
}

function modelOf({ models }: Definition, table: string): Model | undefined {
  return models.find((model) => model.table.name === table);
}

function columnLookAlikes(pair: TablePair, { definition, placement }: LookAlikeInput): LookAlike[] {
  const model = modelOf(definition, pair.to.name);
  const placed = Object.values(placement.models).find(({ table }) => table === pair.from.name);
  if (!model || !placed) return [];
  const free = pair.added.map((column) => ({ column, member: memberOf(model, column.name) }));
  return pair.dropped.flatMap((old): LookAlike[] => {
    const was = placedMember(placed, old.name);
    const index = free.findIndex(
      ({ column, member }) => column.type === old.type && member !== undefined && member.kind === was?.kind,
    );
    const [found] = index < 0 ? [] : free.splice(index, 1);
    if (!found?.member || !was) return [];
    const names = { table: pair.to.name, oldColumn: old.name, column: found.column.name };
    return [{ kind: was.kind, model: model.name, from: was.name, to: found.member.name, ...names }];
  });
}

interface MemberName {
  readonly kind: "field" | "reference";
  readonly name: string;
}

/** Timestamps come and go as a pair, and are never what another field was. */
function memberOf({ members }: Model, column: string): MemberName | undefined {
  for (const member of members) {
    if (member.kind === "reference" && member.column === column) return member;
    if (member.kind === "field" && member.column === column) return member.maintained ? undefined : member;
  }
  return undefined;
}

function placedMember({ columns }: ModelPlacement, column: string): MemberName | undefined {
  const key = Object.entries(columns).find(([, name]) => name === column)?.[0];
  const [, kind, name] = /^(field|reference) (.*)$/.exec(key ?? "") ?? [];
  if (SYSTEM_COLUMNS.has(column) || name === undefined) return undefined;
  return { kind: kind === "reference" ? "reference" : "field", name };
}

/** As if `was` had been written. */
export function withRenamed(renames: Renames, item: LookAlike): Renames {
  if (item.kind === "model") {
    return { ...renames, tables: new Map([...renames.tables, [item.table, item.oldTable]]) };
  }
  const own = new Map([...(renames.columns.get(item.table) ?? []), [item.column, item.oldColumn] as const]);
  return { ...renames, columns: new Map([...renames.columns, [item.table, own]]) };
}
