// Two definitions → every change of the tables, each classed: can instances of the old version go on working while the
// new one is rolled out, and is everything still there afterwards? The steps are those of push and of migrations.

import type { Definition, Entrypoint } from "@stoa/definition";
import { type Catalog, findTable } from "./catalog.js";
import { desiredCatalog } from "./desired.js";
import { diffCatalogs } from "./diff.js";
import { findRenames, placementOf } from "./renames.js";
import type { Step, StepClass, StepKind } from "./step.js";

export interface TableChange {
  readonly kind: StepKind;
  readonly class: "breaking" | "compatible";
  readonly table: string;
  readonly what: string;
  readonly why: string;
  /** Who notices; null where nobody needs to. */
  readonly affects: string | null;
  readonly step: StepClass;
}

interface Verdict {
  readonly isSafe: boolean;
  readonly why: string;
}

interface Context {
  readonly before: Definition;
  readonly from: Catalog;
  readonly to: Catalog;
}

const OLD_VERSION = "instances of the old version that run beside the new one";

export function compareTables(before: Definition, after: Definition): TableChange[] {
  const [from, to] = [desiredCatalog(before), desiredCatalog(after)];
  const renames = findRenames(after, from, placementOf(before));
  const steps = diffCatalogs(from, to, { schema: "public", renames });
  return steps.map((step) => {
    const { isSafe, why } = judge({ before, from, to }, step);
    return {
      kind: step.kind,
      class: isSafe ? "compatible" : "breaking",
      table: step.affects.table ?? "",
      what: step.words,
      why,
      affects: isSafe ? null : OLD_VERSION,
      step: step.class,
    };
  });
}

const safe = (why: string): Verdict => ({ isSafe: true, why });
const unsafe = (why: string): Verdict => ({ isSafe: false, why });

function judge(context: Context, step: Step): Verdict {
  switch (step.kind) {
    case "create-schema":
    case "take-over-table":
    case "create-table":
      return safe("the old version does not use it");
    case "drop-table":
    case "drop-column":
      return unsafe("what is stored there is lost, and the old version fails without it");
    case "rename-table":
    case "rename-column":
      return unsafe("they know the old name only, and fail");
    case "rename-constraints":
      return unsafe("the old version cannot tell which field is wrong when one of them is violated");
    case "add-column":
      return step.needs.length === 0
        ? safe("the old version leaves it to its default, or to null")
        : unsafe("rows that are there have no value for it, and the old version writes none");
    case "change-type":
      return judgeType(context, step);
    case "set-default":
      return safe("the old version writes the values that it means");
    case "drop-default":
      return isNullable(context, step)
        ? safe("where the old version leaves it to the database, it is null")
        : unsafe("where the old version leaves it to the database, there is no value");
    case "set-not-null":
      return unsafe("rows may be without a value, and the old version may write more of them");
    case "drop-not-null":
      return safe("the old version passes null on, which clients of it do not expect");
    case "add-identity":
      return safe("the old version writes the values that it means");
    case "drop-identity":
      return unsafe("the old version leaves its numbers to the database");
    case "add-primary-key":
    case "drop-primary-key":
      return unsafe("rows are told apart by something else");
    case "add-index":
      return safe("nothing is stored in another way");
    case "drop-index":
      return safe("nothing is lost; what used it is slower");
    default:
      return judgeConstraint(context, step);
  }
}

function judgeConstraint(context: Context, step: Step): Verdict {
  switch (step.kind) {
    case "add-unique":
      return step.needs.length === 0
        ? safe("the old version does not write the column")
        : unsafe("rows may repeat a value, and the old version may write more of them");
    case "drop-unique":
      return isIdentifying(context, step)
        ? unsafe("the old version finds single records by it")
        : safe("the old version still finds every row");
    case "add-foreign-key":
      return step.needs.length === 0
        ? safe("there is nothing in the column that could point nowhere")
        : unsafe("rows may point nowhere, and the old version may write more of them");
    case "drop-foreign-key":
      return safe("the old version still points at what is there");
    case "change-foreign-key":
      return judgeDeletion(context, step);
    case "add-check":
      return unsafe("rows may have other values, and the old version may write more of them");
    case "change-check":
      return step.class === "widening"
        ? safe("the old version passes the new values on, which clients of it may not know")
        : unsafe("rows may have other values, and the old version may write more of them");
    default:
      return safe("all values that are there may stay");
  }
}

/** More digits before the point are safe; any other type is read and written in another way. */
function judgeType(context: Context, step: Step): Verdict {
  const [table, column = ""] = [step.affects.table ?? "", step.affects.columns[0]];
  const scale = (catalog: Catalog): string | undefined => {
    const type = findTable(catalog, table)?.columns.find(({ name }) => name === column)?.type ?? "";
    return /^numeric\(\d+,\s*(\d+)\)$/.exec(type)?.[1];
  };
  const [old, now] = [scale(context.from), scale(context.to)];
  if (step.class === "widening" && old !== undefined && old === now)
    return safe("all values that the old version writes still fit");
  return unsafe(
    step.class === "destructive"
      ? "values that do not fit are lost, and the old version reads and writes another type"
      : "the old version reads and writes another type",
  );
}

function isNullable({ to }: Context, { affects }: Step): boolean {
  const column = findTable(to, affects.table ?? "")?.columns.find(({ name }) => name === affects.columns[0]);
  return column?.nullable ?? false;
}

function judgeDeletion({ to }: Context, { affects }: Step): Verdict {
  const key = findTable(to, affects.table ?? "")?.foreignKeys.find(({ name }) => name === affects.constraint);
  switch (key?.onDelete) {
    case "cascade":
      return unsafe("rows go along when the old version deletes what they refer to");
    case "set null":
    case "set default":
      return safe("rows stay when what they refer to is deleted");
    default:
      return unsafe("the old version can no longer delete what rows refer to");
  }
}

/** Some entrypoint of the old version finds its records by these columns. */
function isIdentifying({ before }: Context, { affects }: Step): boolean {
  const model = before.models.find(({ table }) => table.name === affects.table);
  const columnOf = (name: string): string | undefined => {
    const member = model?.members.find((each) => each.name === name);
    return member !== undefined && "column" in member ? member.column : undefined;
  };
  const uses = ({ model: name, identify, entrypoints }: Entrypoint): boolean =>
    (name === model?.name &&
      identify !== null &&
      affects.columns.includes(columnOf(identify.path[0] ?? "") ?? "")) ||
    entrypoints.some(uses);
  return before.apis.some((api) => api.entrypoints.some(uses));
}
