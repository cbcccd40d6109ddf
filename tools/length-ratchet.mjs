// Holds functions and files to a length. What is longer today is listed in length-ratchet.json with its
// present length and a reason; a listed length may only go down, so the list can only get better.

import { findFunctions } from "./source-scan.mjs";

/** @typedef {import("./architecture.mjs").Violation} Violation */
/** @typedef {Record<string, { lines: number, why: string }>} Ratchet Keys are `path` or `path#function`. */
/** @typedef {{ key: string, path: string, line: number, lines: number, max: number, what: string }} Overlong */

export const MAX_FUNCTION_LINES = 60;
export const MAX_FILE_LINES = 500;
export const RATCHET_PATH = "tools/length-ratchet.json";

/**
 * Every function and file that is longer than allowed.
 * @param {Map<string, string>} sources
 * @returns {Overlong[]}
 */
function findOverlong(sources) {
  return [...sources].flatMap(([path, text]) => {
    const lines = text.replace(/\n$/, "").split("\n").length;
    const file = { key: path, path, line: 1, lines, max: MAX_FILE_LINES, what: "the file" };
    const functions = findFunctions(text).map((site) => ({
      ...site,
      key: `${path}#${site.name}`,
      path,
      max: MAX_FUNCTION_LINES,
      what: `function ${site.name}`,
    }));
    return [file, ...functions].filter((item) => item.lines > item.max);
  });
}

/**
 * @param {Map<string, string>} sources
 * @param {Ratchet} ratchet
 * @returns {Violation[]}
 */
export function checkLengths(sources, ratchet) {
  const overlong = findOverlong(sources);
  const present = new Set(overlong.map((item) => item.key));
  const gone = Object.keys(ratchet).filter((key) => !present.has(key));
  return [
    ...overlong.flatMap((item) => judge(item, ratchet[item.key])),
    ...gone.map((key) => ({
      path: RATCHET_PATH,
      line: 1,
      rule: "length",
      message: `${key} is no longer too long; run \`node tools/architecture.mjs --update\` to drop it`,
    })),
  ];
}

/**
 * @param {Overlong} item
 * @param {{ lines: number, why: string } | undefined} listed
 * @returns {Violation[]}
 */
function judge(item, listed) {
  const { path, line, what, lines, max } = item;
  /** @param {string} message */
  const violation = (message) => [{ path, line, rule: "length", message }];
  if (listed === undefined)
    return violation(`${what} has ${lines} lines, at most ${max} are allowed; split it`);
  if (lines > listed.lines) return violation(`${what} grew from ${listed.lines} to ${lines} lines; split it`);
  if (lines < listed.lines) {
    return violation(
      `${what} shrank from ${listed.lines} to ${lines} lines; run \`node tools/architecture.mjs --update\``,
    );
  }
  if (!listed.why) return violation(`${what} is listed in ${RATCHET_PATH} without a reason; say why there`);
  return [];
}

/**
 * The list to write back: lower numbers and fewer entries only, unless `accept` takes everything as it is.
 * @param {Map<string, string>} sources
 * @param {Ratchet} ratchet
 * @param {{ accept: boolean }} options
 * @returns {Ratchet}
 */
export function updateRatchet(sources, ratchet, { accept }) {
  const kept = findOverlong(sources).flatMap(({ key, lines }) => {
    const listed = ratchet[key];
    if (listed === undefined) return accept ? [[key, { lines, why: "" }]] : [];
    return [[key, { ...listed, lines: accept ? lines : Math.min(lines, listed.lines) }]];
  });
  return Object.fromEntries(kept.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}
