// Rows for random programs: two of each model, whose values some other type could take as well.

import {
  type Catalog,
  type Database,
  DatabaseError,
  type Queryable,
  quoteLiteral,
  quoteName,
} from "@stoa/database";
import type { Definition, Model } from "@stoa/definition";

const ROWS = [1, 2];

/**
 * The same ids in all tables, so that references can point at anything, in rings too; the order of inserts does
 * not matter as long as nobody looks at foreign keys meanwhile. False if the keys left no room for the rows.
 */
export async function insertRows(database: Database, definition: Definition, seed: number): Promise<boolean> {
  const inserts = definition.models.flatMap((model) => ROWS.map((row) => insertOf(model, row, seed)));
  if (inserts.length === 0) return false;
  const sql = ["SET LOCAL session_replication_role = replica", ...inserts].join(";\n");
  try {
    await database.transaction((transaction) => transaction.execute(sql));
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === "unique") return false;
    throw error;
  }
}

export function insertOf({ table }: Model, row: number, seed: number): string {
  const keys = new Set([...table.uniques, table.primaryKey].flatMap(({ columns }) => columns));
  const references = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
  const enums = new Map(table.checks.map(({ columns, values }) => [columns[0], values]));
  const values = table.columns.map((column, index) => {
    const mix = (seed >> (index % 20)) + index;
    if (column.nullable && (mix + row) % 3 === 0) return "NULL";
    const number = keys.has(column.name) || references.has(column.name) ? row : 1 + (mix % ROWS.length);
    const kind =
      references.has(column.name) || column.name === "id" ? `id ${column.type.kind}` : column.type.kind;
    return sampleOf(kind, { number, mix, choices: enums.get(column.name) });
  });
  const names = table.columns.map(({ name }) => quoteName(name)).join(", ");
  return `INSERT INTO ${quoteName(table.name)} (${names}) VALUES (${values.join(", ")})`;
}

interface ValueChoice {
  readonly number: number;
  readonly mix: number;
  readonly choices: readonly string[] | undefined;
}

/** Texts that some other type can take as well, and values that come in two. */
function sampleOf(kind: string, { number, mix, choices }: ValueChoice): string {
  const uuid = `0190f3d2-0000-7000-8000-00000000000${number}`;
  const texts = [
    `${number}`,
    `b${number}`,
    `${number}.50`,
    uuid,
    `2024-02-0${number}`,
    `2024-02-0${number}T00:00:00Z`,
  ];
  switch (kind) {
    case "text":
      return quoteLiteral(
        choices ? (choices[number % choices.length] ?? "") : (texts[mix % texts.length] ?? ""),
      );
    case "bigint":
    case "id bigint":
      return String(number);
    case "numeric":
    case "double precision":
      return mix % 2 === 0 ? String(number) : `${number}.25`;
    case "boolean":
      return String(number === 1);
    case "date":
      return `'2024-02-0${number}'`;
    case "timestamptz":
      return `'2024-02-0${number}T${mix % 2 === 0 ? "00" : "12"}:00:00Z'`;
    case "jsonb":
      return quoteLiteral(mix % 2 === 0 ? String(number) : JSON.stringify({ number }));
    default:
      return `'${uuid}'`;
  }
}

/** Of all tables that are there, whatever they are called by now. */
export async function deleteRows(database: Queryable): Promise<void> {
  const tables = await tableNames(database);
  if (tables.length > 0) await database.execute(`TRUNCATE ${tables.map(quoteName).join(", ")} CASCADE`);
}

async function tableNames(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** What is stored, table by table, without columns whose values are never the same twice. */
export async function storedRows(database: Queryable, { tables }: Catalog): Promise<Record<string, unknown>> {
  const stored: Record<string, unknown> = {};
  for (const { name, columns } of tables) {
    const steady = columns.filter(
      (column) => !/now\(\)|gen_random_uuid\(\)|CURRENT/i.test(column.default ?? ""),
    );
    const list = steady.map((column) => quoteName(column.name)).join(", ");
    const rows = await database.query<{ row: string }>(
      `SELECT row_to_json(t)::text AS row FROM (SELECT ${list} FROM ${quoteName(name)}) AS t ORDER BY 1`,
    );
    stored[name] = rows.map(({ row }) => row);
  }
  return stored;
}
