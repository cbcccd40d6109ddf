// What the tests of schema push share: definitions from source, and the catalog of a live database.

import { compile } from "@stoa/compiler";
import { type Catalog, canonicalCatalog, type Database, introspect, readableSession } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import type { PushCase, Section } from "./schema-case-notation.js";

export function definitionOf(source: string): Definition {
  const { definition, diagnostics } = compile([{ name: "main.stoa", text: source }]);
  if (!definition) throw new Error(`${diagnostics.map(({ message }) => message).join("\n")}\n${source}`);
  return definition;
}

export async function liveCatalog(database: Database, schema = "public"): Promise<Catalog> {
  return database.transaction(async (transaction) => {
    await readableSession(transaction);
    return canonicalCatalog((await introspect(transaction, schema)).catalog);
  });
}

/** The rows that a case asks for, by the name of its section. */
export async function runSelects(database: Database, { sections }: PushCase): Promise<Section[]> {
  const results: Section[] = [];
  for (const { name } of sections.filter((section) => section.name.startsWith("select "))) {
    const rows = await database.query<{ row: string }>(
      `SELECT row_to_json(t)::text AS row FROM (${name}) AS t`,
    );
    results.push({ name, text: rows.map(({ row }) => row).join("\n") });
  }
  return results;
}
