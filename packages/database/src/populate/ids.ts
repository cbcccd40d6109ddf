// Ids without a round trip per row. The tables are locked against other writers (readers go on), so that from
// the greatest id on all ids are ours; sequences are set to the last one used at the end, and stay untouched when
// the run fails. An insert takes its next id only after it has got the lock on its table, so nobody can be
// handed one of ours meanwhile.

import type { Model } from "@stoa/definition";
import type { Queryable } from "../connection/database.js";
import { qualifyName, quoteLiteral, quoteName } from "../schema/quote.js";
import { REFERENCE_MS } from "./fake.js";
import { createRandom, orderedUuids, uuidTime } from "./random.js";

/** The end of the year 9999: a uuid that claims to be later was not made by a clock, and says nothing. */
const LATEST_MS = 253_402_300_799_999;

export type NextId = () => number | string;

export interface Ids {
  /** By name of the model. */
  readonly next: ReadonlyMap<string, NextId>;
  /** Where the ids begin, as a text: the same for the same data in the database. */
  readonly origin: string;
  /** Brings the sequences up to date. */
  finish(): Promise<void>;
}

export interface IdsInput {
  readonly models: readonly Model[];
  readonly schema: string;
  readonly seed: string;
}

export async function reserveIds(transaction: Queryable, { models, schema, seed }: IdsInput): Promise<Ids> {
  const tables = models.map((model) => idTable(model, schema));
  // In one order for everyone, so that two populators cannot wait for each other.
  const names = tables.map((table) => table.name).sort();
  await transaction.execute(`LOCK TABLE ${names.join(", ")} IN SHARE ROW EXCLUSIVE MODE`);
  const sequences = await findSequences(transaction, tables);
  const states = await readStates(transaction, tables, sequences);
  const counters = new Map(
    tables.map((table) => [table.model, createCounter(table, states.get(table.model), seed)]),
  );
  return {
    next: new Map([...counters].map(([model, counter]) => [model, counter.next])),
    origin: [...counters].map(([model, counter]) => `${model}=${counter.origin}`).join(" "),
    finish: () => setSequences(transaction, counters, sequences),
  };
}

interface IdTable {
  readonly model: string;
  /** Quoted, with its schema. */
  readonly name: string;
  readonly column: string;
  readonly isUuid: boolean;
}

function idTable(model: Model, schema: string): IdTable {
  const id = model.members.find((member) => member.kind === "id");
  if (!id) throw new Error(`The model \`${model.name}\` has no id.`);
  const name = qualifyName(schema, model.table.name);
  return { model: model.name, name, column: id.column, isUuid: id.type.kind === "uuid" };
}

type SequenceRow = { readonly model: string; readonly sequence: string | null };

/** Names of sequences, quoted, by model; a table made by other hands may have none. */
async function findSequences(
  transaction: Queryable,
  tables: readonly IdTable[],
): Promise<Map<string, string>> {
  const selects = tables
    .filter((table) => !table.isUuid)
    .map(({ model, name, column }) => {
      const sequence = `pg_get_serial_sequence(${quoteLiteral(name)}, ${quoteLiteral(column)})`;
      return `SELECT ${quoteLiteral(model)} AS model, ${sequence} AS sequence`;
    });
  if (selects.length === 0) return new Map();
  const rows = await transaction.query<SequenceRow>(selects.join(" UNION ALL "));
  return new Map(rows.flatMap(({ model, sequence }) => (sequence === null ? [] : [[model, sequence]])));
}

type State = {
  readonly model: string;
  /** The greatest id there is. */
  readonly greatest: string | null;
  /** What the sequence would give next. */
  readonly upcoming: string | null;
};

async function readStates(
  transaction: Queryable,
  tables: readonly IdTable[],
  sequences: ReadonlyMap<string, string>,
): Promise<Map<string, State>> {
  const selects = tables.map(({ model, name, column }) => {
    const id = quoteName(column);
    const sequence = sequences.get(model);
    const upcoming = sequence
      ? `(SELECT (last_value + CASE WHEN is_called THEN 1 ELSE 0 END)::text FROM ${sequence})`
      : "NULL::text";
    const greatest = `(SELECT ${id}::text FROM ${name} ORDER BY ${id} DESC LIMIT 1)`;
    return `SELECT ${quoteLiteral(model)} AS model, ${greatest} AS greatest, ${upcoming} AS upcoming`;
  });
  const rows = await transaction.query<State>(selects.join(" UNION ALL "));
  return new Map(rows.map((row) => [row.model, row]));
}

interface Counter {
  readonly next: NextId;
  readonly origin: string;
  /** The last id handed out; undefined for uuids and when there was none. */
  readonly last: () => number | undefined;
}

function createCounter({ model, isUuid }: IdTable, state: State | undefined, seed: string): Counter {
  const greatest = state?.greatest ?? null;
  if (isUuid) {
    // Later than every id there is, so that none can come twice.
    const taken = (greatest === null ? undefined : uuidTime(greatest)) ?? 0;
    const startMs = taken < LATEST_MS ? Math.max(REFERENCE_MS, taken + 1) : REFERENCE_MS;
    const random = createRandom(`${seed} ${model} ${greatest}`);
    return { next: orderedUuids(random, startMs), origin: greatest ?? "", last: () => undefined };
  }
  const start = Math.max(Number(greatest ?? 0) + 1, Number(state?.upcoming ?? 1));
  let upcoming = start;
  return {
    next: () => upcoming++,
    origin: String(start),
    last: () => (upcoming === start ? undefined : upcoming - 1),
  };
}

async function setSequences(
  transaction: Queryable,
  counters: ReadonlyMap<string, Counter>,
  sequences: ReadonlyMap<string, string>,
): Promise<void> {
  const calls = [...sequences].flatMap(([model, sequence]) => {
    const last = counters.get(model)?.last();
    return last === undefined ? [] : [`setval(${quoteLiteral(sequence)}, ${last})`];
  });
  if (calls.length > 0) await transaction.query(`SELECT ${calls.join(", ")}`);
}
