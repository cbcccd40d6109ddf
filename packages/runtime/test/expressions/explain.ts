// What is wrong with a batch, as text: each failure narrowed down to the smallest part that still fails.

import type { Node } from "./generate.js";
import { findMismatches, type Mismatch, show, type World } from "./run.js";

export async function explain(world: World, nodes: readonly Node[]): Promise<string[]> {
  const failing = await failuresOf(world, nodes);
  const reports: string[] = [];
  for (const { node } of failing.slice(0, 4)) reports.push(await narrow(world, node));
  return reports;
}

interface Failure {
  readonly node: Node;
  readonly mismatch: Mismatch | null;
  readonly error: unknown;
}

async function failuresOf(world: World, nodes: readonly Node[]): Promise<Failure[]> {
  try {
    const mismatches = await findMismatches(world, nodes);
    return mismatches.map((mismatch) => ({ node: mismatch.node, mismatch, error: null }));
  } catch (error) {
    const [first] = nodes;
    if (first === undefined) throw error;
    if (nodes.length === 1) return [{ node: first, mismatch: null, error }];
    const middle = nodes.length >> 1;
    const halves = [nodes.slice(0, middle), nodes.slice(middle)];
    const found = [
      ...(await failuresOf(world, halves[0] ?? [])),
      ...(await failuresOf(world, halves[1] ?? [])),
    ];
    if (found.length === 0) throw error;
    return found;
  }
}

async function narrow(world: World, node: Node): Promise<string> {
  for (const part of node.parts) {
    const [failure] = await failuresOf(world, [part]);
    if (failure) return narrow(world, part);
  }
  const [failure] = await failuresOf(world, [node]);
  return failure ? describe(world, failure) : `no longer fails: ${node.text}`;
}

function describe({ base, user }: World, { node, mismatch, error }: Failure): string {
  const head = `${base}: ${node.text}`;
  if (mismatch === null) return `${head}\n  fails: ${messageOf(error)}`;
  const { row, wanted, found, sql } = mismatch;
  const told = row === null ? "" : show(mentioned(row, node.text));
  return `${head}\n  evaluator ${wanted}\n  SQL       ${found}\n  row ${told}, user ${user}\n  ${sql}`;
}

/** The members that the expression names, and the id. */
function mentioned(row: NonNullable<Mismatch["row"]>, text: string): NonNullable<Mismatch["row"]> {
  const names = new Set(["id", ...(text.match(/\w+/g) ?? [])]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)));
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\n  ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
