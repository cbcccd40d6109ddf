// The log for people: one short line for a request, and of what went wrong all that helps to find it.

import type { Log, LogFields, LogLevel, RequestEntry } from "@stoa/runtime";
import { paletteFor } from "../terminal.js";

const RANKS: Readonly<Record<LogLevel, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

export function createPeopleLog(level: LogLevel, write: (line: string) => void): Log {
  const palette = paletteFor(process.stdout);
  const say = (of: LogLevel, message: string, fields: LogFields = {}): void => {
    if (RANKS[of] > RANKS[level]) return;
    const paint = of === "error" ? palette.error : of === "warn" ? palette.warning : palette.strong;
    write(`${palette.faint(clock())} ${paint(of)} ${printable(message)}${describeFields(fields)}`);
  };
  return {
    error: (message, fields) => say("error", message, fields),
    warn: (message, fields) => say("warn", message, fields),
    info: (message, fields) => say("info", message, fields),
    debug: (message, fields) => say("debug", message, fields),
    request(entry) {
      const needed = entry.isProbe ? RANKS.debug : RANKS.info;
      if (needed <= RANKS[level] || (entry.status ?? 0) >= 500) write(describeRequest(entry, palette));
    },
    flush() {},
  };
}

function describeRequest(entry: RequestEntry, palette: ReturnType<typeof paletteFor>): string {
  const { method, target, status, startedAt, cut } = entry;
  const ms = performance.now() - startedAt;
  const time = palette.faint(`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`);
  // Values in a query may be nobody's business, also on a terminal that someone shares.
  const path = printable(target.split("?", 1)[0] ?? "");
  const end = cut === null ? "" : palette.warning(cut === "client" ? " (the client left)" : ` (${cut})`);
  return `${palette.faint(clock())} ${method.padEnd(6)} ${path} ${paintStatus(status, palette)} ${time}${end}`;
}

function paintStatus(status: number | null, palette: ReturnType<typeof paletteFor>): string {
  if (status === null) return palette.faint("–");
  const text = String(status);
  if (status >= 500) return palette.error(text);
  return status >= 400 ? palette.warning(text) : palette.good(text);
}

/** Errors with their stacks, on lines of their own; all else behind the message. */
function describeFields(fields: LogFields): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const errors = entries.flatMap(([, value]) => (value instanceof Error ? [stackOf(value)] : []));
  const others = entries.flatMap(([key, value]) => {
    if (value instanceof Error || key === "requestId") return [];
    return [`${key}=${printable(typeof value === "string" ? value : safeJson(value))}`];
  });
  return [others.map((text) => ` ${text}`).join(""), ...errors.map((text) => `\n${text}`)].join("");
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\n  because of ${error.cause.message}` : "";
  return printable(`${error.stack ?? error.message}${cause}`).replaceAll(/^/gm, "  ");
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Nothing that comes from elsewhere moves the cursor. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, "?");
}

/** The time of day, as clocks show it. */
export function clock(now = new Date()): string {
  return [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
