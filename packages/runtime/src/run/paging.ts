// Which page of a list is asked for.

import type { InputError, Problem } from "../exchange.js";
import { invalid, type QueryValues } from "./query-string.js";

export interface Page {
  readonly page: number;
  readonly pageSize: number;
}

export const PAGE_PARAMETERS = ["page", "pageSize"] as const;

/** A `pageSize` above the maximum is lowered to it. */
export function readPage(
  values: QueryValues,
  { pageSize, max }: { readonly pageSize: number; readonly max: number },
): Page | Problem {
  const errors: InputError[] = [];
  const read = (name: "page" | "pageSize", otherwise: number): number => {
    const text = values.get(name);
    if (text === undefined) return otherwise;
    const value = readCount(text);
    if (typeof value === "number") return value;
    errors.push({ path: `/${name}`, ...value });
    return otherwise;
  };
  const result = { page: read("page", 1), pageSize: Math.min(read("pageSize", pageSize), max) };
  return errors.length === 0 ? result : invalid(errors);
}

/** Far more than any table has; yet the offset of such a page still is an integer. */
const LAST_PAGE = 1_000_000_000_000;

function readCount(text: string): number | Omit<InputError, "path"> {
  if (!/^[+-]?\d{1,30}$/.test(text)) return { code: "integer", message: "must be an integer" };
  const value = Number(text);
  if (value < 1) return { code: "min", message: "must be at least 1", params: { min: 1 } };
  return Math.min(value, LAST_PAGE);
}
