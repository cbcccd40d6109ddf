// The addresses of the auth block take nothing from the query string.

import type { Call, Problem } from "../exchange.js";
import { invalid, readQuery } from "../input/query-string.js";

/** There are no parameters here. */
export function queryProblem({ query }: Call): Problem | null {
  const read = readQuery(query, { known: [] });
  if ("kind" in read) return read;
  return read.errors.length === 0 ? null : invalid(read.errors);
}
