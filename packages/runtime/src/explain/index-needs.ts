// Which indexes a list would like to have, from the definition alone. Only lists over a whole table: what is
// nested is found through the index that every reference has, and identifiers are unique and so have theirs.

import type { BinaryOperator, Expression, Member, Model, OrderTerm } from "@stoa/definition";
import type { Place } from "../plan/place.js";
import { mentionsRecord } from "../plan/rules.js";

/** An index that would help, and does not exist. */
export interface IndexNeed {
  readonly model: Model;
  readonly why: "filter" | "order";
  readonly members: readonly { readonly name: string; readonly descending: boolean }[];
}

export function findIndexNeeds(place: Place, models: readonly Model[]): IndexNeed[] {
  const { endpoint, entrypoints } = place;
  const own = entrypoints.at(-1);
  const model = models.find(({ name }) => name === own?.model);
  if (own === undefined || model === undefined || endpoint.kind !== "list") return [];
  if (own.target.kind !== "model") return [];
  const rules = [...own.authorize, ...endpoint.authorize].map(({ condition }) => condition);
  const filter = endpoint.list?.filter ?? null;
  const columns = new Columns(model, own.alias);
  const fixed = (filter === null ? rules : [...rules, filter]).flatMap((each) => columns.fixedBy(each));
  const isPage = endpoint.list?.pagination != null;
  const order = isPage ? columns.ofOrder(endpoint.list?.orderBy ?? []) : [];
  return order.length > 0 ? orderNeed(model, fixed, order) : filterNeed(model, fixed);
}

interface ColumnUse {
  readonly member: Exclude<Member, { kind: "relation" | "computed" | "query" | "hook" }>;
  readonly column: string;
  readonly descending: boolean;
}

/** A page in an order that no index has: all rows are read and sorted to show a few. */
function orderNeed(model: Model, fixed: readonly ColumnUse[], order: readonly ColumnUse[]): IndexNeed[] {
  const [first] = order;
  if (first === undefined || leadingIndexes(model, fixed).some((rest) => rest[0] === first.column)) return [];
  // One index may serve the filter well enough for the sort not to matter.
  if (selectiveOf(fixed).some(({ column }) => isLeading(model, column))) return [];
  return [need(model, "order", [...fixed, ...order])];
}

/** A filter for some value that no index begins with. */
function filterNeed(model: Model, fixed: readonly ColumnUse[]): IndexNeed[] {
  const selective = selectiveOf(fixed);
  if (selective.length === 0 || selective.some(({ column }) => isLeading(model, column))) return [];
  return [need(model, "filter", selective)];
}

function need(model: Model, why: IndexNeed["why"], uses: readonly ColumnUse[]): IndexNeed {
  const distinct = uses.filter(
    (use, index) => uses.findIndex(({ column }) => column === use.column) === index,
  );
  const members = distinct.map(({ member, descending }) => ({
    name: member.kind === "key" ? member.reference : member.name,
    descending,
  }));
  return { model, why, members };
}

/** Few values each: an index over them alone finds half of the table. */
function selectiveOf(uses: readonly ColumnUse[]): ColumnUse[] {
  return uses.filter(({ member }) => {
    return member.kind === "reference" || (member.type.kind !== "boolean" && member.type.kind !== "enum");
  });
}

function indexesOf({ table }: Model): string[][] {
  const declared = table.indexes.map(({ columns }) => columns.map(({ name }) => name));
  return [[...table.primaryKey.columns], ...table.uniques.map(({ columns }) => [...columns]), ...declared];
}

function isLeading(model: Model, column: string): boolean {
  return indexesOf(model).some(([first]) => first === column);
}

/** What is left of each index behind the columns whose value is fixed. */
function leadingIndexes(model: Model, fixed: readonly ColumnUse[]): string[][] {
  const names = new Set(fixed.map(({ column }) => column));
  return indexesOf(model).map((columns) => {
    const start = columns.findIndex((column) => !names.has(column));
    return start < 0 ? [] : columns.slice(start);
  });
}

const FIXING: readonly BinaryOperator[] = ["is", "in"];

/** Reads expressions for the columns of one record. */
class Columns {
  readonly #model: Model;
  readonly #alias: string;

  constructor(model: Model, alias: string) {
    this.#model = model;
    this.#alias = alias;
  }

  /** Columns that must have a certain value: `a is 1 and b in […]`. */
  fixedBy(expression: Expression): ColumnUse[] {
    if (expression.kind !== "binary") return [];
    const { operator, left, right } = expression;
    if (operator === "and") return [...this.fixedBy(left), ...this.fixedBy(right)];
    if (!FIXING.includes(operator) || left.type.kind === "null" || right.type.kind === "null") return [];
    if (operator === "in" && right.kind !== "array") return [];
    const use = mentionsRecord(right) ? undefined : this.#use(left, false);
    const turned = operator === "in" || mentionsRecord(left) ? undefined : this.#use(right, false);
    return [use, turned].filter((each) => each !== undefined);
  }

  /** The columns of an order, up to the first term that is none. */
  ofOrder(terms: readonly OrderTerm[]): ColumnUse[] {
    const uses = terms.map(({ value, descending }) => this.#use(value, descending));
    const end = uses.indexOf(undefined);
    return uses.slice(0, end < 0 ? uses.length : end).filter((use) => use !== undefined);
  }

  #use(expression: Expression, descending: boolean): ColumnUse | undefined {
    if (expression.kind !== "member" || !this.#isOwn(expression.on)) return undefined;
    const member = this.#model.members.find(({ name }) => name === expression.name);
    switch (member?.kind) {
      case "id":
      case "field":
      case "key":
      case "reference":
        return { member, column: member.column, descending };
      default:
        return undefined;
    }
  }

  #isOwn(on: Expression): boolean {
    if (on.kind !== "variable") return false;
    return on.variable === "this" || (on.variable === "alias" && on.name === this.#alias);
  }
}
