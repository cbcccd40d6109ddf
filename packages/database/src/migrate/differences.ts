// What a live database has that a catalog does not say, and the other way round, in words.

import type { Queryable } from "../connection/database.js";
import { type Catalog, isSameCatalog } from "../schema/catalog.js";
import { diffCatalogs } from "../schema/diff.js";
import { introspect, readableSession } from "../schema/introspect.js";
import { NO_RENAMES } from "../schema/renames.js";
import { SCHEMA } from "./plan.js";

export interface Difference {
  /** "adds the column note to book": what the database does in comparison. */
  readonly words: string;
  /** What would undo it. */
  readonly statements: readonly string[];
}

/** Inside a transaction of its own. */
export async function readLive(transaction: Queryable): Promise<Catalog> {
  await readableSession(transaction);
  return (await introspect(transaction, SCHEMA)).catalog;
}

/** Tables of others, which the expected catalog does not name, do not count. */
export function findDrift(expected: Catalog, live: Catalog): Difference[] {
  const names = new Set(expected.tables.map((table) => table.name));
  return findDifferences(expected, { tables: live.tables.filter(({ name }) => names.has(name)) });
}

export function findDifferences(expected: Catalog, live: Catalog): Difference[] {
  if (isSameCatalog(expected, live)) return [];
  const options = { schema: SCHEMA, renames: NO_RENAMES };
  const back = diffCatalogs(live, expected, options);
  return diffCatalogs(expected, live, options).map(({ words, affects }) => ({
    words,
    statements: back
      .filter((step) => JSON.stringify(step.affects) === JSON.stringify(affects))
      .flatMap((step) => step.statements),
  }));
}
