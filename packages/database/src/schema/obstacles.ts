// Looks for rows that are in the way of a plan, before anything is changed. Each requirement of a step is one
// query over the tables as they are now; none of them fails, whatever the rows hold.

import type { Definition } from "@stoa/definition";
import type { Queryable } from "../connection/database.js";
import { type Catalog, findTable } from "./catalog.js";
import { fieldsByColumn } from "./desired.js";
import type { InTheWay, Obstacle, RowInTheWay } from "./messages.js";
import * as say from "./messages.js";
import { qualifyName, quoteLiteral, quoteName } from "./quote.js";
import type { Requirement, TableNames, ValueSql } from "./step.js";

export interface ObstacleContext {
  readonly transaction: Queryable;
  readonly schema: string;
  readonly definition: Definition;
  /** What Stoa manages of the live database. */
  readonly managed: Catalog;
}

type Needs<Kind extends Requirement["kind"]> = Extract<Requirement, { readonly kind: Kind }>;

/** How many of the rows in the way are shown. */
const SHOWN = 5;
const SHOWN_CHARACTERS = 60;

export async function findObstacles(
  context: ObstacleContext,
  requirements: readonly Requirement[],
): Promise<Obstacle[]> {
  const obstacles: Obstacle[] = [];
  for (const requirement of requirements) {
    const obstacle = await findObstacle(context, requirement);
    if (obstacle) obstacles.push(obstacle);
  }
  return obstacles;
}

function findObstacle(context: ObstacleContext, requirement: Requirement): Promise<Obstacle | undefined> {
  switch (requirement.kind) {
    case "no-rows":
      return findAnyRows(context, requirement);
    case "no-nulls":
      return findNulls(context, requirement);
    case "castable":
      return findUncastable(context, requirement);
    case "unique":
      return findDuplicates(context, requirement);
    case "references":
      return findOrphans(context, requirement);
    case "values":
      return findOtherValues(context, requirement);
    case "no-dependents":
      return findDependents(context, requirement);
  }
}

async function findAnyRows(context: ObstacleContext, { table, column }: Needs<"no-rows">) {
  const found = await findRows(context, { table, column: { name: column, sql: "NULL" }, condition: "true" });
  if (!found) return undefined;
  const field = fieldOf(context, table, column);
  return say.tableNotEmpty(found, field ? (field.default ? "computed" : "none") : "reference");
}

async function findNulls(context: ObstacleContext, { table, column }: Needs<"no-nulls">) {
  const found = await findRows(context, { table, column, condition: "value IS NULL" });
  // In the words of now: the table and the column have their old names until the push.
  const update = `UPDATE ${quoteName(table.live)} SET ${column.sql} = … WHERE ${column.sql} IS NULL`;
  return found && say.nullsPresent(found, update);
}

async function findUncastable(
  context: ObstacleContext,
  { table, column, fits, ...types }: Needs<"castable">,
) {
  const condition = `value IS NOT NULL AND fits IS NOT TRUE`;
  const found = await findRows(context, { table, column, condition, fits });
  return found && say.notCastable(found, types);
}

async function findOtherValues(context: ObstacleContext, { table, column, values }: Needs<"values">) {
  const list = values.map((value) => `${quoteLiteral(value)}::text`).join(", ");
  const condition = `value IS NOT NULL AND NOT (value = ANY (ARRAY[${list}]::text[]))`;
  const found = await findRows(context, { table, column, condition });
  return found && say.valuesNotAllowed(found, values);
}

async function findOrphans(
  context: ObstacleContext,
  { table, column, target, targetName }: Needs<"references">,
) {
  const keys = target && `SELECT ${target.sql} AS key FROM ${qualifyName(context.schema, target.live)}`;
  const exists = keys ? `EXISTS (SELECT FROM (${keys}) AS target WHERE target.key = value)` : "false";
  const found = await findRows(context, { table, column, condition: `value IS NOT NULL AND NOT ${exists}` });
  return found && say.targetsMissing(found, targetName);
}

interface RowSearch {
  readonly table: TableNames;
  readonly column: ValueSql;
  /** Over `value` and `fits`. */
  readonly condition: string;
  readonly fits?: string;
}

/** The number of rows that meet a condition, and the first of them. */
async function findRows(context: ObstacleContext, search: RowSearch): Promise<InTheWay | undefined> {
  const { table, column, condition, fits = "true" } = search;
  const id = idSql(context, table);
  const inner = `SELECT ${id} AS id, ${column.sql} AS value, ${fits} AS fits FROM ${qualifyName(context.schema, table.live)}`;
  const rows = await context.transaction.query<{ count: string; id: string | null; value: string | null }>(
    `SELECT (count(*) OVER ())::text AS count, id::text AS id, ${shown("value")} AS value` +
      ` FROM (${inner}) AS live WHERE ${condition} ORDER BY live.id LIMIT ${SHOWN}`,
  );
  if (rows[0] === undefined) return undefined;
  const isSecret = fieldOf(context, table, column.name)?.secret ?? false;
  return {
    table: table.name,
    columns: [column.name],
    count: Number(rows[0].count),
    rows: rows.map((row) => ({
      ids: row.id === null ? [] : [row.id],
      value: isSecret ? null : quoted(row.value),
    })),
  };
}

async function findDuplicates(context: ObstacleContext, { table, columns, isNew }: Needs<"unique">) {
  const names = columns.map((_, index) => `v${index}`);
  const values = columns.map((column, index) => `${column.sql} AS v${index}`);
  const inner = `SELECT ${[`${idSql(context, table)} AS id`, ...values].join(", ")} FROM ${qualifyName(context.schema, table.live)}`;
  const known = names.map((name) => `${name} IS NOT NULL`).join(" AND ");
  const rows = await context.transaction.query<{ count: string; ids: string; values: string }>(
    `SELECT (count(*) OVER ())::text AS count, json_build_array(${names.map(shown).join(", ")})::text AS values,` +
      ` to_json((array_agg(id::text ORDER BY id) FILTER (WHERE id IS NOT NULL))[1:${SHOWN}])::text AS ids` +
      ` FROM (${inner}) AS live WHERE ${known} GROUP BY ${names.join(", ")} HAVING count(*) > 1` +
      ` ORDER BY ${names.join(", ")} LIMIT ${SHOWN}`,
  );
  if (rows[0] === undefined) return undefined;
  const isSecret = columns.some((column) => fieldOf(context, table, column.name)?.secret);
  const shownRows = rows.map((row): RowInTheWay => {
    const parts: readonly (string | null)[] = JSON.parse(row.values);
    const value = isSecret ? null : parts.map(quoted).join(", ");
    return { ids: JSON.parse(row.ids ?? "null") ?? [], value };
  });
  const found = { count: Number(rows[0].count), rows: shownRows };
  const where = { table: table.name, columns: columns.map((column) => column.name) };
  return say.duplicatesPresent({ ...where, ...found }, isNew);
}

/** Long values are cut: people need to recognise them, not to read them all. */
function shown(value: string): string {
  return `left(${value}::text, ${SHOWN_CHARACTERS + 1})`;
}

function quoted(value: string | null): string {
  const characters = [...(value ?? "null")];
  const isLong = characters.length > SHOWN_CHARACTERS;
  return JSON.stringify(characters.slice(0, SHOWN_CHARACTERS).join("") + (isLong ? "…" : ""));
}

/** Tables that Stoa did not make may have no id. */
function idSql({ managed }: ObstacleContext, table: TableNames): string {
  const hasId = findTable(managed, table.live)?.columns.some((column) => column.name === "id");
  return hasId ? quoteName("id") : "NULL::text";
}

function fieldOf({ definition }: ObstacleContext, table: TableNames, column: string) {
  const model = definition.models.find((candidate) => candidate.table.name === table.name);
  return model && fieldsByColumn(model).get(column);
}

const DEPENDENTS = `
WITH target AS (
  SELECT c.oid, a.attnum FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = $1
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = $3
  WHERE c.relname = $2)
SELECT DISTINCT 'the view ' || v.oid::regclass::text AS user, '' AS "table", '' AS constraint
FROM target t
JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = t.oid
  AND d.classid = 'pg_rewrite'::regclass AND (t.attnum IS NULL OR d.refobjsubid = t.attnum)
JOIN pg_rewrite w ON w.oid = d.objid
JOIN pg_class v ON v.oid = w.ev_class AND v.oid <> t.oid
UNION ALL
SELECT 'the foreign key ' || quote_ident(o.conname) || ' of ' || o.conrelid::regclass::text, r.relname, o.conname
FROM target t
JOIN pg_constraint o ON o.contype = 'f' AND o.confrelid = t.oid AND (t.attnum IS NULL OR t.attnum = ANY (o.confkey))
JOIN pg_class r ON r.oid = o.conrelid
ORDER BY 1`;

async function findDependents(context: ObstacleContext, { table, column }: Needs<"no-dependents">) {
  const rows = await context.transaction.query<{ user: string; table: string; constraint: string }>(
    DEPENDENTS,
    [context.schema, table.live, column],
  );
  const users = rows.filter((row) => !isManagedKey(context.managed, row)).map((row) => row.user);
  return users.length === 0 ? undefined : say.usedByOthers(table.live, column, users);
}

/** The plan itself drops the foreign keys that it knows. */
function isManagedKey(
  managed: Catalog,
  row: { readonly table: string; readonly constraint: string },
): boolean {
  return findTable(managed, row.table)?.foreignKeys.some((key) => key.name === row.constraint) ?? false;
}

/** Names that the definition needs and something else has: a view, a sequence, a type, an index. */
export function findTakenNames(
  desired: Catalog,
  managed: Catalog,
  relations: readonly Relation[],
): Obstacle[] {
  const ours = new Set(managed.tables.flatMap((table) => [...relationNames(table)]));
  const others = new Map(
    relations.filter(({ name }) => !ours.has(name)).map(({ name, kind }) => [name, kind]),
  );
  if (others.size === 0) return [];
  return desired.tables.flatMap((table) =>
    [...relationNames(table)].flatMap((name) => {
      const kind = others.get(name);
      return kind === undefined ? [] : [say.nameTaken(table.name, name, kind)];
    }),
  );
}

interface Relation {
  readonly name: string;
  readonly kind: string;
}

function* relationNames(table: Catalog["tables"][number]): Generator<string> {
  yield table.name;
  if (table.primaryKey) yield table.primaryKey.name;
  for (const part of [...table.uniques, ...table.indexes]) yield part.name;
}
