// The bytes of a request: of a kind that can be read, and not too many of them.

import { Readable } from "node:stream";
import type { Call, Problem } from "../exchange.js";

export interface BodySource {
  readonly headers: Call["headers"];
  /** All at once, as they come, or none. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null;
}

export interface BodyRules {
  /** Of bytes as they are read: what the headers promise does not count. */
  readonly maxBytes: number;
  /** Whether `application/merge-patch+json` is taken as well. */
  readonly mergePatch: boolean;
}

export const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

const NOTHING = new Uint8Array(0);

/** The bytes; none of them need a media type when there are none. */
export function readBody(
  { headers, body }: BodySource,
  rules: BodyRules,
): Uint8Array | Problem | Promise<Uint8Array | Problem> {
  if (body === null) return NOTHING;
  const problem = findMediaProblem(headers, rules);
  if (body instanceof Uint8Array) {
    if (body.length > rules.maxBytes) return tooLarge(rules.maxBytes);
    return body.length > 0 && problem ? problem : body;
  }
  const announced = Number(first(headers["content-length"]) ?? 0);
  if (announced > rules.maxBytes) return tooLarge(rules.maxBytes);
  if (announced > 0 && problem) return problem;
  return body instanceof Readable
    ? collectEvents(body, rules.maxBytes, problem)
    : collect(body, rules.maxBytes, problem);
}

/** The requests of Node: their iterator costs several times as much as the events that it is made of. */
function collectEvents(
  body: Readable,
  maxBytes: number,
  problem: Problem | undefined,
): Promise<Uint8Array | Problem> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (result: Uint8Array | Problem): void => {
      body.off("data", add).off("end", end).off("error", breakOff).off("close", breakOff);
      resolve(result);
    };
    const refuse = (reason: Problem): void => {
      body.pause();
      finish(reason);
    };
    const add = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size > maxBytes) refuse(tooLarge(maxBytes));
      else if (problem) refuse(problem);
      else chunks.push(chunk);
    };
    const end = (): void => finish(joined(chunks, size));
    const breakOff = (): void => finish(brokenOff());
    // Somebody else may have read it, or the client may have left.
    if (body.readableEnded) return end();
    if (body.destroyed) return breakOff();
    body.on("data", add).on("end", end).on("error", breakOff).on("close", breakOff);
  });
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  return chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks, size);
}

/**
 * The iterator is never told to return: that would destroy a Node request together with the connection that the
 * answer has to travel on.
 */
async function collect(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  problem: Problem | undefined,
): Promise<Uint8Array | Problem> {
  const chunks: Uint8Array[] = [];
  const iterator = body[Symbol.asyncIterator]();
  for (let size = 0; ; ) {
    const step = await nextOf(iterator);
    if (step === undefined) return brokenOff();
    if (step.done === true) return joined(chunks, size);
    const chunk = step.value;
    size += chunk.length;
    if (size > maxBytes) return tooLarge(maxBytes);
    if (size > 0 && problem) return problem;
    chunks.push(chunk);
  }
}

/** Undefined when the client is gone, or its message ended too early. */
async function nextOf(
  iterator: AsyncIterator<Uint8Array>,
): Promise<IteratorResult<Uint8Array, unknown> | undefined> {
  try {
    return await iterator.next();
  } catch {
    return undefined;
  }
}

/** `type/subtype`, and what follows the semicolon. */
const MEDIA_TYPE = /^\s*([^\s;]+)\s*(?:;(.*))?$/s;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^\s";]*)/i;

function findMediaProblem(headers: Call["headers"], { mergePatch }: BodyRules): Problem | undefined {
  const type = first(headers["content-type"]);
  const encoding = first(headers["content-encoding"]);
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") {
    return unsupported(`The body is encoded (${shorten(encoding)}), which is not supported`);
  }
  if (type === "application/json") return undefined;
  const [, name = "", parameters = ""] = MEDIA_TYPE.exec(type ?? "") ?? [];
  const kind = name.toLowerCase();
  const isKnown = kind === "application/json" || (mergePatch && kind === "application/merge-patch+json");
  if (!isKnown) return unsupported(kindProblem(type, mergePatch));
  const charset = CHARSET.exec(parameters)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return undefined;
  return unsupported(`The body must be UTF-8, not ${shorten(charset)}`);
}

function kindProblem(type: string | undefined, mergePatch: boolean): string {
  const wanted = mergePatch ? "application/json or application/merge-patch+json" : "application/json";
  if (type === undefined) return `The request has no Content-Type; the body must be ${wanted}`;
  return `The body must be ${wanted}, not ${shorten(type)}`;
}

function first(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function unsupported(detail: string): Problem {
  return { kind: "problem", code: "unsupported-media-type", detail };
}

/** What is left of the body is not waited for, so the connection cannot be used again. */
function tooLarge(maxBytes: number): Problem {
  const detail = `The body must not have more than ${maxBytes} bytes`;
  return { kind: "problem", code: "too-large", detail, headers: { Connection: "close" } };
}

function brokenOff(): Problem {
  return { kind: "problem", code: "malformed", detail: "The body ended before it was complete" };
}
