// Reads TypeScript without a parser, because typescript 7 offers no compiler API and one rule script is no
// reason to add a parser. The trick is to blank out comments, strings, templates and regular expressions
// first: what is left can be read with simple patterns, at the same offsets as the original text.

/** @typedef {{ specifier: string, line: number }} ImportSite */
/** @typedef {{ name: string, line: number, lines: number }} FunctionSite */

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;
const REGEX = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const WORD = /[\w$]+/y;
const SPACE = /\s+/y;

/** Words and marks after which a slash begins a regular expression; after anything else it divides. */
const REGEX_MAY_FOLLOW =
  /^(?:|[([{}=,;:!&|?+\-*%~^<>]|return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)$/;

/**
 * The text with everything that is not code replaced by spaces. Offsets and line breaks stay the same, and
 * string quotes stay, so that a pattern can still see that a string stands there.
 * @param {string} text
 * @returns {string}
 */
export function blankNonCode(text) {
  /** @type {string[]} */
  const pieces = [];
  /** @type {string[]} Open braces: "{" for a block, "${" for an expression inside a template. */
  const braces = [];
  let previous = "";
  let at = 0;
  while (at < text.length) {
    const token = readToken(text, at, { previous, insideTemplate: braces.at(-1) === "${" });
    if (token.text === "{") braces.push("{");
    if (token.text.startsWith("}")) braces.pop();
    if (token.kind === "template" && token.text.endsWith("${")) braces.push("${");
    pieces.push(token.kind === "code" ? token.text : blank(token));
    if (token.kind === "code" || token.kind === "string") previous = token.text.trim() || previous;
    if (token.kind === "template") previous = token.text.endsWith("${") ? "{" : "`";
    if (token.kind === "regex") previous = "/";
    at += token.text.length;
  }
  return pieces.join("");
}

/**
 * @param {string} text
 * @param {number} at
 * @param {{ previous: string, insideTemplate: boolean }} context
 * @returns {{ kind: "code" | "comment" | "string" | "template" | "regex", text: string }}
 */
function readToken(text, at, context) {
  const char = text.charAt(at);
  const comment = char === "/" ? matchAt(COMMENT, text, at) : "";
  if (comment) return { kind: "comment", text: comment };
  if (char === '"' || char === "'") return { kind: "string", text: matchAt(STRING, text, at) };
  if (char === "`" || (char === "}" && context.insideTemplate)) {
    return { kind: "template", text: char + matchAt(TEMPLATE_TEXT, text, at + 1) };
  }
  if (char === "/" && REGEX_MAY_FOLLOW.test(context.previous)) {
    const regex = matchAt(REGEX, text, at);
    if (regex) return { kind: "regex", text: regex };
  }
  return { kind: "code", text: matchAt(WORD, text, at) || matchAt(SPACE, text, at) || char };
}

/** @param {{ kind: string, text: string }} token */
function blank(token) {
  const spaces = token.text.replace(/[^\n]/g, " ");
  if (token.kind !== "string" || token.text.length < 2) return spaces;
  const quote = token.text.charAt(0);
  return quote + spaces.slice(1, -1) + quote;
}

/**
 * @param {RegExp} sticky
 * @param {string} text
 * @param {number} at
 */
function matchAt(sticky, text, at) {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? "";
}

/**
 * Every module the text names: imports, re-exports, dynamic imports and import types.
 * @param {string} text
 * @returns {ImportSite[]}
 */
export function findImports(text) {
  const code = blankNonCode(text);
  const lineAt = lineIndex(text);
  return [...code.matchAll(/(?<![.\w$])(?:from\s*|import\s*(?:\(\s*)?)["']/g)].map((match) => {
    const quoteAt = match.index + match[0].length - 1;
    const end = code.indexOf(text.charAt(quoteAt), quoteAt + 1);
    return { specifier: text.slice(quoteAt + 1, end), line: lineAt(match.index) };
  });
}

/** A function from offsets to line numbers, counted from 1. @param {string} text */
export function lineIndex(text) {
  const starts = [0];
  for (const match of text.matchAll(/\n/g)) starts.push(match.index + 1);
  /** @param {number} offset */
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Words before a parenthesis that make the braces after it a plain block. */
const CONTROL_WORDS = new Set(["if", "for", "while", "switch", "catch", "with", "await"]);
/** Words before a parenthesis that leave what follows an expression, and so perhaps an arrow function. */
const EXPRESSION_WORDS = new Set(["async", "return", "yield"]);

/**
 * Every function with a block body, with its length in lines from its name to its closing brace. A function
 * that nobody named counts as a callback of the function around it.
 * @param {string} text
 * @returns {FunctionSite[]}
 */
export function findFunctions(text) {
  const code = blankNonCode(text);
  const closing = matchBrackets(code);
  const lineAt = lineIndex(text);
  /** @type {(FunctionSite & { end: number })[]} */
  const found = [];
  for (const [open, close] of closing) {
    if (code[open] !== "(") continue;
    const head = readHead(code, open);
    if (head === undefined) continue;
    const body = findBody(code, { at: close + 1, closing, isArrow: head.isArrow });
    const end = body === undefined ? undefined : closing.get(body);
    if (end === undefined) continue;
    const around = found.findLast((other) => other.end > end);
    const name = head.name || `callback in ${around?.name ?? "module"}`;
    const line = lineAt(head.start);
    found.push({ name: distinct(name, found), line, lines: lineAt(end) - line + 1, end });
  }
  return found.map(({ name, line, lines }) => ({ name, line, lines }));
}

/** @param {string} name @param {FunctionSite[]} found */
function distinct(name, found) {
  const same = found.filter((other) => other.name === name || other.name.startsWith(`${name} (`)).length;
  return same === 0 ? name : `${name} (${same + 1})`;
}

/**
 * Bracket pairs, from the offset of each opening one to its closing one, in source order.
 * @param {string} code
 * @returns {Map<number, number>}
 */
function matchBrackets(code) {
  /** @type {[number, number][]} */
  const pairs = [];
  /** @type {number[]} */
  const open = [];
  for (const match of code.matchAll(/[([{]|[)\]}]/g)) {
    if ("([{".includes(match[0])) open.push(match.index);
    else pairs.push([open.pop() ?? match.index, match.index]);
  }
  return new Map(pairs.sort((a, b) => a[0] - b[0]));
}

/**
 * What stands before the parameter list that opens at `open`: the function's name, where it starts, and
 * whether only an arrow can make it a function. Undefined when it can be no function at all.
 * @param {string} code
 * @param {number} open
 * @returns {{ name: string, start: number, isArrow: boolean } | undefined}
 */
function readHead(code, open) {
  const text = withoutTypeParameters(code.slice(Math.max(0, open - 400), open).trimEnd());
  const before = text.replace(/(?<=\bfunction)\s*\*$/, "");
  const word = /(?:[#\w$]+|["'\]])$/.exec(before)?.[0] ?? "";
  const start = code.lastIndexOf(word, open);
  if (CONTROL_WORDS.has(word) || /\b(?:new|extends|case)\s+[\w$.]+$/.test(before)) return undefined;
  if (word === "function")
    return { ...readAssignedName(before.slice(0, -word.length), start), isArrow: false };
  if (word === "" || EXPRESSION_WORDS.has(word)) {
    const outer = word === "async" ? before.slice(0, -word.length) : before;
    return { ...readAssignedName(outer, open), isArrow: true };
  }
  return { name: /\w/.test(word) ? word : "computed", start, isArrow: false };
}

/** Cuts a trailing `<T extends …>`, so that the name in front of it is the last thing. @param {string} before */
function withoutTypeParameters(before) {
  if (!before.endsWith(">") || before.endsWith("=>")) return before;
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    if (before[at] === ">" && before[at - 1] !== "=") depth++;
    if (before[at] === "<") depth--;
    if (depth === 0) return before.slice(0, at).trimEnd();
  }
  return before;
}

/**
 * The name an anonymous function is assigned to: `const name: Type =`, `name =` or `name:`.
 * @param {string} before
 * @param {number} start
 */
function readAssignedName(before, start) {
  const match =
    /\b(?:const|let|var)\s+([\w$]+)\s*(?::(?:[^=;]|=>)*)?=\s*$/.exec(before) ??
    /([#\w$]+)\s*(?::|(?<![=!<>])=)\s*$/.exec(before);
  return { name: match?.[1] ?? "", start };
}

/** Words inside a type after which another type must follow. */
const TYPE_OPERATORS = new Set([
  "is",
  "asserts",
  "extends",
  "keyof",
  "typeof",
  "readonly",
  "unique",
  "infer",
  "new",
]);

/**
 * The offset of the brace that opens the body after a parameter list, past a return type if there is one.
 * @param {string} code
 * @param {{ at: number, closing: Map<number, number>, isArrow: boolean }} list
 * @returns {number | undefined}
 */
function findBody(code, { at, closing, isArrow }) {
  let next = skipSpace(code, at);
  if (code[next] === ":") next = skipType(code, { at: next + 1, closing, isArrow });
  if (!isArrow) return code[next] === "{" ? next : undefined;
  if (!code.startsWith("=>", next)) return undefined;
  next = skipSpace(code, next + 2);
  return code[next] === "{" ? next : undefined;
}

/**
 * The offset after a type. A brace where a type may begin is an object type; anywhere else it ends the type.
 * @param {string} code
 * @param {{ at: number, closing: Map<number, number>, isArrow: boolean }} type
 */
function skipType(code, { at, closing, isArrow }) {
  let next = skipSpace(code, at);
  let typeMayBegin = true;
  while (next < code.length) {
    const char = code.charAt(next);
    const word = matchAt(WORD, code, next);
    if (code.startsWith("=>", next) && isArrow) return next;
    if (char === "{" && !typeMayBegin) return next;
    if (word && !typeMayBegin && !TYPE_OPERATORS.has(word)) return next;
    if (word) typeMayBegin = TYPE_OPERATORS.has(word);
    else if ("{([<\"'".includes(char)) typeMayBegin = false;
    else if ("|&.?:=".includes(char)) typeMayBegin = true;
    else return next;
    next = skipSpace(code, next + lengthInType(code, { at: next, closing, word }));
  }
  return next;
}

/**
 * How much of a type to step over at once: a word, a bracketed or quoted part, an arrow or a single mark.
 * @param {string} code
 * @param {{ at: number, closing: Map<number, number>, word: string }} part
 */
function lengthInType(code, { at, closing, word }) {
  const char = code.charAt(at);
  if (word) return word.length;
  if (code.startsWith("=>", at)) return 2;
  if (char === '"' || char === "'") return code.indexOf(char, at + 1) + 1 - at;
  if (char === "<") return typeArgumentsLength(code, at);
  return (closing.get(at) ?? at) + 1 - at;
}

/** @param {string} code @param {number} at */
function typeArgumentsLength(code, at) {
  let depth = 0;
  for (let end = at; end < code.length; end++) {
    if (code[end] === "<") depth++;
    if (code[end] === ">" && code[end - 1] !== "=") depth--;
    if (depth === 0) return end + 1 - at;
  }
  return code.length - at;
}

/** @param {string} code @param {number} at */
function skipSpace(code, at) {
  return at + matchAt(SPACE, code, at).length;
}
