// Rules in every position, asked by everyone in every way: the server agrees with a model of the specification, what
// is refused changes nothing, and what may not be known is the same as what is missing, byte for byte.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ledger, openLedger } from "./conformance/ledger.js";
import type { Setup } from "./conformance/notation.js";
import { openSite, type RawAnswer, type Site } from "./conformance/site.js";
import {
  APIS,
  type Api,
  type Comment,
  hasEndpoint,
  isListed,
  isWay,
  type Level,
  type Note,
  type Operation,
  type Seen,
  sourceOf,
  statusOf,
  type User,
} from "./rules/matrix.js";

const ADMIN: User = { name: "ann", id: 11, isAdmin: true };
const BOB: User = { name: "bob", id: 12, isAdmin: false };
const CID: User = { name: "cid", id: 13, isAdmin: false };
const USERS: readonly (User | null)[] = [null, BOB, CID, ADMIN];
const NOTES: readonly Note[] = [
  { id: 21, isOpen: false, owner: BOB.id },
  { id: 22, isOpen: true, owner: CID.id },
];
const COMMENTS: readonly Comment[] = [
  { id: 31, isOpen: false, note: 21, author: CID.id },
  { id: 32, isOpen: true, note: 21, author: BOB.id },
  { id: 33, isOpen: true, note: 22, author: BOB.id },
];
const MISSING = 99;

const SETUP: readonly Setup[] = [
  ...[ADMIN, BOB, CID].map(({ id, name, isAdmin }) => row("user", { id, mail: name, is_admin: isAdmin })),
  ...NOTES.map(({ id, isOpen, owner }) => row("note", { id, text: "t", is_open: isOpen, owner_id: owner })),
  ...COMMENTS.map(({ id, isOpen, note, author }) => {
    return row("comment", { id, text: "t", is_open: isOpen, note_id: note, author_id: author });
  }),
];

function row(table: string, values: Record<string, unknown>): Setup {
  return { kind: "row", table, values };
}

/** What is tried of each endpoint: writes that keep the record where it is, and writes that move it. */
function operationsOf(api: Api): Operation[] {
  const levels: readonly Level[] = api.note.length > 0 ? ["note", "comment"] : [levelOf(api)];
  const all = levels.flatMap((level): Operation[] => [
    ...(["get", "list", "delete", "one", "many"] as const).map((kind) => ({ level, kind })),
    { level, kind: "create", change: { isOpen: true, owner: BOB.id } },
    { level, kind: "create", change: { isOpen: false, owner: CID.id } },
    { level, kind: "update" },
    { level, kind: "update", change: { isOpen: false } },
    { level, kind: "update", change: { owner: CID.id } },
    ...(["close", "shut", "lift"] as const).map((kind) => ({ level, kind, change: { isOpen: false } })),
    ...(["give", "hand", "pass"] as const).flatMap((kind) =>
      [BOB, CID].map(({ id }) => ({ level, kind, change: { owner: id } })),
    ),
  ]);
  return all.filter((operation) => hasEndpoint(api, operation));
}

function levelOf({ endpoints }: Api): Level {
  return endpoints?.level ?? "comment";
}

/** The records that a request can name; those that do not exist, and children under the wrong parent, among them. */
function recordsFor({ level, kind }: Operation): Pick<Seen, "note" | "comment">[] {
  const isOne = kind !== "list" && kind !== "create" && kind !== "many";
  const none = { note: undefined, comment: undefined };
  const notes = NOTES.map((note) => ({ note, comment: undefined }));
  if (level === "note") return isOne ? [...notes, none] : [none];
  if (!isOne) return [...notes, none];
  const [first, second] = NOTES;
  const children = COMMENTS.map((comment) => ({
    note: NOTES.find(({ id }) => id === comment.note),
    comment,
  }));
  const strays = [
    { note: second, comment: COMMENTS[1] },
    { note: first, comment: undefined },
    { note: undefined, comment: COMMENTS[2] },
  ];
  return [...children, ...strays];
}

function pathOf(
  api: Api,
  { level, kind }: Operation,
  { note, comment }: Pick<Seen, "note" | "comment">,
): string {
  const isOne = kind !== "list" && kind !== "create" && kind !== "many";
  const above = `/api/${api.name.toLowerCase()}/note`;
  const collection = level === "note" ? above : `${above}/${note?.id ?? MISSING}/comments`;
  const record = level === "note" ? note : comment;
  const action = kind === "one" ? "/touch" : kind === "many" ? "/sweep" : isWay(kind) ? `/${kind}` : "";
  return isOne ? `${collection}/${record?.id ?? MISSING}${action}` : `${collection}${action}`;
}

const METHODS = {
  ...{
    get: "GET",
    list: "GET",
    create: "POST",
    update: "PATCH",
    delete: "DELETE",
    one: "POST",
    many: "POST",
  },
  ...{ close: "POST", give: "POST", shut: "POST", hand: "POST", lift: "POST", pass: "POST" },
} as const;

function bodyOf({ level, kind, change }: Operation): string | undefined {
  if (isWay(kind)) return change?.owner === undefined ? undefined : JSON.stringify({ to: change.owner });
  if (kind !== "create" && kind !== "update") return undefined;
  const owner = level === "note" ? "owner_id" : "author_id";
  return JSON.stringify({
    text: "new",
    ...(change?.isOpen === undefined ? {} : { isOpen: change.isOpen }),
    ...(change?.owner === undefined ? {} : { [owner]: change.owner }),
  });
}

let site: Site;
let ledger: Ledger;

beforeAll(async () => {
  site = await openSite({ source: sourceOf(APIS), setup: SETUP });
  ledger = await openLedger(site.database, site.definition, SETUP);
});
afterAll(() => site.close());

function send(operation: Operation, target: string, user: User | null): Promise<RawAnswer> {
  const body = bodyOf(operation);
  return site.send({
    method: METHODS[operation.kind],
    target,
    headers: [["X-Request-Id", "matrix"], ...(body ? [["Content-Type", "application/json"] as const] : [])],
    userId: user === null ? null : String(user.id),
    ...(body ? { body } : {}),
  });
}

/** In one line, so that what differs can be read. */
function describeRequest(operation: Operation, target: string, user: User | null): string {
  const { kind } = operation;
  return `${user?.name ?? "nobody"} ${METHODS[kind]} ${target} ${bodyOf(operation) ?? ""}`.trim();
}

function expectedOf(api: Api, operation: Operation, seen: Seen): string {
  const status = statusOf(api, operation, seen);
  if (operation.kind !== "list" || status !== 200) return String(status);
  return `${status} ${JSON.stringify(listedIds(api, operation.level, seen))}`;
}

function listedIds(api: Api, level: Level, seen: Seen): number[] {
  const candidates =
    level === "note"
      ? NOTES.map((note) => ({ ...seen, note }))
      : COMMENTS.filter(({ note }) => note === seen.note?.id).map((comment) => ({ ...seen, comment }));
  return candidates.filter((each) => isListed(api, level, each)).map((each) => each[level]?.id ?? 0);
}

function foundOf({ level, kind }: Operation, { status, body }: RawAnswer): string {
  if (kind !== "list" || status !== 200) return String(status);
  const answer = JSON.parse(body);
  const records: { id: number }[] = level === "note" ? answer.data : answer;
  if (level === "note" && answer.totalCount !== records.length)
    return `${status} counts ${answer.totalCount}`;
  return `${status} ${JSON.stringify(records.map(({ id }) => id))}`;
}

const NONE = { note: undefined, comment: undefined };
/** What is said of a record that is not there; the same whatever was asked. */
let missing: string | undefined;

/** What is wrong with the answer, if anything. */
async function findFault(api: Api, operation: Operation, seen: Seen): Promise<string[]> {
  const target = pathOf(api, operation, seen);
  const line = describeRequest(operation, target, seen.user);
  const expected = expectedOf(api, operation, seen);
  const answer = await send(operation, target, seen.user);
  const found = foundOf(operation, answer);
  const faults = found === expected ? [] : [`${line}: ${found}, not ${expected}`];
  if (answer.status === 404) {
    missing ??= (await send(operation, pathOf(api, operation, NONE), seen.user)).body;
    if (missing !== answer.body) faults.push(`${line}: the body is not that of a missing record`);
  }
  if (answer.status < 300 && METHODS[operation.kind] !== "GET") await ledger.reset();
  return faults;
}

describe("rules", () => {
  test.each(APIS)("$about", async (api) => {
    const faults: string[] = [];
    await ledger.reset();
    for (const operation of operationsOf(api)) {
      for (const records of recordsFor(operation)) {
        for (const user of USERS) faults.push(...(await findFault(api, operation, { user, ...records })));
      }
    }
    expect(faults).toEqual([]);
    expect(await ledger.changes(), "what was refused has changed something").toEqual([]);
  });
});
