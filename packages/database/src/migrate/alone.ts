// Statements that PostgreSQL runs outside of transactions alone: indexes, concurrently. They may be done and not be
// recorded, or fail and leave an index that is there and of no use; both are mended by doing them again.

import { type Database, DatabaseError } from "../connection/database.js";
import { hasStatements, inTransaction, type RunContext, recordDone, requireLock } from "./run-context.js";
import { splitStatements } from "./sql-text.js";
import type { PlacedStep } from "./units.js";

export async function runAlone(placed: PlacedStep, context: RunContext): Promise<void> {
  const { session } = context;
  if (hasStatements(placed.step)) {
    // It waits for whoever uses the table, and keeps nobody out meanwhile.
    await session.execute("SET statement_timeout = 0; SET lock_timeout = 0");
    for (const statement of splitStatements(placed.step.sql)) await runStatement(session, statement);
  }
  await inTransaction(context, (transaction) => recordDone(transaction, placed, context));
}

async function runStatement(session: Database, statement: string): Promise<void> {
  const index = indexOf(statement);
  await requireLock(session);
  if (index) await dropInvalid(session, index);
  try {
    await session.execute(statement);
  } catch (error) {
    const isAway = error instanceof DatabaseError && error.kind === "unavailable";
    // An invalid unique index still refuses what others write.
    if (index && !isAway) await dropInvalid(session, index).catch(() => {});
    throw error;
  }
}

const NAME = '"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*';
const CREATE_INDEX = new RegExp(
  `^CREATE\\s+(?:UNIQUE\\s+)?INDEX\\s+CONCURRENTLY\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(${NAME})\\s+ON\\s+(?:ONLY\\s+)?(?:(${NAME})\\.)?`,
  "i",
);

/** The index that a statement builds, in its table's schema, as SQL. */
function indexOf(statement: string): string | undefined {
  const [, name, schema] = CREATE_INDEX.exec(statement) ?? [];
  if (name === undefined) return undefined;
  return schema === undefined ? name : `${schema}.${name}`;
}

async function dropInvalid(session: Database, index: string): Promise<void> {
  const rows = await session.query(
    "SELECT FROM pg_catalog.pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid",
    [index],
  );
  if (rows.length > 0) await session.execute(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
}
