// Problems as clients see them: one table from code to status and words, and the document of RFC 9457.

import { STATUS_CODES } from "node:http";
import type { CustomProblem, InputError, Problem, ProblemCode, Reply } from "../exchange.js";

const TYPE_BASE = "https://stoa.dev/errors/";

interface Kind {
  readonly status: number;
  readonly title: string;
  /**
   * Said whatever the problem itself says. Two answers that must not be told apart have one text, and what went
   * wrong inside the server is for the log.
   */
  readonly detail?: string;
}

const KINDS: Readonly<Record<ProblemCode, Kind>> = {
  malformed: { status: 400, title: "The request cannot be read" },
  validation: { status: 400, title: "The request is not valid" },
  unauthenticated: { status: 401, title: "Authentication is needed" },
  forbidden: { status: 403, title: "This is not allowed" },
  "not-found": { status: 404, title: "Not found", detail: "There is nothing at this address" },
  "method-not-allowed": { status: 405, title: "The method is not allowed here" },
  conflict: { status: 409, title: "The request conflicts with what is stored" },
  "precondition-failed": { status: 412, title: "The record has changed" },
  "too-large": { status: 413, title: "The request is too large" },
  "unsupported-media-type": { status: 415, title: "The media type is not supported" },
  "rate-limited": { status: 429, title: "There were too many requests" },
  unavailable: { status: 503, title: "The service is not available" },
  internal: {
    status: 500,
    title: "Something went wrong",
    detail: "The request failed because of a fault in the server; the request id finds it in the log",
  },
};

export function notFound(): Problem {
  return { kind: "problem", code: "not-found", detail: "" };
}

export function methodNotAllowed(allow: string): Problem {
  const detail = `This address answers to ${allow}`;
  return { kind: "problem", code: "method-not-allowed", detail, headers: { Allow: allow } };
}

export function unavailable(retryAfterSeconds: number, detail: string): Problem {
  const headers = { "Retry-After": String(retryAfterSeconds) };
  return { kind: "problem", code: "unavailable", detail, headers };
}

export function internal(): Problem {
  return { kind: "problem", code: "internal", detail: "" };
}

/** The problem as a reply. */
export function renderProblem(problem: Problem | CustomProblem, requestId: string): Reply {
  if (problem.kind === "custom") return renderCustom(problem, requestId);
  const { code } = problem;
  const { status, title, detail } = KINDS[code];
  const isFixed = detail !== undefined;
  const document = writeDocument({
    code,
    title,
    status,
    detail: detail ?? problem.detail,
    requestId,
    errors: isFixed ? undefined : problem.errors,
  });
  const headers = { "Content-Type": "application/problem+json", ...(isFixed ? {} : problem.headers) };
  return { kind: "reply", status, headers, body: { kind: "bytes", bytes: Buffer.from(document) } };
}

/** A code of ours keeps its page and, with its own status, its title. What it says is up to the code. */
function renderCustom({ status, code, detail }: CustomProblem, requestId: string): Reply {
  const known = Object.hasOwn(KINDS, code) ? KINDS[code as ProblemCode] : undefined;
  const title = known?.status === status ? known.title : (STATUS_CODES[status] ?? "The request failed");
  const type = known === undefined ? "about:blank" : TYPE_BASE + code;
  const document = JSON.stringify({ type, title, status, code, detail, requestId });
  const headers = { "Content-Type": "application/problem+json" };
  return { kind: "reply", status, headers, body: { kind: "bytes", bytes: Buffer.from(document) } };
}

interface Document {
  readonly code: ProblemCode;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly requestId: string;
  readonly errors?: readonly InputError[] | undefined;
}

function writeDocument({ code, title, status, detail, requestId, errors }: Document): string {
  return JSON.stringify({ type: TYPE_BASE + code, title, status, code, detail, requestId, errors });
}

/**
 * What Node's parser refuses never becomes a request. Its answer is a whole HTTP message, because there is
 * nothing to write it with; the code stays within the list that clients know.
 */
export function writeRefusal(parserCode: string | undefined, requestId: string): string {
  const { status, phrase, code, detail } = readParserCode(parserCode);
  const document = writeDocument({ code, title: KINDS[code].title, status, detail, requestId });
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    "Connection: close",
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(document)}`,
    `X-Request-Id: ${requestId}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${document}`;
}

interface Refusal {
  readonly status: number;
  readonly phrase: string;
  readonly code: ProblemCode;
  readonly detail: string;
}

function readParserCode(parserCode: string | undefined): Refusal {
  if (parserCode === "HPE_HEADER_OVERFLOW") {
    const detail = "The address and the headers of the request are too long";
    return { status: 431, phrase: "Request Header Fields Too Large", code: "too-large", detail };
  }
  if (parserCode === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    return {
      status: 413,
      phrase: "Payload Too Large",
      code: "too-large",
      detail: "The chunk extensions are too long",
    };
  }
  if (parserCode === "ERR_HTTP_REQUEST_TIMEOUT") {
    const detail = "The request did not arrive in time";
    return { status: 408, phrase: "Request Timeout", code: "malformed", detail };
  }
  return { status: 400, phrase: "Bad Request", code: "malformed", detail: "The request is not valid HTTP" };
}
