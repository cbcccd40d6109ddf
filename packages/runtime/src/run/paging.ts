// Which page of a list is asked for.

import type { InputError, Problem } from "../exchange.js";
import { invalid, type QueryString } from "../input/query-string.js";

export interface Page {
  readonly page: number;
  readonly pageSize: number;
}

export const PAGE_PARAMETERS = ["page", "pageSize"] as const;

/** A `pageSize` above the maximum is lowered to it. */
export function readPage(
  query: QueryString,
  { pageSize, max }: { readonly pageSize: number; readonly max: number },
): Page | Problem {
  const errors: InputError[] = [...query.errors];
  const read = (name: "page" | "pageSize", otherwise: number): number => {
    const text = query.values.get(name);
    if (text === undefined) return otherwise;
    const most = name === "page" ? Number.MAX_SAFE_INTEGER : Number.POSITIVE_INFINITY;
    const value = readCount(text, most);
    if (typeof value === "number") return value;
    errors.push({ path: `/${name}`, ...value });
    return otherwise;
  };
  const result = { page: read("page", 1), pageSize: Math.min(read("pageSize", pageSize), max) };
  return errors.length === 0 ? result : invalid(errors);
}

function readCount(text: string, most: number): number | Omit<InputError, "path"> {
  if (!/^-?\d+$/.test(text)) return { code: "integer", message: "must be an integer" };
  const value = Number(text);
  if (value < 1) return { code: "min", message: "must be at least 1", params: { min: 1 } };
  if (value > most) return { code: "max", message: `must be at most ${most}`, params: { max: most } };
  return value;
}

/** How many records come before the page. More than an integer holds is past the end of any table anyway. */
export function offsetOf({ page, pageSize }: Page): number {
  return Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
}
