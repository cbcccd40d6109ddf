// The code of the hooks of models: found once, when the application is made, and called with all arguments of a
// response at a time.

import { compileInlineCode, type HookFunction } from "@stoa/database";
import { batchName, bundleKey, type Definition, describeUse, type Hook, listHooks } from "@stoa/definition";
import { type CodeCalls, createCode } from "./code.js";
import type { HookBundle } from "./hook-bundle.js";
import type { HookContext } from "./hook-context.js";

export type { HookBundle } from "./hook-bundle.js";

/** All calls of one hook for a response: arguments in, results in the same order out. */
export type HookBatch = (args: readonly HookArguments[], context: HookContext) => Promise<readonly unknown[]>;

export type HookArguments = Readonly<Record<string, unknown>>;

export interface HookCalls {
  /** Throws where there is no code for it. */
  find(model: string, hook: string): HookBatch;
  /** The code of hooks of actions and validators. */
  readonly code: CodeCalls;
}

/** The hooks of all models. Their code is looked for when it is asked for, as a new application does. */
export function createHooks(definition: Definition, bundle: HookBundle): HookCalls {
  const hooks = new Map<string, Hook>();
  for (const { hook, use } of listHooks(definition)) {
    if (use.kind === "member") hooks.set(describeUse(use), hook);
  }
  return {
    code: createCode(definition, bundle),
    find(model, member) {
      const name = `${model}.${member}`;
      const hook = hooks.get(name);
      if (hook === undefined) throw new Error(`The definition has no hook \`${name}\`.`);
      return findCode(definition, bundle, hook, name);
    },
  };
}

function findCode(definition: Definition, { hooks }: HookBundle, hook: Hook, name: string): HookBatch {
  const { code } = hook;
  if (code.kind === "inline") return callEach(compileInline(hook, code.code, name));
  const key = bundleKey(definition, code);
  const batch = functionAt<Batch>(hooks, batchName(key));
  if (batch !== undefined) return callBatch(batch, batchName(code.function));
  const single = functionAt<HookFunction<HookContext>>(hooks, key);
  if (single !== undefined) return callEach(single);
  throw new Error(`The code of the hook \`${name}\` was not given: there is no function \`${key}\`.`);
}

type Batch = (args: readonly HookArguments[], context: HookContext) => unknown;

function functionAt<Found>(hooks: HookBundle["hooks"], key: string): Found | undefined {
  const found = Object.hasOwn(hooks, key) ? hooks[key] : undefined;
  // What its parameters are is up to its author, and checked by the generated types.
  return typeof found === "function" ? (found as Found) : undefined;
}

function compileInline(hook: Hook, code: string, name: string): HookFunction<HookContext> {
  const names = hook.arguments.map((argument) => argument.name);
  try {
    return compileInlineCode<HookContext>(code, names);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The code of the hook \`${name}\` is no JavaScript expression: ${reason}.`);
  }
}

function callBatch(batch: Batch, name: string): HookBatch {
  return async (args, context) => {
    const results: unknown = await batch(args, context);
    if (!Array.isArray(results)) throw new TypeError(`\`${name}\` gave no array of results`);
    if (results.length !== args.length) {
      throw new TypeError(`\`${name}\` gave ${results.length} results for ${args.length} records`);
    }
    return Promise.all(results);
  };
}

const MOST_AT_ONCE = 16;

/** One call for each record, some at a time; the first that fails ends it. */
function callEach(call: HookFunction<HookContext>): HookBatch {
  return async (args, context) => {
    const results = new Array<unknown>(args.length);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < args.length && !context.signal.aborted) {
        const index = next++;
        try {
          results[index] = await call(args[index] ?? {}, context);
        } catch (error) {
          next = args.length;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, args.length) }, work));
    return results;
  };
}
