// Probes for whoever runs the process: is it alive, and can it serve. They are routes like all others; those of
// the application are below /api.

import type { Outcome, Reply, Route } from "../exchange.js";
import type { Log } from "./log.js";
import { unavailable } from "./problem.js";

export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface HealthOptions {
  /** Asks the database. May take long and may fail: both mean "not ready". */
  readonly checkReady: () => Promise<Readiness>;
  readonly log: Log;
}

const FRESH_MS = 1000;
const TIMEOUT_MS = 2000;
const RETRY_AFTER_SECONDS = 1;

const OK: Reply = {
  kind: "reply",
  status: 200,
  headers: {},
  body: { kind: "bytes", bytes: Buffer.from('{"status":"ok"}') },
};

export function healthRoutes(options: HealthOptions): readonly Route[] {
  const ask = keepFresh(() => checkInTime(options.checkReady), createReporter(options.log));
  return [probe("live", async () => OK), probe("ready", async () => ((await ask()).ok ? OK : notReady()))];
}

/** The slash keeps the name apart from those of endpoints. */
function probe(name: string, handle: () => Promise<Outcome>): Route {
  return { name: `health/${name}`, method: "GET", path: `/health/${name}`, handle };
}

export function isProbe(route: Route): boolean {
  return route.name.startsWith("health/");
}

/** The reason is in the log: it may name hosts, users and versions. */
function notReady(): Outcome {
  return unavailable(RETRY_AFTER_SECONDS, "The database cannot be reached or is not ready");
}

async function checkInTime(checkReady: () => Promise<Readiness>): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Readiness>((resolve) => {
    const reason = `no answer from the database in ${TIMEOUT_MS} ms`;
    timer = setTimeout(resolve, TIMEOUT_MS, { ok: false, reason });
  });
  try {
    return await Promise.race([checkReady(), timeout]);
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** One check at a time, and at most one per second, however many probes ask. */
function keepFresh(
  check: () => Promise<Readiness>,
  report: (readiness: Readiness) => void,
): () => Promise<Readiness> {
  let current: Promise<Readiness> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (current !== undefined && performance.now() - checkedAt < FRESH_MS) return current;
    checkedAt = Number.POSITIVE_INFINITY;
    current = check().then((readiness) => {
      checkedAt = performance.now();
      report(readiness);
      return readiness;
    });
    return current;
  };
}

/** Tells of changes only: a database that is away for an hour is not worth a line per probe. */
function createReporter(log: Log): (readiness: Readiness) => void {
  let reported = "";
  return (readiness) => {
    const reason = readiness.ok ? "" : readiness.reason;
    if (reason === reported) return;
    reported = reason;
    if (readiness.ok) log.info("ready");
    else log.warn("not ready", { reason });
  };
}
