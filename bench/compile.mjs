// Measures the command line as people run it: cold processes, side by side with an empty Node process, which
// is the unit. Exits with 1 when a bar is missed. How to read the table: bench/README.md.
//   node bench/compile.mjs [--runs 15] [--scaling] [--cli <path of another stoa.cjs>]

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bootstrap, ROOT } from "../tools/bootstrap.mjs";
import { measure } from "./measure.mjs";
import { LINES_PER_MODEL, largeFile, largeProgram, SMALL_PROGRAM } from "./programs.mjs";

/** The bars, in empty Node processes. */
const CHECK_SMALL_BAR = 1.6;
const CHECK_LARGE_BAR = 5;
/** How much longer a line may take in the largest program than in the smallest one of `--scaling`. */
const SCALING_BAR = 1.2;

const MODELS = 1000;
const SCALING_MODELS = [250, 500, 1000, 2000];

/** @typedef {import("./measure.mjs").Case} Case */
/** @typedef {import("./measure.mjs").Result} Result */

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "15" },
    scaling: { type: "boolean", default: false },
    cli: { type: "string" },
  },
});
const runs = Math.max(1, Number(values.runs) || 0);
if (values.cli === undefined) await bootstrap();
const cli = resolve(values.cli ?? join(ROOT, "packages/cli/bin/stoa.cjs"));
const folder = mkdtempSync(join(tmpdir(), "stoa-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

console.log(
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${runs} runs each\n`,
);
process.exitCode = (values.scaling ? measureScaling() : measureCommands()) ? 0 : 1;

/** @returns {Case} */
function emptyProcess() {
  return { name: "empty Node process", args: ["-e", "0"] };
}

/**
 * Writes a program into a folder of its own.
 * @param {string} name
 * @param {Map<string, string>} files
 */
function writeProgram(name, files) {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of files) writeFileSync(join(path, file), text);
  const lines = [...files.values()].reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  return { path, lines };
}

/** @returns {boolean} whether all bars are met */
function measureCommands() {
  const small = writeProgram("small", new Map([["app.stoa", SMALL_PROGRAM]]));
  const large = writeProgram("large", largeProgram(MODELS));
  const one = writeProgram("one", largeFile(MODELS));
  const out = join(folder, "out");
  const results = measure(
    [
      emptyProcess(),
      { name: "check, small", args: [cli, "check", small.path], lines: small.lines, bar: CHECK_SMALL_BAR },
      { name: "check, large", args: [cli, "check", large.path], lines: large.lines, bar: CHECK_LARGE_BAR },
      { name: "check, large, one file", args: [cli, "check", one.path], lines: one.lines },
      { name: "build, large", args: [cli, "build", large.path, "--out", out], lines: large.lines },
      { name: "fmt --check, large", args: [cli, "fmt", "--check", large.path], lines: large.lines },
    ],
    runs,
  );
  printTable(results);
  return printBars(results);
}

/** @returns {boolean} whether a line takes as long in a large program as in a small one */
function measureScaling() {
  const programs = SCALING_MODELS.map((models) => writeProgram(`models-${models}`, largeProgram(models)));
  const checks = programs.map(({ path, lines }) => ({
    name: `check, ${lines.toLocaleString("en")} lines`,
    args: [cli, "check", path],
    lines,
  }));
  const results = measure([emptyProcess(), ...checks], runs);
  printTable(results);
  const costs = results.slice(1).map((result) => timeOfLine(result, results));
  const growth = (costs.at(-1) ?? 0) / (costs[0] ?? 1);
  const isMet = growth <= SCALING_BAR;
  const sizes = `${SCALING_MODELS.at(-1)} models than with ${SCALING_MODELS[0]}`;
  console.log(
    `a line takes ${growth.toFixed(2)} × as long with ${sizes}, the bar is ${SCALING_BAR}: ${verdict(isMet)}`,
  );
  return isMet;
}

/** @param {boolean} isMet */
function verdict(isMet) {
  return isMet ? "met" : "MISSED";
}

/**
 * What a process takes, in empty ones; of the least disturbed runs, since other work only ever adds time.
 * @param {Result} result
 * @param {readonly Result[]} results
 */
function ratio(result, results) {
  return result.minMs / (results[0]?.minMs ?? 1);
}

/**
 * Microseconds for a line, beyond what an empty process takes.
 * @param {Result} result
 * @param {readonly Result[]} results
 */
function timeOfLine(result, results) {
  return ((result.minMs - (results[0]?.minMs ?? 0)) * 1000) / (result.lines ?? 1);
}

/** @param {readonly Result[]} results */
function printTable(results) {
  const head = ["", "median ms", "min ms", "× empty", "user ms", "peak MB", "lines/s"];
  const rows = results.map((result) => [
    result.name,
    result.medianMs.toFixed(0),
    result.minMs.toFixed(0),
    ratio(result, results).toFixed(2),
    result.userMs.toFixed(0),
    result.peakMb.toFixed(0),
    result.lines && result.lines > 50 * LINES_PER_MODEL
      ? Math.round(1_000_000 / timeOfLine(result, results)).toLocaleString("en")
      : "",
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows]) {
    console.log(
      row.map((cell, column) => cell[column ? "padStart" : "padEnd"](widths[column] ?? 0)).join("   "),
    );
  }
  console.log();
}

/** @param {readonly Result[]} results */
function printBars(results) {
  const judged = results.flatMap((result) =>
    result.bar === undefined ? [] : [{ ...result, bar: result.bar, ratio: ratio(result, results) }],
  );
  for (const { name, bar, ratio } of judged) {
    console.log(
      `${name}: ${ratio.toFixed(2)} × an empty process, the bar is ${bar}: ${verdict(ratio <= bar)}`,
    );
  }
  return judged.every(({ bar, ratio }) => ratio <= bar);
}
