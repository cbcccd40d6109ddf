// The answer of a program, from its rows.

import type { Call, Outcome, Reply, ReplyHeaders } from "../exchange.js";
import { MARK } from "../plan/plan.js";
import { WRITE_MARK } from "../plan/write/program.js";
import { has, textOf } from "./marks.js";
import { NOT_FOUND } from "./refusals.js";
import { tagOfBytes } from "./tags.js";
import { getBeside, type Writing } from "./writing.js";

type Rows = readonly Uint8Array[];

/** A program that found nothing to write on has said nothing at all. */
export async function answerOf(writing: Writing, rows: Rows, call: Call): Promise<Outcome> {
  const { endpoint } = writing.program;
  if (endpoint.response !== null) return recordAnswer(writing, rows, call);
  if (!has(rows, WRITE_MARK.done)) return NOT_FOUND;
  return has(rows, WRITE_MARK.status) ? saidAnswer(rows) : NO_CONTENT;
}

const NO_CONTENT: Reply = { kind: "reply", status: 204, headers: {}, body: { kind: "none" } };

async function recordAnswer(writing: Writing, rows: Rows, call: Call): Promise<Outcome> {
  const { program, fill } = writing;
  const row = rows.find((each) => each[0] === MARK.record);
  if (row === undefined) return NOT_FOUND;
  const [bytes = row] = fill === null ? [row] : await fill([row], call);
  const headers = { ...tagHeader(writing, row, rows), ...locationHeader(writing, rows, call) };
  const status = program.endpoint.kind === "create" ? 201 : 200;
  return { kind: "reply", status, headers, body: { kind: "bytes", bytes } };
}

function tagHeader({ program }: Writing, row: Uint8Array, rows: Rows): ReplyHeaders {
  if (program.tag === "answer") return { ETag: tagOfBytes(row) };
  const tag = textOf(rows, WRITE_MARK.tag);
  return tag === undefined ? {} : { ETag: `"${tag}"` };
}

/** The path of the get endpoint, with the parents as they came and the new record's identifier, if it has one. */
function locationHeader({ place }: Writing, rows: Rows, call: Call): ReplyHeaders {
  const get = getBeside(place.entrypoints);
  if (place.endpoint.kind !== "create" || get === undefined) return {};
  const identifier = textOf(rows, WRITE_MARK.identifier);
  const values = [...call.parameters, ...(identifier === undefined ? [] : [identifier])];
  return { Location: get.path.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(values.shift() ?? "")) };
}

/** `respond`: status, headers and body as the program says. */
function saidAnswer(rows: Rows): Reply {
  const status = Number(textOf(rows, WRITE_MARK.status));
  const headers = readHeaders(textOf(rows, WRITE_MARK.headers) ?? "{}");
  const row = rows.find((each) => each[0] === WRITE_MARK.body);
  const isEmpty = row === undefined || status === 204 || status === 304;
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
  if (!isStatus) throw new Error(`\`httpStatus\` is ${status}, which is no status of an answer.`);
  return {
    kind: "reply",
    status,
    headers,
    body: isEmpty ? { kind: "none" } : { kind: "bytes", bytes: row.subarray(1) },
  };
}

/** A header is a text or a list of texts; null means that it is not sent. */
function readHeaders(json: string): ReplyHeaders {
  const said: Record<string, unknown> = JSON.parse(json);
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(said)) {
    if (Array.isArray(value)) headers[name] = value.filter((each) => each !== null).map(headerText);
    else if (value !== null) headers[name] = headerText(value);
  }
  return headers;
}

/** Line ends would begin another header. */
function headerText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/gu, (letter) => encodeURIComponent(letter));
}
