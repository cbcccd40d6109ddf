// One batch of expressions through both engines, and what they disagree about.

import type { Database, Parameter, Queryable } from "@stoa/database";
import {
  compileExpression,
  decimalText,
  type EvaluationScope,
  type Expression,
  equalJson,
  isDecimal,
  type Json,
  parseDatetime,
  type Value,
  type ValueObject,
} from "@stoa/definition";
import { Context } from "../../src/sql/context.js";
import { emitter } from "../../src/sql/emitter.js";
import { From, idColumn, LoneRecord, rowRecord, tableOf } from "../../src/sql/from.js";
import type { Scope } from "../../src/sql/scope.js";
import type { Node } from "./generate.js";
import { readerOf, type Store } from "./records.js";
import { type BaseModel, compileComputeds, definition, modelNamed } from "./schema.js";

/** What expressions are evaluated over. */
export interface World {
  readonly database: Database;
  readonly store: Store;
  readonly base: BaseModel;
  /** The user's id; null for nobody. */
  readonly user: number | null;
}

export interface Mismatch {
  readonly node: Node;
  readonly row: ValueObject | null;
  readonly wanted: string;
  readonly found: string;
  readonly sql: string;
}

interface Column {
  readonly node: Node;
  readonly expression: Expression;
  readonly value: string;
  readonly condition: string | null;
}

interface Statement {
  readonly columns: readonly Column[];
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/** The first disagreement of each expression. Throws where PostgreSQL does. */
export async function findMismatches(world: World, nodes: readonly Node[]): Promise<Mismatch[]> {
  const texts = nodes.map(({ text }) => text);
  const expressions = compileComputeds(world.base, texts);
  const statement = statementOf(world, nodes, expressions);
  const { rows, now } = await world.database.transaction(async (transaction) => {
    await transaction.execute("set local jit = off");
    const [time] = await transaction.query<{ now: string }>("select now()::text as now");
    return { rows: await runStatement(transaction, statement), now: datetimeOf(time?.now ?? "") };
  });
  return compareRows(world, statement, { rows, now });
}

function statementOf(world: World, nodes: readonly Node[], expressions: readonly Expression[]): Statement {
  const context = new Context(definition);
  const from = new From(context);
  const model = modelNamed(world.base);
  const name = from.add(tableOf(model));
  const record = rowRecord(from, model, name);
  const scope: Scope = {
    ...{ context, emitter, this: record, owner: null, aliases: new Map(), results: new Map() },
    auth: userRecord(context),
  };
  const columns = expressions.map((expression, index) => columnOf(nodes[index], expression, scope));
  const items = columns.flatMap(({ value, condition }, index) => [
    `(${value})::text as v${index}`,
    ...(condition === null ? [] : [`((${condition}) is true)::text as c${index}`]),
  ]);
  const id = record.column(idColumn(model));
  const sql = `select ${items.join(",\n")}${from.render()} order by ${id}`;
  return { columns, sql, parameters: context.bindings.map(() => world.user) };
}

function columnOf(node: Node | undefined, expression: Expression, scope: Scope): Column {
  if (node === undefined) throw new Error("There are more expressions than were asked for.");
  const isCondition = expression.type.kind === "boolean";
  return {
    node,
    expression,
    value: emitter.value(expression, scope),
    condition: isCondition ? emitter.condition(expression, scope) : null,
  };
}

function userRecord(context: Context): LoneRecord {
  const model = modelNamed("Shop");
  return new LoneRecord(context, { model, isNullable: true }, (from) => {
    const id = context.parameter({ kind: "user", type: { kind: "integer", nullable: true } });
    const name = from.join(tableOf(model), (table) => `${table}.id = ${id}`);
    return rowRecord(from, model, name);
  });
}

async function runStatement(
  transaction: Queryable,
  { sql, parameters }: Statement,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return transaction.query(sql, parameters);
}

interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly now: string;
}

function compareRows({ store, base, user }: World, statement: Statement, { rows, now }: Answer): Mismatch[] {
  const options = readerOf(store);
  const records = sortedRecords(store.get(base) ?? []);
  if (records.length !== rows.length) throw new Error("The database has other records.");
  const auth = store.get("Shop")?.find(({ id }) => id === user) ?? null;
  const scope: EvaluationScope = { auth, now: () => now };
  return statement.columns.flatMap((column, index) => {
    const evaluate = compileExpression(column.expression, options);
    for (const [place, record] of records.entries()) {
      const row = rows[place] ?? {};
      const wanted = evaluate({ ...scope, this: record });
      const found = row[`v${index}`] as string | null;
      const difference = differenceOf(column, wanted, {
        value: found,
        condition: row[`c${index}`] as string,
      });
      if (difference) return [{ node: column.node, row: record, ...difference }];
    }
    return [];
  });
}

function sortedRecords(records: readonly ValueObject[]): ValueObject[] {
  return [...records].sort(({ id: a }, { id: b }) => ((a ?? 0) < (b ?? 0) ? -1 : 1));
}

function differenceOf(
  { node, expression, value, condition }: Column,
  wanted: Value,
  found: { readonly value: string | null; readonly condition: string },
): { readonly wanted: string; readonly found: string; readonly sql: string } | undefined {
  if (!isSame(wanted, found.value, { expression, isRough: node.isRough === true })) {
    return { wanted: show(wanted), found: String(found.value), sql: value };
  }
  if (condition === null || found.condition === String(wanted === true)) return undefined;
  return { wanted: `condition ${wanted === true}`, found: `condition ${found.condition}`, sql: condition };
}

function isSame(
  wanted: Value,
  found: string | null,
  { expression, isRough }: { readonly expression: Expression; readonly isRough: boolean },
): boolean {
  if (wanted === null || found === null) return wanted === found;
  switch (expression.type.kind) {
    case "float":
      return isRough ? isNear(Number(found), wanted as number) : Number(found) === wanted;
    case "decimal":
      return isDecimal(wanted) && decimalText(wanted) === found;
    case "datetime":
      return datetimeOf(found) === wanted;
    case "json":
    case "struct":
      return equalJson(JSON.parse(found) as Json, wanted as Json);
    default:
      return String(wanted) === found;
  }
}

/** Sums of floats, in two orders. What cancels out leaves errors of the size of the largest addend. */
function isNear(found: number, wanted: number): boolean {
  const size = Math.max(Math.abs(found), Math.abs(wanted));
  return Math.abs(found - wanted) <= size * 1e-9 || size < 1e281;
}

function datetimeOf(text: string): string {
  return parseDatetime(text.replace(/([+-]\d\d)$/, "$1:00")) ?? text;
}

export function show(value: Value): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isDecimal(part as Value) ? `${decimalText(part as never)}d` : Object.is(part, -0) ? "-0" : part,
  );
}
