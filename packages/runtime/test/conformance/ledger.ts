// All rows of all tables: put back before each case, and compared after it.

import { type Database, quoteLiteral, quoteName } from "@stoa/database";
import type { Definition, Model } from "@stoa/definition";
import type { Setup } from "./notation.js";
import { fillings } from "./site.js";

export interface Ledger {
  /** The rows of the file, and ids that count from where those of the table begin. */
  reset(): Promise<void>;
  /** What is different since then. */
  changes(): Promise<readonly string[]>;
}

type Row = Readonly<Record<string, unknown>>;
type Tables = ReadonlyMap<string, readonly Row[]>;

export async function openLedger(
  database: Database,
  { models }: Definition,
  setup: readonly Setup[],
): Promise<Ledger> {
  const restart = models.flatMap(restartOf);
  const resetting = [deleteAll(models), ...fillings(setup), ...restart].join(";\n");
  const before = await readTables(database, models);
  return {
    reset: async () => {
      await database.execute(resetting);
    },
    changes: async () => differences(before, await readTables(database, models)),
  };
}

/** In one statement, after which all references are looked at. */
function deleteAll(models: readonly Model[]): string {
  const deletes = models.map(({ table }, index) => `d${index} as (delete from ${tableName(table.name)})`);
  return `with ${deletes.join(", ")} select`;
}

function tableName(name: string): string {
  return `public.${quoteName(name)}`;
}

const IDS_PER_TABLE = 1000;

function restartOf({ table }: Model, index: number): string[] {
  const id = table.columns.find(({ generated }) => generated === "identity");
  if (id === undefined) return [];
  const sequence = `pg_get_serial_sequence(${quoteLiteral(tableName(table.name))}, ${quoteLiteral(id.name)})`;
  return [`select setval(${sequence}, ${(index + 1) * IDS_PER_TABLE + 1}, false)`];
}

async function readTables(database: Database, models: readonly Model[]): Promise<Tables> {
  const selects = models.map(({ table }) => {
    const [id = ""] = table.primaryKey.columns;
    const rows = `select json_agg(row_to_json(t) order by ${quoteName(id)}) from ${tableName(table.name)} t`;
    return `select ${quoteLiteral(table.name)} as name, coalesce((${rows}), '[]')::text as rows`;
  });
  const found = await database.query(selects.join(" union all "), []);
  return new Map(found.map(({ name, rows }) => [String(name), JSON.parse(exact(String(rows)))]));
}

/** Decimals as texts, since JavaScript would round them. */
function exact(json: string): string {
  return json.replaceAll(/(":)(-?\d+\.\d+|-?\d{17,})(?=[,}])/g, '$1"$2"');
}

function differences(before: Tables, after: Tables): string[] {
  return [...after].flatMap(([table, rows]) => {
    const old = new Map((before.get(table) ?? []).map((row) => [idOf(row), row]));
    const now = new Map(rows.map((row) => [idOf(row), row]));
    const gone = [...old]
      .filter(([id]) => !now.has(id))
      .map(([, row]) => `- ${table} ${JSON.stringify(row)}`);
    const kept = rows.flatMap((row) => difference(table, old.get(idOf(row)), row));
    return [...gone, ...kept];
  });
}

function idOf(row: Row): unknown {
  return Object.values(row)[0];
}

function difference(table: string, old: Row | undefined, row: Row): string[] {
  if (old === undefined) return [`+ ${table} ${JSON.stringify(row)}`];
  const changed = Object.entries(row).filter(
    ([name, value], index) => index === 0 || JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return changed.length === 1 ? [] : [`~ ${table} ${JSON.stringify(Object.fromEntries(changed))}`];
}
