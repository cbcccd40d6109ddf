// get and list: a request picks its plan, binds values, and sends on the JSON that the database has made.

import type { Database, Prepared } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import type { Call, Outcome, Problem, Reply, Route } from "../exchange.js";
import { MARK, type ReadPlan } from "../plan/plan.js";
import type { Binding } from "../sql/context.js";
import { fillHooks, type HookCalls } from "./hooks.js";
import { type ReadText, textReader } from "./identifier.js";
import { PAGE_PARAMETERS, type Page, readPage } from "./paging.js";
import { readQuery } from "./query-string.js";
import { arrayOf, enclose, streamArray } from "./rows.js";

export interface ReadOptions {
  readonly database: Database;
  readonly definition: Definition;
  readonly hooks: HookCalls;
}

/** The route of a get or list endpoint. */
export function readRoute(plan: ReadPlan, options: ReadOptions): Route {
  const { name, method, path, parameters } = plan.endpoint;
  const statement = options.database.prepare(plan.sql);
  const values = (enumName: string) =>
    options.definition.enums.find((each) => each.name === enumName)?.values.map((value) => value.name) ?? [];
  const readers = parameters.map((parameter) => textReader(parameter.type, values));
  const reading: Reading = { plan, statement, readers, hooks: options.hooks };
  return { name, method, path, handle: (call) => read(reading, call) };
}

interface Reading {
  readonly plan: ReadPlan;
  readonly statement: Prepared;
  readonly readers: readonly ReadText[];
  readonly hooks: HookCalls;
}

const NOT_FOUND: Problem = { kind: "problem", code: "not-found", detail: "" };
const KNOWN = { page: PAGE_PARAMETERS, other: [] } as const;

async function read(reading: Reading, call: Call): Promise<Outcome> {
  const { plan } = reading;
  const query = readQuery(call.query, { known: plan.kind === "page" ? KNOWN.page : KNOWN.other });
  if ("kind" in query) return query;
  const page = plan.pagination === null ? null : readPage(query, plan.pagination);
  if (page !== null && "kind" in page) return page;
  const identifiers = readIdentifiers(reading.readers, call.parameters);
  if (identifiers === undefined) return NOT_FOUND;
  const parameters = plan.bindings.map((binding) => bound(binding, identifiers, page, call));
  if (plan.kind === "all") return readAll(reading, parameters, call);
  const rows = await reading.statement.execute(parameters, call.signal);
  return page === null ? readOne(reading, rows, call) : readOnePage(reading, rows, page, call);
}

function readIdentifiers(readers: readonly ReadText[], texts: readonly string[]): string[] | undefined {
  const values: string[] = [];
  for (let index = 0; index < readers.length; index++) {
    const value = readers[index]?.(texts[index] ?? "");
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function bound(
  binding: Binding,
  identifiers: readonly string[],
  page: Page | null,
  call: Call,
): string | null {
  switch (binding.kind) {
    case "path":
      return identifiers[binding.index] ?? null;
    case "user":
      return call.userId;
    case "limit":
      return page === null ? null : String(page.pageSize);
    case "offset":
      return page === null ? null : String((page.page - 1) * page.pageSize);
  }
}

/** A refusal among the rows; the rest of them says nothing then. */
export function refusalOf(rows: readonly Uint8Array[]): Problem | undefined {
  for (const row of rows) {
    if (row[0] === MARK.unauthenticated) return UNAUTHENTICATED;
    if (row[0] === MARK.forbidden) return FORBIDDEN;
    if (row[0] === MARK.record) return undefined;
  }
  return undefined;
}

const UNAUTHENTICATED: Problem = {
  kind: "problem",
  code: "unauthenticated",
  detail: "This address needs a user",
  headers: { "WWW-Authenticate": "Bearer" },
};
const FORBIDDEN: Problem = { kind: "problem", code: "forbidden", detail: "This user may not do this" };

function ok(bytes: Uint8Array): Reply {
  return { kind: "reply", status: 200, headers: {}, body: { kind: "bytes", bytes } };
}

async function readOne(reading: Reading, rows: readonly Uint8Array[], call: Call): Promise<Outcome> {
  const [row] = rows;
  if (row === undefined) return NOT_FOUND;
  const refusal = refusalOf(rows);
  if (refusal !== undefined) return refusal;
  const [filled] = await filledRows(reading, [row], call);
  return ok(filled ?? row);
}

async function readOnePage(
  reading: Reading,
  rows: readonly Uint8Array[],
  page: Page,
  call: Call,
): Promise<Outcome> {
  const refusal = refusalOf(rows);
  if (refusal !== undefined) return refusal;
  const records = rows.filter((row) => row[0] === MARK.record);
  const head = rows.find((row) => row[0] !== MARK.record);
  if (head === undefined) return NOT_FOUND;
  const totalCount = Number(Buffer.from(head).toString("latin1"));
  const totalPages = Math.ceil(totalCount / page.pageSize);
  const counts = `"page":${page.page},"pageSize":${page.pageSize},"totalPages":${totalPages},"totalCount":${totalCount}`;
  return ok(enclose(`{${counts},"data":[`, await filledRows(reading, records, call), "]}"));
}

async function filledRows(
  { plan, hooks }: Reading,
  rows: readonly Uint8Array[],
  call: Call,
): Promise<readonly Uint8Array[]> {
  return plan.hooks.length === 0 ? rows : fillHooks(rows, plan.hooks, hooks, call);
}

/** Sent as it comes. What the first rows say decides the status. */
async function readAll(
  reading: Reading,
  parameters: readonly (string | null)[],
  call: Call,
): Promise<Outcome> {
  const isNested = reading.plan.bindings.some(({ kind }) => kind === "path");
  const batches = reading.statement.stream(parameters, call.signal)[Symbol.asyncIterator]();
  const first = await batches.next();
  if (first.done) return isNested ? NOT_FOUND : ok(arrayOf([]));
  const refusal = refusalOf(first.value);
  if (refusal !== undefined) {
    await batches.return?.();
    return refusal;
  }
  const fill = (rows: readonly Uint8Array[]) => filledRows(reading, rows, call);
  const chunks = streamArray(first.value, batches, fill);
  return { kind: "reply", status: 200, headers: {}, body: { kind: "stream", chunks } };
}
