// Random records, in memory and in the database, and a plain way to read them: relationships by looking through
// all records, queries step by step as the reference tells it. It shares nothing with the SQL that is tested.

import { type Database, quoteLiteral, quoteName } from "@stoa/database";
import {
  type CompileOptions,
  compareDecimals,
  compareTexts,
  compileExpression,
  decimalText,
  type Evaluate,
  type EvaluationScope,
  isDecimal,
  type Json,
  jsonText,
  type Member,
  type MemberExpression,
  type Model,
  type Query,
  type ReadRecord,
  type Value,
  type ValueObject,
} from "@stoa/definition";
import type { Random } from "./random.js";
import { definition, modelNamed } from "./schema.js";
import { randomValue } from "./values.js";

export type Store = ReadonlyMap<string, readonly ValueObject[]>;

const COUNTS: Readonly<Record<string, number>> = { Shop: 5, Item: 12, Note: 18, Badge: 3 };

function idOfRow(model: Model, index: number): Value {
  const id = model.members.find(({ kind }) => kind === "id");
  if (id?.kind === "id" && id.type.kind === "integer") return index + 1;
  return `0189d2c8-7b3a-7c00-8f00-${String((index * 7919) % 1000).padStart(12, "0")}`;
}

export function randomStore(random: Random): Store {
  const store = new Map<string, ValueObject[]>();
  for (const { name } of definition.models) {
    const model = modelNamed(name);
    store.set(
      name,
      random.many(COUNTS[name] ?? 0, (index) => randomRecord(random, model, index)),
    );
  }
  return store;
}

function randomRecord(random: Random, model: Model, index: number): ValueObject {
  const entries = model.members.flatMap((member): [string, Value][] => {
    const value = randomMember(random, model, { member, index });
    return value === undefined ? [] : [[member.name, value]];
  });
  return Object.fromEntries(entries);
}

function randomMember(
  random: Random,
  model: Model,
  { member, index }: { readonly member: Member; readonly index: number },
): Value | undefined {
  if (member.kind === "id") return idOfRow(model, index);
  if (member.kind !== "field" && member.kind !== "key") return undefined;
  if (member.type.nullable && random.chance(0.3)) return null;
  if (member.kind === "field") {
    return member.unique ? `unique ${index}` : randomValue(random, member.type, member.name);
  }
  const reference = model.members.find(({ name }) => name === member.reference);
  if (reference?.kind !== "reference") throw new Error(`${member.name} has no reference.`);
  const place = member.unique ? index : random.integer(0, (COUNTS[reference.to] ?? 1) - 1);
  return idOfRow(modelNamed(reference.to), place);
}

/** Items with every pair of a list of values in two members, so that no combination is left to chance. */
export function pairStore(random: Random, pairs: readonly MemberPair[]): Store {
  const count = Math.max(...pairs.map(({ values }) => values.length ** 2));
  const items = random.many(count, (index) => {
    const own = pairs.map(({ names: [left, right], values }) => ({
      [left]: values[index % values.length] ?? null,
      [right]: values[Math.floor(index / values.length) % values.length] ?? null,
    }));
    return Object.assign({}, randomRecord(random, modelNamed("Item"), index), ...own) as ValueObject;
  });
  return new Map([...randomStore(random), ["Item", items]]);
}

export interface MemberPair {
  readonly names: readonly [string, string];
  readonly values: readonly Value[];
}

/** Puts the records in place of all that are there. */
export async function writeStore(database: Database, store: Store): Promise<void> {
  const tables = definition.models.map(({ table }) => quoteName(table.name));
  const inserts = definition.models.map((model) => insertOf(model, store.get(model.name) ?? []));
  await database.execute(
    // References go round in circles, so they are checked when nobody looks.
    `truncate ${tables.join(", ")}; set session_replication_role = replica; ${inserts.join("; ")}; set session_replication_role = origin`,
  );
}

function insertOf(model: Model, records: readonly ValueObject[]): string {
  const columns = model.members.flatMap((member) =>
    member.kind === "id" || member.kind === "field" || member.kind === "key" ? [member] : [],
  );
  const rows = records.map(
    (record) => `(${columns.map(({ name, type }) => literalOf(record[name] ?? null, type.kind)).join(", ")})`,
  );
  const names = columns.map(({ column }) => quoteName(column)).join(", ");
  return `insert into ${quoteName(model.table.name)} (${names}) overriding system value values ${rows.join(", ")}`;
}

function literalOf(value: Value, kind: string): string {
  if (value === null) return "null";
  if (kind === "json") return quoteLiteral(jsonText(value as Json));
  if (isDecimal(value)) return quoteLiteral(decimalText(value));
  return quoteLiteral(Object.is(value, -0) ? "-0" : String(value));
}

/** Reads members of the records of a store. */
export function readerOf(store: Store): CompileOptions {
  const compiled = new Map<string, ReadRecord>();
  const options: CompileOptions = {
    outOfRange: "null",
    readMember: (path) => {
      const model = modelOfPath(path);
      const key = `${model.name}.${path.name}`;
      const known = compiled.get(key);
      if (known) return known;
      const read = readMember(model, path.name, { store, options });
      compiled.set(key, read);
      return read;
    },
  };
  return options;
}

function modelOfPath({ on }: MemberExpression): Model {
  const of = on.type.kind === "collection" ? on.type.of : on.type;
  if (of.kind !== "record") throw new Error("The path does not go through a record.");
  return modelNamed(of.model);
}

interface Reading {
  readonly store: Store;
  readonly options: CompileOptions;
}

function readMember(model: Model, name: string, reading: Reading): ReadRecord {
  const member = model.members.find((each) => each.name === name);
  const all = (of: string): readonly ValueObject[] => reading.store.get(of) ?? [];
  switch (member?.kind) {
    case "reference":
      return (record) => all(member.to).find(({ id }) => id === record[member.key]) ?? null;
    case "relation": {
      const target = modelNamed(member.from).members.find((each) => each.name === member.through);
      const key = target?.kind === "reference" ? target.key : "";
      const related = (record: ValueObject) => all(member.from).filter((each) => each[key] === record.id);
      return member.single ? (record) => related(record)[0] ?? null : related;
    }
    case "computed": {
      const evaluate = compileExpression(member.value, reading.options);
      return (record, scope) => evaluate({ ...scope, this: record });
    }
    case "query":
      return readQuery(member.query, reading.options);
    default:
      return (record) => record[name] ?? null;
  }
}

function readQuery(query: Query, options: CompileOptions): ReadRecord {
  if (query.from.kind !== "path") throw new Error("A member starts from its record.");
  const source = compileExpression(query.from.path, options);
  const filter = query.filter && compileExpression(query.filter, options);
  const orders = query.orderBy.map(({ value, descending }) => ({
    value: compileExpression(value, options),
    descending,
  }));
  const finish = resultOf(query, options);
  return (owner, outer) => {
    const of = (record: Value): EvaluationScope => ({ ...outer, this: record, owner });
    const found = source({ ...outer, this: owner, owner });
    const records = (Array.isArray(found) ? found : [found]).filter(
      (record) => record !== null && (!filter || filter(of(record)) === true),
    );
    const sorted = sortBy(records, orders, of);
    const start = query.offset ?? 0;
    const end = query.limit === null ? undefined : start + query.limit;
    return finish(sorted.slice(start, end), of);
  };
}

type Finish = (records: readonly Value[], scopeOf: (record: Value) => EvaluationScope) => Value;

/** What comes out. An aggregate is that of a list of the values. */
function resultOf({ result }: Query, options: CompileOptions): Finish {
  if (result.kind === "many") return (records) => records;
  if (result.kind !== "aggregate") return (records) => records[0] ?? null;
  const value = result.value && compileExpression(result.value, options);
  const of = result.value?.type ?? { kind: "any", nullable: false };
  const over = {
    kind: "variable",
    type: { kind: "collection", of, nullable: false },
    variable: "input",
    name: "values",
  } as const;
  const aggregate = compileExpression(
    { kind: "aggregate", type: of, function: result.function, over },
    options,
  );
  return (records, scopeOf) => {
    const values = value ? records.map((record) => value(scopeOf(record))) : records;
    return aggregate({ inputs: new Map([["values", values]]) });
  };
}

interface Order {
  readonly value: Evaluate;
  readonly descending: boolean;
}

function sortBy(
  records: readonly Value[],
  orders: readonly Order[],
  scopeOf: (record: Value) => EvaluationScope,
): Value[] {
  const keyed = records.map((record) => ({
    record,
    keys: [...orders.map(({ value }) => value(scopeOf(record))), (record as ValueObject).id ?? null],
  }));
  keyed.sort((left, right) => {
    for (const [index, a] of left.keys.entries()) {
      const order = compareKeys(a, right.keys[index] ?? null);
      if (order !== 0) return orders[index]?.descending ? -order : order;
    }
    return 0;
  });
  return keyed.map(({ record }) => record);
}

/** Null comes last. */
function compareKeys(left: Value, right: Value): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  if (isDecimal(left) && isDecimal(right)) return compareDecimals(left, right);
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  return Number(left) - Number(right);
}
