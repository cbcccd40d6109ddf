// A few records for every model of a program, whatever it is, so that requests find something.

import { type Database, quoteLiteral, quoteName } from "@stoa/database";
import type { Definition, Entrypoint, Model, ValueType } from "@stoa/definition";

const ROWS = 6;

/** `hash` is the password of all users, where there are passwords. */
export async function seed(
  definition: Definition,
  database: Database,
  hash: string | null = null,
): Promise<void> {
  const tables = definition.models.map(({ table }) => `public.${quoteName(table.name)}`);
  const models = inOrder(definition.models);
  const inserts = models.flatMap((model) =>
    Array.from({ length: ROWS }, (_, index) => insertOf({ definition, hash }, model, index + 1)),
  );
  const counters = definition.models
    .filter(({ members }) => members.some((member) => member.kind === "id" && member.type.kind === "integer"))
    .map(
      ({ table }) => `select setval(pg_get_serial_sequence('public.${quoteName(table.name)}', 'id'), 1000)`,
    );
  await database.execute([`truncate ${tables.join(", ")}`, ...inserts, ...counters].join(";\n"));
}

/** Those that others point at come first. */
function inOrder(models: readonly Model[]): Model[] {
  const ordered: Model[] = [];
  const add = (model: Model): void => {
    if (ordered.includes(model)) return;
    for (const member of model.members) {
      if (member.kind !== "reference" || member.nullable) continue;
      const target = models.find(({ name }) => name === member.to);
      if (target !== undefined && target !== model) add(target);
    }
    ordered.push(model);
  };
  models.forEach(add);
  return ordered;
}

interface Seeded {
  readonly definition: Definition;
  readonly hash: string | null;
}

function insertOf({ definition, hash }: Seeded, { name, table, members }: Model, index: number): string {
  const row: Record<string, unknown> = {};
  for (const member of members) {
    if (member.kind === "id") row[member.column] = storedValue(definition, member.type, index);
    if (member.kind === "field") {
      const isPassword = definition.auth?.model === name && definition.auth.password?.secret === member.name;
      row[member.column] = isPassword && hash !== null ? hash : fieldValue(definition, member, index);
    }
    if (member.kind !== "reference" || (member.nullable && index % 2 === 0) || (member.nullable && index < 3))
      continue;
    const target = definition.models.find(({ name }) => name === member.to);
    const id = target?.members.find(({ kind }) => kind === "id");
    // Records that come later are not there yet.
    const isLater = member.nullable && target?.table.name !== table.name;
    if (id?.kind === "id" && !isLater)
      row[member.column] = storedValue(definition, id.type, member.nullable ? index - 1 : index);
  }
  const target = `public.${quoteName(table.name)}`;
  const columns = Object.keys(row).map(quoteName).join(", ");
  const json = quoteLiteral(JSON.stringify(row));
  return `insert into ${target} (${columns}) overriding system value select ${columns} from json_populate_record(null::${target}, ${json})`;
}

function fieldValue(
  definition: Definition,
  { type, name }: { readonly type: ValueType; readonly name: string },
  index: number,
): unknown {
  return name === "code" ? `ab-${index}` : storedValue(definition, type, index);
}

function storedValue({ enums }: Definition, type: ValueType, index: number): unknown {
  switch (type.kind) {
    case "string":
      return `text-${index}`;
    case "integer":
      return index;
    case "float":
      return index / 2;
    case "decimal":
      return (type.precision ?? 9) - (type.scale ?? 0) > 0 ? String(index) : "0";
    case "boolean":
      return index % 2 === 0;
    case "date":
      return `2026-01-0${index}`;
    case "datetime":
      return `2026-01-0${index}T10:00:00Z`;
    case "uuid":
      return `00000000-0000-4000-8000-00000000000${index}`;
    case "json":
      return { index };
    case "enum": {
      const values = enums.find(({ name }) => name === type.enum)?.values ?? [];
      return values[index % Math.max(1, values.length)]?.name;
    }
  }
}

/** What a seeded record is found by, and now and then something that is not there. */
export function identifiersOf(definition: Definition, { identify }: Entrypoint): string[] {
  const path = identify?.path ?? [];
  const name = path.at(-1) ?? "";
  const isCode = name === "code";
  const type = identify?.type ?? { kind: "integer", nullable: false };
  const values = Array.from({ length: ROWS }, (_, index) =>
    isCode ? `ab-${index + 1}` : storedValue(definition, type, index + 1),
  );
  return [...values.map(String), "999", "no such thing"];
}
