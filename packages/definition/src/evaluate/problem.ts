// What can go wrong while an expression is evaluated: the data's fault, never the program's, whose types the
// compiler has checked. Closures deep inside an expression have no other way out than to throw; whoever runs
// expressions catches `EvaluationProblem` and makes data of it again.

export type EvaluationCode =
  | "integer-out-of-range"
  | "float-out-of-range"
  | "datetime-out-of-range"
  | "division-by-zero"
  | "type-mismatch";

export class EvaluationProblem extends Error {
  readonly code: EvaluationCode;

  constructor(code: EvaluationCode, message: string) {
    super(message);
    this.name = "EvaluationProblem";
    this.code = code;
  }
}

/** What becomes of an operation whose result is out of range: a problem, or null. */
export interface RangeOptions {
  readonly outOfRange?: "error" | "null" | undefined;
}

const RANGE_CODES: ReadonlySet<EvaluationCode> = new Set([
  "integer-out-of-range",
  "float-out-of-range",
  "division-by-zero",
]);

/** The operation with null where its own result is out of range, if the options say so. */
export function inRange<Args extends readonly unknown[], Result>(
  operate: (...args: Args) => Result,
  { outOfRange }: RangeOptions,
): (...args: Args) => Result | null {
  if (outOfRange !== "null") return operate;
  return (...args) => {
    try {
      return operate(...args);
    } catch (error) {
      if (error instanceof EvaluationProblem && RANGE_CODES.has(error.code)) return null;
      throw error;
    }
  };
}

export function integerOutOfRange(): EvaluationProblem {
  const limit = Number.MAX_SAFE_INTEGER;
  return new EvaluationProblem(
    "integer-out-of-range",
    `The result is not an integer from -${limit} to ${limit}.`,
  );
}

export function floatOutOfRange(): EvaluationProblem {
  return new EvaluationProblem("float-out-of-range", "The result is too large or too small for a float.");
}

export function datetimeOutOfRange(text: string): EvaluationProblem {
  return new EvaluationProblem(
    "datetime-out-of-range",
    `The datetime \`${text}\` is not in the years 1 to 9999 of UTC.`,
  );
}

export function divisionByZero(): EvaluationProblem {
  return new EvaluationProblem("division-by-zero", "The divisor is zero.");
}

/** Results of hooks have any type, so only they can be of the wrong one. */
export function typeMismatch(operator: string, found: string): EvaluationProblem {
  return new EvaluationProblem("type-mismatch", `\`${operator}\` cannot take ${found}.`);
}
