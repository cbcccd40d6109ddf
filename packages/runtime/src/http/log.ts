// The log: one JSON object per line. Lines are put together by hand and written in batches, because a general
// logger costs nearly as much as the rest of a request. Headers, query values and bodies never get here.

import { DatabaseError } from "@stoa/database";

export type LogLevel = "error" | "warn" | "info" | "debug" | "silent";

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  /** The line of a request that is over. */
  request(entry: RequestEntry): void;
  /** Hands everything to the destination. */
  flush(): void;
}

export interface RequestEntry {
  readonly requestId: string;
  readonly method: string;
  /** The request target; only its path is written. */
  readonly target: string;
  /** Null when no route was found. */
  readonly route: string | null;
  /** Null when the client left before it got one. */
  readonly status: number | null;
  readonly startedAt: number;
  readonly bytes: number;
  /** Why the answer is not complete. */
  readonly cut: "client" | "deadline" | "failure" | null;
  /** Probes come every few seconds and say nothing new: their lines are for `debug`. */
  readonly isProbe: boolean;
}

export interface LogOptions {
  /** `info` when not given. */
  readonly level?: LogLevel;
  readonly destination: { write(text: string): unknown };
}

const RANKS: Readonly<Record<LogLevel, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };
const BUFFER_LENGTH = 64 * 1024;
const FLUSH_MS = 100;
const LONGEST_PATH = 1024;
const LONGEST_CAUSE_CHAIN = 5;

export function createLog({ level = "info", destination }: LogOptions): Log {
  const rank = RANKS[level];
  const buffer = createBuffer(destination);
  const write = (of: LogLevel, message: string, fields: LogFields | undefined): void => {
    if (RANKS[of] > rank) return;
    buffer.add(writeEvent(of, message, fields));
    // What explains a crash must not be lost in it.
    if (of === "error") buffer.flush();
  };
  return {
    error: (message, fields) => write("error", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    info: (message, fields) => write("info", message, fields),
    debug: (message, fields) => write("debug", message, fields),
    request(entry) {
      const of = requestLevel(entry);
      if (RANKS[of] <= rank) buffer.add(writeRequest(of, entry));
    },
    flush: buffer.flush,
  };
}

interface LineBuffer {
  add(line: string): void;
  flush(): void;
}

function createBuffer(destination: LogOptions["destination"]): LineBuffer {
  let text = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (text === "") return;
    clearTimeout(timer);
    unwritten.delete(flush);
    const batch = text;
    text = "";
    try {
      destination.write(batch);
    } catch {
      // A log that cannot be written is no reason to stop serving.
    }
  };
  const add = (line: string): void => {
    if (text === "") {
      timer = setTimeout(flush, FLUSH_MS).unref();
      flushAtExit(flush);
    }
    text += line;
    if (text.length >= BUFFER_LENGTH) flush();
  };
  return { add, flush };
}

/** What logs still hold when the process ends. One listener serves them all. */
const unwritten = new Set<() => void>();
let isExitWatched = false;

function flushAtExit(flush: () => void): void {
  unwritten.add(flush);
  if (isExitWatched) return;
  isExitWatched = true;
  process.on("exit", () => {
    for (const each of [...unwritten]) each();
  });
}

function requestLevel({ status, isProbe }: RequestEntry): LogLevel {
  if (status === 500) return "error";
  if (status === 503) return "warn";
  return isProbe ? "debug" : "info";
}

function writeRequest(level: LogLevel, entry: RequestEntry): string {
  const { requestId, method, target, route, status, startedAt, bytes, cut } = entry;
  const ms = Math.round((performance.now() - startedAt) * 100) / 100;
  return `${head(level)},"msg":"request","requestId":"${requestId}","method":${JSON.stringify(method)},"path":${JSON.stringify(readPath(target))},"route":${route === null ? "null" : JSON.stringify(route)},"status":${status},"ms":${ms},"bytes":${bytes}${cut === null ? "" : `,"cut":"${cut}"`}}\n`;
}

/** The path alone: a query holds values, and a target in absolute form may hold a password before its host. */
function readPath(target: string): string {
  const start = target.startsWith("/") ? 0 : Math.max(0, target.indexOf("/", target.indexOf("//") + 2));
  const mark = target.indexOf("?");
  const path = target.slice(start, mark === -1 ? target.length : mark);
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
}

function writeEvent(level: LogLevel, message: string, fields: LogFields = {}): string {
  const start = `${head(level)},"msg":${JSON.stringify(message)}`;
  try {
    const parts = Object.entries(fields).flatMap(([key, value]) => writeField(key, value));
    return `${[start, ...parts].join(",")}}\n`;
  } catch {
    return `${start},"fields":"cannot be written"}\n`;
  }
}

function writeField(key: string, value: unknown): readonly string[] {
  const text = JSON.stringify(value instanceof Error ? describeError(value) : value);
  return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
}

/** The row values in an error of the database (`detail`) are data of the application, and stay out. */
function describeError(error: Error, depth = 1): LogFields {
  const { name, message, stack, cause } = error;
  const database =
    error instanceof DatabaseError
      ? { kind: error.kind, sqlState: error.sqlState, table: error.table, constraint: error.constraint }
      : {};
  const deeper = cause instanceof Error && depth < LONGEST_CAUSE_CHAIN;
  return { name, message, ...database, stack, ...(deeper ? { cause: describeError(cause, depth + 1) } : {}) };
}

let second = -1;
let secondText = "";

/** Opens a line. The text of the current second is kept: formatting a date costs more than the rest. */
function head(level: LogLevel): string {
  const now = Date.now();
  const millisecond = now % 1000;
  if (now - millisecond !== second) {
    second = now - millisecond;
    secondText = new Date(second).toISOString().slice(0, -4);
  }
  const digits = millisecond < 10 ? `00${millisecond}` : millisecond < 100 ? `0${millisecond}` : millisecond;
  return `{"time":"${secondText}${digits}Z","level":"${level}"`;
}
