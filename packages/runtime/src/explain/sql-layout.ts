// Our own statements, laid out for people: clauses on lines of their own, inner queries indented, and what is
// short left on one line.

import { flatten, type Group, isQuery, isWord, parseGroups, type SqlNode } from "./sql-tokens.js";

const WIDTH = 100;
/** Inner queries up to this length stay on their line. */
const SHORT_QUERY = 80;
const STEP = 2;

type Nodes = readonly SqlNode[];

export function layoutSql(sql: string): string {
  return layoutQuery(parseGroups(sql), 0);
}

function breakLine(indent: number): string {
  return `\n${" ".repeat(indent)}`;
}

function layoutQuery(nodes: Nodes, indent: number): string {
  return clausesOf(nodes)
    .map((clause) => layoutClause(clause, indent))
    .join(breakLine(indent));
}

/** Where a clause begins; a query in parentheses at the beginning of one is a branch of a union. */
function clausesOf(nodes: Nodes): Nodes[] {
  const clauses: SqlNode[][] = [];
  for (const [index, node] of nodes.entries()) {
    const last = clauses.at(-1);
    const isBranch = isQuery(node) && (isWord(nodes[index - 1], "all") || isQuery(nodes[index - 1]));
    const isStart = isBranch || isWord(node, "with", "select", "from", "where", "order", "limit", "union");
    if (last === undefined || isStart) clauses.push([node]);
    else last.push(node);
  }
  return clauses;
}

function layoutClause(clause: Nodes, indent: number): string {
  const [first, ...rest] = clause;
  if (isQuery(first)) return layoutNodes(clause, indent);
  if (isWord(first, "select")) return layoutSelect(rest, indent);
  if (isWord(first, "from")) return layoutParts("from", joinsOf(rest), indent);
  if (isWord(first, "where")) return layoutParts("where", conjunctsOf(rest), indent);
  return layoutNodes(clause, indent);
}

/** On one line if there is room, else each item on its own; plain columns share lines. */
function layoutSelect(nodes: Nodes, indent: number): string {
  const items = split(nodes, (node) => isWord(node, ","), "before");
  const flat = `select ${flatten(nodes)}`;
  if (indent + flat.length <= WIDTH && !nodes.some(isQuery)) return flat;
  if (items.length === 1) return `select ${layoutNodes(nodes, indent)}`;
  const inner = indent + STEP;
  const lines: { text: string; isPlain: boolean }[] = [];
  for (const item of items) {
    const text = layoutNodes(item, inner);
    const isPlain = !text.includes(" ");
    const last = lines.at(-1);
    const hasRoom = last !== undefined && inner + last.text.length + 1 + text.length <= WIDTH;
    if (isPlain && hasRoom && last.isPlain) last.text += ` ${text}`;
    else lines.push({ text, isPlain });
  }
  return ["select", ...lines.map(({ text }) => text)].join(breakLine(inner));
}

/** The first part beside the word, the others below it. */
function layoutParts(word: string, parts: readonly Nodes[], indent: number): string {
  const [first = [], ...rest] = parts;
  const start = breakLine(indent + STEP);
  const others = rest.map((part) => `${start}${layoutNodes(part, indent + STEP)}`);
  return `${word} ${layoutNodes(first, indent)}${others.join("")}`;
}

function joinsOf(nodes: Nodes): Nodes[] {
  const isStart = (node: SqlNode, before: SqlNode | undefined) =>
    isWord(node, "left", "cross", "join") && !(isWord(node, "join") && isWord(before, "left", "cross"));
  return split(nodes, isStart, "after");
}

function conjunctsOf(nodes: Nodes): Nodes[] {
  return split(nodes, (node) => isWord(node, "and"), "after");
}

/** Cuts before the nodes that say so (`after`: they begin the next part), or behind them. */
function split(
  nodes: Nodes,
  isCut: (node: SqlNode, before: SqlNode | undefined) => boolean,
  side: "before" | "after",
): Nodes[] {
  const parts: SqlNode[][] = [[]];
  for (const [index, node] of nodes.entries()) {
    const cuts = isCut(node, nodes[index - 1]);
    if (cuts && side === "after") parts.push([]);
    parts.at(-1)?.push(node);
    if (cuts && side === "before") parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function layoutNodes(nodes: Nodes, indent: number): string {
  return nodes
    .map((node, index) => {
      const text = node.kind === "token" ? node.text : layoutGroup(node, indent);
      return node.isSpaced && index > 0 ? ` ${text}` : text;
    })
    .join("");
}

function layoutGroup(group: Group, indent: number): string {
  if (!isQuery(group) || isShort(group)) return `(${layoutNodes(group.nodes, indent)})`;
  const inner = indent + STEP;
  return `(${breakLine(inner)}${layoutQuery(group.nodes, inner)}${breakLine(indent)})`;
}

function isShort({ nodes }: Group): boolean {
  return flatten(nodes).length <= SHORT_QUERY && !nodes.some(isQuery);
}
