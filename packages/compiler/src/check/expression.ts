// Types of expressions: every name bound, every node typed. What is wrong is reported once; the broken part
// becomes a value of any type, so that nothing around it complains as well.

import type { Expression, Type } from "@stoa/definition";
import * as say from "../diagnostics/messages/expressions.js";
import { duplicateName, enumAsName } from "../diagnostics/messages/names.js";
import type { Expr } from "../syntax/tree.js";
import { inferCall } from "./call.js";
import type { Check } from "./context.js";
import { factsWhenNotTrue, factsWhenTrue } from "./facts.js";
import { adaptToNeighbours, isLiteral, type Typed } from "./literal.js";
import { inferArithmetic, inferComparison, inferMembership, inferNegative } from "./operator.js";
import { inferAuth, inferMember, inferName } from "./path.js";
import { type Scope, withFacts } from "./scope.js";
import { ANY, BOOLEAN, commonType, DECIMAL, FLOAT, INTEGER, NULL, orNull, STRING } from "./types.js";

export const BROKEN_VALUE: Expression = { kind: "literal", type: ANY, value: null };

export function inferExpression(check: Check, syntax: Expr, scope: Scope): Expression {
  switch (syntax.kind) {
    case "string":
      return { kind: "literal", type: STRING, value: syntax.value };
    case "integer":
      // Beyond the integers a whole number is a decimal; where an integer is wanted, `adaptLiteral` refuses it.
      return Number.isSafeInteger(syntax.value)
        ? { kind: "literal", type: INTEGER, value: syntax.value }
        : { kind: "literal", type: DECIMAL, value: syntax.text };
    case "float":
      return { kind: "literal", type: FLOAT, value: syntax.value };
    case "boolean":
      return { kind: "literal", type: BOOLEAN, value: syntax.value };
    case "null":
      return { kind: "literal", type: NULL, value: null };
    case "name":
      return inferName(check, syntax.name, scope);
    case "auth":
      return inferAuth(check, syntax.span, scope);
    case "member":
      if (isEnumName(check, syntax.on, scope)) return reportEnum(check, syntax);
      return inferMember(check, inferExpression(check, syntax.on, scope), { name: syntax.name, scope });
    case "call": {
      const args = syntax.arguments.map((arg) => ({
        syntax: arg,
        value: inferExpression(check, arg, scope),
      }));
      return inferCall(check, syntax, args, scope);
    }
    case "unary":
      return inferUnary(check, syntax, scope);
    case "binary":
      return inferBinary(check, syntax, scope);
    case "array":
      return inferArray(check, syntax, scope);
    case "struct":
      return inferStruct(check, syntax, scope);
    case "missing":
      return BROKEN_VALUE;
  }
}

function isEnumName(check: Check, syntax: Expr, scope: Scope): boolean {
  if (syntax.kind !== "name" || !check.program.enums.has(syntax.name.text)) return false;
  return !scope.variables.has(syntax.name.text);
}

/** `Stage.draft`, as other languages write it. */
function reportEnum(check: Check, { on, name, span }: Extract<Expr, { kind: "member" }>): Expression {
  check.report(enumAsName(span, on.kind === "name" ? on.name.text : "", name.text));
  return BROKEN_VALUE;
}

function inferUnary(check: Check, syntax: Extract<Expr, { kind: "unary" }>, scope: Scope): Expression {
  if (syntax.operator === "-") {
    return inferNegative(check, {
      syntax: syntax.operand,
      value: inferExpression(check, syntax.operand, scope),
    });
  }
  const operand = inferCondition(check, syntax.operand, scope, "what follows `not`");
  return { kind: "unary", type: orNull(BOOLEAN, operand.type.nullable), operator: "not", operand };
}

function inferBinary(check: Check, syntax: Extract<Expr, { kind: "binary" }>, scope: Scope): Expression {
  if (syntax.operator === "and" || syntax.operator === "or") return inferLogical(check, syntax, scope);
  const left: Typed = { syntax: syntax.left, value: inferExpression(check, syntax.left, scope) };
  const right: Typed = { syntax: syntax.right, value: inferRight(check, syntax, { left, scope }) };
  const operands = { operator: syntax.operator, span: syntax.span, left, right };
  switch (syntax.operator) {
    case "in":
    case "not in":
      return inferMembership(check, operands);
    case "is":
    case "is not":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return inferComparison(check, operands);
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return inferArithmetic(check, operands, scope.onZero);
  }
}

/** Literals of a list take the type of what is looked for in it, before they are compared with each other. */
function inferRight(
  check: Check,
  { operator, right }: Extract<Expr, { kind: "binary" }>,
  { left, scope }: { readonly left: Typed; readonly scope: Scope },
): Expression {
  const isList = right.kind === "array" && (operator === "in" || operator === "not in");
  if (!isList || isLiteral(left.value)) return inferExpression(check, right, scope);
  return inferArray(check, right, scope, left.value.type);
}

/** The right side may rely on what the left side has established. */
function inferLogical(check: Check, syntax: Extract<Expr, { kind: "binary" }>, scope: Scope): Expression {
  const operator = syntax.operator === "and" ? "and" : "or";
  const what = `what \`${operator}\` joins`;
  const left = inferCondition(check, syntax.left, scope, what);
  const facts = operator === "and" ? factsWhenTrue(left) : factsWhenNotTrue(left);
  const inner = withFacts(scope, facts);
  // One complaint about two sides that are no conditions is enough.
  const right =
    left.type.kind === "any"
      ? inferExpression(check, syntax.right, inner)
      : inferCondition(check, syntax.right, inner, what);
  const type = orNull(BOOLEAN, left.type.nullable || right.type.nullable);
  return { kind: "binary", type, operator, left, right };
}

/** A boolean; a null one does not hold. */
export function inferCondition(check: Check, syntax: Expr, scope: Scope, what: string): Expression {
  const value = inferExpression(check, syntax, scope);
  const { kind } = value.type;
  if (kind === "boolean" || kind === "any") return value;
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  if (kind === "collection") check.report(say.collectionValue(syntax.span, subject, value.type));
  else check.report(say.notBoolean(syntax.span, subject, value.type));
  return { ...BROKEN_VALUE };
}

function inferArray(
  check: Check,
  syntax: Extract<Expr, { kind: "array" }>,
  scope: Scope,
  beside?: Type,
): Expression {
  const found = syntax.items.map((item) => ({ syntax: item, value: inferExpression(check, item, scope) }));
  const items = adaptToNeighbours(check, found, beside);
  let of: Type = items[0]?.type ?? NULL;
  for (const [index, item] of items.entries()) {
    const common = commonType(of, item.type);
    if (!common) {
      const span = syntax.items[index]?.span ?? syntax.span;
      check.report(say.mixedList(span, of, item.type));
      return BROKEN_VALUE;
    }
    of = common;
  }
  return { kind: "array", type: { kind: "array", of, nullable: false }, items };
}

function inferStruct(check: Check, syntax: Extract<Expr, { kind: "struct" }>, scope: Scope): Expression {
  const entries = syntax.entries.map(({ name, value }) => ({
    name: name.text,
    value: inferExpression(check, value, scope),
  }));
  reportDuplicateEntries(check, syntax);
  const fields = entries.map(({ name, value }) => ({ name, type: value.type }));
  return { kind: "struct", type: { kind: "struct", fields, nullable: false }, entries };
}

function reportDuplicateEntries(check: Check, syntax: Extract<Expr, { kind: "struct" }>): void {
  const seen = new Map<string, Expr["span"]>();
  for (const { name } of syntax.entries) {
    const first = seen.get(name.text);
    if (first) check.report(duplicateName(name.span, name.text, "this object", first));
    else seen.set(name.text, name.span);
  }
}
