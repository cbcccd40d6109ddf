// The log for people: one short line for a request, and of what went wrong all that helps to find it.

import { DatabaseError } from "@stoa/database";
import type { Log, LogFields, LogLevel, RequestEntry } from "@stoa/runtime";
import { codeFramesOf } from "../code-frames.js";
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

/** An error of one line behind the message, others on lines of their own below all else. */
function describeFields(fields: LogFields): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const errors = entries.flatMap(([, value]) =>
    value instanceof Error ? [printable(describeError(value))] : [],
  );
  const others = entries.flatMap(([key, value]) => {
    if (value instanceof Error) return [];
    return [` ${key}=${printable(typeof value === "string" ? value : safeJson(value))}`];
  });
  const short = errors.filter((text) => !text.includes("\n")).map((text) => `: ${text}`);
  const long = errors
    .filter((text) => text.includes("\n"))
    .map((text) => `\n${text.replaceAll(/^/gm, "  ")}`);
  return [...short, ...others, ...long].join("");
}

/** What happened, why, and where in the project's code. Of what nobody has foreseen, all that is known. */
function describeError(error: Error): string {
  const chain = chainOf(error);
  const frames =
    [...chain]
      .reverse()
      .map(codeFramesOf)
      .find(({ length }) => length > 0) ?? [];
  const isForeseen = frames.length > 0 || chain.length > 1 || error instanceof DatabaseError;
  if (!isForeseen) return error.stack ?? error.message;
  const [first = error, ...causes] = chain;
  const reasons = causes.filter((cause, index) => !isTold(cause, chain[index]));
  return [
    first.name === "Error" || error instanceof DatabaseError
      ? first.message
      : `${first.name}: ${first.message}`,
    ...(error instanceof DatabaseError
      ? []
      : reasons.map(({ name, message }) => `because of ${name}: ${message}`)),
    ...frames.map(({ name, place }) => `    at ${name === undefined ? place : `${name} (${place})`}`),
  ].join("\n");
}

const LONGEST_CHAIN = 5;

/** The error and its causes. */
function chainOf(error: Error): readonly Error[] {
  const chain = [error];
  for (let cause = error.cause; cause instanceof Error && chain.length < LONGEST_CHAIN; cause = cause.cause) {
    chain.push(cause);
  }
  return chain;
}

/** Whether the error before it says all that there is to say of it. */
function isTold({ name, message }: Error, before: Error | undefined): boolean {
  return name === "Error" && (before?.message.includes(message) ?? false);
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
