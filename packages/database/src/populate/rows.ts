// Whether there is anything in the tables of a definition.

import type { Definition } from "@stoa/definition";
import type { Queryable } from "../connection/database.js";
import { qualifyName } from "../schema/quote.js";
import { DEFAULT_SCHEMA, describeTableError } from "./empty.js";

export async function hasRows(
  database: Queryable,
  { models }: Definition,
  { schema = DEFAULT_SCHEMA }: { readonly schema?: string } = {},
): Promise<boolean> {
  if (models.length === 0) return false;
  const tests = models.map(({ table }) => `exists (select 1 from ${qualifyName(schema, table.name)})`);
  try {
    const [row] = await database.query<{ found: boolean }>(`select ${tests.join(" or ")} as found`);
    return row?.found === true;
  } catch (error) {
    throw describeTableError(error);
  }
}
