// Emptying the tables before they are populated anew: all tables of the definition in one statement, so that
// they may refer to each other, with ids that begin again. Without CASCADE, which would empty tables of others too.

import type { Definition } from "@stoa/definition";
import { DatabaseError, type Queryable } from "../connection/database.js";
import { qualifyName } from "../schema/quote.js";
import { PopulateError } from "./failure.js";
import { tableInUse, tableLocked, tableMissing } from "./messages.js";

const UNDEFINED = ["42P01", "42703"];
const FEATURE_NOT_SUPPORTED = "0A000";
const LOCK_NOT_AVAILABLE = "55P03";

export const DEFAULT_SCHEMA = "public";

/** In a transaction, the tables are as they were if it fails. */
export async function emptyTables(
  database: Queryable,
  definition: Definition,
  { schema = DEFAULT_SCHEMA }: { readonly schema?: string } = {},
): Promise<void> {
  if (definition.models.length === 0) return;
  const tables = definition.models.map((model) => qualifyName(schema, model.table.name));
  try {
    await database.execute(`TRUNCATE TABLE ${tables.join(", ")} RESTART IDENTITY`);
  } catch (error) {
    throw describeTableError(error);
  }
}

/** What is said where the tables are not as the definition has them; anything else as it was. */
export function describeTableError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (UNDEFINED.includes(error.sqlState ?? ""))
    return new PopulateError({ message: tableMissing(), cause: error });
  if (error.sqlState === LOCK_NOT_AVAILABLE) {
    return new PopulateError({ message: tableLocked(), cause: error });
  }
  if (error.sqlState === FEATURE_NOT_SUPPORTED) {
    return new PopulateError({ message: tableInUse(error.detail ?? error.message), cause: error });
  }
  return error;
}
