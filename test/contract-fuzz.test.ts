// The server against its own document: requests that the document allows are taken and answered as it says, those
// that it does not allow are refused as it says, and nothing that it does not mention ever comes back.

import { readFileSync } from "node:fs";
import type { Database } from "@stoa/database";
import { applyPush, planPush } from "@stoa/database";
import type { Definition, Endpoint } from "@stoa/definition";
import { writeOpenApi } from "@stoa/generators";
import { type Application, createApplication, createHooks, createLog, placesOf } from "@stoa/runtime";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { testDatabase } from "../packages/database/test/server.js";
import { pointerOf } from "../packages/generators/src/outline/input-errors.js";
import { ruleCodes } from "../packages/generators/src/outline/rules.js";
import { type Contract, openContract } from "../packages/generators/test/contract.js";
import { compileText, PROGRAMS } from "../packages/generators/test/programs.js";
import { type Accounts, openAccounts } from "./contract/accounts.js";
import { anything, type Schema, valid } from "./contract/arbitrary.js";
import { identifiersOf, seed } from "./contract/seed.js";
import { loadHooks } from "./examples/example.js";

const REQUESTS_PER_OPERATION = Number(process.env.STOA_FUZZ_REQUESTS ?? 225);
/** Where secrets are hashed, which takes its time by intention. */
const SLOW: Readonly<Record<string, number>> = {
  keywords: 60,
  "examples/blog": 24,
  "examples/shop": 24,
  "examples/todo": 40,
};
const EXAMPLE = "examples/";
const AT_ONCE = 4;
const SEED_EVERY = 60;
const MIN_TOTAL = 20_000;

const values = compileText(readFileSync(new URL("contract/values.stoa", import.meta.url), "utf8"));
const programs: readonly (readonly [string, Definition])[] = [...PROGRAMS, ["values", values]];

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Schema[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Target {
  readonly method: string;
  readonly path: string;
  readonly pointer: string;
  readonly operation: Operation;
  readonly identifiers: readonly (readonly string[])[];
  /** Inputs, and the codes by which `validate` actions refuse them. */
  readonly refusals: ReadonlySet<string>;
}

interface Shot {
  readonly target: Target;
  readonly url: string;
  readonly init: RequestInit;
  readonly userId: string | null;
  /** What the request must come to: taken, or refused because of what is told here. */
  readonly expected: "taken" | "refused";
  readonly body: unknown;
}

class Gallery {
  readonly definition: Definition;
  readonly contract: Contract;
  readonly counts = new Map<string, Map<number, number>>();
  readonly targets: readonly Target[];
  total = 0;
  readonly #logged: string[] = [];
  readonly #application: Application;
  readonly #database: Database;
  /** Null where callers just say who they are. */
  accounts: Accounts | null = null;

  private constructor(definition: Definition, database: Database, code: object, hasAccounts: boolean) {
    this.definition = definition;
    this.#database = database;
    this.contract = openContract(writeOpenApi(definition));
    const hooks = createHooks(definition, { hooks: code as Record<string, unknown> });
    const log = createLog({
      level: "error",
      destination: { write: (line: string) => this.#logged.push(line) },
    });
    // Whoever guesses passwords all the time must still be told that they are wrong.
    const auth = { limits: { perAccount: 1_000_000, perAddress: 1_000_000 } };
    this.#application = createApplication({ definition, database, hooks, log, auth });
    this.targets = this.#findTargets(hasAccounts);
  }

  /** Examples run with their own code, and their users log in. */
  static async open(name: string, definition: Definition, database: Database): Promise<Gallery> {
    if (!name.startsWith(EXAMPLE)) return new Gallery(definition, database, new Proxy({}, HOOKS), false);
    const code = await loadHooks(name.slice(EXAMPLE.length), definition);
    const gallery = new Gallery(definition, database, code, true);
    gallery.accounts = await openAccounts(definition, gallery.#application);
    return gallery;
  }

  #findTargets(hasAccounts: boolean): Target[] {
    const byPlace = new Map(
      placesOf(this.definition).map((place) => [`${place.endpoint.method} ${place.endpoint.path}`, place]),
    );
    return Object.entries(this.contract.document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]): Target[] => {
        const place = byPlace.get(`${method.toUpperCase()} ${path}`);
        // Addresses of the auth block stand in the document alone.
        if (method === "parameters" || (place === undefined && !hasAccounts)) return [];
        const identifiers = (place?.entrypoints ?? [])
          .filter(({ identify }) => identify !== null)
          .map((each) => identifiersOf(this.definition, each));
        const pointer = `/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`;
        return [
          {
            method: method.toUpperCase(),
            path,
            pointer,
            operation: operation as unknown as Operation,
            identifiers,
            refusals: new Set(place === undefined ? [] : refusalsOf(this.definition, place.endpoint)),
          },
        ];
      }),
    );
  }

  resolve = (ref: string): Schema =>
    ref
      .slice(2)
      .split("/")
      .reduce<Schema>((part, name) => part[name] as Schema, this.contract.document as unknown as Schema);

  async shoot(shot: Shot): Promise<void> {
    const { target, url, init, userId } = shot;
    const answer = await this.#send(url, init, userId);
    const body = await answer.text();
    const { status } = answer;
    this.total++;
    const counts = this.counts.get(target.operation.operationId) ?? new Map<number, number>();
    this.counts.set(target.operation.operationId, counts.set(status, (counts.get(status) ?? 0) + 1));
    const story = `${target.method} ${url} ${String(init.body)} → ${status} ${body}`;
    if (status >= 500) throw new Error([story, ...this.#logged].join("\n"));
    const exchange = { method: target.method, target: url, status, headers: new Map(answer.headers), body };
    const complaints = this.contract.complaintsOf(exchange);
    if (complaints.length > 0) throw new Error(`${complaints.join("\n")}\n${story}`);
    const told =
      shot.expected === "taken" ? this.#objection(shot, status, body) : objectionToTaking(status, body);
    if (told !== null) throw new Error(`${told}: ${story}`);
  }

  #send(url: string, init: RequestInit, userId: string | null): Promise<Response> {
    const address = `http://stoa.test${url}`;
    if (this.accounts === null) return this.#application.fetch(new Request(address, init), { userId });
    const token = userId === null ? {} : this.accounts.headerOf(userId);
    return this.#application.fetch(new Request(address, { ...init, headers: { ...init.headers, ...token } }));
  }

  /** Against an answer to a request that the document allows. */
  #objection({ target }: Shot, status: number, body: string): string | null {
    if (status < 400 || [401, 403, 404, 409].includes(status)) return null;
    if (status !== 400) return "a request that is allowed was refused";
    const { errors = [] }: { readonly errors?: readonly { readonly path: string; readonly code: string }[] } =
      JSON.parse(body);
    const wrong = errors.filter(({ path, code }) => !this.#mayStillFail(target, path, code));
    return wrong.length === 0 && errors.length > 0
      ? null
      : `the document allows what was refused (${JSON.stringify(wrong)})`;
  }

  #mayStillFail({ operation, refusals }: Target, path: string, code: string): boolean {
    if (ACTION_CODES.has(code) || refusals.has(`${path} ${code}`)) return true;
    const inQuery = operation.parameters?.find((each) => `/${each.name}` === path)?.schema as
      | Schema
      | undefined;
    const schema =
      inQuery ??
      path
        .slice(1)
        .split("/")
        .reduce<Schema | undefined>((part, name) => this.#propertyOf(part, name), bodySchema(operation));
    return ((schema?.["x-checks"] as string[] | undefined) ?? []).includes(code);
  }

  #propertyOf(schema: Schema | undefined, name: string): Schema | undefined {
    const object = typeof schema?.$ref === "string" ? this.resolve(schema.$ref) : schema;
    return (object?.properties as Record<string, Schema> | undefined)?.[name];
  }

  async reset(): Promise<void> {
    await seed(this.definition, this.#database, this.accounts?.hash);
    await this.accounts?.logInAll(usersOf(this.definition).flatMap((id) => id ?? []));
  }
}

/** Of rules and calculations of actions, which look at records. */
const ACTION_CODES = new Set([
  "condition",
  "integer-out-of-range",
  "float-out-of-range",
  "out-of-range",
  "division-by-zero",
  "datetime-out-of-range",
]);

function refusalsOf(definition: Definition, { actions }: Endpoint): string[] {
  return actions.flatMap((action) =>
    action.kind === "validate"
      ? ruleCodes(definition, action.rule).map((code) => `${pointerOf(action.key)} ${code}`)
      : [],
  );
}

/** Results that fit wherever the samples ask code. */
const RESULTS: Readonly<Record<string, unknown>> = {
  isFreeCode: true,
  endOfMonth: "2026-11-30",
  linkFor: "https://example.org/",
};
const HOOKS: ProxyHandler<object> = {
  getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
  get: (_, key) =>
    String(key).endsWith("Batch") ? undefined : () => RESULTS[String(key).split("#")[1] ?? ""] ?? null,
};

function objectionToTaking(status: number, body: string): string | null {
  if ([401, 403, 404].includes(status)) return null;
  const { code }: { readonly code?: string } = status === 400 || status === 415 ? JSON.parse(body) : {};
  const isRefusal = code === "validation" || code === "malformed" || code === "unsupported-media-type";
  return isRefusal ? null : "a request that is not allowed was not refused as such";
}

function bodySchema({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content["application/json"]?.schema;
}

// ---------------------------------------------------------------- requests

function shots(range: Gallery, target: Target): fc.Arbitrary<Shot> {
  const { operation } = target;
  const schema = bodySchema(operation);
  const body =
    schema === undefined
      ? fc.constant(undefined)
      : bodyArbitrary(range, target, schema).filter((each) => fits(range, target, each));
  const base = fc.record({
    ids: pathArbitrary(target),
    query: queryArbitrary(range, target),
    body,
    caller: fc.constantFrom(...usersOf(range.definition)),
    isOwner: fc.boolean(),
  });
  return base.chain(({ ids, query, body: sent, caller, isOwner }) => {
    const userId = isOwner && range.accounts !== null ? (ownerOf(range, ids) ?? caller) : caller;
    const make = (
      expected: Shot["expected"],
      search: string,
      given: unknown,
      type = "application/json",
    ): Shot => {
      const headers = { "Content-Type": type };
      const init =
        given === undefined
          ? { method: target.method }
          : {
              method: target.method,
              headers,
              body: typeof given === "string" ? given : JSON.stringify(given),
            };
      return { target, url: `${urlOf(target, ids)}${search}`, init, userId, expected, body: given };
    };
    const taken = fc.constant(make("taken", query, sent));
    const stray = fc.constant(make("refused", `${query}${query === "" ? "?" : "&"}stray=1`, sent));
    const badPage = operation.parameters?.some(({ name }) => name === "page")
      ? [
          fc
            .constantFrom(
              "?page=0",
              "?page=x",
              "?pageSize=-1",
              "?page=1&page=2",
              "?page=1.5",
              "?pageSize=%ZZ",
            )
            .map((search) => make("refused", search, sent)),
        ]
      : [];
    if (schema === undefined) return fc.oneof({ weight: 4, arbitrary: taken }, stray, ...badPage);
    const spoiled = spoil(range, target, sent).map((given) =>
      make(given === NOT_SPOILED ? "taken" : "refused", query, given === NOT_SPOILED ? sent : given),
    );
    const broken = fc
      .constantFrom("{", '{"a":}', "[]", "null", "5", '"x"', '{"a":1,"a":2}')
      .map((given) => make("refused", query, given));
    const otherType = fc.constant(make("refused", query, JSON.stringify(sent), "text/plain"));
    return fc.oneof(
      { weight: 5, arbitrary: taken },
      { weight: 5, arbitrary: spoiled },
      broken,
      otherType,
      stray,
    );
  });
}

/** A password is not guessed: those who log in know theirs, every other time. */
function bodyArbitrary(range: Gallery, { operation }: Target, schema: Schema): fc.Arbitrary<unknown> {
  const body = valid(schema, range.resolve);
  const { accounts } = range;
  if (accounts === null || operation.operationId !== "auth.login") return body;
  return fc.oneof(body, fc.integer({ min: 1, max: 6 }).map(accounts.credentials));
}

function fits(range: Gallery, { pointer }: Target, body: unknown): boolean {
  return range.contract.validatorAt(`${pointer}/requestBody/content/application~1json/schema`)(
    JSON.parse(JSON.stringify(body)),
  );
}

const NOT_SPOILED = Symbol("not spoiled");

/** One input is left out, added or changed, so that the schema no longer allows the body. */
function spoil(range: Gallery, target: Target, body: unknown): fc.Arbitrary<unknown> {
  const object = body as Record<string, unknown>;
  const schema = bodySchema(target.operation);
  const names = Object.keys(
    (typeof schema?.$ref === "string" ? range.resolve(schema.$ref) : schema)?.properties ?? {},
  );
  if (names.length === 0) return fc.constant({ ...object, stray: 1 });
  return fc
    .tuple(fc.constantFrom("change", "change", "remove", "add"), fc.constantFrom(...names), anything)
    .map(([how, name, value]) => {
      const { [name]: _, ...rest } = object;
      const given =
        how === "remove"
          ? rest
          : how === "add"
            ? { ...object, [`${name}x`]: value }
            : { ...object, [name]: value };
      return fits(range, target, given) ? NOT_SPOILED : given;
    });
}

function usersOf({ auth, models }: Definition): (string | null)[] {
  const id = models.find(({ name }) => name === auth?.model)?.members.find(({ kind }) => kind === "id");
  if (id?.kind !== "id") return [null];
  return id.type.kind === "uuid"
    ? [null, ...[1, 2, 2, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`)]
    : [null, "1", "2", "2", "4"];
}

/** Whom the first record of a path belongs to: what is seeded under one number points at what has the same. */
function ownerOf({ definition }: Gallery, [first = ""]: readonly string[]): string | undefined {
  const number = /\d$/.exec(first)?.[0];
  return usersOf(definition).find((id) => id !== null && id === number) ?? undefined;
}

function pathArbitrary({ identifiers }: Target): fc.Arbitrary<readonly string[]> {
  if (identifiers.length === 0) return fc.constant([]);
  // Mostly records that belong together: what is seeded under one number points at what has the same.
  const together = fc.nat({ max: 5 }).map((index) => identifiers.map((each) => each[index] ?? ""));
  return fc.oneof(
    { weight: 3, arbitrary: together },
    fc.tuple(...identifiers.map((each) => fc.constantFrom(...each))),
  );
}

function urlOf({ path }: Target, ids: readonly string[]): string {
  let index = 0;
  return path.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(ids[index++] ?? ""));
}

function queryArbitrary(range: Gallery, { operation }: Target): fc.Arbitrary<string> {
  const parameters = (operation.parameters ?? []).filter((each) => each.in === "query");
  if (parameters.length === 0) return fc.constant("");
  const model = Object.fromEntries(
    parameters.map((each) => [String(each.name), queryText(range, each.schema as Schema)]),
  );
  const requiredKeys = parameters.filter((each) => each.required === true).map((each) => String(each.name));
  return fc.record(model, { requiredKeys }).map((given) => {
    const text = Object.entries(given)
      .map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`)
      .join("&");
    return text === "" ? "" : `?${text}`;
  });
}

/** JSON stands in a query string as a text, of which the schema says no more. */
function queryText(range: Gallery, schema: Schema): fc.Arbitrary<string> {
  if (schema.contentMediaType === "application/json") return fc.constantFrom("1", "null", '"x"', '{"a":[1]}');
  return valid(schema, range.resolve).map(String);
}

// ---------------------------------------------------------------- the tests

let total = 0;

describe.each(programs)("%s", (name, definition) => {
  // Thousands of requests and slow passwords: on a busy machine that takes its time.
  test("takes, refuses and answers as its document says", { timeout: 600_000 }, async () => {
    const { database, drop } = await testDatabase();
    await applyPush(database, await planPush(database, definition), {});
    const range = await Gallery.open(name, definition, database);
    const runs = Math.min(SLOW[name] ?? REQUESTS_PER_OPERATION, REQUESTS_PER_OPERATION);
    const all = range.targets.map((target, index) =>
      fc.sample(shots(range, target), { numRuns: runsOf(target, runs), seed: 9 + index }),
    );
    // Operations take turns, so that they find what the others have left.
    const turns = Array.from({ length: runs }, (_, index) => all.flatMap((each) => each[index] ?? []));
    for (const [index, turn] of turns.entries()) {
      if (index % Math.max(1, Math.round(SEED_EVERY / Math.max(1, range.targets.length))) === 0)
        await range.reset();
      for (let at = 0; at < turn.length; at += AT_ONCE)
        await Promise.all(turn.slice(at, at + AT_ONCE).map((shot) => range.shoot(shot)));
    }
    if (process.env.STOA_FUZZ_COUNTS) console.log(name, range.counts);
    total += range.total;
    const silent = range.targets
      .map(({ operation }) => operation.operationId)
      .filter((id) => ![...(range.counts.get(id)?.keys() ?? [])].some((status) => status < 400));
    // A few requests are not enough to tell.
    const known = process.env.STOA_FUZZ_REQUESTS === undefined ? (NEVER[name] ?? []) : silent;
    expect(
      silent.filter((id) => !known.includes(id)),
      "operations that never succeeded",
    ).toEqual([]);
    await drop();
  });
});

/** Passwords are slow by intention, and whoever logs out has to log in again. */
function runsOf({ operation }: Target, runs: number): number {
  return operation.operationId.startsWith("auth.") ? Math.ceil(runs / 4) : runs;
}

/** What the seeded records never allow. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  // Nobody who is seeded is an editor, and everybody has a profile already.
  blog: ["post.publish", "people.profile.create"],
  // A product's code and an order's total are not guessed.
  shop: ["order.create", "order.pay"],
  // All products that are seeded have been ordered.
  "examples/shop": ["Staff.product.delete"],
};

afterAll(() => {
  console.log(`${total} requests`);
  if (process.env.STOA_FUZZ_REQUESTS === undefined) expect(total).toBeGreaterThanOrEqual(MIN_TOTAL);
});
