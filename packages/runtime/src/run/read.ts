// get and list: a request picks its plan, binds values, and sends on the JSON that the database has made.

import type { Database, Prepared } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import type { Call, Outcome, Reply, ReplyHeaders, Route } from "../exchange.js";
import type { Log } from "../http/index.js";
import { identifierReader, type ReadIdentifiers } from "../input/identifier.js";
import { invalid, readQuery } from "../input/query-string.js";
import { MARK, type ReadPlan } from "../plan/plan.js";
import { bindRead } from "./bind.js";
import type { HookCalls } from "./hook-calls.js";
import { contextsOf } from "./hook-context.js";
import { type FillHooks, planHooks } from "./hooks.js";
import { PAGE_PARAMETERS, type Page, readPage } from "./paging.js";
import { NOT_FOUND, noteUser, refusalOf } from "./refusals.js";
import { arrayOf, enclose, regroup, streamArray } from "./rows.js";
import { isKnownTag, tagOfBytes } from "./tags.js";

export interface ReadOptions {
  readonly database: Database;
  readonly definition: Definition;
  readonly hooks: HookCalls;
  readonly log: Log;
}

/** The route of a get or list endpoint. */
export function readRoute(plan: ReadPlan, options: ReadOptions): Route {
  const { name, method, path, parameters } = plan.endpoint;
  const { definition, log } = options;
  const fill = planHooks(plan.hooks, options.hooks, contextsOf(definition, log));
  const statement = options.database.prepare(plan.sql, { isQuick: plan.isQuick });
  const readIdentifiers = identifierReader(definition, parameters);
  const reading: Reading = { plan, statement, readIdentifiers, fill };
  return { name, method, path, handle: (call) => read(reading, call) };
}

interface Reading {
  readonly plan: ReadPlan;
  readonly statement: Prepared;
  readonly readIdentifiers: ReadIdentifiers;
  /** Null when the response has no hooks. */
  readonly fill: FillHooks | null;
}

const KNOWN = { page: PAGE_PARAMETERS, other: [] } as const;

async function read(reading: Reading, call: Call): Promise<Outcome> {
  const { plan } = reading;
  const query = readQuery(call.query, { known: plan.kind === "page" ? KNOWN.page : KNOWN.other });
  if ("kind" in query) return query;
  if (plan.pagination === null && query.errors.length > 0) return invalid(query.errors);
  const page = plan.pagination === null ? null : readPage(query, plan.pagination);
  if (page !== null && "kind" in page) return page;
  const identifiers = reading.readIdentifiers(call.parameters);
  if (identifiers === undefined) return NOT_FOUND;
  const parameters = bindRead(plan.bindings, {
    identifiers,
    page,
    userId: call.userId,
    credentials: call.credentials,
  });
  if (plan.kind === "all") return readAll(reading, parameters, call);
  // Before a quick one could be cancelled, it is done.
  const rows = await reading.statement.execute(parameters, plan.isQuick ? undefined : call.departure);
  if (reading.fill !== null) noteUser(call, rows);
  return page === null ? readOne(reading, rows, call) : readOnePage(reading, rows, page, call);
}

function ok(bytes: Uint8Array, headers: ReplyHeaders = {}): Reply {
  return { kind: "reply", status: 200, headers, body: { kind: "bytes", bytes } };
}

async function readOne(reading: Reading, rows: readonly Uint8Array[], call: Call): Promise<Outcome> {
  const refusal = refusalOf(rows);
  if (refusal !== undefined) return refusal;
  const row = rows.find((each) => each[0] === MARK.record);
  if (row === undefined) return NOT_FOUND;
  const tag = tagOfBytes(row);
  if (isKnownTag(call, tag)) {
    return { kind: "reply", status: 304, headers: { ETag: tag }, body: { kind: "none" } };
  }
  if (reading.fill === null) return ok(row, { ETag: tag });
  const [filled = row] = await reading.fill([row], call);
  return ok(filled, { ETag: tag });
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
  const head = rows.find((row) => isDigit(row[0]));
  if (head === undefined) return NOT_FOUND;
  const totalCount = Number(Buffer.from(head).toString("latin1"));
  const totalPages = Math.ceil(totalCount / page.pageSize);
  const counts = `"page":${page.page},"pageSize":${page.pageSize},"totalPages":${totalPages},"totalCount":${totalCount}`;
  return ok(enclose(`{${counts},"data":[`, await filledRows(reading, records, call), "]}"));
}

/** What a count begins with. */
function isDigit(letter: number | undefined): boolean {
  return letter !== undefined && letter >= 0x30 && letter <= 0x39;
}

async function filledRows(
  { fill }: Reading,
  rows: readonly Uint8Array[],
  call: Call,
): Promise<readonly Uint8Array[]> {
  return fill === null ? rows : fill(rows, call);
}

/** What hooks are called with at a time while a list is streamed: many records, but never all of them. */
const HOOK_BATCH = { rows: 1000, bytes: 4 * 1024 * 1024 };

/** Sent as it comes. What the first rows say decides the status. */
async function readAll(
  reading: Reading,
  parameters: readonly (string | null)[],
  call: Call,
): Promise<Outcome> {
  const isNested = reading.plan.bindings.some(({ kind }) => kind === "path");
  const rows = reading.statement.stream(parameters, call.departure);
  const batches = (reading.fill === null ? rows : regroup(rows, HOOK_BATCH))[Symbol.asyncIterator]();
  const first = await batches.next();
  const isEmpty = first.done || first.value.every((row) => row[0] === MARK.user);
  if (isEmpty) return isNested ? NOT_FOUND : ok(arrayOf([]));
  noteUser(call, first.value);
  const refusal = refusalOf(first.value);
  if (refusal !== undefined) {
    await batches.return?.();
    return refusal;
  }
  const fill = (records: readonly Uint8Array[]) => filledRows(reading, records, call);
  const chunks = streamArray(first.value, batches, fill);
  return { kind: "reply", status: 200, headers: {}, body: { kind: "stream", chunks } };
}
