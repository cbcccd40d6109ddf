// The steps between two catalogs → steps for a database in use: what would keep a table locked while its rows are
// read is taken apart, so that every lock is either weak or short. In this order, each part only where needed:
//
//   look       are rows in the way? Asked before anything is changed
//   loosen     indexes that go, concurrently
//   change     all that takes no time, in one transaction; new rules count for new rows alone
//   fill       values for the rows that are there, in batches
//   prove      old rows against new rules, and indexes, while everybody works on
//   tighten    what follows from the proofs and takes no time

import { type Catalog, findTable } from "../schema/catalog.js";
import { isDistinctDefault } from "../schema/default-value.js";
import { pairCatalogs } from "../schema/pairs.js";
import { qualifyName } from "../schema/quote.js";
import type { Renames } from "../schema/renames.js";
import { addColumn as addColumnSql, setDefault as setDefaultSql } from "../schema/statements.js";
import type { Step } from "../schema/step.js";
import { guardsOf } from "./guards.js";
import type { MigrationStep } from "./migration.js";
import { rewriteOf } from "./rewrites.js";
import * as make from "./safe-parts.js";
import { joinStatements } from "./sql-text.js";

export interface SafeInput {
  readonly schema: string;
  readonly from: Catalog;
  readonly to: Catalog;
  readonly renames: Renames;
}

const PHASES = ["look", "loosen", "change", "fill", "prove", "tighten"] as const;
type Phase = (typeof PHASES)[number];
type Parts = Partial<Record<Phase, readonly MigrationStep[]>>;

export function makeSafe(steps: readonly Step[], input: SafeInput): MigrationStep[] {
  const pairing = pairCatalogs(input.from, input.to, input.renames);
  const parts = steps.map((step, index) => makeStepSafe(step, { ...input, pairing, mark: index + 1 }));
  const phases = PHASES.map((phase) => parts.flatMap((part) => part[phase] ?? []));
  return phases.flatMap((list, index) => (PHASES[index] === "tighten" ? beginApart(list) : list));
}

/** What is proven stays so, even if the last locks cannot be had at once. */
function beginApart(steps: readonly MigrationStep[]): MigrationStep[] {
  return steps.map((step, index) => (index === 0 ? { ...step, run: { kind: "apart" } } : step));
}

interface Context extends SafeInput {
  readonly pairing: ReturnType<typeof pairCatalogs>;
  /** Of this step alone, for names in passing. */
  readonly mark: number;
}

function makeStepSafe(step: Step, context: Context): Parts {
  const look = guardsOf(step, context.schema);
  switch (step.kind) {
    case "drop-index":
      return { loosen: [make.dropIndex(step)] };
    case "add-index":
      return { prove: [make.addIndex(step)] };
    case "add-unique":
      return { look, ...addUnique(step, context) };
    case "add-check":
    case "change-check":
    case "change-foreign-key":
      return { look, ...addLater(step, context) };
    case "add-foreign-key":
      // Between new tables there is nothing to prove.
      return step.class === "additive" ? { change: [plain(step)] } : { look, ...addLater(step, context) };
    case "add-column":
      return addColumn(step, context);
    case "set-not-null":
      return requireValue(step, context);
    case "change-type":
      return { look, change: [{ ...plain(step), reasons: rewriteReasons(step, context) }] };
    default:
      return { look, change: [plain(step)] };
  }
}

function plain(step: Step): MigrationStep {
  return {
    class: step.class,
    words: step.words,
    run: { kind: "together" },
    reasons: make.reasonsFor(step.kind),
    sql: joinStatements(step.statements),
  };
}

function rewriteReasons(step: Step, context: Context): string[] {
  return rewriteOf(step, context.pairing) === null ? [] : [make.REWRITE_REASON];
}

function addUnique(step: Step, { schema }: Context): Parts {
  return { prove: [make.buildUnique(step, schema)], tighten: [make.useUnique(step, schema)] };
}

function addLater(step: Step, { schema }: Context): Parts {
  return { change: [make.addUnproven(step)], prove: [make.proveRule(step, schema)] };
}

/** A default that is one value for all rows takes no time; one that differs from row to row rewrites the table. */
function addColumn(step: Step, context: Context): Parts {
  const [table, column] = [step.affects.table ?? "", step.affects.columns[0] ?? ""];
  const wanted = findTable(context.to, table)?.columns.find(({ name }) => name === column);
  if (!wanted) return { change: [plain(step)] };
  const isOpen = step.needs.some(({ kind }) => kind === "no-rows");
  const isDistinct = wanted.default !== null && isDistinctDefault(wanted.default);
  if (!isOpen && !isDistinct) return { change: [plain(step)] };
  const place = { schema: context.schema, table };
  const first = addColumnSql(place, { ...wanted, nullable: true, default: null });
  const later = wanted.default === null ? [] : [setDefaultSql(place, column, wanted.default)];
  const goal = { ...place, column, mark: context.mark };
  const tight = wanted.nullable ? {} : make.requireParts(goal);
  const fill = make.fillColumn(goal, wanted.default);
  return {
    change: [
      { ...plain(step), sql: joinStatements([first, ...later]), reasons: make.reasonsForParts(wanted) },
    ],
    ...tight,
    fill: [fill, ...(wanted.nullable ? [] : [make.noNulls(goal)])],
  };
}

/** Rows are filled, and looked at, under their old names: before anything is changed. */
function requireValue(step: Step, context: Context): Parts {
  const need = step.needs.find((candidate) => candidate.kind === "no-nulls");
  const [table, column] = [step.affects.table ?? "", step.affects.columns[0] ?? ""];
  const goal = { schema: context.schema, table, column, mark: context.mark };
  if (need?.kind !== "no-nulls") return make.requireParts(goal);
  const live = qualifyName(context.schema, need.table.live);
  const place = { words: `${table}.${column}`, table: live, column: need.column.sql };
  return { look: [make.fillByHand(place), make.noNullsIn(place)], ...make.requireParts(goal) };
}
