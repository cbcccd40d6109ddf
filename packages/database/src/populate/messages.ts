// All texts of the populators: one function per message. A reason says what is wrong with a row; a hint says
// what to do about it.

import type { FieldMember, Model } from "@stoa/definition";

export interface Message {
  readonly reason: string;
  readonly hint?: string;
}

// ---------------------------------------------------------------- before anything runs

export function unknownPopulator(name: string, known: readonly string[]): Message {
  const reason = `There is no populator \`${name}\`.`;
  if (known.length === 0) return { reason, hint: "the program has no populators" };
  return { reason, hint: `there is ${known.map((item) => `\`${item}\``).join(", ")}` };
}

export function notYetWritten(path: string, kind: "relation" | "query"): Message {
  return {
    reason: `\`${path}\` cannot be read here: it is a ${kind}, and its records are not written yet.`,
    hint: "a populator can read fields, references and computeds of the records above",
  };
}

export function hookNotRead(path: string): Message {
  return { reason: `\`${path}\` cannot be read here: it is a hook.` };
}

export function hookQuery(argument: string): Message {
  return {
    reason: `The argument \`${argument}\` cannot be a query here: the records of a populator are not written yet.`,
    hint: "give the hook values of the records above",
  };
}

export function hookCode(detail: string): Message {
  return { reason: `The code of the hook cannot be compiled: ${detail}.` };
}

export function noHookModules(module: string): Message {
  return { reason: `The hook in \`${module}\` cannot be run: hook modules are not loaded here.` };
}

export function hookNotLoaded(module: string, detail: string): Message {
  return { reason: `The hook in \`${module}\` cannot be loaded: ${detail}.` };
}

export function tableMissing(): Message {
  return {
    reason: "The tables of the database are not those of this program.",
    hint: "push the schema first",
  };
}

export function tableLocked(): Message {
  return {
    reason: "The tables are locked by somebody else.",
    hint: "try again when other work on this database is done",
  };
}

export function tableInUse(detail: string): Message {
  return {
    reason: `The tables cannot be emptied: ${detail}.`,
    hint: "a table that is not of this program refers to them; it is left alone",
  };
}

// ---------------------------------------------------------------- values

export function referenceNotAtHand(reference: string): Message {
  return {
    reason: `\`${reference}\` cannot be read here: only its id was set.`,
    hint: `set \`${reference}\` to a record, or use \`${reference}_id\``,
  };
}

export function fakeRange(kind: string, from: string, to: string): Message {
  return { reason: `\`fake("${kind}", …)\` has no value from ${from} to ${to}.` };
}

export function fakeCount(count: number): Message {
  return { reason: `\`fake("words", …)\` cannot give ${count} words.` };
}

export function unknownFake(kind: string): Message {
  return { reason: `There is no fake value of the kind \`${kind}\`.` };
}

export function hookFailed(detail: string): Message {
  return { reason: `The hook failed: ${detail}` };
}

export function hookResult(member: string, found: string, wanted: string): Message {
  return { reason: `The hook gave ${found}, but \`${member}\` takes ${wanted}.` };
}

// ---------------------------------------------------------------- what the database refuses

export function duplicateValue(members: readonly string[], value: string | undefined): Message {
  const what = members.map((member) => `\`${member}\``).join(" and ");
  const shown = value === undefined ? "that value" : `\`${shorten(value)}\``;
  return {
    reason: `${what} must be unique, and ${shown} is there already.`,
    hint: "make it differ from row to row, for example with the number of the iteration",
  };
}

export function missingReference(member: string, value: string | undefined): Message {
  const which = value === undefined ? "" : `: ${shorten(value)}`;
  return {
    reason: `\`${member}\` refers to a record that is not there${which}.`,
    hint: "records must be populated before those that refer to them",
  };
}

export function missingValue(member: string): Message {
  return { reason: `\`${member}\` is required, and the value is null.` };
}

export function notInEnum(member: string): Message {
  return { reason: `\`${member}\` takes only the values of its enum.` };
}

export function refused(detail: string): Message {
  return { reason: `The database refused the row: ${detail}.` };
}

// ---------------------------------------------------------------- parts

export function couldNotPopulate(model: string): string {
  return `A record of \`${model}\` could not be populated`;
}

const SHOWN_CHARS = 80;

export function shorten(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

export function memberName(model: Model, member: string): string {
  return `${model.name}.${member}`;
}

const NAMES: Readonly<Record<FieldMember["type"]["kind"], string>> = {
  string: "a text without U+0000",
  enum: "one of its enum's values",
  integer: "an integer",
  float: "a number",
  decimal: "a decimal as text, or an integer",
  boolean: "a boolean",
  date: 'a date such as "2026-11-14"',
  datetime: "a datetime with an offset, or a Date",
  uuid: "a uuid",
  json: "JSON",
};

export function nameOfType(type: FieldMember["type"]): string {
  return NAMES[type.kind];
}
