// What the tests of schema push share: definitions from source, and the catalog of a live database.

import { compile } from "@stoa/compiler";
import { type Catalog, canonicalCatalog, type Database, introspect, readableSession } from "@stoa/database";
import type { Definition } from "@stoa/definition";

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
