// Lock-safe changes on a table in use: while two writers insert and update without a pause, each change is deployed,
// and no write waits longer than the lock timeout. In CI with a million rows, every day with fewer; MIGRATE_ROWS
// says another number. The figures are printed.

import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Database, LOCK_TIMEOUT_MS } from "@stoa/database";
import { expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import { deployFully, migrationsOf } from "./migrate-fixture.js";

const ROWS = Number(process.env.MIGRATE_ROWS ?? (process.env.CI ? 1_000_000 : 50_000));
const WRITERS = 2;

const MODEL = `enum State { draft, done }
model Shelf { field name { type string } }
model Book {
  field title { type string }
  field note { type string, nullable }
  field flag { type string, nullable, default "x" }
  field kind { type string, default "draft" }
}`;

/** One after the other: what is replaced by what. */
const CHANGES: readonly (readonly [words: string, from: string, to: string])[] = [
  ["a nullable field", "model Book {", "model Book { field year { type integer, nullable }"],
  ["a required field with a default", "model Book {", "model Book { field pages { type integer, default 0 }"],
  [
    "a required field, filled in batches",
    "model Book {",
    "model Book { field code { type uuid, default uuid() }",
  ],
  ["an index", "field title { type string", "field title { type string, index"],
  ["a unique key", "model Book {", "model Book { unique { title, code }"],
  ["a reference", "model Book {", "model Book { reference shelf { to Shelf, nullable }"],
  [
    "a field becomes required",
    'flag { type string, nullable, default "x" }',
    'flag { type string, default "x" }',
  ],
  ["a text becomes an enum", "kind { type string,", "kind { type State,"],
  ["an enum gets a value", "{ draft, done }", "{ draft, done, lost }"],
  ["a rename", "year { type integer, nullable }", "written { type integer, nullable, was year }"],
  ["a field goes", "field pages { type integer, default 0 }", ""],
  ["an index goes", ", index", ""],
];

function sources(): string[] {
  const all = [MODEL];
  for (const [, from, to] of CHANGES) all.push((all.at(-1) ?? "").replace(from, to));
  return all;
}

test(`nobody waits long, with ${ROWS} rows`, { timeout: 1_800_000 }, async () => {
  const { database, url } = await testDatabase();
  const migrations = migrationsOf(sources());
  expect(migrations).toHaveLength(CHANGES.length + 1);
  await deployFully(url, migrations.slice(0, 1));
  await database.query(
    "INSERT INTO book (title) SELECT 'Book ' || n FROM generate_series(1, $1::integer) n",
    [ROWS],
  );
  await database.execute("ANALYZE");
  const waits: number[] = [];
  let expected = ROWS;
  for (const [index] of migrations.slice(1).entries()) {
    const words = CHANGES[index]?.[0];
    const { longestMs, writes, inserts, elapsedMs } = await whileWriting(url, () =>
      deployFully(url, migrations.slice(0, index + 2)),
    );
    waits.push(longestMs);
    expected += inserts;
    console.log(
      `${words}: deployed in ${Math.round(elapsedMs)} ms, longest wait of ${writes} writes ${Math.round(longestMs)} ms`,
    );
  }
  console.log(`the longest wait of any write: ${Math.round(Math.max(...waits))} ms, ${ROWS} rows`);
  expect(Math.max(...waits)).toBeLessThan(LOCK_TIMEOUT_MS);
  expect(await database.query("SELECT count(*)::text AS count FROM book")).toEqual([
    { count: String(expected) },
  ]);
});

async function whileWriting(url: string, work: () => Promise<void>) {
  const database = connect({ url, poolSize: WRITERS });
  const writing = { isOver: false, longestMs: 0, writes: 0, inserts: 0 };
  const writers = Array.from({ length: WRITERS }, (_, index) => write(database, writing, index));
  await sleep(50);
  const startedAt = performance.now();
  await work();
  const elapsedMs = performance.now() - startedAt;
  writing.isOver = true;
  await Promise.all(writers);
  await database.close();
  return { ...writing, elapsedMs };
}

async function write(
  database: Database,
  writing: { isOver: boolean; longestMs: number; writes: number; inserts: number },
  index: number,
): Promise<void> {
  for (let round = index; !writing.isOver; round += WRITERS) {
    const id = 1 + ((round * 7919) % ROWS);
    const startedAt = performance.now();
    if (round % 3 === 0)
      await database.query("INSERT INTO book (title) VALUES ($1)", [`New ${round} ${startedAt}`]);
    else await database.query("UPDATE book SET note = $2 WHERE id = $1", [id, `note ${round}`]);
    writing.longestMs = Math.max(writing.longestMs, performance.now() - startedAt);
    writing.writes++;
    if (round % 3 === 0) writing.inserts++;
  }
}
