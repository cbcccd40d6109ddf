// Every position of a rule, every kind of rule: programs that have them, and what the specification says of each
// request, worked out without SQL and without the definition.

/** Records by name; the innermost that a clause names says what the clause is about. */
export type Level = "note" | "comment";

export interface User {
  readonly name: string;
  readonly id: number;
  readonly isAdmin: boolean;
}

export interface Note {
  readonly id: number;
  readonly isOpen: boolean;
  readonly owner: number;
}

export interface Comment {
  readonly id: number;
  readonly isOpen: boolean;
  readonly note: number;
  readonly author: number;
}

/** What a clause can look at; records are undefined where there are none. */
export interface Seen {
  readonly user: User | null;
  readonly note: Note | undefined;
  readonly comment: Comment | undefined;
}

/** A part of a rule that must hold for itself. */
export interface Clause {
  readonly source: string;
  readonly names: readonly Level[];
  holds(seen: Seen): boolean;
}

function clause(source: string, names: readonly Level[], holds: (seen: Seen) => boolean): Clause {
  return { source, names, holds };
}

const isUser = ({ user }: Seen) => user !== null;
const isAdmin = ({ user }: Seen) => user?.isAdmin === true;
const ownsNote = ({ user, note }: Seen) => user !== null && note?.owner === user.id;
const wrote = ({ user, comment }: Seen) => user !== null && comment?.author === user.id;

const USER = clause("@auth is not null", [], isUser);
const ADMIN = clause("@auth.isAdmin", [], isAdmin);
const EITHER_USER = clause("(@auth.isAdmin or @auth.mail is 'bob')", [], (seen) => {
  return isAdmin(seen) || seen.user?.name === "bob";
});
const OWNER = clause("note.owner is @auth", ["note"], ownsNote);
const OPEN = clause("note.isOpen", ["note"], ({ note }) => note?.isOpen === true);
const OWNER_OR_ADMIN = clause("(note.owner is @auth or @auth.isAdmin)", ["note"], (seen) => {
  return ownsNote(seen) || isAdmin(seen);
});
const OPEN_OR_USER = clause("(note.isOpen or @auth is not null)", ["note"], (seen) => {
  return seen.note?.isOpen === true || isUser(seen);
});
const AUTHOR = clause("comment.author is @auth", ["comment"], wrote);
const SEEN = clause("comment.isOpen", ["comment"], ({ comment }) => comment?.isOpen === true);
const AUTHOR_OR_OWNER = clause(
  "(comment.author is @auth or note.owner is @auth)",
  ["note", "comment"],
  (seen) => {
    return wrote(seen) || ownsNote(seen);
  },
);

/** Rules that can stand at a note: about the user alone, about the record, and both by `and` and `or`. */
export const NOTE_RULES: readonly (readonly Clause[])[] = [
  [USER],
  [ADMIN],
  [EITHER_USER],
  [OWNER],
  [OPEN],
  [USER, OWNER],
  [ADMIN, OPEN],
  [OWNER_OR_ADMIN],
  [OPEN_OR_USER],
];

/** The same below a note, where rules may be about the parent as well. */
export const COMMENT_RULES: readonly (readonly Clause[])[] = [
  [USER],
  [ADMIN],
  [AUTHOR],
  [SEEN],
  [OWNER],
  [OWNER_OR_ADMIN],
  [OWNER, SEEN],
  [USER, OWNER],
  [ADMIN, OPEN],
  [AUTHOR_OR_OWNER],
];

export type Kind = "get" | "list" | "create" | "update" | "delete" | "one" | "many" | Way;

/**
 * Custom endpoints that change the record in each way there is: by its alias, by a query, or as the parent of another
 * (`lift`, and `pass` with a value of the client). What `close`, `shut` and `lift` write, the program itself says.
 */
export type Way = "close" | "give" | "shut" | "hand" | "lift" | "pass";
export const WAYS: readonly Way[] = ["close", "give", "shut", "hand", "lift", "pass"];

/** Which endpoint is asked, and for writes what of: `change` is what the record is like afterwards. */
export interface Operation {
  readonly level: Level;
  readonly kind: Kind;
  readonly change?: { readonly isOpen?: boolean; readonly owner?: number };
}

export interface Api {
  readonly name: string;
  readonly about: string;
  /** Of the entrypoints. */
  readonly note: readonly Clause[];
  readonly comment: readonly Clause[];
  /** Of the endpoints at one level, where the rule can be said there. */
  readonly endpoints: { readonly level: Level; readonly clauses: readonly Clause[] } | null;
  /** Who may get records at the level of the endpoints' rule: all, those for whom it holds, or there is no get. */
  readonly get: "open" | "ruled" | "none";
}

export const APIS: readonly Api[] = [
  ...NOTE_RULES.map((note) => ({
    at: "entrypoint",
    note,
    comment: [],
    endpoints: null,
    get: "open" as const,
  })),
  ...COMMENT_RULES.map((comment) => {
    return { at: "nested entrypoint", note: [], comment, endpoints: null, get: "open" as const };
  }),
  ...(["open", "ruled", "none"] as const).flatMap((get) => [
    ...NOTE_RULES.map((clauses) => ofEndpoints("note", clauses, get)),
    ...COMMENT_RULES.map((clauses) => ofEndpoints("comment", clauses, get)),
  ]),
].map(({ at, ...api }, index) => {
  const clauses = [...api.note, ...api.comment, ...(api.endpoints?.clauses ?? [])];
  const about = `${at}, get ${api.get}: ${clauses.map(({ source }) => source).join(" and ")}`;
  return { ...api, name: `R${index}`, about };
});

function ofEndpoints(level: Level, clauses: readonly Clause[], get: Api["get"]) {
  return { at: `endpoints of a ${level}`, note: [], comment: [], endpoints: { level, clauses }, get };
}

// ---------------------------------------------------------------- the program

const MODELS = `
auth { model User, jwt { issuer "i", audience "a", jwks "k", subject mail } }
model User { field mail { type string, unique } field isAdmin { type boolean } }
model Note {
  field text { type string }
  field isOpen { type boolean }
  reference owner { to User }
  relation comments { from Comment, through note }
}
model Comment {
  field text { type string }
  field isOpen { type boolean }
  reference note { to Note, on delete cascade }
  reference author { to User }
}
`;

export function sourceOf(apis: readonly Api[]): string {
  return MODELS + apis.map((api) => `api ${api.name} {\n${entrypointOf(api, "note")}\n}\n`).join("");
}

function entrypointOf(api: Api, level: Level): string {
  const rule = api[level].length === 0 ? "" : `authorize { ${textOf(api[level])} }`;
  const endpoints = KINDS.filter((kind) => hasEndpoint(api, { level, kind })).map((kind) => {
    return endpointOf(api, { level, kind });
  });
  const inner = level === "note" ? entrypointOf(api, "comment") : "";
  const head = level === "note" ? "entrypoint Note as note" : "entrypoint comments as comment";
  return `${head} {\n${rule}\nresponse { id }\n${endpoints.join("\n")}\n${inner}\n}`;
}

const KINDS: readonly Kind[] = ["get", "list", "create", "update", "delete", "one", "many", ...WAYS];

function textOf(clauses: readonly Clause[]): string {
  return clauses.map(({ source }) => source).join(" and ");
}

export function hasEndpoint(api: Api, { level, kind }: Operation): boolean {
  if (kind === "get") return api.get !== "none" || level !== api.endpoints?.level;
  if (kind === "lift" || kind === "pass") return level === "comment";
  // There is no record that the rule could be about.
  return kind !== "many" || !api[level].some(({ names }) => names.includes(level));
}

function endpointOf(api: Api, { level, kind }: Operation): string {
  const clauses = clausesAt(api, { level, kind });
  const rule = `authorize { ${clauses.length === 0 ? "true" : textOf(clauses)} }`;
  switch (kind) {
    case "list":
      return `list endpoint { ${rule} filter { ${filterText(api, level)} } ${level === "note" ? "paginable" : ""} }`;
    case "one":
      return `POST one "touch" { ${rule} action { update ${level} { set text "touched" } } }`;
    case "many":
      return `POST many "sweep" { ${rule} action { query { from ${level === "note" ? "Note" : "Comment"}, update { set text "swept" } } } }`;
    case "get":
    case "create":
    case "update":
    case "delete":
      return `${kind} endpoint { ${rule} }`;
    default: {
      const inputs = isOfClient(kind) ? "extra inputs { field to { type integer } }" : "";
      return `POST one "${kind}" { ${rule} ${inputs} action { ${actionOf(level, kind)} } }`;
    }
  }
}

function isOfClient(kind: Kind): boolean {
  return kind === "give" || kind === "hand" || kind === "pass";
}

function actionOf(level: Level, way: Way): string {
  const [model, owner] = level === "note" ? ["Note", "owner_id"] : ["Comment", "author_id"];
  switch (way) {
    case "close":
      return `update ${level} { set isOpen false }`;
    case "give":
      return `update ${level} { set ${owner} to }`;
    case "shut":
      return `query { from ${model} as each, filter { each.id is ${level}.id }, update { set isOpen false } }`;
    case "hand":
      return `query { from ${model} as each, filter { each.id is ${level}.id }, update { set ${owner} to } }`;
    case "lift":
      return "update comment.note { set isOpen false }";
    case "pass":
      return "update comment.note { set owner_id to }";
  }
}

/** Without a get, the list says who may know a record. */
function filterText(api: Api, level: Level): string {
  return api.get === "none" && api.endpoints?.level === level ? "isOpen" : "true";
}

/** The rule of an endpoint; it cannot name the record of its entrypoint where there is none. */
function clausesAt(api: Api, { level, kind }: Operation): readonly Clause[] {
  if (api.endpoints?.level !== level || (kind === "get" && api.get === "open")) return [];
  const { clauses } = api.endpoints;
  const canSay = isOfOne(kind) || !clauses.some(({ names }) => names.includes(level));
  return canSay ? clauses : [];
}

function isOfOne(kind: Kind): boolean {
  return kind !== "list" && kind !== "create" && kind !== "many";
}

// ---------------------------------------------------------------- what must come back

const SUCCESS: Readonly<Record<Kind, number>> = {
  ...{ get: 200, list: 200, create: 201, update: 200, delete: 204, one: 204, many: 204 },
  ...{ close: 204, give: 204, shut: 204, hand: 204, lift: 204, pass: 204 },
};

/** The status that the specification asks for. */
export function statusOf(api: Api, operation: Operation, seen: Seen): number {
  const { level, kind } = operation;
  const own = clausesAt(api, operation);
  const above = level === "note" ? api.note : [...api.note, ...api.comment];
  const refused = seen.user === null ? 401 : 403;
  if (!hold([...above, ...own].filter(isAboutUser), seen)) return refused;
  if (!isThere(operation, seen) || !isReached(api, operation, seen)) return 404;
  const rest = isOfOne(kind) ? [] : api[level].filter(({ names }) => !names.includes(level));
  const isRead = kind === "get" || kind === "list";
  if (!hold([...rest, ...own], seen)) return !isRead && isKnown(api, operation, seen) ? refused : 404;
  return holdAfter(api, operation, seen) ? SUCCESS[kind] : refused;
}

function isAboutUser({ names }: Clause): boolean {
  return names.length === 0;
}

function hold(clauses: readonly Clause[], seen: Seen): boolean {
  return clauses.every((each) => each.holds(seen));
}

/** The levels of the records that the path names. */
function boundLevels({ level, kind }: Operation): Level[] {
  const levels: Level[] = level === "note" ? ["note"] : ["note", "comment"];
  return isOfOne(kind) ? levels : levels.slice(0, -1);
}

function isThere(operation: Operation, { note, comment }: Seen): boolean {
  const bound = boundLevels(operation);
  if (bound.includes("note") && note === undefined) return false;
  return !bound.includes("comment") || (comment !== undefined && comment.note === note?.id);
}

function isReached(api: Api, operation: Operation, seen: Seen): boolean {
  return boundLevels(operation).every((level) => hold(api[level], seen));
}

/** A record is known to those to whom its get, or else its list, would show it. */
function isKnown(api: Api, operation: Operation, seen: Seen): boolean {
  const level = boundLevels(operation).at(-1);
  if (level === undefined) return false;
  if (hasEndpoint(api, { level, kind: "get" })) return hold(clausesAt(api, { level, kind: "get" }), seen);
  return seen[level]?.isOpen === true && hold(clausesAt(api, { level, kind: "list" }), seen);
}

/** What is written must be in the set that the user may write. */
function holdAfter(api: Api, operation: Operation, seen: Seen): boolean {
  const { level, kind, change } = operation;
  if (change === undefined) return true;
  if (isWay(kind)) return holdAfterWay(api, operation, kind, seen);
  const clauses = [...api[level], ...(kind === "update" ? clausesAt(api, operation) : [])];
  return hold(
    clauses.filter(({ names }) => names.includes(level)),
    { ...seen, [level]: changed(level, seen, change) },
  );
}

export function isWay(kind: Kind): kind is Way {
  return WAYS.some((way) => way === kind);
}

/** Those of the entrypoints in any case; those of the endpoint where the client says what is written. */
function holdAfterWay(api: Api, operation: Operation, way: Way, seen: Seen): boolean {
  const { level, change = {} } = operation;
  const target = way === "lift" || way === "pass" ? "note" : level;
  const above = level === "note" ? api.note : [...api.note, ...api.comment];
  const clauses = isOfClient(way) ? [...above, ...clausesAt(api, operation)] : above;
  return hold(clauses, { ...seen, [target]: changed(target, seen, change) });
}

function changed(level: Level, { note, comment }: Seen, { isOpen, owner }: NonNullable<Operation["change"]>) {
  const openness = isOpen === undefined ? {} : { isOpen };
  if (level === "note") return { ...note, ...openness, ...(owner === undefined ? {} : { owner }) };
  return { ...comment, ...openness, ...(owner === undefined ? {} : { author: owner }) };
}

/** Which records a list shows. */
export function isListed(api: Api, level: Level, seen: Seen): boolean {
  const record = seen[level];
  if (record === undefined || (filterText(api, level) === "isOpen" && !record.isOpen)) return false;
  return hold([...api[level], ...clausesAt(api, { level, kind: "list" })], seen);
}
