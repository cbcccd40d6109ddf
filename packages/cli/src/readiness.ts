// Whether the database can serve the application, told in the log until it does. From then on the probes of
// whoever runs the process see to it.

import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@stoa/runtime";

export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const INTERVAL_MS = 1000;

/** Tells of changes only. Ends when all is well, or when nobody wants to know any more. */
export async function watchReadiness(
  check: () => Promise<Readiness>,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  let told = "";
  while (!signal.aborted) {
    const readiness = await check();
    if (signal.aborted) return;
    if (readiness.ok) {
      if (told !== "") log.info("the database can serve the application now");
      return;
    }
    const { reason } = readiness;
    if (reason !== told) log.warn("the database cannot serve the application", { reason });
    told = reason;
    await sleep(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
