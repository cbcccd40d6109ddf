// Serves the program of `library.mjs` in two ways, by Stoa and by hand, over one database, and measures them in
// turns: whatever else the machine does disturbs both alike.

import { deepStrictEqual, strictEqual } from "node:assert";
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bootstrap, ROOT } from "../tools/bootstrap.mjs";
import { PROGRAM, ROWS } from "./library.mjs";

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {number | null} bar what Stoa must reach of the throughput by hand
 * @property {number} status of every answer
 * @property {readonly string[]} requests
 * @property {string} [before] statements that run before each window, so that all begin alike
 */

/** @typedef {{ perSecond: number, nodeMicros: number, databaseMicros: number, loadMicros: number }} Measured */
/** @typedef {{ name: string, child: import("node:child_process").ChildProcess, port: number }} Server */
/** @typedef {{ stoa: Server, logging: Server, hand: Server, beside: Server | null }} Servers */
/** @typedef {{ servers: Servers, load: import("node:child_process").ChildProcess, database: any, postmaster: number }} Ground */

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "7" },
    connections: { type: "string", default: "32" },
    /** Of the service by hand: as many as Stoa's pool has. */
    pool: { type: "string", default: "10" },
    only: { type: "string" },
    /** Another checkout of Stoa, built, to be measured as well: what has a change brought? */
    beside: { type: "string" },
    /** A folder for profiles of the servers' CPU. */
    profile: { type: "string" },
  },
});
const seconds = Math.max(0.1, Number(values.seconds) || 0);
const rounds = Math.max(1, Number(values.rounds) || 0);
const connections = Math.max(1, Number(values.connections) || 0);

/** CPU time in /proc is counted in hundredths of a second, on every Linux there is. */
const MICROSECONDS_PER_TICK = 10_000;

/**
 * @param {readonly Case[]} cases
 * @param {(assertAlike: (request: string) => Promise<void>) => Promise<void>} assertEqual
 * @returns {Promise<boolean>} whether all bars are met
 */
export async function compare(cases, assertEqual) {
  await bootstrap();
  const { startThrowaway, connect } = await import("../packages/database/dist/index.js");
  // Nothing is cleaned up in the middle of a window.
  const server = await startThrowaway({ settings: { autovacuum: "off" } });
  const database = connect({ url: server.url });
  /** @type {import("node:child_process").ChildProcess[]} */
  const children = [];
  try {
    await fill(database);
    const load = startChild("load.mjs", {}, children);
    const servers = await startServers(server.url, children);
    await assertEqual((request) => assertAlike(servers, request));
    const ground = { servers, load, database, postmaster: findPostmaster(server.dataDir) };
    return await compareCases(ground, cases);
  } finally {
    await Promise.all(children.map(stop));
    await database.close();
    await server.stop();
  }
}

/** @param {any} database */
async function fill(database) {
  const { compile } = await import("../packages/compiler/dist/index.js");
  const { applyPush, planPush } = await import("../packages/database/dist/index.js");
  const { definition } = compile([{ name: "library.stoa", text: PROGRAM }]);
  await applyPush(database, await planPush(database, definition));
  for (const statement of ROWS) await database.execute(statement);
}

/** @param {string} file @param {unknown} settings @param {import("node:child_process").ChildProcess[]} children */
function startChild(file, settings, children) {
  const profile =
    values.profile && file.startsWith("serve-") ? ["--cpu-prof", `--cpu-prof-dir=${values.profile}`] : [];
  const child = fork(join(ROOT, "bench", file), [JSON.stringify(settings)], {
    env: { ...process.env, NODE_ENV: "production" },
    execArgv: profile,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.push(child);
  return child;
}

/** The profile of a child is written when it ends by itself. @param {import("node:child_process").ChildProcess} child */
async function stop(child) {
  if (child.exitCode !== null || !child.connected) return;
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
}

/** @param {string} url @param {import("node:child_process").ChildProcess[]} children @returns {Promise<Servers>} */
async function startServers(url, children) {
  const { searchParams, username, password, pathname } = new URL(url);
  const hand = {
    host: searchParams.get("host"),
    port: Number(searchParams.get("port")),
    user: username,
    password,
    database: pathname.slice(1),
    connections: Number(values.pool),
  };
  const stoa = (/** @type {string} */ name, log = "silent", root = ROOT) =>
    startServer(name, startChild("serve-stoa.mjs", { url, log, root }, children));
  return {
    stoa: await stoa("Stoa"),
    logging: await stoa("Stoa, with log", "info"),
    hand: await startServer("by hand", startChild("serve-hand.mjs", hand, children)),
    beside:
      values.beside === undefined ? null : await stoa("the other Stoa", "silent", resolve(values.beside)),
  };
}

/** @param {string} name @param {import("node:child_process").ChildProcess} child @returns {Promise<Server>} */
async function startServer(name, child) {
  const died = once(child, "exit").then(() => {
    throw new Error(`The server ${name} did not start.`);
  });
  const [{ port }] = await Promise.race([once(child, "message"), died]);
  died.catch(() => {});
  return { name, child, port };
}

/**
 * Both give the same answer, but for the ids of what they have just made and the numbers in its name; or both refuse,
 * each in its own words.
 * @param {Servers} servers
 * @param {string} request
 */
async function assertAlike({ stoa, hand }, request) {
  const [ours, theirs] = [await ask(stoa, request, 1), await ask(hand, request, 2)];
  if (ours.status >= 400 && ours.status < 500) strictEqual(Math.floor(theirs.status / 100), 4, request);
  else deepStrictEqual(ours, theirs, request);
}

/** @param {Server} server @param {string} request @param {number} number */
async function ask({ port }, request, number) {
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const [, method, path] = /^(\S+) (\S+)/.exec(head) ?? [];
  const numbered = body.replaceAll("{n}", `00000000${number}`);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...(method === undefined ? {} : { method }),
    ...(body === "" ? {} : { body: numbered, headers: { "Content-Type": "application/json" } }),
  });
  const text = await answer.text();
  const alike =
    numbered === body ? text : text.replace(/"id":\d+/, '"id":0').replaceAll(`00000000${number}`, "n");
  return { status: answer.status, body: JSON.parse(alike) };
}

/** @param {Ground} ground @param {readonly Case[]} cases */
async function compareCases(ground, cases) {
  const chosen = cases.filter(({ name }) => values.only === undefined || name.startsWith(values.only));
  console.log(
    `${rounds} rounds of ${seconds} s in turns, ${connections} connections; load average ${loadavg()
      .map((each) => each.toFixed(1))
      .join(" ")}`,
  );
  console.log("CPU in µs per request; the database's durability (fsync) is off for both.\n");
  console.log(ROW_HEAD);
  const met = [];
  for (const each of chosen) met.push(await compareCase(ground, each));
  await compareLogging(ground, chosen);
  return met.every(Boolean);
}

const ROW_HEAD = [
  "case".padEnd(34),
  "requests/s".padStart(10),
  "spread".padStart(15),
  "Node".padStart(7),
  "PostgreSQL".padStart(11),
  "load".padStart(6),
].join(" ");

/** @param {Ground} ground @param {Case} one */
async function compareCase(ground, one) {
  const { stoa, hand, beside } = ground.servers;
  const all = [stoa, hand, ...(beside === null ? [] : [beside])];
  const measured = await measureInTurns(ground, one, all);
  for (const [index, { name }] of all.entries()) report(`${one.name}: ${name}`, measured[index] ?? []);
  const [ours = [], theirs = []] = measured;
  const ratios = ours.map(({ perSecond }, index) => perSecond / (theirs[index]?.perSecond ?? Number.NaN));
  const ratio = median(ratios);
  const isMet = one.bar === null || ratio >= one.bar;
  const verdict = one.bar === null ? "no bar" : `bar ${one.bar}: ${isMet ? "ok" : "MISSED"}`;
  console.log(`${"".padEnd(34)} ${ratio.toFixed(2)} × by hand, ${spread(ratios, 2)} (${verdict})\n`);
  return isMet;
}

/** What a line of the log costs. @param {Ground} ground @param {readonly Case[]} cases */
async function compareLogging(ground, cases) {
  const [first] = cases;
  if (first === undefined) return;
  const { stoa, logging } = ground.servers;
  const [silent = [], logged = []] = await measureInTurns(ground, first, [stoa, logging]);
  report(`${first.name}: ${stoa.name}`, silent);
  report(`${first.name}: ${logging.name}`, logged);
  const costs = logged.map(({ nodeMicros }, index) => nodeMicros - (silent[index]?.nodeMicros ?? Number.NaN));
  console.log(
    `${"".padEnd(34)} a line of the log: ${median(costs).toFixed(0)} µs of Node, ${spread(costs, 0)}\n`,
  );
}

/**
 * Each measures once per round, and takes turns in being first; the round before the first warms up.
 * @param {Ground} ground
 * @param {Case} one
 * @param {readonly Server[]} servers
 */
async function measureInTurns(ground, one, servers) {
  /** @type {Measured[][]} */
  const results = servers.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    const order = [...servers.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      const server = servers[index];
      if (server === undefined) continue;
      const measured = await measureWindow(ground, one, server);
      if (round > 0) results[index]?.push(measured);
    }
  }
  return results;
}

/** @param {Ground} ground @param {Case} one @param {Server} server @returns {Promise<Measured>} */
async function measureWindow({ load, database, postmaster }, { requests, status, before }, server) {
  for (const statement of before?.split(";") ?? []) await database.execute(statement);
  const window = { port: server.port, connections, milliseconds: seconds * 1000, status, requests };
  const nodeBefore = await askUsage(server);
  const databaseBefore = databaseMicroseconds(postmaster);
  load.send(window);
  const [result] = await once(load, "message");
  if (result.fault !== null) throw new Error(`${server.name}: ${result.fault}`);
  const per = (/** @type {number} */ total) => total / result.requests;
  return {
    perSecond: (result.requests * 1000) / result.milliseconds,
    databaseMicros: per(databaseMicroseconds(postmaster) - databaseBefore),
    nodeMicros: per((await askUsage(server)) - nodeBefore),
    loadMicros: per(result.cpuMicroseconds),
  };
}

/** @param {Server} server @returns {Promise<number>} */
async function askUsage({ child }) {
  child.send("usage");
  const [{ cpuMicroseconds }] = await once(child, "message");
  return cpuMicroseconds;
}

/** @param {string} dataDir */
function findPostmaster(dataDir) {
  try {
    return Number.parseInt(readFileSync(join(dataDir, "postmaster.pid"), "utf8"), 10);
  } catch {
    return Number.NaN;
  }
}

/** CPU time of PostgreSQL's processes so far; not a number where there is no /proc. @param {number} postmaster */
function databaseMicroseconds(postmaster) {
  try {
    const all = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readStatus);
    const own = all.filter(({ pid, parent }) => pid === postmaster || parent === postmaster);
    return own.length === 0
      ? Number.NaN
      : own.reduce((sum, { ticks }) => sum + ticks, 0) * MICROSECONDS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}

/** @param {string} pid @returns {{ pid: number, parent: number, ticks: number }[]} none if it is gone */
function readStatus(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in parentheses, may hold anything; what follows it are numbers but for the first.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    return [];
  }
}

/** @param {string} name @param {readonly Measured[]} measured */
function report(name, measured) {
  const rates = measured.map(({ perSecond }) => perSecond);
  const of = (/** @type {keyof Measured} */ key) => median(measured.map((each) => each[key])).toFixed(0);
  console.log(
    [
      name.padEnd(34),
      of("perSecond").padStart(10),
      spread(rates, 0).padStart(15),
      of("nodeMicros").padStart(7),
      of("databaseMicros").padStart(11),
      of("loadMicros").padStart(6),
    ].join(" "),
  );
}

/** @param {readonly number[]} numbers @param {number} digits */
function spread(numbers, digits) {
  return `${Math.min(...numbers).toFixed(digits)} … ${Math.max(...numbers).toFixed(digits)}`;
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/** @param {string} path */
export function get(path) {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

/** @param {"POST" | "PATCH"} method @param {string} path @param {unknown} content */
export function write(method, path, content) {
  const body = JSON.stringify(content);
  // The number that the load generator puts in has nine digits.
  const length = Buffer.byteLength(body.replaceAll("{n}", "000000000"));
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}`;
  return `${head}\r\n\r\n${body}`;
}
