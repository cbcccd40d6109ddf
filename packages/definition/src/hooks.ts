// The hooks of a program, wherever they stand, and the names that their code has in a bundle. Those who bundle
// the code, those who call it and those who write its types agree through these.

import type {
  Action,
  Assignment,
  Definition,
  Endpoint,
  Entrypoint,
  Hook,
  HookCode,
  Place,
  Populate,
} from "./definition.js";

export type SourceCode = Extract<HookCode, { readonly kind: "source" }>;

export interface PlacedHook {
  readonly hook: Hook;
  readonly use: HookUse;
  readonly at: Place;
}

/** What a hook is for. `within` is the name of the endpoint or populator. */
export type HookUse =
  | { readonly kind: "member"; readonly model: string; readonly member: string }
  | {
      readonly kind: "set";
      readonly within: string;
      readonly model: string;
      readonly member: string;
      readonly isPopulator: boolean;
    }
  | { readonly kind: "assert"; readonly validator: string }
  | { readonly kind: "execute"; readonly within: string; readonly alias: string | null };

export function listHooks({ models, validators, apis, populators }: Definition): readonly PlacedHook[] {
  const inModels = models.flatMap((model) =>
    model.members.flatMap((member): PlacedHook[] =>
      member.kind === "hook"
        ? [
            {
              hook: member.hook,
              use: { kind: "member", model: model.name, member: member.name },
              at: member.at,
            },
          ]
        : [],
    ),
  );
  const inValidators = validators.flatMap(({ name, assert, at }): PlacedHook[] =>
    assert.kind === "hook" ? [{ hook: assert.hook, use: { kind: "assert", validator: name }, at }] : [],
  );
  const inApis = apis.flatMap((api) => api.entrypoints.flatMap(hooksOfEntrypoint));
  const inPopulators = populators.flatMap(({ name, populates }) => hooksOfPopulates(name, populates));
  return [...inModels, ...inValidators, ...inApis, ...inPopulators];
}

function hooksOfEntrypoint({ endpoints, entrypoints }: Entrypoint): PlacedHook[] {
  return [...endpoints.flatMap(hooksOfEndpoint), ...entrypoints.flatMap(hooksOfEntrypoint)];
}

function hooksOfEndpoint({ name, actions }: Endpoint): PlacedHook[] {
  return actions.flatMap((action) => hooksOfAction(name, action));
}

function hooksOfAction(within: string, action: Action): PlacedHook[] {
  switch (action.kind) {
    case "create":
    case "update":
      return hooksOfAssignments(action.assignments, { within, model: action.model, isPopulator: false });
    case "query": {
      if (action.operation.kind !== "update") return [];
      const { model } = action.query;
      return hooksOfAssignments(action.operation.assignments, { within, model, isPopulator: false });
    }
    case "execute":
      return [{ hook: action.hook, use: { kind: "execute", within, alias: action.alias }, at: action.at }];
    case "delete":
    case "validate":
    case "respond":
      return [];
  }
}

function hooksOfPopulates(within: string, populates: readonly Populate[]): PlacedHook[] {
  return populates.flatMap(({ model, assignments, populates: nested }) => [
    ...hooksOfAssignments(assignments, { within, model, isPopulator: true }),
    ...hooksOfPopulates(within, nested),
  ]);
}

function hooksOfAssignments(
  assignments: readonly Assignment[],
  where: Pick<Extract<HookUse, { kind: "set" }>, "within" | "model" | "isPopulator">,
): PlacedHook[] {
  return assignments.flatMap((assignment): PlacedHook[] => {
    if (assignment.kind !== "hook") return [];
    const { hook, member, at } = assignment;
    return [{ hook, use: { kind: "set", member, ...where }, at }];
  });
}

/** What a hook is called where people read of it. */
export function describeUse(use: HookUse): string {
  switch (use.kind) {
    case "member":
      return `${use.model}.${use.member}`;
    case "set":
      return `set ${use.member} in ${use.within}`;
    case "assert":
      return `validator ${use.validator}`;
    case "execute":
      return `execute${use.alias === null ? "" : ` ${use.alias}`} in ${use.within}`;
  }
}

/** The module of a hook as a path from the project's folder, with `/` between its parts. */
export function modulePath({ runtimes }: Pick<Definition, "runtimes">, code: SourceCode): string {
  const runtime = runtimes.find(({ name }) => name === code.runtime);
  return normalizePath(`${runtime === undefined ? code.folder : runtime.path}/${code.module}`);
}

/** Resolves `.` and `..`; what leads out of the folder begins with `..`. */
function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/");
}

/** A function in a bundle of hooks: `hooks/blurbs.ts#writeBlurb`. */
export function bundleKey(definition: Pick<Definition, "runtimes">, code: SourceCode): string {
  return `${modulePath(definition, code)}#${code.function}`;
}

/** The batch form of a function is exported beside it or in its place: `writeBlurb`, `writeBlurbBatch`. */
export function batchName(functionName: string): string {
  return `${functionName}Batch`;
}
