// The query string, read strictly: a name that nobody knows or that comes twice is a mistake worth telling.

import type { InputError, Problem } from "../exchange.js";

/** What a query string says. All that is wrong is told at once, so whoever reads the values adds to the errors. */
export interface QueryString {
  /** By name; without those that came twice. */
  readonly values: ReadonlyMap<string, string>;
  readonly errors: readonly InputError[];
}

const NONE: QueryString = { values: new Map(), errors: [] };

export interface QueryRules {
  readonly known: readonly string[];
}

export function readQuery(query: string | null, { known }: QueryRules): QueryString | Problem {
  if (query === null || query === "") return NONE;
  const values = new Map<string, string>();
  const errors = new Map<string, InputError>();
  for (const part of query.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = decode(equals < 0 ? "" : part.slice(equals + 1));
    if (name === undefined || value === undefined) return malformed();
    if (!known.includes(name)) errors.set(name, unknownParameter(name, known));
    else if (values.has(name)) errors.set(name, repeatedParameter(name));
    else values.set(name, value);
  }
  for (const name of errors.keys()) values.delete(name);
  return { values, errors: [...errors.values()] };
}

function decode(text: string): string | undefined {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

function malformed(): Problem {
  return { kind: "problem", code: "malformed", detail: "The query string is not well percent-encoded" };
}

export function invalid(errors: readonly InputError[]): Problem {
  const detail = errors.length === 1 ? "1 input is not valid" : `${errors.length} inputs are not valid`;
  return { kind: "problem", code: "validation", detail, errors };
}

function unknownParameter(name: string, known: readonly string[]): InputError {
  const hint = known.length === 0 ? "there are none here" : `there are ${known.join(", ")}`;
  return { path: pointer(name), code: "unknown", message: `is no parameter of this address; ${hint}` };
}

function repeatedParameter(name: string): InputError {
  return { path: pointer(name), code: "repeated", message: "is given more than once" };
}

/** RFC 6901. Long names are cut: an answer does not have to repeat all that was sent. */
export function pointer(name: string): string {
  return `/${name.slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
