// What stops a populator: a mistake in the program or its data, with the row it concerns and the place in the
// source. Everything is rolled back.

import { type Definition, EvaluationProblem, type Json, type Place } from "@stoa/definition";
import { couldNotPopulate, type Message } from "./messages.js";

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface PopulateErrorDetails {
  readonly message: Message;
  readonly place?: SourcePlace | undefined;
  readonly row?: { readonly model: string; readonly values: RowValues } | undefined;
  readonly cause?: unknown;
}

/** By member; values that are secret are masked. */
export type RowValues = Readonly<Record<string, Json>>;

export class PopulateError extends Error {
  readonly reason: string;
  readonly hint: string | undefined;
  readonly place: SourcePlace | undefined;
  readonly model: string | undefined;
  readonly values: RowValues | undefined;

  constructor({ message, place, row, cause }: PopulateErrorDetails) {
    const where = place ? `${place.file}:${place.line}:${place.column}: ` : "";
    const what = row ? `${couldNotPopulate(row.model)}: ` : "";
    super(`${where}${what}${message.reason}`, { cause });
    this.name = "PopulateError";
    this.reason = message.reason;
    this.hint = message.hint;
    this.place = place;
    this.model = row?.model;
    this.values = row?.values;
  }
}

/** A problem whose row and place are known further up. */
export class RowProblem extends Error {
  readonly details: Message;

  constructor(details: Message, cause?: unknown) {
    super(details.reason, { cause });
    this.name = "RowProblem";
    this.details = details;
  }
}

export function sourcePlace(definition: Definition, [file, line, column]: Place): SourcePlace {
  return { file: definition.sources[file] ?? "", line, column };
}

/** What is wrong with the data; undefined for anything else, which is a bug and stays as it is. */
export function messageOfProblem(error: unknown): Message | undefined {
  if (error instanceof RowProblem) return error.details;
  return error instanceof EvaluationProblem ? { reason: error.message } : undefined;
}
