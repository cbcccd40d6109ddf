// One batch of expressions through both engines, and what they disagree about.

import { randomUUID } from "node:crypto";
import type { Database, Parameter, Queryable } from "@stoa/database";
import {
  type CompileOptions,
  compileExpression,
  decimalText,
  type EvaluationScope,
  type Expression,
  equalJson,
  isDecimal,
  type Json,
  parseDatetime,
  type Type,
  type Value,
  type ValueObject,
} from "@stoa/definition";
import { Context } from "../../src/sql/context.js";
import { emitter } from "../../src/sql/emitter.js";
import { From, idColumn, LoneRecord, rowRecord, tableOf } from "../../src/sql/from.js";
import type { Scope } from "../../src/sql/scope.js";
import type { Node } from "./generate.js";
import { Inputs } from "./inputs.js";
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
  readonly inputs: Inputs;
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
    ...{
      context,
      emitter,
      this: record,
      owner: null,
      aliases: new Map(),
      results: new Map(),
      shapes: new Map(),
      defaults: new Map(),
    },
    strict: null,
    hasGoodCredentials: null,
    auth: userRecord(context),
  };
  const inputs = new Inputs();
  const columns = expressions.map((expression, index) =>
    columnOf(nodes[index], inputs.replaceIn(expression), scope),
  );
  const items = columns.flatMap(({ value, condition }, index) => [
    `(${value})::text as v${index}`,
    ...(condition === null ? [] : [`((${condition}) is true)::text as c${index}`]),
  ]);
  const id = record.column(idColumn(model));
  const sql = `select ${items.join(",\n")}${from.render()} order by ${id}`;
  const parameters = context.bindings.map((binding) =>
    binding.kind === "user" ? world.user : inputs.parameterOf(binding),
  );
  return { columns, sql, parameters, inputs };
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
  const scope: EvaluationScope = { auth, now: () => now, uuid: randomUUID, inputs: statement.inputs.values };
  return statement.columns.flatMap((column, index) => {
    const evaluate = compileExpression(column.expression, options);
    const toleranceOf = column.node.isRough ? sumTolerance(column.expression, options) : () => 0;
    for (const [place, record] of records.entries()) {
      const row = rows[place] ?? {};
      const wanted = evaluate({ ...scope, this: record });
      const difference = differenceOf(column, wanted, {
        value: row[`v${index}`] as string | null,
        condition: row[`c${index}`] as string,
        tolerance: toleranceOf({ ...scope, this: record }),
      });
      if (difference) return [{ node: column.node, row: record, ...difference }];
    }
    return [];
  });
}

function sortedRecords(records: readonly ValueObject[]): ValueObject[] {
  return [...records].sort(({ id: a }, { id: b }) => ((a ?? 0) < (b ?? 0) ? -1 : 1));
}

interface Found {
  readonly value: string | null;
  readonly condition: string;
  /** By how much a float may be off. */
  readonly tolerance: number;
}

function differenceOf(
  { expression, value, condition }: Column,
  wanted: Value,
  found: Found,
): { readonly wanted: string; readonly found: string; readonly sql: string } | undefined {
  if (!isSame(expression.type, wanted, found)) {
    return { wanted: show(wanted), found: String(found.value), sql: value };
  }
  if (condition === null || found.condition === String(wanted === true)) return undefined;
  return { wanted: `condition ${wanted === true}`, found: `condition ${found.condition}`, sql: condition };
}

function isSame({ kind }: Type, wanted: Value, { value: found, tolerance }: Found): boolean {
  if (wanted === null || found === null) return wanted === found;
  switch (kind) {
    case "float":
      return Math.abs(Number(found) - (wanted as number)) <= tolerance;
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

/** Sums in two orders differ by less than a rounding of each addend. */
function sumTolerance(expression: Expression, options: CompileOptions): (scope: EvaluationScope) => number {
  if (expression.kind !== "aggregate") throw new Error("Only sums are rough.");
  const addends = compileExpression(expression.over, options);
  return (scope) => {
    const values = (addends(scope) ?? []) as readonly (number | null)[];
    return values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0) * values.length * 1e-15;
  };
}

function datetimeOf(text: string): string {
  return parseDatetime(text.replace(/([+-]\d\d)$/, "$1:00")) ?? text;
}

export function show(value: Value): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isDecimal(part as Value) ? `${decimalText(part as never)}d` : Object.is(part, -0) ? "-0" : part,
  );
}
