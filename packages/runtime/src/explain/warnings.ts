// What would make an endpoint faster: what the definition lets expect, held against what the database says.

import type { Definition } from "@stoa/definition";
import type { Place } from "../plan/place.js";
import {
  type ExplainedPlan,
  type ExplainWarning,
  LARGE_TABLE,
  type PlanNode,
  type TableSize,
} from "./explanation.js";
import { findIndexNeeds, type IndexNeed } from "./index-needs.js";
import { sourcePlace } from "./source-place.js";

type Plan = Extract<ExplainedPlan, { kind: "plan" }>;

export function findWarnings(definition: Definition, place: Place, plan: ExplainedPlan): ExplainWarning[] {
  const needs = findIndexNeeds(place, definition.models);
  const missing = needs.flatMap((need) => missingIndex(need, { definition, place, plan }));
  if (plan.kind === "none") return missing;
  const told = new Set(missing.map(({ table }) => table));
  const scans = scansOf(plan).filter(({ size }) => !told.has(size.table));
  return [...missing, ...scans.map((scan) => sequentialScan(scan, { definition, place }))];
}

interface About {
  readonly definition: Definition;
  readonly place: Place;
}

/** Not told where the database knows better: the table is small, or the plan gets along without reading it all. */
function missingIndex(need: IndexNeed, { definition, place, plan }: About & { plan: ExplainedPlan }) {
  const { model, why, members } = need;
  const certainty = certaintyOf(need, plan);
  if (certainty === "no matter") return [];
  const names = members.map(({ name }) => name).join(", ");
  const what =
    why === "order"
      ? `No index has the order of this list (${names}), so every page reads and sorts the whole table.`
      : `No index begins with what this list filters by (${names}), so it reads the whole table.`;
  const warning: ExplainWarning = {
    code: "missing-index",
    message: what,
    hint: `in the model ${model.name}, ${indexToWrite(need)}`,
    at: sourcePlace(definition, place.endpoint.at),
    table: model.table.name,
    certainty,
  };
  return [warning];
}

function certaintyOf({ model, why }: IndexNeed, plan: ExplainedPlan): "sure" | "unknown" | "no matter" {
  if (plan.kind === "none") return "unknown";
  const size = plan.tables.find(({ table }) => table === model.table.name);
  if (size === undefined) return "no matter";
  if (size.rows === 0) return "unknown";
  // The count of all rows reads them all in any case: for an order, only what is sorted counts.
  const parts = why === "filter" ? [plan.tree] : nodesOf(plan.tree).filter(isSort);
  const isScanned = parts
    .flatMap(nodesOf)
    .some((node) => isScan(node) && node["Relation Name"] === size.table);
  return size.rows > LARGE_TABLE && isScanned ? "sure" : "no matter";
}

function indexToWrite({ model, members }: IndexNeed): string {
  const [first] = members;
  const member = model.members.find(({ name }) => name === first?.name);
  if (members.length === 1 && first !== undefined && member?.kind === "field" && !member.maintained) {
    return `add \`index\` to the field: field ${first.name} { …, index }`;
  }
  const columns = members.map(({ name, descending }) => `${name}${descending ? " desc" : ""}`);
  return `write: index { ${columns.join(", ")} }`;
}

interface Scan {
  readonly node: PlanNode;
  readonly size: TableSize;
  readonly isRepeated: boolean;
}

/** A filter that keeps so much of a table is best served by reading all of it. */
const SELECTIVE = 0.2;

/** Large tables that are read whole to find few rows, or once for every row of another. */
function scansOf({ tree, tables }: Plan): Scan[] {
  const found = new Map<string, Scan>();
  visit(tree, false, (node, isRepeated) => {
    const size = tables.find(({ table }) => isScan(node) && table === node["Relation Name"]);
    if (size === undefined || size.rows <= LARGE_TABLE) return;
    const isSelective = node.Filter !== undefined && node["Plan Rows"] <= size.estimate * SELECTIVE;
    if (isSelective || isRepeated) found.set(size.table, { node, size, isRepeated });
  });
  return [...found.values()];
}

function isScan(node: PlanNode): boolean {
  return node["Node Type"] === "Seq Scan";
}

function isSort(node: PlanNode): boolean {
  return node["Node Type"] === "Sort";
}

function nodesOf(tree: PlanNode): PlanNode[] {
  const nodes: PlanNode[] = [];
  visit(tree, false, (node) => nodes.push(node));
  return nodes;
}

function visit(
  node: PlanNode,
  isRepeated: boolean,
  look: (node: PlanNode, isRepeated: boolean) => void,
): void {
  look(node, isRepeated);
  for (const child of node.Plans ?? []) visit(child, isRepeated || runsPerRow(child, node), look);
}

/** The inner side of a nested loop and a subquery run once per row; what is kept in memory meanwhile does not. */
function runsPerRow(child: PlanNode, parent: PlanNode): boolean {
  if (["Materialize", "Memoize", "Hash"].includes(child["Node Type"])) return false;
  const relationship = child["Parent Relationship"];
  return relationship === "SubPlan" || (relationship === "Inner" && parent["Node Type"] === "Nested Loop");
}

function sequentialScan({ node, size, isRepeated }: Scan, { definition, place }: About): ExplainWarning {
  const often = isRepeated ? "once for every row of another" : "to find a few of its rows";
  const filter = node.Filter === undefined ? "" : ` It keeps the rows with ${node.Filter}.`;
  return {
    code: "sequential-scan",
    message: `The table ${size.table} is read whole, ${often}.${filter}`,
    hint: "an index over what it looks for would help: `index { … }` in the model",
    at: sourcePlace(definition, place.endpoint.at),
    table: size.table,
    certainty: "sure",
  };
}
