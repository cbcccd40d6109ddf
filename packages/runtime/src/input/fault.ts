// What can be wrong with one input, and how it is said. Codes are for programs and never change; messages are for
// people, and go on after the name of the input: "title must be a string".

import type { EvaluationProblem, ValueType } from "@stoa/definition";
import type { InputError } from "../exchange.js";

export type FaultParams = NonNullable<InputError["params"]>;

/** A class, since values are objects as well and have no tags. */
export class Fault {
  readonly code: string;
  readonly message: string;
  readonly params: FaultParams | undefined;

  constructor(code: string, message: string, params?: FaultParams) {
    this.code = code;
    this.message = message;
    this.params = params;
  }
}

export function required(): Fault {
  return new Fault("required", "is required");
}

export function unknown(nearest: string | null): Fault {
  if (nearest === null) return new Fault("unknown", "is not known here");
  return new Fault("unknown", `is not known here; did you mean \`${nearest}\`?`, { nearest });
}

export function duplicate(): Fault {
  return new Fault("duplicate", "is given more than once");
}

export function isNull(): Fault {
  return new Fault("null", "must not be null");
}

const EXPECTED: Readonly<Record<ValueType["kind"], string>> = {
  string: "a string",
  integer: "an integer",
  float: "a number",
  decimal: 'a decimal: a string such as "9.99", or an integer',
  boolean: "true or false",
  date: 'a date such as "2026-11-14"',
  datetime: 'a datetime with an offset, such as "2026-11-14T10:20:30Z"',
  uuid: "a uuid",
  json: "a JSON value",
  enum: "a string",
};

export function wrongType(expected: ValueType["kind"]): Fault {
  return new Fault("type", `must be ${EXPECTED[expected]}`, { expected });
}

export function notObject(): Fault {
  return new Fault("type", "must be an object", { expected: "object" });
}

export function notOfEnum(values: readonly string[]): Fault {
  return new Fault("enum", `must be one of: ${values.join(", ")}`, { values });
}

export function integerRange(): Fault {
  const max = Number.MAX_SAFE_INTEGER;
  return new Fault("integer-range", `must be from ${-max} to ${max}`, { min: -max, max });
}

export function floatRange(): Fault {
  return new Fault("float-range", "must be a number that 64 bits can hold");
}

export function datetimeRange(): Fault {
  return new Fault("datetime-range", "must be in the years 1 to 9999 of UTC");
}

/** A rounded identifier would be the wrong one. */
export function inexactNumber(text: string): Fault {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new Fault(
    "inexact-number",
    `has the number ${shown}, which cannot be kept exactly; send it as a string`,
  );
}

export function tooManyDigits(precision: number, scale: number | undefined): Fault {
  if (scale === undefined) {
    return new Fault("too-many-digits", `must have at most ${precision} digits`, { precision });
  }
  const text = `must have at most ${precision - scale} digits before the point and ${scale} after it`;
  return new Fault("too-many-digits", text, { precision, scale });
}

export function invalidText(): Fault {
  return new Fault("invalid-text", "must not contain U+0000 or halves of surrogate pairs");
}

/** A rule or default that came to no result: a division by zero, a number out of range. */
export function noResult({ code, message }: EvaluationProblem): Fault {
  const reason = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
  return new Fault(code, `cannot be tested: ${reason}`);
}

/** A condition of a `validate` action, which has no words of its own. */
export function conditionFails(): Fault {
  return new Fault("condition", "is not valid");
}
