// Random programs of actions under random rules, and requests for them: what is planned as one statement must do the
// same as what is planned as many.

import type { Setup } from "../conformance/notation.js";
import type { Random } from "../expressions/random.js";

export const MODELS = `
auth { model User, jwt { issuer "i", audience "a", jwks "k", subject mail } }
model Team { field name { type string } }
model User {
  field mail { type string, unique }
  field isAdmin { type boolean, default false }
  reference team { to Team }
}
model Order {
  field number { type integer, unique }
  field total { type integer, default 0 }
  field isOpen { type boolean, default true }
  field note { type string, nullable }
  reference owner { to User }
  reference box { to Box, nullable }
  relation lines { from Line, through order }
  relation seal { from Seal, through order }
  computed double { total * 2 }
  computed lineCount { count(lines) }
}
model Box { field code { type string, unique } field pieces { type integer, default 0 } }
model Item { field sku { type string, unique } }
model Line {
  field amount { type integer }
  field label { type string, nullable }
  reference order { to Order, on delete cascade }
  reference item { to Item, nullable }
}
model Seal { field text { type string } reference order { to Order, unique, on delete cascade } }
model Entry {
  field text { type string }
  field size { type integer }
  reference order { to Order, nullable, on delete set null }
}
`;

function row(table: string, values: Record<string, unknown>): Setup {
  return { kind: "row", table, values };
}

function order(id: number, others: Record<string, unknown>): Setup {
  return row("order", { id, number: id, total: 10, is_open: true, owner_id: 12, ...others });
}

export const SETUP: readonly Setup[] = [
  ...[row("team", { id: 1, name: "one" }), row("team", { id: 2, name: "two" })],
  row("user", { id: 11, mail: "ann", is_admin: true, team_id: 1 }),
  row("user", { id: 12, mail: "bob", is_admin: false, team_id: 1 }),
  row("user", { id: 13, mail: "cid", is_admin: false, team_id: 2 }),
  ...[row("box", { id: 41, code: "taken", pieces: 3 }), row("item", { id: 51, sku: "a" })],
  ...[
    order(21, { box_id: 41 }),
    order(22, { total: 95, is_open: false, note: "n" }),
    order(23, { owner_id: 13 }),
  ],
  row("line", { id: 61, amount: 4, order_id: 21 }),
  row("line", { id: 62, amount: 5, order_id: 21, item_id: 51 }),
  row("seal", { id: 71, text: "s", order_id: 21 }),
];

/** About the user, the record, its fields, records around it, and what counts what is written. */
const RULES = [
  "true",
  "@auth is not null",
  "bill.owner is @auth",
  "bill.isOpen",
  "(bill.owner is @auth or @auth.isAdmin)",
  "(bill.isOpen or bill.owner.team is @auth.team)",
  "bill.owner.team is @auth.team",
  "bill.total < 100",
  "bill.number is not 7",
  "(bill.note is null or bill.isOpen)",
  "bill.double < 150",
  "bill.lineCount < 3",
  "count(bill.lines) < 3",
  "(bill.box is null or bill.isOpen)",
  "(bill.seal is not null or bill.total < 50)",
  "bill.owner is not null and bill.owner.isAdmin is false",
  "(bill.id > 20 and bill.isOpen)",
] as const;

interface Alias {
  readonly name: string;
  readonly model: "order" | "line" | "box" | "seal" | "entry";
}

/** A program while its actions are made up. */
class Maker {
  readonly #random: Random;
  readonly #aliases: Alias[] = [];
  readonly #hasOrder: boolean;
  #count = 0;

  constructor(random: Random, hasOrder: boolean) {
    this.#random = random;
    this.#hasOrder = hasOrder;
  }

  name(model: Alias["model"], name = `${model}${this.#count++}`): string {
    this.#aliases.push({ name, model });
    return name;
  }

  #order(): string {
    const orders = this.#aliases.filter(({ model }) => model === "order").map(({ name }) => name);
    return this.#random.pick(this.#hasOrder ? ["bill", "bill", ...orders] : orders);
  }

  number(): string {
    const random = this.#random;
    const order = this.#order();
    const fields = { order: "total", line: "amount", box: "pieces", entry: "size", seal: null };
    const own = this.#aliases.flatMap(({ name, model }) =>
      fields[model] === null ? [] : [`coalesce(${name}.${fields[model]}, 0)`],
    );
    const simple = ["n", "1", `${order}.total`, ...own, ...own];
    const reading = [
      `count(${order}.lines)`,
      `${order}.lineCount`,
      `coalesce(${order}.box.pieces, 0)`,
      `${order}.double`,
    ];
    const value = random.chance(0.2) ? random.pick(reading) : random.pick(simple);
    return random.chance(0.3) ? `${value} + ${random.pick(simple)}` : value;
  }

  text(): string {
    const texts = this.#aliases.flatMap(({ name, model }) =>
      model === "entry" || model === "seal" ? [`coalesce(${name}.text, "")`] : [],
    );
    return this.#random.pick(["s", "s", '"x"', 's + "y"', ...texts]);
  }

  #assignmentsOfOrder(): string {
    const random = this.#random;
    const all = [
      () => `set total ${random.pick(["total + n", this.number()])}`,
      () => `set isOpen ${random.pick(["false", "true", "n > 3", "not isOpen"])}`,
      () => `set note ${random.pick([this.text(), "note"])}`,
      () => "set owner_id to",
    ];
    const chosen = all.filter(() => random.chance(0.4));
    return (chosen.length === 0 ? [all[0]] : chosen).map((make) => make?.() ?? "").join(" ");
  }

  action(): string {
    const random = this.#random;
    // What an action looks at is chosen before it has a name.
    const [order, number, text] = [this.#order(), this.number(), this.text()];
    const changes = this.#assignmentsOfOrder();
    const make = random.pick([
      () => this.#createEntry(),
      () => this.#createEntry(),
      () => this.#createLine(),
      () => this.#createLine(),
      () => `create Box as ${this.name("box")} { set code ${text} set pieces ${number} }`,
      () => `update ${order} as ${this.name("order")} { ${changes} }`,
      () => `update ${order} as ${this.name("order")} { ${changes} }`,
      () => `update ${order}.box as ${this.name("box")} { set pieces pieces + ${number} }`,
      () => `update ${order}.seal as ${this.name("seal")} { set text text + ${text} }`,
      () => this.#changeEarlier(),
      () => this.#removal(),
      () => `query { from ${order}.lines, update { set amount ${number} } }`,
      () => 'validate with key "n" { n < 90 }',
    ]);
    return make();
  }

  #createEntry(): string {
    const [text, number, order] = [this.text(), this.number(), this.#order()];
    const to = this.#random.pick([`set order ${order}`, "deny { order }"]);
    return `create Entry as ${this.name("entry")} { set text ${text} set size ${number} ${to} }`;
  }

  #createLine(): string {
    const [number, text, order] = [this.number(), this.text(), this.#order()];
    const label = this.#random.pick([`set label ${text}`, "deny { label }"]);
    const item = this.#random.pick(["reference item { through sku }", "deny { item }", "deny { item }"]);
    return `create ${order}.lines as ${this.name("line")} { set amount ${number} ${label} ${item} }`;
  }

  #changeEarlier(): string {
    const lines = this.#aliases.filter(({ model }) => model === "line");
    if (lines.length === 0) return this.#createEntry();
    const { name } = this.#random.pick(lines);
    const number = this.number();
    return `update ${name} as ${this.name("line")} { set amount ${number} }`;
  }

  #removal(): string {
    const lines = this.#aliases.filter(({ model }) => model === "line").map(({ name }) => name);
    const targets = [`${this.#order()}.seal`, `${this.#order()}.lines`, ...lines];
    return `delete ${this.#random.pick(this.#hasOrder ? [...targets, "bill"] : targets)} {}`;
  }

  body(): string {
    const entries = Array.from({ length: 3 }, (_, index) => `v${index}: ${this.number()}`);
    return `respond { body { ${entries.join(", ")}, s: ${this.text()} } }`;
  }
}

const INPUTS =
  "extra inputs { field n { type integer } field s { type string } field to { type integer, default 12 } }";

export type Kind = "one" | "create" | "update" | "delete";

export interface Program {
  readonly name: string;
  readonly kind: Kind;
  readonly source: string;
}

export function makeProgram(random: Random, index: number): Program {
  const kind: Kind = random.pick(["one", "one", "one", "create", "update", "delete"]);
  const name = `P${index}`;
  const [outer, own] = [random.pick(RULES), random.chance(0.6) ? "true" : random.pick(RULES)];
  const rule = kind === "create" ? "authorize { true }" : `authorize { ${own} }`;
  const endpoint = endpointOf(random, kind, rule);
  const get = random.chance(0.5) ? "get endpoint { authorize { true } }" : "";
  const response = random.chance(0.3) ? "response { id, total, lines { id, amount } }" : "";
  const entrypoint = `entrypoint Order as bill { authorize { ${outer} } ${response} ${get}\n${endpoint}\n}`;
  return { name, kind, source: `api ${name} {\n${entrypoint}\n}\n` };
}

function endpointOf(random: Random, kind: Kind, rule: string): string {
  const maker = new Maker(random, kind !== "create");
  const isPrimary = kind === "create" || kind === "update";
  const first = isPrimary ? [primaryOf(kind)] : [];
  if (isPrimary) maker.name("order", "made");
  const count = 1 + Math.floor(random.next() * 4);
  const actions = [...first, ...Array.from({ length: count }, () => maker.action())];
  const last = kind === "one" && random.chance(0.6) ? [maker.body()] : [];
  const block = `${INPUTS} ${rule} action {\n${[...actions, ...last].join("\n")}\n}`;
  switch (kind) {
    case "one":
      return `POST one "go" { ${block} }`;
    case "delete":
      return `POST one "go" { ${block} }`;
    default:
      return `${kind} endpoint as made { ${block} }`;
  }
}

function primaryOf(kind: Kind): string {
  return kind === "create"
    ? "create { input { number, total, isOpen, owner } deny { note, box } }"
    : "update { input { total, isOpen, owner } }";
}

export interface Request {
  readonly method: string;
  readonly target: string;
  readonly userId: string | null;
  readonly body: string;
}

export function makeRequest(random: Random, { name, kind }: Program): Request {
  const order = random.pick([21, 21, 22, 23, 99]);
  const path = `/api/${name.toLowerCase()}/order`;
  const target = kind === "create" ? path : `${path}/${order}${kind === "update" ? "" : "/go"}`;
  const body = {
    ...{ n: random.pick([0, 1, 5, 50, 95]), s: random.pick(["a", "taken", "b"]) },
    ...{ to: random.pick([11, 12, 12, 13, 98]) },
    ...(kind === "create"
      ? { number: random.pick([1, 7, 21]), owner_id: random.pick([11, 12, 13, 98]) }
      : {}),
    ...(kind === "update" && random.chance(0.5) ? { owner_id: random.pick([11, 12, 13]) } : {}),
    ...(isPrimary(kind) && random.chance(0.5) ? { total: random.pick([1, 60, 120]) } : {}),
    ...(isPrimary(kind) && random.chance(0.4) ? { isOpen: random.chance(0.5) } : {}),
  };
  const userId = random.pick([null, "11", "12", "12", "13"]);
  const method = kind === "update" ? "PATCH" : "POST";
  return { method, target, userId, body: JSON.stringify(body) };
}

function isPrimary(kind: Kind): boolean {
  return kind === "create" || kind === "update";
}
