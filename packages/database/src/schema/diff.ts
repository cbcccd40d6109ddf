// Two catalogs → the steps from one to the other, in an order in which each can be done: what holds on to
// something goes before it, what refers to something comes after it. Pure; nothing here knows of rows. Each
// step says what it needs of them.

import { type Catalog, isSameCatalog } from "./catalog.js";
import { changeColumns, dropColumns } from "./column-steps.js";
import {
  addConstraints,
  addForeignKeyLater,
  addForeignKeys,
  addPrimaryKeys,
  dropConstraints,
  dropForeignKeys,
} from "./constraint-steps.js";
import { pairCatalogs } from "./pairs.js";
import { compareParts } from "./parts.js";
import type { Renames } from "./renames.js";
import type { Step } from "./step.js";
import { createTables, dropTables, renameColumns, renameConstraints, renameTables } from "./table-steps.js";

export interface DiffOptions {
  /** The schema that the statements are written for. */
  readonly schema: string;
  readonly renames: Renames;
}

export function diffCatalogs(from: Catalog, to: Catalog, { schema, renames }: DiffOptions): Step[] {
  const isRenamed = renames.tables.size > 0 || renames.columns.size > 0;
  if (!isRenamed && isSameCatalog(from, to)) return [];
  const pairing = pairCatalogs(from, to, renames);
  const changes = pairing.pairs.map((pair) => compareParts(pair, pairing));
  const created = createTables(schema, pairing);
  return [
    ...changes.flatMap((change) => dropForeignKeys(schema, change)),
    ...changes.flatMap((change) => dropConstraints(schema, change)),
    ...changes.flatMap(({ pair }) => dropColumns(schema, pair)),
    ...dropTables(schema, pairing),
    ...renameTables(schema, pairing),
    ...changes.flatMap(({ pair }) => renameColumns(schema, pair)),
    ...renameConstraints(schema, changes),
    ...changes.flatMap(({ pair }) => changeColumns(schema, pair)),
    ...changes.flatMap((change) => addPrimaryKeys(schema, change)),
    ...created.steps,
    ...changes.flatMap((change) => addConstraints(schema, change)),
    ...created.later.map(({ table, key }) => addForeignKeyLater({ schema, table }, key)),
    ...changes.flatMap((change) => addForeignKeys(schema, change, pairing)),
  ];
}
