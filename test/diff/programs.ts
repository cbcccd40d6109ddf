// Random programs with an API for the laws of `stoa diff`: the random models of the laws of push, and entrypoints that
// show and take what they have; second programs that differ from the first in anything, or in one thing only.

import fc from "fast-check";
import {
  anyProgram,
  anyTwoPrograms,
  editProgram,
  type ModelSpec,
  type ProgramSpec,
  sourceOf,
} from "../database/schema-programs.js";

/** How a model is shown. Numbers of slots that are empty are passed over. */
interface EntrypointSpec {
  readonly kinds: readonly string[];
  readonly path: string | null;
  readonly identify: number | null;
  readonly select: readonly number[] | null;
  readonly pageSize: number | null;
  readonly order: number | null;
  readonly filter: number | null;
  readonly denied: number | null;
  readonly validator: string | null;
}

export interface AppSpec {
  readonly models: ProgramSpec;
  readonly entrypoints: readonly EntrypointSpec[];
}

const KINDS = ["list", "get", "create", "update", "delete"];

const anySlot = fc.option(fc.nat(3));

const anyEntrypoint: fc.Arbitrary<EntrypointSpec> = fc.record({
  kinds: fc.subarray(KINDS, { minLength: 3 }),
  path: fc.option(fc.constantFrom("things", "items"), { freq: 3 }),
  identify: anySlot,
  select: fc.option(fc.subarray([0, 1, 2, 3])),
  pageSize: fc.option(fc.constantFrom(10, 20)),
  order: anySlot,
  filter: anySlot,
  denied: anySlot,
  validator: fc.option(
    fc.constantFrom("maxLength(10)", "maxLength(20)", "minLength(1)", "minLength(1) and maxLength(9)"),
  ),
});

const anyEntrypoints = fc.tuple(anyEntrypoint, anyEntrypoint, anyEntrypoint);

export const anyApp: fc.Arbitrary<AppSpec> = fc.record({ models: anyProgram, entrypoints: anyEntrypoints });

/** Two programs that may differ in everything. */
export const anyTwoApps: fc.Arbitrary<readonly [AppSpec, AppSpec]> = fc
  .tuple(anyTwoPrograms, anyEntrypoints, anyEntrypoints, fc.boolean())
  .map(([[first, second], before, after, isSame]) => [
    { models: first, entrypoints: before },
    { models: second, entrypoints: isSame ? before : after },
  ]);

/** Two programs that differ in one property of one field, or of one entrypoint. */
export const anyEdit: fc.Arbitrary<readonly [AppSpec, AppSpec]> = fc
  .tuple(anyApp, anyApp, fc.nat(2), fc.nat(3), fc.nat(15))
  .map(([app, other, model, field, property]) => [app, edit(app, other, { model, field, property })]);

interface EditPlace {
  readonly model: number;
  readonly field: number;
  readonly property: number;
}

function edit(app: AppSpec, other: AppSpec, { model, field, property }: EditPlace): AppSpec {
  const options = Object.entries(other.entrypoints[model] ?? {});
  const [name, value] = options[property] ?? [];
  if (name === undefined) {
    const place = { model, field, property: property - options.length };
    return { ...app, models: editProgram(app.models, other.models, place) };
  }
  const entrypoints = app.entrypoints.map((each, slot) =>
    slot === model ? { ...each, [name]: value } : each,
  );
  return { ...app, entrypoints };
}

// ---------------------------------------------------------------- as source

export function appSource({ models, entrypoints }: AppSpec, before?: ProgramSpec): string {
  const texts = models.models.flatMap((model, slot) => {
    const spec = entrypoints[slot];
    return model && spec ? [entrypointSource(model, spec, slot)] : [];
  });
  return `${sourceOf(models, before)}\napi {\n${texts.join("\n")}\n}`;
}

function entrypointSource(model: ModelSpec, spec: EntrypointSpec, slot: number): string {
  const field = (at: number | null) => (at === null ? undefined : (model.fields[at] ?? undefined));
  const [identify, order, filter, denied] = [spec.identify, spec.order, spec.filter, spec.denied].map(field);
  const shown = spec.select?.flatMap((at) => model.fields[at]?.name ?? []);
  const list = [
    ...(spec.pageSize === null ? [] : [`paginable { pageSize ${spec.pageSize} }`]),
    ...(order && order.type !== "json" ? [`order by { ${order.name} }`] : []),
    ...(filter ? [`filter { ${filter.name} is not null }`] : []),
  ];
  const input = textInput(model, spec);
  const isDenied = denied && denied.name !== input && (denied.isNullable || denied.defaultIndex !== null);
  const create = [...(isDenied && hasDefault(denied) ? [`deny { ${denied.name} }`] : []), "input *"];
  const validated = input && spec.validator ? `, input { ${input} { validate { ${spec.validator} } } }` : "";
  const bodies: Readonly<Record<string, string>> = {
    list: list.join(", "),
    create: `action { create { ${create.join(", ")}${validated} } }`,
  };
  const canIdentify = identify?.isUnique && !identify.isNullable && IDENTIFYING.includes(identify.type);
  const lines = [
    ...(spec.path === null ? [] : [`path "${spec.path}${slot}"`]),
    ...(canIdentify ? [`identify { through ${identify.name} }`] : []),
    ...(shown && shown.length > 0 ? [`response { id, ${shown.join(", ")} }`] : []),
    ...spec.kinds.map((kind) => `${kind} endpoint { ${bodies[kind] ?? ""} }`),
  ];
  return `  entrypoint ${model.name} {\n    ${lines.join("\n    ")}\n  }`;
}

const IDENTIFYING = ["string", "integer", "uuid", "date"];

function hasDefault({ isNullable, defaultIndex, type }: NonNullable<ModelSpec["fields"][number]>): boolean {
  // The first default is one that every type but json has.
  return isNullable || (defaultIndex === 0 && type !== "json");
}

function textInput(model: ModelSpec, _spec: EntrypointSpec): string | undefined {
  return model.fields.find((each) => each?.type === "string")?.name;
}
