// What is expected of an answer, held against what came: holes are filled with what is there, and what is left must be
// the same, in the same order.

export type Values = Map<string, string>;

const NAMED = /<[A-Za-z][^<>]*>/g;

/** `<ada's token>` and `$TOKEN`, replaced by what they stand for. */
export function fillIn(text: string, values: Values): string {
  const named = text.replace(NAMED, (name) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`Nothing has been called ${name} so far.`);
    return value;
  });
  return named.replace(/\$(\w+)/g, (all, name: string) => values.get(name) ?? all);
}

/** The expected value with its holes filled from the actual one, where they fit. */
export function fillHoles(expected: unknown, actual: unknown, values: Values): unknown {
  if (typeof expected === "string") return fillText(expected, actual, values);
  if (Array.isArray(expected)) return fillList(expected, actual, values);
  if (!isObject(expected)) return expected;
  const there = isObject(actual) ? actual : {};
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [key, fillHoles(value, there[key], values)]),
  );
}

function fillText(expected: string, actual: unknown, values: Values): unknown {
  const text = typeof actual === "string" ? actual : undefined;
  if (new RegExp(`^${NAMED.source}$`).test(expected)) {
    const known = values.get(expected);
    if (known !== undefined) return known;
    if (text !== undefined) values.set(expected, text);
    return text ?? expected;
  }
  if (!expected.includes("…") || text === undefined) return expected;
  return patternOf(expected).test(text) ? text : expected;
}

function fillList(expected: readonly unknown[], actual: unknown, values: Values): unknown {
  const items = Array.isArray(actual) ? actual : [];
  if (expected.at(-1) !== "…") return expected.map((item, index) => fillHoles(item, items[index], values));
  const shown = expected.slice(0, -1);
  const filled = shown.map((item, index) => fillHoles(item, items[index], values));
  return items.length > shown.length ? [...filled, ...items.slice(shown.length)] : expected;
}

function patternOf(text: string): RegExp {
  const parts = text.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]+")}$`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What of a problem document may be left out: pages would repeat it again and again. */
const LEAVE_OUT = ["type", "title", "status", "detail", "requestId"];

/** The actual answer, without what the page may leave out and does. */
export function shownPart(actual: unknown, expected: unknown, status: number): unknown {
  if (status < 400 || !isObject(actual) || !("requestId" in actual)) return actual;
  const shown = isObject(expected) ? expected : {};
  return Object.fromEntries(
    Object.entries(actual).filter(([key]) => key in shown || !LEAVE_OUT.includes(key)),
  );
}

// ---------------------------------------------------------------- writing

const WIDTH = 110;
/** Different in every run. */
const CHANGING = ["requestId", "token", "expiresAt", "createdAt", "updatedAt"];

/** The answer as a page would show it, holes as they were. */
export function withHoles(actual: unknown, expected: unknown, key = ""): unknown {
  if (typeof expected === "string" && typeof actual === "string" && isHoleFor(expected, actual)) {
    return expected;
  }
  if (typeof actual === "string" && CHANGING.includes(key)) return "…";
  if (Array.isArray(actual)) return listWithHoles(actual, Array.isArray(expected) ? expected : []);
  if (!isObject(actual)) return actual;
  const there = isObject(expected) ? expected : {};
  return Object.fromEntries(
    Object.entries(actual).map(([name, value]) => [name, withHoles(value, there[name], name)]),
  );
}

function isHoleFor(expected: string, actual: string): boolean {
  return expected.includes("…") ? patternOf(expected).test(actual) : new RegExp(NAMED.source).test(expected);
}

function listWithHoles(actual: readonly unknown[], expected: readonly unknown[]): unknown {
  const isCut = expected.at(-1) === "…" && actual.length >= expected.length;
  const shown = isCut ? actual.slice(0, expected.length - 1) : actual;
  const items = shown.map((item, index) => withHoles(item, expected[index]));
  return isCut ? [...items, "…"] : items;
}

/** JSON on as few lines as there is width for. */
export function writeJson(value: unknown, indent = ""): string {
  const line = inOneLine(value);
  if (indent.length + line.length <= WIDTH || typeof value !== "object" || value === null) return line;
  const deeper = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => `${deeper}${writeJson(item, deeper)}`)
    : Object.entries(value).map(
        ([key, item]) => `${deeper}${JSON.stringify(key)}: ${writeJson(item, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${items.join(",\n")}\n${indent}${close}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const items = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inOneLine(item)}`);
  return items.length === 0 ? "{}" : `{ ${items.join(", ")} }`;
}
