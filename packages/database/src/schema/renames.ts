// What became what: which live table and column stand for which model and member. A record of the last push
// knows where every member lived, so a changed `dbname` is a rename too; without a record there is `was`.
//
// The strongest claim goes first: (1) the member lived there at the last push, (2) the member it was did,
// (3) something of the wanted name exists, (4) something exists that has the old name by the naming rule.

import type { Definition, Model } from "@stoa/definition";
import type { Catalog, CatalogTable } from "./catalog.js";

/** From new names to old ones; only what differs. Columns are listed under the new name of their table. */
export interface Renames {
  readonly tables: ReadonlyMap<string, string>;
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export const NO_RENAMES: Renames = { tables: new Map(), columns: new Map() };

/** The old name of a new one: by the renames, otherwise the same, unless that was renamed away. */
export function oldNames(
  renames: ReadonlyMap<string, string> = new Map(),
): (name: string) => string | undefined {
  const away = new Set(renames.values());
  return (name) => renames.get(name) ?? (away.has(name) ? undefined : name);
}

/** Where models and members live: names of models, and in each, kind and name of the member, to names. */
export interface Placement {
  readonly models: Readonly<Record<string, ModelPlacement>>;
}

export interface ModelPlacement {
  readonly table: string;
  /** Keys are `field title` or `reference author`: a reference is not the field that had its name. */
  readonly columns: Readonly<Record<string, string>>;
}

export function placementOf(definition: Definition): Placement {
  const models = definition.models.map((model) => {
    const columns = storedMembers(model).map(({ key, column }) => [key, column] as const);
    return [model.name, { table: model.table.name, columns: Object.fromEntries(columns) }] as const;
  });
  return { models: Object.fromEntries(models) };
}

interface StoredMember {
  readonly key: string;
  readonly column: string;
  readonly wasKeys: readonly string[];
  readonly wasColumn: string | null;
}

function storedMembers(model: Model): StoredMember[] {
  const wasColumns = new Map(model.table.columns.map((column) => [column.name, column.was]));
  return model.members.flatMap((member) => {
    if (member.kind !== "field" && member.kind !== "reference") return [];
    const other = member.kind === "field" ? "reference" : "field";
    const wasKeys = member.was === null ? [] : [`${member.kind} ${member.was}`, `${other} ${member.was}`];
    const wasColumn = wasColumns.get(member.column) ?? null;
    return [{ key: `${member.kind} ${member.name}`, column: member.column, wasKeys, wasColumn }];
  });
}

export function findRenames(definition: Definition, live: Catalog, placement: Placement): Renames {
  const sources = claim(
    new Set(live.tables.map((table) => table.name)),
    definition.models.map((model) => tableWish(model, live, placement)),
  );
  const tables = new Map(live.tables.map((table) => [table.name, table]));
  // Columns are looked up where their table was, whatever its model was called then.
  const placed = new Map(Object.values(placement.models).map((model) => [model.table, model]));
  const columns = definition.models.flatMap((model) => {
    const table = tables.get(sources.get(model.table.name) ?? "");
    if (!table) return [];
    const renamed = onlyRenamed(findColumns(model, table, placed.get(table.name)));
    return renamed.size === 0 ? [] : [[model.table.name, renamed] as const];
  });
  return { tables: onlyRenamed(sources), columns: new Map(columns) };
}

/** Wishes for what a name was before, the strongest first. */
interface Wish {
  readonly name: string;
  readonly candidates: readonly (string | undefined)[];
}

function tableWish({ name, was, table }: Model, live: Catalog, { models }: Placement): Wish {
  const before = was === null ? undefined : models[was]?.table;
  const likely = was === null ? undefined : live.tables.find((other) => isNamedAfter(other.name, was))?.name;
  return { name: table.name, candidates: [models[name]?.table, before, table.name, likely] };
}

/** `blog_post` and `BlogPost`: the naming rule only puts underscores and lower case. */
function isNamedAfter(table: string, model: string): boolean {
  const plain = (name: string) => name.replaceAll("_", "").toLowerCase();
  return plain(table) === plain(model);
}

function findColumns(
  model: Model,
  table: CatalogTable,
  placed: ModelPlacement | undefined,
): Map<string, string> {
  const before = placed?.columns ?? {};
  const wishes = storedMembers(model).map(({ key, column, wasKeys, wasColumn }): Wish => {
    const was = wasKeys.map((wasKey) => before[wasKey]).find((name) => name !== undefined);
    return { name: column, candidates: [before[key], was, column, wasColumn ?? undefined] };
  });
  const id: Wish = { name: "id", candidates: ["id"] };
  return claim(new Set(table.columns.map((column) => column.name)), [id, ...wishes]);
}

/** Gives every name what it was before, where that exists and nobody has a stronger claim. */
function claim(existing: ReadonlySet<string>, wishes: readonly Wish[]): Map<string, string> {
  const sources = new Map<string, string>();
  const taken = new Set<string>();
  for (const rank of [0, 1, 2, 3]) {
    for (const { name, candidates } of wishes) {
      const candidate = candidates[rank];
      if (candidate === undefined || sources.has(name)) continue;
      if (!existing.has(candidate) || taken.has(candidate)) continue;
      sources.set(name, candidate);
      taken.add(candidate);
    }
  }
  return sources;
}

function onlyRenamed(sources: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...sources].filter(([name, source]) => name !== source));
}
