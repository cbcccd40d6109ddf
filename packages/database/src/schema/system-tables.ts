// The tables of the system: what push remembers, who is logged in, what was answered to whom. They live in a schema
// of their own, and are made by push and deploy, so that a running application needs no right to make tables.

import type { Queryable } from "../connection/database.js";

const TABLES: Readonly<Record<string, string>> = {
  pushed: `CREATE TABLE _stoa.pushed (
  schema_name text COLLATE "C" PRIMARY KEY,
  version integer NOT NULL,
  record jsonb NOT NULL,
  pushed_at timestamptz NOT NULL DEFAULT now()
)`,
  // A token is known by its hash alone. `user_id` is text, whatever the ids of users are.
  session: `CREATE TABLE _stoa.session (
  token_hash text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX session__user_id__idx ON _stoa.session (user_id);
CREATE INDEX session__expires_at__idx ON _stoa.session (expires_at)`,
  // Attempts to log in, by account and by address: how many in the time that ends then.
  login_attempt: `CREATE TABLE _stoa.login_attempt (
  key text COLLATE "C" PRIMARY KEY,
  attempts integer NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX login_attempt__ends_at__idx ON _stoa.login_attempt (ends_at)`,
  // Answers to requests with an Idempotency-Key. `request` is a hash of what was asked, `answer` what was said.
  idempotent_request: `CREATE TABLE _stoa.idempotent_request (
  key text COLLATE "C" PRIMARY KEY,
  request text COLLATE "C" NOT NULL,
  answer json,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX idempotent_request__created_at__idx ON _stoa.idempotent_request (created_at)`,
  // Migrations that were begun here, and those that are done. `catalog` is a hash of what it leads to.
  migration: `CREATE TABLE _stoa.migration (
  number integer PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  checksum text COLLATE "C" NOT NULL,
  catalog text COLLATE "C" NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
)`,
  // Their steps, kept in the same transaction as what they do. `progress` is the last id that batches have reached.
  migration_step: `CREATE TABLE _stoa.migration_step (
  number integer NOT NULL REFERENCES _stoa.migration (number),
  step integer NOT NULL,
  checksum text COLLATE "C" NOT NULL,
  progress text COLLATE "C",
  applied_at timestamptz,
  PRIMARY KEY (number, step)
)`,
};

export async function hasSystemTables(transaction: Queryable): Promise<boolean> {
  return (await missingTables(transaction)).length === 0;
}

/** Not `IF NOT EXISTS` alone: that asks for the right to create schemas even where there is nothing to do. */
export async function prepareSystemTables(transaction: Queryable): Promise<void> {
  const missing = await missingTables(transaction);
  if (missing.length === 0) return;
  const [row] = await transaction.query<{ exists: boolean }>(
    "SELECT to_regnamespace('_stoa') IS NOT NULL AS exists",
  );
  if (!row?.exists) await transaction.execute("CREATE SCHEMA IF NOT EXISTS _stoa");
  for (const name of missing) await transaction.execute(TABLES[name] ?? "");
}

async function missingTables(transaction: Queryable): Promise<string[]> {
  const rows = await transaction.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_catalog.pg_class c WHERE c.relnamespace = to_regnamespace('_stoa')`,
  );
  const present = new Set(rows.map(({ name }) => name));
  return Object.keys(TABLES).filter((name) => !present.has(name));
}
