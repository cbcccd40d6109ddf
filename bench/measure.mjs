// Runs commands as cold processes, in turns, so that whatever else the machine does disturbs all alike.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string[]} args for Node
 * @property {number} [lines] of the program
 * @property {number} [bar] how many empty processes it may take
 */

/**
 * @typedef {object} Times
 * @property {number} medianMs
 * @property {number} minMs
 * @property {number} userMs CPU time of all threads, outside of the kernel
 * @property {number} peakMb resident memory
 */

/** @typedef {Case & Times} Result */

/** Runs that report their use of CPU and memory. They are not timed, since the report takes time as well. */
const USAGE_RUNS = 3;
const REPORTER = fileURLToPath(new URL("report-usage.cjs", import.meta.url));

/**
 * @param {readonly Case[]} cases
 * @param {number} runs
 * @returns {Result[]}
 */
export function measure(cases, runs) {
  // The first usage run also warms the caches of the file system.
  const usages = rounds(USAGE_RUNS, cases, ({ args }) => reportUsage(args));
  const times = rounds(runs, cases, ({ args }) => time(args));
  return cases.map((one, index) => ({
    ...one,
    medianMs: median(times[index] ?? []),
    minMs: Math.min(...(times[index] ?? [])),
    userMs: median((usages[index] ?? []).map((usage) => usage.userMs)),
    peakMb: median((usages[index] ?? []).map((usage) => usage.peakMb)),
  }));
}

/**
 * Every case once, then every case again: for each case, what its runs gave.
 * @template Value
 * @param {number} count
 * @param {readonly Case[]} cases
 * @param {(one: Case) => Value} run
 * @returns {Value[][]}
 */
function rounds(count, cases, run) {
  /** @type {Value[][]} */
  const results = cases.map(() => []);
  for (let round = 0; round < count; round++) {
    for (const [index, one] of cases.entries()) results[index]?.push(run(one));
  }
  return results;
}

/** @param {readonly string[]} args */
function time(args) {
  const startedAt = performance.now();
  run(args);
  return performance.now() - startedAt;
}

/**
 * @param {readonly string[]} args
 * @returns {{ userMs: number, peakMb: number }}
 */
function reportUsage(args) {
  return JSON.parse(
    run(["--require", REPORTER, ...args])
      .split("\n")
      .at(-1) ?? "",
  );
}

/**
 * What the process says on standard error. One that fails, or finds fault with the program, measures nothing.
 * @param {readonly string[]} args
 */
function run(args) {
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0 || stdout.includes("warning")) {
    throw new Error(`node ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
  }
  return stderr;
}

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
