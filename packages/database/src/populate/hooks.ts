// Hooks in `set`: their code is found before anything is written, their arguments are JSON, and what they give
// must fit the member.

import {
  type CompileOptions,
  compileExpression,
  type Definition,
  type Evaluate,
  type Hook,
  type Json,
  jsonOf,
  type Populate,
  type Populator,
  propertyOf,
  type SourceCode,
  type Type,
  type Value,
  type ValueObject,
} from "@stoa/definition";
import { PopulateError, RowProblem, sourcePlace } from "./failure.js";
import { compileInlineCode, type HookContext, type HookFunction } from "./inline-code.js";
import { hookCode, hookFailed, hookNotLoaded, hookQuery, noHookModules } from "./messages.js";
import { findModel, type Row, rowJson } from "./row.js";

/** How hooks in modules are run; given by the caller, who knows where modules are. */
export interface HookHost {
  load(code: SourceCode): Promise<HookFunction>;
  /** What the context of a hook has beside `auth` and `signal`: `log`, for example. */
  readonly context?: Readonly<Record<string, unknown>>;
}

export type LoadedHooks = ReadonlyMap<Hook, HookFunction>;

/** The code of all hooks of a populator. */
export async function loadHooks(
  definition: Definition,
  populator: Populator,
  host: HookHost | undefined,
): Promise<LoadedHooks> {
  const loaded = new Map<Hook, HookFunction>();
  for (const { hook, at } of hooksOf(populator.populates)) {
    try {
      loaded.set(hook, await loadCode(hook, host));
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error;
      throw new PopulateError({
        message: error.details,
        place: sourcePlace(definition, at),
        cause: error.cause,
      });
    }
  }
  return loaded;
}

function hooksOf(
  populates: readonly Populate[],
): Extract<Populate["assignments"][number], { kind: "hook" }>[] {
  return populates.flatMap((populate) => [
    ...populate.assignments.filter((assignment) => assignment.kind === "hook"),
    ...hooksOf(populate.populates),
  ]);
}

async function loadCode({ code, arguments: args }: Hook, host: HookHost | undefined): Promise<HookFunction> {
  if (code.kind === "inline") {
    try {
      return compileInlineCode(
        code.code,
        args.map((arg) => arg.name),
      );
    } catch (error) {
      throw new RowProblem(hookCode(messageOf(error)), error);
    }
  }
  if (!host) throw new RowProblem(noHookModules(code.module));
  try {
    return await host.load(code);
  } catch (error) {
    throw new RowProblem(hookNotLoaded(code.module, messageOf(error)), error);
  }
}

export interface HookCall {
  readonly hook: Hook;
  readonly run: HookFunction;
  readonly context: HookContext;
}

/** What calls a hook for a row: its result, or a promise of it. */
export function compileHook(
  definition: Definition,
  call: HookCall,
  options: CompileOptions,
): (scope: Parameters<Evaluate>[0]) => unknown {
  const args = call.hook.arguments.map(({ name, value }) => {
    if (value.kind === "query") throw new RowProblem(hookQuery(name));
    const evaluate = compileExpression(value.expression, options);
    return { name, evaluate, type: value.expression.type };
  });
  return (scope) => {
    const values = args.map(({ name, evaluate, type }) => [
      name,
      argumentJson(definition, evaluate(scope), type),
    ]);
    return guarded(() => call.run(Object.fromEntries(values), call.context));
  };
}

/** Whatever code throws, now or later, becomes a problem of the row. */
function guarded(run: () => unknown): unknown {
  const fail = (error: unknown): never => {
    throw new RowProblem(hookFailed(messageOf(error)), error);
  };
  try {
    const result = run();
    return result instanceof Promise ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}

/** Records become what is stored of them, wherever they stand in an argument. */
function argumentJson(definition: Definition, value: Value, type: Type): Json {
  if (value === null) return null;
  switch (type.kind) {
    case "record":
      return rowJson(findModel(definition, type.model), value as Row);
    case "struct":
      return Object.fromEntries(
        type.fields.map((field) => [
          field.name,
          argumentJson(definition, propertyOf(value as ValueObject, field.name), field.type),
        ]),
      );
    case "array":
    case "collection":
      return (value as readonly Value[]).map((item) => argumentJson(definition, item, type.of));
    default:
      return jsonOf(value, type);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
