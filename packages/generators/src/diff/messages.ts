// All that is said of changes of an API, one function per change: what, why it matters, and to whom.

import type { ApiChangeKind, Finding } from "./change.js";

function breaking(kind: ApiChangeKind, what: string, why: string, affects: string): Finding {
  return { kind, class: "breaking", what, why, affects };
}

function compatible(kind: ApiChangeKind, what: string, why: string, affects: string | null = null): Finding {
  return { kind, class: "compatible", what, why, affects };
}

const code = (text: string): string => `\`${text}\``;
const list = (names: readonly string[]): string => names.map(code).join(", ");

// ---------------------------------------------------------------- endpoints

export const endpointAdded = (): Finding =>
  compatible("endpoint-added", "is new", "nobody can have called it before");

export const endpointRemoved = (where: string): Finding =>
  breaking("endpoint-removed", "is gone", "it is answered with 404 or 405 now", `clients that call ${where}`);

export const pathChanged = (before: string, after: string): Finding =>
  breaking(
    "path-changed",
    `has moved from ${code(before)} to ${code(after)}`,
    "the old address is answered with 404 now",
    `clients that call ${before}`,
  );

export const methodChanged = (before: string, after: string): Finding =>
  breaking(
    "method-changed",
    `is called with ${after} instead of ${before}`,
    `${before} is answered with 405 now`,
    `clients that call it with ${before}`,
  );

export const identifierChanged = (before: string, after: string): Finding =>
  breaking(
    "identifier-changed",
    `finds records by ${code(after)} instead of ${code(before)}`,
    "the old identifiers are answered with 404, or find another record",
    `clients that have ${code(before)} in their paths`,
  );

export const identifierRenamed = (before: string, after: string): Finding =>
  compatible(
    "identifier-changed",
    `calls the identifier ${code(after)} instead of ${code(before)}`,
    "its values are the same, and its name is in no request",
  );

export const identifierType = (name: string, change: TypeWords, isWider: boolean): Finding =>
  isWider
    ? compatible(
        "identifier-changed",
        `takes ${change.after} for ${code(name)}, not only ${change.before}`,
        "all that was taken still is",
      )
    : breaking(
        "identifier-changed",
        `takes ${change.after} for ${code(name)} instead of ${change.before}`,
        "other values are answered with 404",
        `clients that have ${code(name)} in their paths`,
      );

export const operationRenamed = (before: string, after: string): Finding =>
  breaking(
    "operation-renamed",
    `is called ${code(after)} in generated clients instead of ${code(before)}`,
    "requests are the same, but code that calls the old name does not compile with a client made anew",
    `code that calls ${code(`client.${before}`)}`,
  );

// ---------------------------------------------------------------- rules

export const ruleStricter = (clauses: string, affects: string): Finding =>
  breaking(
    "rule-stricter",
    `also asks for ${code(clauses)}`,
    "others are answered with 401, 403 or 404",
    affects,
  );

export const ruleTightened = (before: string, after: string, affects: string): Finding =>
  breaking(
    "rule-stricter",
    `asks for ${code(after)} instead of ${code(before)}, which is stricter`,
    "others are answered with 401, 403 or 404",
    affects,
  );

export const ruleLaxer = (clauses: string): Finding =>
  compatible(
    "rule-laxer",
    `no longer asks for ${code(clauses)}`,
    "whoever was let in still is; make sure that others should be",
  );

export const ruleLoosened = (before: string, after: string): Finding =>
  compatible(
    "rule-laxer",
    `asks for ${code(after)} instead of ${code(before)}, which is laxer`,
    "whoever was let in still is; make sure that others should be",
  );

/** The words are the same, but they stand for something else. */
export const ruleMeaningChanged = (clauses: string, affects: string): Finding =>
  breaking(
    "rule-changed",
    `asks for ${code(clauses)}, which means something else now`,
    "this may be stricter: some who were let in may not be any more",
    affects,
  );

export const ruleMeaningStricter = (clauses: string, affects: string): Finding =>
  breaking(
    "rule-stricter",
    `asks for ${code(clauses)}, which is stricter now`,
    "others are answered with 401, 403 or 404",
    affects,
  );

export const ruleMeaningLaxer = (clauses: string): Finding =>
  compatible(
    "rule-laxer",
    `asks for ${code(clauses)}, which is laxer now`,
    "whoever was let in still is; make sure that others should be",
  );

export const ruleChanged = (before: string, after: string, affects: string): Finding =>
  breaking(
    "rule-changed",
    `asks for ${code(after)} instead of ${code(before)}`,
    "this may be stricter: some who were let in may not be any more",
    affects,
  );

// ---------------------------------------------------------------- inputs

export interface TypeWords {
  readonly before: string;
  readonly after: string;
}

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

export const inputWider = (name: string, { before, after }: TypeWords): Finding =>
  compatible(
    "input-type-changed",
    `takes ${after} for ${code(name)}, not only ${before}`,
    "all that was taken still is",
  );

export const inputNarrower = (where: string, name: string, { before, after }: TypeWords): Finding =>
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

export const inputRuleChanged = (where: string, name: string, { before, after }: TypeWords): Finding =>
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

export const inputDefaultChanged = (where: string, name: string, { before, after }: TypeWords): Finding =>
  breaking(
    "input-default-changed",
    `puts ${code(after)} for ${code(name)} where it is left out, instead of ${code(before)}`,
    "the same request does something else",
    `clients of ${where} that send no ${code(name)}`,
  );

// ---------------------------------------------------------------- answers

export const propertyAdded = (name: string): Finding =>
  compatible("property-added", `answers with ${code(name)} too`, "clients pass over what they do not know");

export const propertyRemoved = (name: string): Finding =>
  breaking(
    "property-removed",
    `no longer answers with ${code(name)}`,
    "it is missing from the answer",
    `clients that read ${code(name)}`,
  );

export const propertyRenamed = (before: string, after: string): Finding =>
  breaking(
    "property-renamed",
    `answers with ${code(after)} instead of ${code(before)}`,
    "the old name is missing from the answer",
    `clients that read ${code(before)}`,
  );

export const propertyNullable = (name: string): Finding =>
  breaking(
    "property-nullable",
    `may answer null for ${code(name)}`,
    "it never was null",
    `clients that read ${code(name)} and do not expect null`,
  );

export const propertyNotNullable = (name: string): Finding =>
  compatible(
    "property-not-nullable",
    `never answers null for ${code(name)}`,
    "clients that look for null find none",
  );

export const propertyNarrower = (name: string, { before, after }: TypeWords): Finding =>
  compatible(
    "property-type-changed",
    `answers ${after} for ${code(name)} instead of ${before}`,
    "every value could have been there before",
  );

export const propertyWider = (name: string, { before, after }: TypeWords): Finding =>
  breaking(
    "property-type-changed",
    `answers ${after} for ${code(name)} instead of ${before}`,
    "there are values that were not possible before",
    `clients that read ${code(name)}`,
  );

export const propertyValuesAdded = (name: string, values: readonly string[]): Finding =>
  breaking(
    "property-type-changed",
    `may answer ${list(values)} for ${code(name)}`,
    "these values were not possible before",
    `clients that handle every value of ${code(name)} one by one`,
  );

export const propertyValuesRemoved = (name: string, values: readonly string[]): Finding =>
  compatible(
    "property-type-changed",
    `never answers ${list(values)} for ${code(name)}`,
    "clients that look for it find none",
  );

export const valueChanged = (name: string): Finding =>
  compatible(
    "value-changed",
    `works out ${code(name)} in another way`,
    "its type is the same; whether it means the same, only you can tell",
    `clients that read ${code(name)}`,
  );

export const answerChanged = (before: string, after: string): Finding =>
  breaking(
    "answer-changed",
    `answers ${after} instead of ${before}`,
    "the answer has another form",
    "clients that read the answer",
  );

export const answerAdded = (what: string): Finding =>
  compatible("answer-changed", `answers ${what}`, "there was nothing to read before");

export const statusChanged = (before: string, after: string): Finding =>
  breaking(
    "status-changed",
    `answers with the status ${after} instead of ${before}`,
    "the same success has another status",
    `code that looks for the status ${before}`,
  );

export const contentTypeChanged = (before: string, after: string): Finding =>
  breaking(
    "content-type-changed",
    `answers ${after} instead of ${before}`,
    "the answer has another form",
    `clients that read ${before}`,
  );

export const headerAdded = (name: string): Finding =>
  compatible(
    "header-added",
    `answers with the header ${code(name)}`,
    "clients pass over what they do not know",
  );

export const headerRemoved = (name: string): Finding =>
  breaking(
    "header-removed",
    `no longer answers with the header ${code(name)}`,
    "it is missing from the answer",
    `clients that read the header ${code(name)}`,
  );

export const problemAdded = (status: number, name: string): Finding =>
  compatible(
    "problem-added",
    `may be refused with ${status} ${code(name)}`,
    "clients have to expect errors they do not know",
    "clients that tell users why something failed",
  );

export const problemRemoved = (status: number, name: string): Finding =>
  compatible(
    "problem-removed",
    `is never refused with ${status} ${code(name)}`,
    "clients that look for it find none",
  );

export const errorCodeChanged = (validator: string, before: string, after: string): Finding =>
  breaking(
    "error-code-changed",
    `${code(validator)} fails with the code ${code(after)} instead of ${code(before)}`,
    "the same mistake has another code in the answer",
    `clients that look for the code ${code(before)}`,
  );

// ---------------------------------------------------------------- lists

export const pagingAdded = (pageSize: number): Finding =>
  breaking(
    "paging-added",
    `answers in pages of ${pageSize} instead of all records at once`,
    "the array is inside an object now, under `data`",
    "clients that read the answer as an array, or need all records",
  );

export const pagingRemoved = (): Finding =>
  breaking(
    "paging-removed",
    "answers all records at once instead of in pages",
    "the answer is an array now, and `page` and `pageSize` are answered with 400",
    "clients that read `data` or `totalCount`, or ask for a page",
  );

export const pageSizeChanged = (before: number, after: number): Finding =>
  after < before
    ? breaking(
        "page-size-changed",
        `has ${after} records on a page instead of ${before}`,
        "the first page has fewer records",
        "clients that send no `pageSize` and read one page only",
      )
    : compatible(
        "page-size-changed",
        `has ${after} records on a page instead of ${before}`,
        "the envelope says how many there are",
        "clients that send no `pageSize`",
      );

export const pageLimitChanged = (before: number, after: number): Finding =>
  after < before
    ? breaking(
        "page-limit-changed",
        `has at most ${after} records on a page instead of ${before}`,
        "more are lowered to that",
        `clients that ask for more than ${after}`,
      )
    : compatible(
        "page-limit-changed",
        `has at most ${after} records on a page instead of ${before}`,
        "those who ask for more than before get more",
      );

export const filterStricter = (clauses: string): Finding =>
  breaking(
    "filter-stricter",
    `leaves out records for which ${code(clauses)} does not hold`,
    "there are fewer records",
    "clients that look for these records",
  );

export const filterLaxer = (clauses: string): Finding =>
  compatible(
    "filter-laxer",
    `also has records for which ${code(clauses)} does not hold`,
    "all records that were there still are; make sure that others should be",
  );

export const filterChanged = ({ before, after }: TypeWords): Finding =>
  breaking(
    "filter-changed",
    `has the records for which ${code(after)} holds instead of ${code(before)}`,
    "some records may be missing",
    "clients that look for records that were there",
  );

export const orderChanged = ({ before, after }: TypeWords): Finding =>
  breaking(
    "order-changed",
    `is ordered by ${code(after)} instead of ${code(before)}`,
    "the same records are in other places, and on other pages",
    "clients that rely on the order",
  );

export const orderRefined = ({ before, after }: TypeWords): Finding =>
  compatible(
    "order-changed",
    `is ordered by ${code(after)} instead of ${code(before)}`,
    "only records that were alike are in other places",
  );

// ---------------------------------------------------------------- what is done

export const actionChanged = (what: string): Finding =>
  compatible(
    "action-changed",
    what,
    "requests and answers are the same; whether they mean the same, only you can tell",
  );

export const hookChanged = (what: string): Finding =>
  compatible("hook-changed", what, "what code gives or does, only you can tell");

// ---------------------------------------------------------------- accounts

export const authAdded = (): Finding =>
  compatible("auth-added", "there are accounts now", "endpoints that need a user say so themselves");

export const authRemoved = (): Finding =>
  breaking(
    "auth-removed",
    "there are no accounts any more",
    "tokens are no longer looked at",
    "users who log in",
  );

export const authChanged = (what: string, why: string, affects: string): Finding =>
  breaking("auth-changed", what, why, affects);

export const authExtended = (what: string, why: string): Finding => compatible("auth-changed", what, why);

// ---------------------------------------------------------------- words

export const described = (what: string): Finding =>
  compatible("documentation", what, "requests and answers are the same");
