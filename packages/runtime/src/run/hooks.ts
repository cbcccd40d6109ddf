// Hooks in responses: their arguments stand in their places in the JSON of the rows, and are replaced by what
// the hooks give. Everything around them stays as the database wrote it.

import { inspect } from "node:util";
import type { Call } from "../exchange.js";
import { isHttpError } from "../http-error.js";
import type { HookSlot } from "../plan/plan.js";
import { unlessGivenUp } from "./given-up.js";
import type { HookArguments, HookBatch, HookCalls } from "./hook-calls.js";
import type { ContextOf, HookContext } from "./hook-context.js";
import { findPlaces, type HookPlace, replacePlaces, type Shape, shapeOf, textAt } from "./hook-places.js";

type Rows = readonly Uint8Array[];

/** The rows with results in the places of arguments: each hook is called once for all of them. */
export type FillHooks = (rows: Rows, call: Call) => Promise<Rows>;

/** Code did something that no client has caused: it failed, or gave what cannot be sent. */
export class HookError extends Error {
  constructor(hook: string, cause: unknown) {
    super(`The hook \`${hook}\` failed: ${cause instanceof Error ? cause.message : inspect(cause)}`, {
      cause,
    });
    this.name = "HookError";
  }
}

interface Step {
  readonly name: string;
  readonly batch: HookBatch;
}

/** Finds the code of all hooks now; throws where some is missing. Null when there are no hooks. */
export function planHooks(
  slots: readonly HookSlot[],
  hooks: HookCalls,
  contextOf: ContextOf,
): FillHooks | null {
  if (slots.length === 0) return null;
  // A hook may stand in several places of a response.
  const steps = new Map<string, Step>();
  for (const slot of slots) {
    const name = nameOf(slot);
    if (!steps.has(name)) steps.set(name, { name, batch: hooks.find(slot.model, slot.hook) });
  }
  const numbers = [...steps.keys()];
  const shape = shapeOf(slots.map((slot) => ({ path: slot.path, hook: numbers.indexOf(nameOf(slot)) })));
  const list = [...steps.values()];
  return (rows, call) => fill(rows, shape, (args) => runSteps(list, args, contextOf(call)));
}

function nameOf({ model, hook }: HookSlot): string {
  return `${model}.${hook}`;
}

/** By the number of the hook, in the order of the records: arguments, or results as JSON. */
type PerHook<Value> = readonly (readonly Value[])[];

async function fill(
  rows: Rows,
  shape: Shape,
  run: (args: PerHook<HookArguments>) => Promise<PerHook<string>>,
): Promise<Rows> {
  const args: HookArguments[][] = [];
  const places = rows.map((row) => {
    const found = findPlaces(row, shape);
    for (const place of found) {
      args[place.hook] ??= [];
      args[place.hook]?.push(JSON.parse(textAt(row, place)));
    }
    return found;
  });
  const results = await run(args);
  const taken = results.map(() => 0);
  const take = ({ hook }: HookPlace): string => {
    const index = taken[hook] ?? 0;
    taken[hook] = index + 1;
    return results[hook]?.[index] ?? "null";
  };
  return rows.map((row, index) => {
    const found = places[index] ?? [];
    return found.length === 0 ? row : replacePlaces(row, found, found.map(take));
  });
}

/** All hooks at once. */
async function runSteps(
  steps: readonly Step[],
  args: PerHook<HookArguments>,
  context: HookContext,
): Promise<PerHook<string>> {
  return unlessGivenUp(context.signal, () =>
    Promise.all(steps.map((step, index) => runStep(step, args[index] ?? [], context))),
  );
}

async function runStep(
  { name, batch }: Step,
  args: readonly HookArguments[],
  context: HookContext,
): Promise<readonly string[]> {
  if (args.length === 0) return [];
  try {
    return (await batch(args, context)).map(writeResult);
  } catch (error) {
    throw isHttpError(error) ? error : new HookError(name, error);
  }
}

function writeResult(result: unknown): string {
  if (result === undefined || result === null) return "null";
  return (typeof result === "object" ? JSON.stringify(result, refuseCode) : writeScalar(result)) ?? "null";
}

function writeScalar(result: unknown): string | undefined {
  return JSON.stringify(refuseCode("", result));
}

/** JSON would leave these out without a word. */
function refuseCode(key: string, value: unknown): unknown {
  if (typeof value !== "function" && typeof value !== "symbol") return value;
  const where = key === "" ? "its result" : `\`${key}\` in its result`;
  throw new TypeError(`${where} is a ${typeof value}, which is no JSON`);
}
