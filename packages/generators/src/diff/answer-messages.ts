// What is said of answers and lists, one function per change: what, why it matters, and to whom.

import type { Finding } from "./change.js";
import { breaking, code, compatible, list, type Words } from "./finding.js";

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

export const propertyNarrower = (name: string, { before, after }: Words): Finding =>
  compatible(
    "property-type-changed",
    `answers ${after} for ${code(name)} instead of ${before}`,
    "every value could have been there before",
  );

export const propertyWider = (name: string, { before, after }: Words): Finding =>
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

export const filterChanged = ({ before, after }: Words): Finding =>
  breaking(
    "filter-changed",
    `has the records for which ${code(after)} holds instead of ${code(before)}`,
    "some records may be missing",
    "clients that look for records that were there",
  );

export const orderChanged = ({ before, after }: Words): Finding =>
  breaking(
    "order-changed",
    `is ordered by ${code(after)} instead of ${code(before)}`,
    "the same records are in other places, and on other pages",
    "clients that rely on the order",
  );

export const orderRefined = ({ before, after }: Words): Finding =>
  compatible(
    "order-changed",
    `is ordered by ${code(after)} instead of ${code(before)}`,
    "only records that were alike are in other places",
  );
