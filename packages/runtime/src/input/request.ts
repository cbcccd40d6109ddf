// What a request brings: read, typed, tested. The schema is compiled once; a request then goes through closures and
// comes out as inputs, or as everything that is wrong with it.
//
//   bytes → JSON → values in their types → rules → hooks of rules → inputs

import type { Definition, EvaluationScope, RequestSchema, Value } from "@stoa/definition";
import { enumValuesOf, findNearest } from "@stoa/definition";
import type { Problem } from "../exchange.js";
import { type BodySource, DEFAULT_MAX_BODY_BYTES, readBody } from "./body.js";
import { ErrorList } from "./error-list.js";
import * as say from "./fault.js";
import { Fault } from "./fault.js";
import {
  compileFields,
  type ObjectField,
  type ObjectShape,
  type ValueField,
  valueFieldsOf,
} from "./fields.js";
import { type Inputs, InputValues, type Slot, SlotTable } from "./inputs.js";
import { JsonNumber, type JsonObject, type JsonTree, readJsonBytes } from "./json-text.js";
import { pointerOf } from "./pointer.js";
import { readQuery } from "./query-string.js";
import { faultOf } from "./rule.js";
import type { RuleRun, ValidatorHooks } from "./validator.js";

export interface RequestOptions {
  /** An update takes merge patches as well. */
  readonly mode: "create" | "update" | "custom";
  readonly hooks: ValidatorHooks;
  /** Takes `application/merge-patch+json`, also if it is no update: for custom endpoints with PATCH. */
  readonly mergePatch?: boolean;
  readonly maxBodyBytes?: number;
}

/** A request, as far as inputs depend on it. */
export interface InputSource extends BodySource {
  /** The query string without `?`, as it came. */
  readonly query: string | null;
  /** The clock and new ids, for defaults and for arguments of validators. */
  readonly scope: Pick<EvaluationScope, "now" | "uuid">;
  /** Handed to the hooks of validators. */
  readonly hookContext?: unknown;
}

export interface CompiledRequest {
  readonly slots: readonly Slot[];
  /** Throws for paths that the schema does not have. */
  slot(path: readonly string[]): Slot;
  /** Whether hooks of validators may run. */
  readonly asksCode: boolean;
  /** Rejects only where the hook of a validator fails. Waits only for a body that is not there yet, and for hooks. */
  read(source: InputSource): Inputs | Problem | Promise<Inputs | Problem>;
}

export function compileRequest(
  definition: Definition,
  schema: RequestSchema,
  options: RequestOptions,
): CompiledRequest {
  const slots: Slot[] = [];
  const enumValues = enumValuesOf(definition);
  const shape = compileFields({ definition, hooks: options.hooks, enumValues, slots }, schema.fields);
  const table = new SlotTable(slots);
  const fields = valueFieldsOf(shape);
  const compiled: Compiled = {
    shape,
    table,
    fields,
    hooked: fields.filter(({ hookRule }) => hookRule !== null),
    parameters: fields.map(({ name }) => name),
    rules: {
      maxBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
      mergePatch: options.mergePatch ?? options.mode === "update",
    },
  };
  const read = schema.in === "query" ? readFromQuery : readFromBody;
  return {
    slots,
    slot: (path) => table.find(path),
    asksCode: compiled.hooked.length > 0,
    read: (source) => read(compiled, source),
  };
}

interface Compiled {
  readonly shape: ObjectShape;
  readonly table: SlotTable;
  readonly fields: readonly ValueField[];
  /** Those with rules that wait for hooks. */
  readonly hooked: readonly ValueField[];
  readonly parameters: readonly string[];
  readonly rules: { readonly maxBytes: number; readonly mergePatch: boolean };
}

/** One request while it is read. */
interface Reading {
  readonly inputs: InputValues;
  readonly errors: ErrorList;
  readonly run: RuleRun;
  readonly isOdd: boolean;
  readonly duplicates: readonly string[];
}

type Result = Inputs | Problem | Promise<Inputs | Problem>;

function startReading(
  { table }: Compiled,
  { scope, hookContext }: InputSource,
  document: Pick<Reading, "isOdd" | "duplicates">,
): Reading {
  return {
    inputs: new InputValues(table),
    errors: new ErrorList(),
    run: { scope, hookContext },
    isOdd: document.isOdd,
    duplicates: document.duplicates,
  };
}

// ---------------------------------------------------------------- bodies

function readFromBody(compiled: Compiled, source: InputSource): Result {
  const bytes = readBody(source, compiled.rules);
  if (bytes instanceof Promise) return bytes.then((read) => readBytes(compiled, source, read));
  return readBytes(compiled, source, bytes);
}

function readBytes(compiled: Compiled, source: InputSource, bytes: Uint8Array | Problem): Result {
  if ("kind" in bytes) return bytes;
  if (bytes.length === 0 && compiled.shape.hasRequired) {
    return malformed("The body is empty; a JSON object is needed");
  }
  const document = bytes.length === 0 ? EMPTY : readJsonBytes(bytes);
  if (document.kind === "refusal") return malformed(document.detail);
  const reading = startReading(compiled, source, document);
  if (isJsonObject(document.value)) readObject(compiled.shape, document.value, "", reading);
  else reading.errors.add("", say.notObject());
  addDuplicates(reading);
  return finish(compiled, reading);
}

const EMPTY = { kind: "json", value: {}, duplicates: [], isOdd: false } as const;

function malformed(detail: string): Problem {
  return { kind: "problem", code: "malformed", detail };
}

function isJsonObject(tree: JsonTree): tree is JsonObject {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree) && !(tree instanceof JsonNumber);
}

function readObject(shape: ObjectShape, object: JsonObject, pointer: string, reading: Reading): void {
  let found = 0;
  for (const field of shape.fields) {
    const tree = Object.hasOwn(object, field.name) ? object[field.name] : undefined;
    if (tree !== undefined) found++;
    if (field.kind === "value") readField(field, tree, reading);
    else readObjectField(field, tree, reading);
  }
  const names = Object.keys(object);
  if (names.length > found) addUnknown(shape, names, pointer, reading.errors);
}

function readObjectField(
  { pointer, isRequired, shape }: ObjectField,
  tree: JsonTree | undefined,
  reading: Reading,
): void {
  if (tree === undefined && isRequired) reading.errors.add(pointer, say.required());
  else if (reading.duplicates.includes(pointer)) reading.errors.add(pointer, say.duplicate());
  else if (tree === null) reading.errors.add(pointer, say.isNull());
  // An object that may be left out has only fields that may be; their defaults hold all the same.
  else if (tree === undefined) readObject(shape, {}, pointer, reading);
  else if (isJsonObject(tree)) readObject(shape, tree, pointer, reading);
  else reading.errors.add(pointer, say.notObject());
}

function readField(field: ValueField, tree: JsonTree | undefined, reading: Reading): void {
  if (tree === undefined) return readAbsent(field, reading);
  const { pointer } = field;
  if (reading.duplicates.length > 0 && reading.duplicates.includes(pointer)) {
    return reading.errors.add(pointer, say.duplicate());
  }
  if (tree !== null) return takeValue(field, field.readTree(tree, reading.isOdd), reading);
  if (!field.isNullable) return reading.errors.add(pointer, say.isNull());
  reading.inputs.set(field.slot.index, "request", null);
}

function addUnknown(
  { names: known, known: isKnown }: ObjectShape,
  names: readonly string[],
  pointer: string,
  errors: ErrorList,
): void {
  const unknown = names.filter((name) => !isKnown.has(name));
  for (const [index, name] of unknown.entries()) {
    if (errors.isFull) return errors.leave(unknown.length - index);
    errors.add(pointer + pointerOf([name]), say.unknown(nearestOf(name, known)));
  }
}

/** A name of a thousand letters is no slip of the keyboard. */
function nearestOf(name: string, known: readonly string[]): string | null {
  return name.length > 100 ? null : findNearest(name, known);
}

/** Those inside of JSON values; those of fields have been told with their fields. */
function addDuplicates({ duplicates, errors }: Reading): void {
  for (const pointer of duplicates) {
    if (!errors.covers(pointer)) errors.add(pointer, say.duplicate());
  }
}

// ---------------------------------------------------------------- query strings

/** Only extra inputs come here, so there are no objects. */
function readFromQuery(compiled: Compiled, source: InputSource): Result {
  const query = readQuery(source.query, { known: compiled.parameters });
  if ("kind" in query) return query;
  const reading = startReading(compiled, source, { isOdd: true, duplicates: [] });
  for (const error of query.errors) reading.errors.addError(error);
  for (const field of compiled.fields) {
    const text = query.values.get(field.name);
    if (text === undefined) readAbsent(field, reading);
    else takeValue(field, field.readText(text), reading);
  }
  return finish(compiled, reading);
}

// ---------------------------------------------------------------- values

function takeValue(field: ValueField, value: Value | Fault, { errors, inputs, run }: Reading): void {
  if (value instanceof Fault) return errors.add(field.pointer, value);
  inputs.set(field.slot.index, "request", value);
  const verdict = value === null ? null : (field.rule?.check(value, run) ?? null);
  if (verdict !== null) errors.add(field.pointer, verdict);
}

function readAbsent(field: ValueField, { errors, inputs, run }: Reading): void {
  const { default: value, slot, pointer } = field;
  if (field.isRequired) return errors.add(pointer, say.required());
  if (value === null) return;
  if (value === "later") return inputs.set(slot.index, "later", null);
  try {
    inputs.set(slot.index, "default", value(run.scope));
  } catch (error) {
    errors.add(pointer, faultOf(error));
  }
}

function finish(compiled: Compiled, reading: Reading): Result {
  if (compiled.hooked.length > 0) return runHooks(compiled, reading);
  return outcome(reading);
}

function outcome({ errors, inputs }: Reading): Inputs | Problem {
  return errors.isEmpty ? inputs : errors.problem();
}

/** One after the other: they may share a connection. Fields that are wrong already are spared. */
async function runHooks({ hooked }: Compiled, reading: Reading): Promise<Inputs | Problem> {
  const { errors, inputs, run } = reading;
  for (const { slot, pointer, hookRule } of hooked) {
    const { given, value } = inputs.at(slot.index);
    if (!given || value === null || errors.covers(pointer)) continue;
    const verdict = (await hookRule?.check(value, run)) ?? null;
    if (verdict !== null) errors.add(pointer, verdict);
  }
  return outcome(reading);
}
