// The three pairs of brackets.

const CLOSER_OF: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["(", ")"],
  ["[", "]"],
]);
const OPENER_OF: ReadonlyMap<string, string> = new Map([...CLOSER_OF].map(([open, close]) => [close, open]));

export function isOpener(text: string): boolean {
  return text === "{" || text === "(" || text === "[";
}

export function isCloser(text: string): boolean {
  return text === "}" || text === ")" || text === "]";
}

export function closerOf(open: string): string {
  // Most brackets are braces.
  return open === "{" ? "}" : (CLOSER_OF.get(open) ?? "");
}

export function openerOf(close: string): string {
  return OPENER_OF.get(close) ?? "";
}
