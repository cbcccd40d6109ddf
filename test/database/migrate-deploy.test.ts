// What deployment must stand: others at the same time, files that do not fit the database, locks, lost connections,
// indexes that were left broken.

import { setTimeout as sleep } from "node:timers/promises";
import {
  applyPush,
  baselineDatabase,
  connect,
  type Database,
  type DeployEvent,
  deployMigrations,
  isCurrent,
  type Migration,
  planMigration,
  planPush,
  previewDeploy,
  readStatus,
  replayMigrations,
} from "@stoa/database";
import { checkReady } from "@stoa/runtime";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import { deployFully, deployMortal, deployTo, emptyDatabase, migrationsOf } from "./migrate-fixture.js";
import { definitionOf } from "./schema-fixture.js";

const BOOK = "model Book { field title { type string } }";
const INDEXED = "model Book { field title { type string, index } }";
const CODED = "model Book { field title { type string, index }, field code { type uuid, default uuid() } }";

let database: Database;
let url: string;

beforeAll(async () => {
  ({ database, url } = await testDatabase({ poolSize: 8 }));
});

beforeEach(() => emptyDatabase(database));

async function insertBooks(count: number): Promise<void> {
  await database.query(
    "INSERT INTO book (title) SELECT 'Book ' || n FROM generate_series(1, $1::integer) n",
    [count],
  );
}

describe("two at once", () => {
  test("ten times: one applies, the other waits and finds nothing to do", async () => {
    const migrations = migrationsOf([BOOK, INDEXED, CODED]);
    for (let round = 0; round < 10; round++) {
      await emptyDatabase(database);
      await deployFully(url, migrations.slice(0, 1));
      await insertBooks(50);
      const outcomes = await Promise.all([deployTo(url, migrations), deployTo(url, migrations)]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["applied", "unchanged"]);
      expect(isCurrent(await readStatus(database, migrations))).toBe(true);
    }
  });

  test("a push waits for a deployment", async () => {
    const migrations = migrationsOf([BOOK, INDEXED]);
    const definition = definitionOf(CODED.replace(", default uuid()", ", nullable"));
    const [outcome] = await Promise.all([
      deployTo(url, migrations),
      (async () => {
        await sleep(20);
        await applyPush(database, await planPush(database, definition));
      })(),
    ]);
    expect(["applied", "refused"]).toContain(outcome.kind);
  });
});

describe("files that do not fit", () => {
  const [first, second, third] = migrationsOf([BOOK, INDEXED, CODED]) as [Migration, Migration, Migration];

  test("an applied file was edited", async () => {
    await deployFully(url, [first, second]);
    const edited = { ...first, sql: `${first.sql}\nSELECT 1;\n` };
    expect(await deployTo(url, [edited, second, third])).toMatchObject({
      kind: "refused",
      problem: { kind: "edited", message: expect.stringContaining("migrations/0001_change/up.sql") },
    });
    const windows = { ...first, sql: first.sql.replaceAll("\n", "\r\n") };
    expect(await deployTo(url, [windows, second])).toEqual({ kind: "unchanged" });
  });

  test("a number is missing", async () => {
    expect(await deployTo(url, [first, third])).toMatchObject({ kind: "refused", problem: { kind: "gap" } });
  });

  test("two branches have added one each", async () => {
    const other = migrationsOf([BOOK, CODED]).map((migration) => ({
      ...migration,
      name: "0002_other",
    }))[1] as Migration;
    const problem = { kind: "branches", hint: expect.stringContaining("delete the folder") };
    const both = [first, second, other];
    expect(await deployTo(url, both)).toMatchObject({ kind: "refused", problem });
    expect(await readStatus(database, both)).toMatchObject({ problem });
    expect(planMigration(definitionOf(CODED), both, { name: "x" })).toMatchObject({
      kind: "broken",
      problem,
    });
    const longer = { ...other, name: "0003_other", number: 3 };
    expect(await deployTo(url, [first, second, longer])).toMatchObject({ kind: "refused", problem });
  });

  test("the database has one that the folder has not", async () => {
    await deployFully(url, [first, second]);
    expect(await deployTo(url, [first])).toMatchObject({
      kind: "refused",
      problem: { kind: "missing-files", message: expect.stringContaining("0002_change") },
    });
  });

  test("one that was skipped", async () => {
    await deployFully(url, [first, second, third]);
    await database.execute(
      "DELETE FROM _stoa.migration_step WHERE number = 2; DELETE FROM _stoa.migration WHERE number = 2",
    );
    expect(await deployTo(url, [first, second, third])).toMatchObject({ problem: { kind: "out-of-order" } });
  });

  test("tables that push has made", async () => {
    await applyPush(database, await planPush(database, definitionOf(BOOK)));
    expect(await deployTo(url, [first])).toMatchObject({
      kind: "refused",
      problem: { kind: "pushed", hint: expect.stringContaining("stoa db baseline") },
    });
  });

  test("a line that cannot be understood", async () => {
    const odd = { ...first, sql: `${first.sql}-- run tomorrow\n` };
    expect(await deployTo(url, [odd])).toMatchObject({ problem: { kind: "unreadable" } });
  });
});

describe("stopped on the way", () => {
  const required = "model Book { field title { type string }, field pages { type integer } }";

  test("steps that were not done may be mended, those that were may not", async () => {
    const [first, second] = migrationsOf([BOOK, required]) as [Migration, Migration];
    await deployFully(url, [first]);
    await insertBooks(3);
    expect(await deployTo(url, [first, second])).toMatchObject({ kind: "failed", place: { number: 3 } });
    expect(await readStatus(database, [first, second])).toMatchObject({ unfinished: "0002_change" });
    const spoilt = { ...second, sql: second.sql.replace('"pages" bigint', '"pages" integer') };
    expect(await deployTo(url, [first, spoilt])).toMatchObject({ problem: { kind: "edited" } });
    const mended = { ...second, sql: second.sql.replace(/-- (UPDATE .*)<value>/, "$17") };
    await deployFully(url, [first, mended]);
    expect(await database.query("SELECT DISTINCT pages FROM book")).toEqual([{ pages: "7" }]);
  });

  test("where only questions were asked, the migration may be thrown away", async () => {
    const migrations = migrationsOf([BOOK, "model Book { field title { type string, unique } }"]);
    await deployFully(url, migrations.slice(0, 1));
    await database.execute("INSERT INTO book (title) VALUES ('Emma'), ('Emma')");
    expect(await deployTo(url, migrations)).toMatchObject({ kind: "failed", place: { number: 1 } });
    await deployFully(url, migrationsOf([BOOK, INDEXED]));
  });

  test("batches never do a row twice, wherever they die", async () => {
    const [first, second] = migrationsOf([BOOK, `${BOOK} model Other { field x { type string } }`]) as [
      Migration,
      Migration,
    ];
    const step = `\n-- step (data): marks the books\n-- run in batches of 7 rows of "public"."book"\nUPDATE "public"."book" SET "title" = "title" || '!' WHERE "id" BETWEEN $1 AND $2;\n`;
    const migrations = [first, { ...second, sql: second.sql + step }];
    await deployFully(url, [first]);
    await insertBooks(40);
    for (let limit = 20; limit < 80; limit += 13) await deployMortal(url, migrations, limit);
    await deployFully(url, migrations);
    const rows = await database.query("SELECT title FROM book WHERE title !~ '^Book [0-9]+!$'");
    expect(rows).toEqual([]);
  });

  test("a connection that is lost: nothing goes on without the lock", async () => {
    const migrations = migrationsOf([BOOK, CODED]);
    await deployFully(url, migrations.slice(0, 1));
    await insertBooks(10);
    const session = connect({ url, poolSize: 1, applicationName: "to be cut off" });
    const cut = () =>
      database.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to be cut off'",
      );
    let isCut = false;
    const slow = new Proxy(session, {
      get: (target, key) => {
        if (key !== "transaction") return Reflect.get(target, key);
        return async (...given: Parameters<Database["transaction"]>) => {
          const result = await target.transaction(...given);
          if (!isCut && (await readStatus(database, migrations)).unfinished) {
            isCut = true;
            await cut();
            await sleep(50);
          }
          return result;
        };
      },
    });
    await expect(deployMigrations(slow, migrations)).rejects.toMatchObject({ kind: "unavailable" });
    await session.close();
    expect(isCut).toBe(true);
    await deployFully(url, migrations);
  });

  test("an index that was left invalid is made anew", async () => {
    const migrations = migrationsOf([BOOK, INDEXED]);
    await deployFully(url, migrations.slice(0, 1));
    await insertBooks(10);
    const other = connect({ url, poolSize: 1 });
    const session = connect({ url, poolSize: 1, applicationName: "building" });
    await other
      .transaction(async (transaction) => {
        await transaction.execute("UPDATE book SET title = title");
        const deployed = deployMigrations(session, migrations).then(
          () => "done",
          () => "lost",
        );
        await waitFor(
          async () => (await database.query("SELECT FROM pg_index WHERE NOT indisvalid")).length > 0,
        );
        await database.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'building'",
        );
        expect(await deployed).toBe("lost");
      })
      .finally(() => Promise.all([other.close(), session.close()]));
    expect(await database.query("SELECT FROM pg_index WHERE NOT indisvalid")).toHaveLength(1);
    await deployFully(url, migrations);
    expect(await database.query("SELECT FROM pg_index WHERE NOT indisvalid")).toHaveLength(0);
  });
});

/** Not for ever: a test that fails must not keep its locks. */
async function waitFor(isThere: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await isThere())) {
    if (performance.now() - startedAt > 30_000) throw new Error("waited in vain");
    await sleep(20);
  }
}

describe("locks", () => {
  const migrations = migrationsOf([
    BOOK,
    "model Book { field title { type string }, field year { type integer, nullable } }",
  ]);

  test("a table in use is tried again, and others get their turn meanwhile", async () => {
    await deployFully(url, migrations.slice(0, 1));
    const events: DeployEvent[] = [];
    const other = connect({ url, poolSize: 1 });
    let deployed: Promise<unknown> = Promise.resolve();
    await other.transaction(async (transaction) => {
      await transaction.execute("SELECT FROM book");
      const options = { lockTimeoutMs: 100, onEvent: (event: DeployEvent) => void events.push(event) };
      deployed = deployTo(url, migrations, options);
      await waitFor(async () => events.some(({ kind }) => kind === "retry"));
      await insertBooks(1);
    });
    expect(await deployed).toMatchObject({ kind: "applied" });
    await other.close();
  });

  test("a table that nobody lets go of is told, with who may be holding it", async () => {
    await deployFully(url, migrations.slice(0, 1));
    const other = connect({ url, poolSize: 1, applicationName: "a long report" });
    await other.transaction(async (transaction) => {
      await transaction.execute("SELECT FROM book");
      const outcome = await deployTo(url, migrations, { lockTimeoutMs: 50, lockRetries: 1 });
      expect(outcome).toMatchObject({ kind: "failed", message: expect.stringContaining("a long report") });
    });
    await other.close();
    await deployFully(url, migrations);
  });

  test("a dry run tells locks and rows, and changes nothing", async () => {
    const all = migrationsOf([BOOK, `${CODED.replace("Book {", "Volume { was Book,")}`]);
    await deployFully(url, all.slice(0, 1));
    await insertBooks(1000);
    await database.execute("ANALYZE book");
    const preview = await previewDeploy(database, all);
    const steps = preview.kind === "preview" ? preview.steps : [];
    const lines = steps.flatMap(({ number, locks }) =>
      locks.map(({ lock, table, rows }) => `${number} ${lock} ${table} ${rows}`),
    );
    expect(lines).toContain('1 ACCESS EXCLUSIVE "public"."book" 0');
    expect(lines).toContainEqual(expect.stringMatching(/ROW EXCLUSIVE "public"\."book" 1000$/));
    expect(lines).toContainEqual(expect.stringMatching(/SHARE UPDATE EXCLUSIVE "public"\."book" 1000$/));
    expect(await readStatus(database, all)).toMatchObject({ pending: ["0002_change"], drift: [] });
  });
});

describe("status, baseline, replay", () => {
  const migrations = migrationsOf([BOOK, INDEXED]);

  test("what others have changed is told", async () => {
    await deployFully(url, migrations);
    await database.execute(
      "ALTER TABLE book ADD COLUMN note text; DROP INDEX book__title__idx; CREATE TABLE other ()",
    );
    const { drift } = await readStatus(database, migrations);
    expect(drift?.map(({ words }) => words)).toEqual([
      "drops the index book__title__idx of book",
      "adds the column note to book",
    ]);
    expect(drift?.[0]?.statements[0]).toContain("CREATE INDEX");
  });

  test("a database that is not there yet has everything pending", async () => {
    const status = await readStatus(database, migrations);
    expect(status).toMatchObject({
      applied: [],
      pending: ["0001_change", "0002_change"],
      drift: null,
      problem: null,
    });
  });

  test("a pushed database is taken under migrations when it matches", async () => {
    await applyPush(database, await planPush(database, definitionOf(BOOK)));
    const outcome = await baselineDatabase(database, migrations);
    expect(outcome).toMatchObject({
      kind: "different",
      differences: [{ words: expect.stringContaining("drops the index") }],
    });
    await applyPush(database, await planPush(database, definitionOf(INDEXED)));
    expect(await baselineDatabase(database, migrations)).toMatchObject({ kind: "marked" });
    expect(await deployTo(url, migrations)).toEqual({ kind: "unchanged" });
    expect(isCurrent(await readStatus(database, migrations))).toBe(true);
  });

  test("after a deployment, push finds nothing to do", async () => {
    await deployFully(url, migrations);
    expect(await planPush(database, definitionOf(INDEXED))).toMatchObject({
      steps: [],
      warnings: [],
      record: null,
    });
  });

  test("a file that leads elsewhere is found before the next one is written", async () => {
    const [first, second] = migrations as [Migration, Migration];
    const edited = { ...first, sql: `${first.sql}ALTER TABLE book ADD COLUMN note text;\n` };
    const { url: empty } = await testDatabase();
    const session = connect({ url: empty, poolSize: 1 });
    expect(await replayMigrations(session, [edited, second])).toMatchObject({
      kind: "different",
      migration: "0001_change",
      differences: [{ words: "adds the column note to book" }],
    });
    await session.close();
  });
});

describe("the application's readiness", () => {
  const migrations = migrationsOf([BOOK, INDEXED]);

  test("tells what to run while the database is older, and is fine with a newer one", async () => {
    expect(await checkReady(database, definitionOf(BOOK))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("stoa db push"),
    });
    await deployFully(url, migrations.slice(0, 1));
    expect(await checkReady(database, definitionOf(BOOK))).toEqual({ ok: true });
    expect(await checkReady(database, definitionOf(INDEXED))).toMatchObject({
      ok: false,
      reason: expect.stringContaining(
        "older than the application: bring it up to date with `stoa db deploy`",
      ),
    });
    await deployFully(url, migrations);
    expect(await checkReady(database, definitionOf(INDEXED))).toEqual({ ok: true });
    expect(await checkReady(database, definitionOf(BOOK))).toEqual({ ok: true });
    await applyPush(database, await planPush(database, definitionOf(CODED)));
    expect(await checkReady(database, definitionOf(CODED))).toEqual({ ok: true });
  });
});
