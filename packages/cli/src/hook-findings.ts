// What can be wrong with the code of hooks, with the place to look at: in the program, or in a module.

import type { Finding, Source, Span } from "@stoa/compiler";
import { type Definition, findNearest, type PlacedHook, type SourceCode } from "@stoa/definition";
import type { Message } from "esbuild";

export interface Program {
  readonly definition: Definition;
  /** The `.stoa` files. */
  readonly sources: readonly Source[];
}

export function moduleMissing(
  program: Program,
  placed: PlacedHook,
  { path, neighbours }: { readonly path: string; readonly neighbours: readonly string[] },
): Finding {
  const near = findNearest(path.slice(path.lastIndexOf("/") + 1), neighbours);
  const hint = near === null ? `create it, or correct the path` : `did you mean ${near}?`;
  return finding("hook-module", `There is no module ${path}.`, spanOf(program, placed, "module"), hint);
}

export function moduleOutside(program: Program, placed: PlacedHook, path: string): Finding {
  const message = `The module ${path} is outside of the project's folder.`;
  const hint = "move it into the folder, or publish it as a package and import that from a module here";
  return finding("hook-module", message, spanOf(program, placed, "module"), hint);
}

export function functionMissing(
  program: Program,
  placed: PlacedHook,
  {
    path,
    name,
    exports,
  }: { readonly path: string; readonly name: string; readonly exports: readonly string[] },
): Finding {
  const near = findNearest(name, exports);
  const all = exports.length === 0 ? "it exports nothing" : `it exports ${exports.join(", ")}`;
  const advice = near === null ? `add \`export function ${name}(args, ctx) { … }\`` : `did you mean ${near}?`;
  const span = spanOf(program, placed, "function");
  return finding("hook-function", `${path} exports no function ${name}.`, span, `${all}; ${advice}`);
}

export function inlineBroken(program: Program, placed: PlacedHook, reason: string): Finding {
  const message = `The code of the hook is no JavaScript expression: ${reason}.`;
  return finding("hook-code", message, spanOf(program, placed, "inline"));
}

/** What esbuild says about a module, which `read` gives the text of. */
export function moduleBroken({ text, location, notes }: Message, read: (file: string) => string): Finding {
  const [note] = notes;
  const hint = note === undefined ? undefined : note.text;
  const message = /[.!?]$/.test(text) ? text : `${text}.`;
  if (location === null) return finding("hook-code", message, { file: "hooks", start: 0, end: 0 }, hint);
  const { file, line, column, length, lineText } = location;
  // esbuild counts bytes, and columns from 0.
  const bytes = Buffer.from(lineText);
  const before = bytes.subarray(0, column).toString().length;
  const marked = bytes.subarray(column, column + length).toString().length;
  const start = offsetOf(read(file), line, before + 1);
  return finding("hook-code", message, { file, start, end: start + marked }, hint);
}

function finding(code: string, message: string, span: Span, hint?: string): Finding {
  return { code, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) };
}

/** The part of a hook that is at fault; all of the hook where that cannot be told. */
function spanOf(program: Program, { hook, at }: PlacedHook, part: "module" | "function" | "inline"): Span {
  const [index, line, column, endLine, endColumn] = at;
  const file = program.definition.sources[index] ?? "";
  const text = program.sources.find(({ name }) => name === file)?.text ?? "";
  const whole = { file, start: offsetOf(text, line, column), end: offsetOf(text, endLine, endColumn) };
  const found = partOf(text.slice(whole.start, whole.end), hook.code.kind === "source" ? hook.code : part);
  if (found === undefined) return whole;
  const { start, end } = part === "function" ? found.name : found.rest;
  return { file, start: whole.start + start, end: whole.start + end };
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function partOf(
  text: string,
  code: SourceCode | string,
): { readonly name: Stretch; readonly rest: Stretch } | undefined {
  const name = typeof code === "string" ? "" : escapePattern(code.function);
  const pattern =
    name === ""
      ? /\b(inline)()\s+"(?:[^"\\]|\\.)*"/d
      : RegExp(`\\bsource\\s+(${name})\\s+from\\s+("(?:[^"\\\\]|\\\\.)*")`, "d");
  const match = pattern.exec(text);
  const [start = 0, end = 0] = match?.indices?.[1] ?? [];
  const [restStart = 0, restEnd = 0] = match?.indices?.[name === "" ? 0 : 2] ?? [];
  return match ? { name: { start, end }, rest: { start: restStart, end: restEnd } } : undefined;
}

function escapePattern(text: string): string {
  return text.replace(/[$\\^*+?.()|[\]{}]/g, "\\$&");
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let count = 1; count < line; count++) {
    const end = text.indexOf("\n", start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(text.length, start + column - 1);
}
