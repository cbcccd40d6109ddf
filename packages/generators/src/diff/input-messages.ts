// What is said of inputs, one function per change: what, why it matters, and to whom.

import type { Finding } from "./change.js";
import { breaking, code, compatible, list, type Words } from "./finding.js";

export const inputAdded = (name: string): Finding =>
  compatible("input-added", `takes the input ${code(name)}`, "it may be left out");

export const requiredInputAdded = (where: string, name: string): Finding =>
  breaking(
    "input-added",
    `needs the input ${code(name)}`,
    "without it the answer is 400",
    `clients of ${where} that send no ${code(name)}`,
  );

export const inputRemoved = (where: string, name: string): Finding =>
  breaking(
    "input-removed",
    `no longer takes the input ${code(name)}`,
    "an unknown input is answered with 400",
    `clients of ${where} that send ${code(name)}`,
  );

export const inputRenamed = (where: string, before: string, after: string): Finding =>
  breaking(
    "input-renamed",
    `calls the input ${code(after)} instead of ${code(before)}`,
    "the old name is answered with 400",
    `clients of ${where} that send ${code(before)}`,
  );

export const inputRequired = (where: string, name: string): Finding =>
  breaking(
    "input-required",
    `needs the input ${code(name)}, which could be left out`,
    "without it the answer is 400",
    `clients of ${where} that send no ${code(name)}`,
  );

export const inputOptional = (name: string): Finding =>
  compatible("input-optional", `no longer needs the input ${code(name)}`, "those who send it still can");

export const inputNullable = (name: string): Finding =>
  compatible("input-nullable", `takes null for ${code(name)}`, "all that was taken still is");

export const inputNotNullable = (where: string, name: string): Finding =>
  breaking(
    "input-not-nullable",
    `no longer takes null for ${code(name)}`,
    "null is answered with 400",
    `clients of ${where} that send null for ${code(name)}`,
  );

export const inputWider = (name: string, { before, after }: Words): Finding =>
  compatible(
    "input-type-changed",
    `takes ${after} for ${code(name)}, not only ${before}`,
    "all that was taken still is",
  );

export const inputNarrower = (where: string, name: string, { before, after }: Words): Finding =>
  breaking(
    "input-type-changed",
    `takes ${after} for ${code(name)} instead of ${before}`,
    "other values are answered with 400",
    `clients of ${where} that send ${before} as ${code(name)}`,
  );

export const inputValuesAdded = (name: string, values: readonly string[]): Finding =>
  compatible(
    "input-type-changed",
    `also takes ${list(values)} for ${code(name)}`,
    "all that was taken still is",
  );

export const inputValuesRemoved = (where: string, name: string, values: readonly string[]): Finding =>
  breaking(
    "input-type-changed",
    `no longer takes ${list(values)} for ${code(name)}`,
    "it is answered with 400",
    `clients of ${where} that send ${list(values)} as ${code(name)}`,
  );

export const inputStricter = (where: string, name: string, clauses: string): Finding =>
  breaking(
    "input-stricter",
    `asks ${code(clauses)} of ${code(name)}`,
    "values that were taken may be answered with 400",
    `clients of ${where} that send values of ${code(name)} for which it does not hold`,
  );

export const inputLaxer = (name: string, clauses: string): Finding =>
  compatible(
    "input-laxer",
    `no longer asks ${code(clauses)} of ${code(name)}`,
    "all that was taken still is",
  );

export const inputRuleChanged = (where: string, name: string, { before, after }: Words): Finding =>
  breaking(
    "input-rule-changed",
    `asks ${code(after)} of ${code(name)} instead of ${code(before)}`,
    "this may be stricter: values that were taken may be answered with 400",
    `clients of ${where} that send ${code(name)}`,
  );

/** The words are the same, but they stand for something else. */
export const inputTestChanged = (where: string, name: string, test: string): Finding =>
  breaking(
    "input-rule-changed",
    `asks ${code(test)} of ${code(name)}, which means something else now`,
    "values that were taken may be answered with 400",
    `clients of ${where} that send ${code(name)}`,
  );

export const inputUnique = (where: string, name: string): Finding =>
  breaking(
    "input-unique",
    `takes every value of ${code(name)} once only`,
    "a value that is taken is answered with 409",
    `clients of ${where} that send values of ${code(name)} more than once`,
  );

export const inputNotUnique = (name: string): Finding =>
  compatible(
    "input-not-unique",
    `takes values of ${code(name)} more than once`,
    "all that was taken still is",
  );

export const inputDefaultChanged = (where: string, name: string, { before, after }: Words): Finding =>
  breaking(
    "input-default-changed",
    `puts ${code(after)} for ${code(name)} where it is left out, instead of ${code(before)}`,
    "the same request does something else",
    `clients of ${where} that send no ${code(name)}`,
  );
