// Requests with an Idempotency-Key are done once. Whoever asks again, with the same key and the same body, gets the
// answer of the first time. Only these requests pay for it: they need a transaction that stays open until the answer
// is known.

import { createHash, hash } from "node:crypto";
import type { Database } from "@stoa/database";
import type { Call, Outcome, Problem, Reply } from "../exchange.js";
import { CLAIM, CLEAN, CLEANED_AT_ONCE, RECALL, STORE } from "../plan/write/idempotent.js";
import { type Claim, DoneBefore, type Request, runInTransaction } from "./program.js";
import { refusedBefore, type Writing } from "./writing.js";

/** The key of a request, and what it asked for. */
export interface RequestKey {
  /** Of this caller, at this address. */
  readonly key: string;
  /** Takes note of the body while it is read. */
  watch(body: Call["body"]): Call["body"];
  /** What was asked, as a hash, once the body was read. */
  request(): string;
}

const HEADER = "idempotency-key";
const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** Null for requests that have none, and for methods that have no use for it. */
export function readKey(writing: Writing, call: Call): RequestKey | Problem | null {
  const { method } = writing.program.endpoint;
  const header = call.headers[HEADER];
  if (header === undefined || method !== "POST") return null;
  if (typeof header !== "string" || !VISIBLE.test(header)) return UNREADABLE;
  const asked = createHash("sha256").update(JSON.stringify(call.query));
  return {
    key: hash("sha256", JSON.stringify([...addressOf(writing, call), callerOf(call), header])),
    watch: (body) => watchBody(body, (chunk) => asked.update(chunk)),
    request: () => asked.copy().digest("hex"),
  };
}

const UNREADABLE: Problem = {
  kind: "problem",
  code: "malformed",
  detail: "The Idempotency-Key must have 1 to 255 visible ASCII characters, and stand once",
};

function addressOf({ program }: Writing, { parameters }: Call): unknown[] {
  const { method, path } = program.endpoint;
  return [method, path, parameters];
}

/** Keys of different callers have nothing to do with each other. */
function callerOf({ userId, credentials }: Call): unknown {
  return [userId, credentials];
}

/** The iterator has no `return`, because whoever reads a body never calls it. */
function watchBody(body: Call["body"], note: (chunk: Uint8Array) => void): Call["body"] {
  if (body === null) return null;
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          const step = await chunks.next();
          if (step.done !== true) note(step.value);
          return step;
        },
      };
    },
  };
}

/** An answer may expire between two looks at it, but hardly twice. */
const MOST_ATTEMPTS = 3;

export async function runOnce(
  writing: Writing,
  request: Omit<Request, "claim">,
  key: RequestKey,
): Promise<Outcome> {
  cleanNowAndThen(writing);
  const claim = claimOf(key);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      return await runInTransaction(writing, { ...request, claim });
    } catch (error) {
      if (!(error instanceof DoneBefore)) throw error;
    }
    const outcome = await recall(writing, request.call, key);
    if (outcome !== null) return outcome;
  }
  throw new Error("A stored answer can be neither found nor replaced.");
}

function claimOf({ key, request }: RequestKey): Claim {
  return {
    statement: { sql: CLAIM, parameters: [key, request()] },
    store: (answer) => ({ sql: STORE, parameters: [key, writeAnswer(answer)] }),
  };
}

/** Null when there is no answer any more. Whoever may not ask does not get one that they got when they might. */
async function recall(writing: Writing, call: Call, { key, request }: RequestKey): Promise<Outcome | null> {
  const refused = await refusedBefore(writing, call);
  if (refused !== undefined) return refused;
  const statements = [{ sql: RECALL, parameters: [key] }];
  const { rows, failure } = await writing.options.database.batch(statements, { signal: call.departure });
  if (failure !== null) throw failure;
  const row = rows[0]?.[0];
  if (row === undefined) return null;
  const [asked, answer]: [string, StoredAnswer] = JSON.parse(Buffer.from(row).toString());
  return asked === request() ? readAnswer(answer) : OTHER_REQUEST;
}

const OTHER_REQUEST: Problem = {
  kind: "problem",
  code: "conflict",
  detail: "The Idempotency-Key was used for a request with another body",
};

/** All bodies are text, and UTF-8; so they come back as the same bytes. */
interface StoredAnswer {
  readonly status: number;
  readonly headers: Reply["headers"];
  readonly body: string | null;
}

function writeAnswer({ status, headers, body }: Reply): string {
  if (body.kind === "stream") throw new Error("The answer of a request that writes is no stream.");
  const text = body.kind === "none" ? null : Buffer.from(body.bytes).toString();
  return JSON.stringify({ status, headers, body: text } satisfies StoredAnswer);
}

function readAnswer({ status, headers, body }: StoredAnswer): Reply {
  return {
    kind: "reply",
    status,
    headers: { ...headers, "Idempotent-Replayed": "true" },
    body: body === null ? { kind: "none" } : { kind: "bytes", bytes: Buffer.from(body) },
  };
}

const CLEAN_EVERY_MS = 10 * 60_000;

/** When to look for expired answers again, by database. */
const cleanAt = new WeakMap<Database, number>();

/** Beside the request, and in small pieces: where a piece was not enough, the next request goes on. */
function cleanNowAndThen({ options: { database, log } }: Writing): void {
  const now = performance.now();
  if (now < (cleanAt.get(database) ?? 0)) return;
  cleanAt.set(database, now + CLEAN_EVERY_MS);
  database.batch([{ sql: CLEAN, parameters: [] }]).then(
    ({ rows }) => {
      const count = Number(Buffer.from(rows[0]?.[0] ?? []).toString());
      if (count === CLEANED_AT_ONCE) cleanAt.set(database, 0);
    },
    (error: unknown) => log.debug("expired answers could not be removed", { error }),
  );
}
