// What the lexer and the parser have to say.

import type { Diagnostic, DiagnosticDetails, Span } from "../diagnostic.js";
import { alternatives, capital, didYouMean, insertAt, make, remove, replaceBy } from "./make.js";

export { alternatives } from "./make.js";

export function notUtf8(span: Span): Diagnostic {
  return make("not-utf8", span, "This file is not UTF-8 text.", {
    hint: "save the file as UTF-8; the first bytes that are not UTF-8 stand on this line",
  });
}

export function emptyFile(span: Span): Diagnostic {
  return make("empty-file", span, "This file declares nothing.", {
    hint: "declare something in it, or delete it",
  });
}

export function invalidCharacter(span: Span, text: string): Diagnostic {
  return make("invalid-character", span, `\`${text}\` cannot stand here.`, {
    hint:
      text === "$"
        ? "names stand without `$`; the user who is logged in is `@auth`"
        : "names are made of the letters A–Z and a–z, digits and `_`",
  });
}

export function invalidWord(span: Span, word: string): Diagnostic {
  return make("invalid-character", span, `\`${word}\` cannot be a name.`, {
    hint: "names are made of the letters A–Z and a–z, digits and `_`",
  });
}

/** A text in quotes that other programs put in place of straight ones. */
export function foreignQuotes(span: Span, inner: string): Diagnostic {
  return make("invalid-character", span, 'Texts stand in straight quotes: "…".', {
    fix: { title: "Use straight quotes", span, text: `"${inner}"` },
    cause: "quotes",
  });
}

export function foreignComment(span: Span, sign: string): Diagnostic {
  return make("invalid-character", span, `A comment does not begin with \`${sign}\`.`, {
    hint: "write `//` before it",
    fix: replaceBy(span, "//"),
    cause: `comment ${sign}`,
  });
}

export function nestedComment(span: Span): Diagnostic {
  return make("unterminated-comment", span, "A comment cannot stand inside another one.", {
    hint: "the first `*/` ends the outer comment; use `//` for the inner one",
  });
}

export function invalidNumber(span: Span, text: string): Diagnostic {
  const hint = /^0x/i.test(text)
    ? "only decimal numbers exist"
    : /e[\d]*$/i.test(text)
      ? "there is no exponent notation: write the digits out"
      : /^\d+[A-Za-z]/.test(text)
        ? "a name cannot begin with a digit"
        : "numbers are written like 42, 1_000 or 1.5";
  return make("invalid-number", span, `\`${text}\` is not a number.`, { hint });
}

export function integerTooLarge(span: Span, text: string): Diagnostic {
  return make("integer-out-of-range", span, `${text} is too large for an integer.`, {
    hint: "integers go from -9007199254740991 to 9007199254740991; larger values fit in a `decimal`",
  });
}

export function invalidEscape(span: Span, text: string): Diagnostic {
  return make("invalid-escape", span, `\`${text}\` is not an escape.`, {
    hint: "the escapes are \\n \\t \\r \\\\ \\\" \\' and \\u{1F600}",
  });
}

export function unterminatedString(span: Span, quote: string): Diagnostic {
  return make("unterminated-string", span, "This text has no closing quote.", {
    hint: "a text ends on the line where it begins; write \\n for a line break",
    fix: { title: "Close the text", span: { ...span, start: span.end }, text: quote },
  });
}

export function unopenedString(span: Span, quote: string): Diagnostic {
  return make("unterminated-string", span, "This text has no opening quote.", {
    fix: { title: "Open the text", span: { ...span, end: span.start }, text: quote },
  });
}

export function unterminatedComment(span: Span): Diagnostic {
  return make("unterminated-comment", span, "This comment is never closed.", { hint: "close it with `*/`" });
}

export interface ExpectedDetails {
  /** What to write there. */
  readonly insert?: string;
  readonly hint?: string;
}

export function expected(
  span: Span,
  what: string,
  found: string,
  { insert, hint }: ExpectedDetails = {},
): Diagnostic {
  const where = span.start === span.end ? " here" : `, but found ${found}`;
  return make("syntax", span, `Expected ${what}${where}.`, {
    ...(hint === undefined ? {} : { hint }),
    ...(insert === undefined ? {} : { fix: insertAt(span, insert) }),
  });
}

export function unexpected(span: Span, text: string, owner: string, words: readonly string[]): Diagnostic {
  return make("syntax", span, `\`${text}\` cannot stand here.`, {
    hint: `${owner} may contain ${alternatives(words)}`,
  });
}

export function extraComma(span: Span): Diagnostic {
  return make("syntax", span, "There is a comma too many.", { fix: remove(span, "the comma") });
}

export function doubled(span: Span, text: string): Diagnostic {
  return make("syntax", span, `\`${text}\` stands here twice.`, { fix: remove(span, "the second one") });
}

export function superfluous(span: Span, found: string): Diagnostic {
  return make("syntax", span, `${capital(found)} is one too many here.`, { fix: remove(span, "it") });
}

/** `field first name { … }`. */
export function severalWords(span: Span, words: readonly string[]): Diagnostic {
  return make("syntax", span, "A name is one word.", { hint: `for example: \`${camelCase(words)}\`` });
}

function camelCase([first = "", ...rest]: readonly string[]): string {
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

export function quotedName(span: Span, what: string, text: string): Diagnostic {
  return make("syntax", span, `Expected ${what}, but found a text.`, {
    hint: "names are written without quotes",
    fix: replaceBy(span, text),
    cause: "quoted name",
  });
}

export function unquotedText(span: Span, what: string, text: string): Diagnostic {
  return make("syntax", span, `Expected ${what}.`, {
    hint: `write "${text}"`,
    fix: { title: `Replace by "${text}"`, span, text: `"${text}"` },
  });
}

export function hyphenatedName(span: Span, words: readonly string[]): Diagnostic {
  const name = camelCase(words);
  return make("syntax", span, `\`${words.join("-")}\` cannot be a name.`, {
    hint: `names are made of letters, digits and \`_\`: write \`${name}\``,
    fix: replaceBy(span, name),
  });
}

/** `type: string`, `default = 3`. */
export function signAfterWord(span: Span, sign: string, word: string): Diagnostic {
  return make("syntax", span, `There is no \`${sign}\` after \`${word}\`.`, {
    hint: "a value follows its word without a sign, as in `type string`; words such as `unique` stand alone",
    fix: remove(span, `the \`${sign}\``),
    cause: `sign ${sign}`,
  });
}

export function flagValue(span: Span, word: string, value: string): Diagnostic {
  return make("syntax", span, `\`${word}\` stands alone, without a value.`, {
    hint: value === "true" ? `write just \`${word}\`` : `leave \`${word}\` out`,
    ...(value === "true" ? { fix: remove(span, "the value") } : {}),
  });
}

/** `field title string`. */
export function bareValue(span: Span, value: string, word: string): Diagnostic {
  const block = `{ ${word} ${value} }`;
  return make("syntax", span, `Expected \`{\`, but found \`${value}\`.`, {
    hint: `write \`${block}\``,
    fix: replaceBy(span, block),
  });
}

export function missingBlank(span: Span, word: string, rest: string): Diagnostic {
  return make("syntax", span, `A blank is missing after \`${word}\`.`, {
    fix: replaceBy(span, `${word} ${rest}`),
  });
}

export function swappedWords(span: Span, first: string, second: string): Diagnostic {
  return make("syntax", span, `\`${first}\` comes before \`${second}\`.`, {
    hint: `write \`${first} ${second}\``,
    fix: replaceBy(span, `${first} ${second}`),
  });
}

/** `fields { title { … }, pages { … } }`. */
export function groupedItems(span: Span, wrong: string, word: string, name: string): Diagnostic {
  return make("unknown-property", span, `There is no \`${wrong}\` block.`, {
    hint: `write \`${word}\` before each of them: \`${word} ${name} { … }\``,
  });
}

/** `a ? b : c`, `if a then b`, `a ?? b`. */
export function noChoice(span: Span, sign: string): Diagnostic {
  const hint =
    sign === "??"
      ? "write `coalesce(…, …)`: the first of its values that is not null"
      : "a condition is a value by itself: `computed isLong { pages > 500 }`; to choose between others, use a hook";
  const what = sign === "?" ? "a ? b : c" : sign;
  return make("foreign-operator", span, `There is no \`${what}\` here.`, { hint });
}

export function noListType(span: Span): Diagnostic {
  return make("syntax", span, "A field holds one value, not a list.", {
    hint: "make a model of the items with a reference to this one, or use `json`",
  });
}

export function misspelt(span: Span, wrong: string, word: string): Diagnostic {
  return make("misspelt-word", span, `\`${wrong}\` is not known here.`, {
    hint: `did you mean \`${word}\`?`,
    fix: replaceBy(span, word),
  });
}

export function missingWord(span: Span, name: string, words: readonly string[]): Diagnostic {
  const [word, other] = words;
  if (other === undefined) {
    return make("missing-word", span, `The word \`${word}\` is missing before \`${name}\`.`, {
      fix: insertAt(span, `${word} `),
    });
  }
  return make("missing-word", span, `A word is missing before \`${name}\`.`, {
    hint: `write ${alternatives(words)} before it`,
  });
}

export function unknownProperty(
  span: Span,
  wrong: string,
  owner: string,
  words: readonly string[],
): Diagnostic {
  const details = words.length === 0 ? {} : didYouMean(span, wrong, words, `${owner} may contain`);
  return make("unknown-property", span, `\`${wrong}\` does not belong in ${owner}.`, details);
}

/** A word with advice of its own. */
export function foreignLine(span: Span, word: string, owner: string, details: DiagnosticDetails): Diagnostic {
  return make("unknown-property", span, `\`${word}\` does not belong in ${owner}.`, details);
}

export function propertyNotAllowed(span: Span, word: string, owner: string, home: string): Diagnostic {
  return make("property-not-allowed", span, `\`${word}\` cannot stand in ${owner}.`, {
    hint: `it belongs in ${home}`,
  });
}

export function duplicateProperty(span: Span, word: string, first: Span): Diagnostic {
  return make("duplicate-property", span, `\`${word}\` stands here twice.`, {
    related: [{ message: "the first one is here", span: first }],
  });
}

export function unclosed(span: Span, opener: string, end: Span): Diagnostic {
  const closer = CLOSERS[opener] ?? "";
  return make("unclosed-block", span, `This \`${opener}\` is never closed.`, {
    related: [{ message: `the \`${closer}\` seems to be missing here`, span: end }],
    fix: insertAt(end, opener === "{" ? " }" : closer),
  });
}

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" };

export function strayBracket(span: Span, text: string): Diagnostic {
  const verb = text in CLOSERS ? "opens" : "closes";
  // Of a call, more likely the opening bracket is missing than the closing one too many.
  const fix = text === "}" ? { fix: remove(span, "the brace") } : {};
  return make("stray-brace", span, `This \`${text}\` ${verb} nothing.`, fix);
}

/** One bracket or separator in place of another. */
export function wrongSymbol(span: Span, found: string, wanted: string): Diagnostic {
  return make("syntax", span, `Expected \`${wanted}\`, but found \`${found}\`.`, {
    fix: replaceBy(span, wanted),
  });
}

export function semicolon(span: Span): Diagnostic {
  return make("syntax", span, "There are no semicolons here.", {
    hint: "properties are separated by commas, by blanks or by line breaks",
    fix: replaceBy(span, ","),
    cause: "semicolon",
  });
}

export function nothingToOrderBy(span: Span): Diagnostic {
  return make("syntax", span, "Expected what to order by.", {
    hint: "for example: `order by { name desc }`",
  });
}

export function reservedName(span: Span, word: string): Diagnostic {
  return make("reserved-name", span, `\`${word}\` cannot be a name.`, {
    hint: "it has a meaning in expressions; the only such words are `and or not is in true false null`",
  });
}

export function foreignOperator(span: Span, wrong: string, right: string): Diagnostic {
  return make("foreign-operator", span, `\`${wrong}\` is not an operator here.`, {
    hint: `write \`${right}\``,
    fix: replaceBy(span, right === "not" ? "not " : right),
  });
}

export function chainedComparison(span: Span, first: Span): Diagnostic {
  return make("chained-comparison", span, "Comparisons cannot be chained.", {
    hint: "join two comparisons with `and`: `a < b and b < c`",
    related: [{ message: "the first comparison is here", span: first }],
  });
}

export function methodCall(span: Span, name: string): Diagnostic {
  return make("method-call", span, "Values have no methods.", {
    hint: `call the function with the value as its first argument: \`${name}(…)\``,
  });
}

export function tooDeep(span: Span): Diagnostic {
  return make("too-deep", span, "This is nested too deeply.", {
    hint: "name the inner parts, for instance as computeds or queries",
  });
}

export function misplacedDoc(span: Span): Diagnostic {
  return make("misplaced-doc", span, "This doc comment documents nothing.", {
    hint: "put it directly before a declaration, member, endpoint or property, or make it a `//` comment",
  });
}

export function missingProperty(span: Span, owner: string, word: string, example: string): Diagnostic {
  return make("missing-property", span, `${owner} needs \`${word}\`.`, {
    hint: `for example: \`${example}\``,
  });
}

/** A word that is missing, with an example of how to write it. */
export type MissingWord = readonly [word: string, example: string];

/** All that a block lacks, in one. */
export function missingProperties(span: Span, owner: string, missing: readonly MissingWord[]): Diagnostic {
  const words = alternatives(
    missing.map(([word]) => word),
    "and",
  );
  const examples = missing.map(([, example]) => example).join(" ");
  return make("missing-property", span, `${owner} needs ${words}.`, { hint: `for example: \`${examples}\`` });
}

export function badIgnore(span: Span, message: string, hint: string): Diagnostic {
  return make("bad-ignore", span, message, { hint });
}

export function unusedIgnore(span: Span, code: string): Diagnostic {
  return make("unused-ignore", span, `There is no \`${code}\` warning here to ignore.`, {
    hint: "remove the comment",
  });
}
