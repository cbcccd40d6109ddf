// Lists: pages, which records there are, and their order.

import { type ListOptions, printOrder } from "@stoa/definition";
import * as say from "./answer-messages.js";
import type { Finding } from "./change.js";
import { clausesOf, compareClauses, printClauses } from "./clauses.js";
import type { Comparison, Side } from "./comparison.js";
import { conditionOf } from "./conditions.js";
import { termMeaning } from "./meaning.js";

export function compareLists(comparison: Comparison): Finding[] {
  const [before, after] = [
    comparison.before.operation.endpoint.list,
    comparison.after.operation.endpoint.list,
  ];
  if (before === null || after === null) return [];
  return [
    ...comparePages(before, after),
    ...compareFilters(comparison, before, after),
    ...compareOrders(comparison, before, after),
  ];
}

function comparePages({ pagination: before }: ListOptions, { pagination: after }: ListOptions): Finding[] {
  if (before === null) return after === null ? [] : [say.pagingAdded(after.pageSize)];
  if (after === null) return [say.pagingRemoved()];
  return [
    ...(before.pageSize === after.pageSize ? [] : [say.pageSizeChanged(before.pageSize, after.pageSize)]),
    ...(before.max === after.max ? [] : [say.pageLimitChanged(before.max, after.max)]),
  ];
}

function compareFilters(sides: Comparison, before: ListOptions, after: ListOptions): Finding[] {
  const clauses = ({ filter }: ListOptions, { view }: Side) =>
    filter === null ? [] : clausesOf(conditionOf(view, filter));
  const [old, now] = [clauses(before, sides.before), clauses(after, sides.after)];
  const { relation, added, removed } = compareClauses(old, now);
  switch (relation) {
    case "same":
      return [];
    case "stricter":
      return [say.filterStricter(printClauses(added))];
    case "laxer":
      return [say.filterLaxer(printClauses(removed))];
    case "different":
      return [say.filterChanged({ before: printClauses(removed), after: printClauses(added) })];
  }
}

function compareOrders(sides: Comparison, before: ListOptions, after: ListOptions): Finding[] {
  const old = before.orderBy.map((term) => termMeaning(sides.before.view, term));
  const now = after.orderBy.map((term) => termMeaning(sides.after.view, term));
  if (old.join() === now.join()) return [];
  const words = { before: printOrder(before.orderBy) || "id", after: printOrder(after.orderBy) || "id" };
  // Nothing but the id comes after the last term, so a list that goes on only tells apart what was alike.
  const isRefined = old.length > 0 && old.every((term, index) => now[index] === term);
  return [isRefined ? say.orderRefined(words) : say.orderChanged(words)];
}
