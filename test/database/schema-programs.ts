// Random programs for the laws of push: models in slots, each with members in slots, so that two programs have
// much in common and differ in anything: names (with or without `was`), names in the database, types, keys.

import fc from "fast-check";

export interface ProgramSpec {
  readonly enums: readonly (readonly string[])[];
  /** Empty slots are null. */
  readonly models: readonly (ModelSpec | null)[];
}

export interface ModelSpec {
  readonly name: string;
  readonly dbname: string | null;
  readonly hasUuid: boolean;
  readonly hasTimestamps: boolean;
  readonly fields: readonly (FieldSpec | null)[];
  readonly references: readonly (ReferenceSpec | null)[];
  /** Numbers of slots; those of missing members are left out. */
  readonly uniques: readonly (readonly number[])[];
  readonly indexes: readonly (readonly { readonly slot: number; readonly isDescending: boolean }[])[];
}

export interface FieldSpec {
  readonly name: string;
  readonly dbname: string | null;
  readonly type: string;
  readonly defaultIndex: number | null;
  readonly isNullable: boolean;
  readonly isUnique: boolean;
  readonly hasIndex: boolean;
}

export interface ReferenceSpec {
  readonly name: string;
  readonly dbname: string | null;
  readonly to: number;
  readonly isNullable: boolean;
  readonly isUnique: boolean;
  readonly onDelete: string;
}

const MODEL_SLOTS = 3;
const FIELD_SLOTS = 4;
const REFERENCE_SLOTS = 2;

const ENUM_VALUES = ["draft", "published", "b1", "b2"];

/** Types with some defaults each; the last of some only the server can compute. */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  string: ['"x"', '"it\'s"', '""', 'lower("X")'],
  integer: ["0", "-5", "9007199254740991"],
  float: ["1.5", "-0.25", "0.0000001"],
  decimal: ["1.50", "-0.1"],
  "decimal(6, 2)": ["2.5"],
  "decimal(8, 3)": ["2.5"],
  boolean: ["true", "false"],
  date: ['"2024-02-29"', "today()"],
  datetime: ['"2024-02-29T10:00:00.25+02:00"', "now()"],
  uuid: ['"0190f3d2-0000-7000-8000-00000000000a"', "uuid()"],
  json: [],
  E0: ['"draft"'],
  E1: ['"draft"'],
};

const anyDbname = fc.option(fc.constantFrom("x", "y", "odd name"), { freq: 4 });

function anyField(slot: number): fc.Arbitrary<FieldSpec> {
  return fc.record({
    name: fc.constantFrom(`f${slot}`, `g${slot}`),
    dbname: anyDbname,
    type: fc.constantFrom(...Object.keys(DEFAULTS)),
    defaultIndex: fc.option(fc.nat(3)),
    isNullable: fc.boolean(),
    isUnique: fc.boolean(),
    hasIndex: fc.boolean(),
  });
}

function anyReference(slot: number): fc.Arbitrary<ReferenceSpec> {
  return fc.record({
    name: fc.constantFrom(`r${slot}`, `s${slot}`),
    dbname: anyDbname,
    to: fc.nat(MODEL_SLOTS - 1),
    isNullable: fc.boolean(),
    isUnique: fc.boolean(),
    onDelete: fc.constantFrom("cascade", "set null", "restrict"),
  });
}

function anyModel(slot: number): fc.Arbitrary<ModelSpec> {
  const anySlot = fc.nat(FIELD_SLOTS + REFERENCE_SLOTS - 1);
  const anyIndex = fc.uniqueArray(fc.record({ slot: anySlot, isDescending: fc.boolean() }), {
    minLength: 1,
    maxLength: 2,
    selector: (column) => column.slot,
  });
  return fc.record({
    name: fc.constantFrom(`Model${slot}`, `OtherName${slot}`),
    dbname: fc.option(fc.constantFrom("t", "u", "Odd table"), { freq: 3 }),
    hasUuid: fc.boolean(),
    hasTimestamps: fc.boolean(),
    fields: fc.tuple(...range(FIELD_SLOTS).map((field) => fc.option(anyField(field), { freq: 4 }))),
    references: fc.tuple(
      ...range(REFERENCE_SLOTS).map((reference) => fc.option(anyReference(reference), { freq: 2 })),
    ),
    uniques: fc.array(fc.uniqueArray(anySlot, { minLength: 2, maxLength: 2 }), { maxLength: 1 }),
    indexes: fc.array(anyIndex, { maxLength: 2 }),
  });
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

export const anyProgram: fc.Arbitrary<ProgramSpec> = fc.record({
  enums: fc.tuple(anyEnum(), anyEnum()),
  models: fc.tuple(...range(MODEL_SLOTS).map((slot) => fc.option(anyModel(slot), { freq: 4 }))),
});

function anyEnum(): fc.Arbitrary<readonly string[]> {
  return fc.subarray(ENUM_VALUES.slice(1)).map((values) => ["draft", ...values]);
}

/** Two programs; slots of the second are those of the first, new ones, or mixed member by member. */
export const anyTwoPrograms = fc
  .tuple(anyProgram, anyProgram, fc.infiniteStream(fc.nat(5)))
  .map(([first, second, dice]) => {
    const roll = () => dice.next().value as number;
    return [first, mixPrograms(first, second, roll)] as const;
  });

/** Two programs that differ in one property of one field, or in one field: where rows are there, most can stay. */
export const anyTwoAlike: fc.Arbitrary<readonly [ProgramSpec, ProgramSpec]> = fc
  .tuple(anyProgram, anyProgram, fc.nat(MODEL_SLOTS - 1), fc.nat(FIELD_SLOTS - 1), fc.nat(6))
  .map(([first, other, model, field, property]) => [
    first,
    editProgram(first, other, { model, field, property }),
  ]);

interface EditPlace {
  readonly model: number;
  readonly field: number;
  readonly property: number;
}

export function editProgram(first: ProgramSpec, other: ProgramSpec, place: EditPlace): ProgramSpec {
  const [own, theirs] = [first.models[place.model], other.models[place.model]];
  const [old, now] = [own?.fields[place.field], theirs?.fields[place.field]];
  if (!own || !now) return first;
  const [name, value] = Object.entries(now)[place.property] ?? [];
  const changed = old && name !== undefined ? { ...old, [name]: value } : now;
  const fields = own.fields.map((field, slot) => (slot === place.field ? changed : field));
  const models = first.models.map((model, slot) => (slot === place.model ? { ...own, fields } : model));
  return { ...first, models };
}

function mixPrograms(first: ProgramSpec, second: ProgramSpec, roll: () => number): ProgramSpec {
  const models = second.models.map((model, slot) => {
    const old = first.models[slot] ?? null;
    const chance = roll();
    if (chance === 0 || !old) return model;
    return chance === 1 || !model ? old : mixModels(old, model, roll);
  });
  return { enums: second.enums, models };
}

function mixModels(old: ModelSpec, model: ModelSpec, roll: () => number): ModelSpec {
  const pick = <Item>(before: Item, after: Item) => (roll() < 4 ? before : after);
  return {
    ...pick(old, model),
    name: pick(old.name, model.name),
    dbname: pick(old.dbname, model.dbname),
    hasUuid: pick(old.hasUuid, model.hasUuid),
    fields: model.fields.map((field, slot) => mixFields(old.fields[slot] ?? null, field, pick)),
    references: model.references.map((reference, slot) => pick(old.references[slot] ?? null, reference)),
  };
}

/** Often all of a field stays but one property. */
function mixFields(
  old: FieldSpec | null,
  field: FieldSpec | null,
  pick: <Item>(before: Item, after: Item) => Item,
): FieldSpec | null {
  if (!old || !field) return pick(old, field);
  return {
    name: pick(old.name, field.name),
    dbname: pick(old.dbname, field.dbname),
    type: pick(old.type, field.type),
    defaultIndex: pick(old.defaultIndex, field.defaultIndex),
    isNullable: pick(old.isNullable, field.isNullable),
    isUnique: pick(old.isUnique, field.isUnique),
    hasIndex: pick(old.hasIndex, field.hasIndex),
  };
}

// ---------------------------------------------------------------- as source

/** Names that differ from those of the program before say what they were, where `saysWas`. */
export function sourceOf(program: ProgramSpec, before?: ProgramSpec): string {
  const enums = program.enums.map((values, index) => `enum E${index} { ${values.join(", ")} }`);
  const tables = new Set<string>();
  const models = program.models.flatMap((model, slot) => {
    if (!model) return [];
    const was = wasOf(model.name, before?.models[slot]?.name);
    const dbname = claim(tables, model.dbname);
    return [modelSource({ model, program, was, dbname, before: before?.models[slot] ?? undefined })];
  });
  return [...enums, ...models].join("\n");
}

function wasOf(name: string, before: string | undefined): string | null {
  return before === undefined || before === name ? null : before;
}

/** A name in the database can be given once. */
function claim(taken: Set<string>, name: string | null): string | null {
  if (name === null || taken.has(name)) return null;
  taken.add(name);
  return name;
}

interface ModelText {
  readonly model: ModelSpec;
  readonly program: ProgramSpec;
  readonly was: string | null;
  readonly dbname: string | null;
  readonly before: ModelSpec | undefined;
}

function modelSource({ model, program, was, dbname, before }: ModelText): string {
  const columns = new Set<string>();
  const fields = model.fields.map((field, slot) =>
    field
      ? fieldSource(field, claim(columns, field.dbname), wasOf(field.name, before?.fields[slot]?.name))
      : null,
  );
  const references = model.references.map((reference, slot) => {
    const target = reference ? program.models[reference.to] : null;
    if (!reference || !target) return null;
    const old = wasOf(reference.name, before?.references[slot]?.name);
    return referenceSource({ reference, target, dbname: claim(columns, reference.dbname), was: old });
  });
  const texts = [...fields, ...references];
  const specs = [...model.fields, ...model.references];
  const nameOf = (slot: number) => (texts[slot] ? specs[slot]?.name : undefined);
  const uniques = model.uniques
    .map((slots) => slots.flatMap((slot) => nameOf(slot) ?? []))
    .filter((names) => names.length > 1)
    .map((names) => `unique { ${names.join(", ")} }`);
  const indexes = model.indexes
    .map((list) => list.flatMap(({ slot, isDescending }) => withDirection(nameOf(slot), isDescending)))
    .filter((names) => names.length > 0)
    .map((names) => `index { ${names.join(", ")} }`);
  const lines = [
    ...(was ? [`was ${was}`] : []),
    ...(dbname ? [`dbname "${dbname}"`] : []),
    ...(model.hasUuid ? ["id { type uuid }"] : []),
    ...texts.filter((text) => text !== null),
    ...uniques,
    ...indexes,
    ...(model.hasTimestamps ? ["timestamps"] : []),
  ];
  return `model ${model.name} {\n  ${lines.join("\n  ")}\n}`;
}

function withDirection(name: string | undefined, isDescending: boolean): string[] {
  return name === undefined ? [] : [isDescending ? `${name} desc` : name];
}

function fieldSource(field: FieldSpec, dbname: string | null, was: string | null): string {
  const value = field.defaultIndex === null ? undefined : DEFAULTS[field.type]?.[field.defaultIndex];
  const properties = [
    `type ${field.type}`,
    ...(field.isNullable ? ["nullable"] : []),
    ...(field.isUnique ? ["unique"] : []),
    ...(field.hasIndex ? ["index"] : []),
    ...(value ? [`default ${value}`] : []),
    ...(dbname ? [`dbname "${dbname}"`] : []),
    ...(was ? [`was ${was}`] : []),
  ];
  return `field ${field.name} { ${properties.join(", ")} }`;
}

interface ReferenceText {
  readonly reference: ReferenceSpec;
  readonly target: ModelSpec;
  readonly dbname: string | null;
  readonly was: string | null;
}

function referenceSource({ reference, target, dbname, was }: ReferenceText): string {
  const isNullable = reference.isNullable || reference.onDelete === "set null";
  const properties = [
    `to ${target.name}`,
    ...(isNullable ? ["nullable"] : []),
    ...(reference.isUnique ? ["unique"] : []),
    `on delete ${reference.onDelete}`,
    ...(dbname ? [`dbname "${dbname}"`] : []),
    ...(was ? [`was ${was}`] : []),
  ];
  return `reference ${reference.name} { ${properties.join(", ")} }`;
}
