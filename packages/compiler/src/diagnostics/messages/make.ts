// The one way to make a diagnostic, and the small pieces of wording that messages share.

import { type Code, codes } from "../codes.js";
import type { Diagnostic, DiagnosticDetails, Fix, Span } from "../diagnostic.js";
import { nearest } from "../suggest.js";

export function make(code: Code, span: Span, message: string, details: DiagnosticDetails = {}): Diagnostic {
  return { code, severity: codes[code], message, span, ...details };
}

/** `a`, `b` or `c`. */
export function alternatives(words: readonly string[], conjunction = "or"): string {
  const quoted = words.map((word) => `\`${word}\``);
  if (quoted.length <= 1) return quoted.join("");
  return `${quoted.slice(0, -1).join(", ")} ${conjunction} ${quoted.at(-1)}`;
}

export function replaceBy(span: Span, text: string): Fix {
  return { title: `Replace by \`${text}\``, span, text };
}

export function insertAt(span: Span, text: string): Fix {
  return { title: `Insert \`${text.trim()}\``, span: { ...span, end: span.start }, text };
}

export function remove(span: Span, what: string): Fix {
  return { title: `Remove ${what}`, span, text: "" };
}

/**
 * "Did you mean", with its fix; or, when nothing is near, what there is. The same slip for the same name is one
 * mistake, whatever it is found by: a misspelt declaration is missed in many places.
 */
export function didYouMean(
  span: Span,
  wrong: string,
  known: readonly string[],
  kind: string,
): DiagnosticDetails {
  const meant = nearest(wrong, known);
  if (meant !== undefined) {
    const cause = `${wrong} for ${meant}`;
    return { hint: `did you mean \`${meant}\`?`, fix: replaceBy(span, meant), cause };
  }
  if (known.length === 0) return {};
  const shown = known.slice(0, 12);
  const more = known.length > shown.length ? ` and ${known.length - shown.length} more` : "";
  return { hint: `${kind}: ${shown.map((word) => `\`${word}\``).join(", ")}${more}` };
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "a field", "an enum". */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}
