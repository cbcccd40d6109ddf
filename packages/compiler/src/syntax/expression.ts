// Expressions, by precedence: or · and · not · comparison · + - · * / % · unary - · call and path.

import type { BinaryOperator } from "@stoa/definition";
import { spanOver } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/syntax.js";
import { nearestFirst } from "../diagnostics/suggest.js";
import { closerOf, isOpener, openerOf } from "./bracket.js";
import { ANY_WORD, type ItemsGrammar, parseItems } from "./items.js";
import { stringValue } from "./lexer.js";
import { NO_KEYWORDS, type Parser, RESERVED } from "./parser.js";
import type { Token } from "./token.js";
import type { Expr, StructEntry } from "./tree.js";

/** Operators of other languages, and what they are called here. */
const FOREIGN_OPERATORS: Readonly<Record<string, BinaryOperator>> = {
  "==": "is",
  "===": "is",
  "=": "is",
  "!=": "is not",
  "!==": "is not",
  "&&": "and",
  "||": "or",
  "&": "and",
  "|": "or",
  "<>": "is not",
  "=<": "<=",
  "=>": ">=",
};

const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

export function parseExpression(parser: Parser): Expr {
  if (isSingleValue(parser)) return parseSingleValue(parser);
  const value = parser.nested(parseOr, undefined) ?? { kind: "missing", span: parser.spanHere() };
  if (parser.token.kind === "foreign" && parser.token.text.startsWith("?")) {
    parser.fail(say.noChoice(parser.span(parser.token), parser.token.text));
  }
  return value;
}

const AFTER_VALUE: ReadonlySet<string> = new Set(["}", ")", "]", ","]);

/** One token and then the end, as most expressions are: there are no operators to look for. */
function isSingleValue(parser: Parser): boolean {
  const next = parser.peek();
  if (next.kind !== "symbol" || !AFTER_VALUE.has(next.text)) return false;
  const { kind, text, firstOnLine } = parser.token;
  if (kind === "word") return !firstOnLine && !RESERVED.has(text);
  return kind === "string" || kind === "integer";
}

function parseSingleValue(parser: Parser): Expr {
  const { token } = parser;
  if (token.kind === "integer") return parseNumber(parser);
  parser.take();
  const span = parser.span(token);
  if (token.kind === "string") return { kind: "string", value: stringValue(token), span };
  const name = { text: token.text, span };
  return { kind: "name", name, span };
}

/** `{ <expression> }`, as in filters, computeds and rules. */
export function parseBracedExpression(parser: Parser, what = "a value"): Expr {
  const open = parser.token;
  const group = parser.openGroup("{", startsOperand(parser) && !parser.token.firstOnLine);
  if (!group) return { kind: "missing", span: parser.spanHere() };
  parser.keywords.push(NO_KEYWORDS);
  const first = parser.token;
  const value = parser.atEnd ? missing(parser, what) : parseExpression(parser);
  if (parser.peek().text === "}") parser.accept(",");
  parser.keywords.pop();
  const close = parser.closeGroup(group, "an operator or `}`");
  if (parser.keepsLayouts && close && group.open === open)
    parser.layouts.push({ open, close, style: "expression", items: [first] });
  return value;
}

function missing(parser: Parser, what: string): Expr {
  parser.reportExpected(what);
  return { kind: "missing", span: parser.spanHere() };
}

/** A deeper tree (a longer chain of operators) would make later phases recurse too deeply. */
const MAX_EXPRESSION_DEPTH = 300;

/** Depth of expressions with operators; others hardly add to it, since nesting is limited by itself. */
function depthOf(expression: Expr): number {
  return expression.kind === "binary" ? expression.depth : 0;
}

type Level = (parser: Parser) => Expr;

/** Left-associative binary operators of one level. */
function parseLevel(parser: Parser, operators: ReadonlySet<string>, next: Level): Expr {
  let left = next(parser);
  // At the end of a group, as most often, there is no operator.
  if (parser.atEnd) return left;
  for (let operator = takeOperator(parser, operators); operator; operator = takeOperator(parser, operators)) {
    const right = next(parser);
    const depth = Math.max(depthOf(left), depthOf(right)) + 1;
    if (depth === MAX_EXPRESSION_DEPTH) parser.report(say.tooDeep(operator.span));
    if (depth < MAX_EXPRESSION_DEPTH) left = binary(operator, left, right);
  }
  return left;
}

interface TakenOperator {
  readonly operator: BinaryOperator;
  readonly span: Expr["span"];
}

function binary({ operator }: TakenOperator, left: Expr, right: Expr): Expr {
  const depth = Math.max(depthOf(left), depthOf(right)) + 1;
  return { kind: "binary", operator, depth, left, right, span: spanOver(left.span, right.span) };
}

/** Takes the operator at the cursor if it is one of `operators`, also when it is misspelt or foreign. */
function takeOperator(parser: Parser, operators: ReadonlySet<string>): TakenOperator | undefined {
  const token = parser.token;
  if (token.kind === "foreign") {
    const meant = FOREIGN_OPERATORS[token.text];
    if (meant === undefined || !operators.has(meant)) return undefined;
    const span = parser.span(parser.take());
    parser.report(say.foreignOperator(span, token.text, meant));
    // A single sign may be a slip for another one: `=` is the key beside `+` and `-`.
    if (["=", "&", "|"].includes(token.text)) parser.doubt();
    return { operator: meant, span };
  }
  if (token.kind !== "symbol" && token.kind !== "word") return undefined;
  if (operators.has(token.text) && !isSelectStar(parser)) {
    return { operator: token.text as BinaryOperator, span: parser.span(parser.take()) };
  }
  if (token.kind === "symbol" || RESERVED.has(token.text)) return undefined;
  const meant = misspeltOperator(parser);
  if (meant === undefined || !operators.has(meant)) return undefined;
  parser.reportMisspelt(parser.take(), meant);
  parser.doubt();
  return { operator: meant as BinaryOperator, span: parser.span(token) };
}

/** `total: price` followed by `*` as an item of its own, not as a multiplication. */
function isSelectStar(parser: Parser): boolean {
  if (!parser.at("*")) return false;
  const next = parser.peek();
  return next.text === "," || next.text === "}" || (parser.token.firstOnLine && next.firstOnLine);
}

/** A word after a complete operand can only be an operator, unless it begins the next property. */
function misspeltOperator(parser: Parser): string | undefined {
  const { token } = parser;
  if (token.firstOnLine) return undefined;
  if (parser.keywords.at(-1) !== NO_KEYWORDS || !isOperandStart(parser.peek())) return undefined;
  const [meant, other] = nearestFirst(token.text, ["and", "or", "is", "in"]);
  // `is` and `in` are one slip apart; what follows tells which was meant.
  const isEither = other !== undefined && (meant === "in" || meant === "is");
  return isEither ? (parser.peek().text === "[" ? "in" : "is") : meant;
}

const OR = new Set(["or"]);
const AND = new Set(["and"]);
const ADDITIVE = new Set(["+", "-"]);
const MULTIPLICATIVE = new Set(["*", "/", "%"]);
const IS = new Set(["is", "is not", "in"]);

function parseOr(parser: Parser): Expr {
  return parseLevel(parser, OR, parseAnd);
}

function parseAnd(parser: Parser): Expr {
  return parseLevel(parser, AND, parseNot);
}

function parseNot(parser: Parser): Expr {
  const token = parser.token;
  const isForeign = token.kind === "foreign" && token.text === "!";
  if (!parser.at("not") && !isForeign) return parseComparison(parser);
  parser.take();
  if (isForeign) parser.report(say.foreignOperator(parser.span(token), "!", "not"));
  const operand = parser.nested(parseNot, undefined) ?? missing(parser, "a value");
  return { kind: "unary", operator: "not", operand, span: spanOver(parser.span(token), operand.span) };
}

function parseComparison(parser: Parser): Expr {
  let left = parseAdditive(parser);
  if (parser.atEnd) return left;
  let earlier: TakenOperator | undefined;
  for (let taken = takeComparison(parser); taken; taken = takeComparison(parser)) {
    if (earlier) parser.report(say.chainedComparison(taken.span, earlier.span));
    const right = parseAdditive(parser);
    if (!earlier) left = binary(taken, left, right);
    earlier = taken;
  }
  return left;
}

function takeComparison(parser: Parser): TakenOperator | undefined {
  const start = parser.token;
  if (parser.at("not") && parser.peek().text === "in") {
    parser.take();
    parser.take();
    return { operator: "not in", span: parser.spanFrom(start) };
  }
  const taken = takeOperator(parser, IS) ?? takeOperator(parser, COMPARISONS);
  if (taken?.operator === "is" && parser.at("is")) parser.skipDoubled();
  if (taken?.operator !== "is" || !parser.accept("not")) return taken;
  return { operator: "is not", span: parser.spanFrom(start) };
}

function parseAdditive(parser: Parser): Expr {
  return parseLevel(parser, ADDITIVE, parseMultiplicative);
}

function parseMultiplicative(parser: Parser): Expr {
  return parseLevel(parser, MULTIPLICATIVE, parseUnary);
}

function parseUnary(parser: Parser): Expr {
  const token = parser.token;
  if (!parser.accept("-")) return parsePostfix(parser);
  parser.signs.push(token);
  const operand = parser.nested(parseUnary, undefined) ?? missing(parser, "a value");
  return { kind: "unary", operator: "-", operand, span: spanOver(parser.span(token), operand.span) };
}

function parsePostfix(parser: Parser): Expr {
  let value = parsePrimary(parser);
  if (parser.atEnd) return value;
  while ((parser.at(".") && !isWrongComma(parser, value)) || isWrongDot(parser, value)) {
    if (!parser.at(".")) {
      parser.report(say.wrongSymbol(parser.span(parser.token), parser.token.text, "."));
      parser.doubt();
    }
    parser.take();
    const name = parser.memberName();
    value = { kind: "member", on: value, name, span: spanOver(value.span, name.span) };
    if (parser.atCall() && value.kind === "member") value = parseMethodCall(parser, value);
  }
  return value;
}

/** `post:author`, `post;author`: nothing but a dot stands between two words without a blank. */
function isWrongDot(parser: Parser, { kind }: Expr): boolean {
  if (!parser.at(":") && !parser.at(";")) return false;
  if (kind !== "name" && kind !== "member" && kind !== "auth") return false;
  const next = parser.peek();
  const isTight = parser.token.start === parser.previous.end && next.start === parser.token.end;
  return isTight && next.kind === "word" && !parser.isKeyword(next);
}

/** `limit 1. offset 2`, `{ a: b. c: d }`: nothing but a comma can stand there. */
function isWrongComma(parser: Parser, before: Expr): boolean {
  if (before.kind === "integer" || before.kind === "float") return true;
  const isApart = parser.peek().start > parser.token.end;
  return isApart && parser.peek().kind === "word" && parser.peek(2).text === ":";
}

/** `title.length()`: functions are called with the value as an argument. */
function parseMethodCall(parser: Parser, callee: Extract<Expr, { kind: "member" }>): Expr {
  const rest = parseArguments(parser);
  const span = spanOver(callee.span, parser.spanHere());
  parser.report(say.methodCall(span, callee.name.text));
  return { kind: "call", callee: callee.name, arguments: [callee.on, ...rest], span };
}

function startsOperand(parser: Parser): boolean {
  return isOperandStart(parser.token) && !(parser.token.firstOnLine && parser.isKeyword(parser.token));
}

const OPERATOR_WORDS: ReadonlySet<string> = new Set(["and", "or", "is", "in"]);
const OPERAND_SYMBOLS: ReadonlySet<string> = new Set(["(", "[", "{", "@", "-"]);

function isOperandStart(token: Token): boolean {
  if (token.kind === "symbol") return OPERAND_SYMBOLS.has(token.text);
  if (token.kind === "word") return !OPERATOR_WORDS.has(token.text);
  return token.kind === "string" || token.kind === "integer" || token.kind === "float";
}

function parsePrimary(parser: Parser): Expr {
  if (parser.atStray() && isOpener(parser.token.text)) {
    parser.failStray();
    parser.take();
  }
  const token = parser.token;
  if (!startsOperand(parser)) return missingOperand(parser);
  switch (token.kind) {
    case "string":
      parser.take();
      return { kind: "string", value: stringValue(token), span: parser.span(token) };
    case "integer":
    case "float":
      return parseNumber(parser);
    case "word":
      return parseWord(parser);
    case "symbol":
      return parseSymbol(parser);
    case "foreign":
    case "end":
      return missingOperand(parser);
  }
}

/** Takes an operator that stands where a value should, so that the rest of the expression is still read. */
function missingOperand(parser: Parser): Expr {
  if (!parser.atStray() && parser.skipDoubled()) return parsePrimary(parser);
  if (parser.token.kind === "foreign") {
    parser.reportExpected("a value");
    parser.take();
    return { kind: "missing", span: parser.spanHere() };
  }
  return missing(parser, "a value");
}

function parseNumber(parser: Parser): Expr {
  const token = parser.take();
  const span = parser.span(token);
  const text = token.text.includes("_") ? token.text.replaceAll("_", "") : token.text;
  const value = Number(text);
  if (token.kind === "float") return { kind: "float", value: Number.isNaN(value) ? 0 : value, text, span };
  return { kind: "integer", value, text, span };
}

function parseWord(parser: Parser): Expr {
  // `body name: value }`: the brace before an object is missing.
  if (parser.peek().text === ":" && parser.missesOpener("{")) return parseStruct(parser);
  const token = parser.take();
  const span = parser.span(token);
  if (token.text === "if" && (isOperandAfter(parser) || parser.at("("))) {
    parser.fail(say.noChoice(span, "if"));
    return { kind: "missing", span };
  }
  if (token.text === "true" || token.text === "false") {
    return { kind: "boolean", value: token.text === "true", span };
  }
  if (token.text === "null") return { kind: "null", span };
  if (token.text === "not") {
    // `a + not b`: `not` binds weaker than everything to its left.
    const operand = parseUnary(parser);
    return { kind: "unary", operator: "not", operand, span: spanOver(span, operand.span) };
  }
  const name = { text: token.text, span };
  const isCall = parser.atCall() || (isOperandAfter(parser) && parser.missesOpener("("));
  if (!isCall) return { kind: "name", name, span };
  const args = parseArguments(parser);
  return { kind: "call", callee: name, arguments: args, span: parser.spanFrom(token) };
}

/** A value directly after a name: the bracket of a call may be missing between them. */
function isOperandAfter(parser: Parser): boolean {
  const { token } = parser;
  if (token.firstOnLine || parser.isKeyword(token) || RESERVED.has(token.text)) return false;
  if (parser.keywords.at(-1) === ANY_WORD) return false;
  return token.kind !== "symbol" && isOperandStart(token);
}

function parseSymbol(parser: Parser): Expr {
  const token = parser.token;
  if (token.text === "@") return parseAuth(parser);
  switch (intendedOpener(parser)) {
    case "[": {
      const items = parseList(parser, "[");
      return { kind: "array", items, span: parser.spanFrom(token) };
    }
    case "{":
      return parseStruct(parser);
    default:
      return parseGroup(parser);
  }
}

/** Where the two brackets do not match, the content tells which of them is meant. */
function intendedOpener(parser: Parser): string {
  const { text } = parser.token;
  const closer = parser.closerText();
  if (closer === undefined || closer === closerOf(text)) return text;
  const candidates = [text, openerOf(closer)];
  const isStruct = parser.peek().kind === "word" && parser.peek(2).text === ":";
  if (parser.peek().text === closer) return text;
  if (candidates.includes("{")) return isStruct ? "{" : (candidates.find((open) => open !== "{") ?? text);
  return "(";
}

function parseAuth(parser: Parser): Expr {
  const at = parser.take();
  if (!parser.accept("auth")) {
    const isSlip = parser.atWord() && parser.token.start === at.end;
    if (isSlip) {
      parser.reportMisspelt(parser.take(), "auth");
      parser.doubt();
    } else parser.reportExpected("`auth` after the `@`", { insert: "auth" });
  }
  return { kind: "auth", span: parser.spanFrom(at) };
}

/** `( … )`. */
export function parseGroup(parser: Parser): Expr {
  const open = parser.token;
  const group = parser.openGroup("(", true);
  if (!group) return missing(parser, "a value");
  parser.keywords.push(NO_KEYWORDS);
  const inner = parseExpression(parser);
  parser.keywords.pop();
  const close = parser.closeGroup(group, "an operator or `)`");
  if (parser.keepsLayouts && close) parser.layouts.push({ open, close, style: "expression", items: [] });
  return inner;
}

/** `(a, b)`. */
export function parseArguments(parser: Parser): readonly Expr[] {
  return parseList(parser, "(");
}

/** Comma-separated values between brackets; a trailing comma is fine. */
function parseList(parser: Parser, opener: "(" | "["): readonly Expr[] {
  return parseItems(parser, VALUES[opener]).items;
}

function valuesIn(opener: "(" | "["): ItemsGrammar<Expr> {
  return {
    opener,
    style: "inline-commas",
    contentFollows: () => true,
    isValue: true,
    item: (parser) => {
      const value = parseExpression(parser);
      if (!parser.atEnd && !parser.at(",")) parser.reportExpected(`\`,\` or \`${closerOf(opener)}\``);
      return value;
    },
  };
}

const VALUES = { "(": valuesIn("("), "[": valuesIn("[") };

function parseStruct(parser: Parser): Expr {
  const { items, span } = parseItems(parser, ENTRIES);
  return { kind: "struct", entries: items, span };
}

const ENTRIES: ItemsGrammar<StructEntry> = {
  opener: "{",
  style: "inline-commas",
  contentFollows: () => true,
  isValue: true,
  item: parseEntry,
};

function parseEntry(parser: Parser): StructEntry | undefined {
  const name = parser.name("a property name");
  if (!parser.acceptInPlaceOf(":", [";", "=", ".", "=>"])) {
    parser.reportExpected("`:`", startsOperand(parser) ? { insert: ":" } : {});
    if (!startsOperand(parser)) return undefined;
  }
  return { name, value: parseExpression(parser) };
}
