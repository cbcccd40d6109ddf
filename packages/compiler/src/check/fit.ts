// Whether a value fits where it goes: into a member, an input, an argument.

import { type Expression, isValueType, type Type } from "@stoa/definition";
import * as say from "../diagnostics/messages/expressions.js";
import type { Expr } from "../syntax/tree.js";
import type { Check } from "./context.js";
import { BROKEN_VALUE, inferExpression } from "./expression.js";
import { adaptLiteral, type Typed } from "./literal.js";
import type { Scope } from "./scope.js";

export interface Wanted {
  readonly type: Type;
  /** What receives the value: "`Book.title`". */
  readonly what: string;
}

/** Infers an expression and makes it fit; broken (and reported) when it cannot. */
export function fitExpression(check: Check, syntax: Expr, scope: Scope, wanted: Wanted): Expression {
  const value = inferExpression(check, syntax, scope);
  return fit(check, { syntax, value }, wanted);
}

export function fit(check: Check, typed: Typed, { type: wanted, what }: Wanted): Expression {
  const value = adaptValue(check, typed, wanted);
  const { type: found } = value;
  const { span } = typed.syntax;
  if (found.kind === "any" || wanted.kind === "any") return value;
  if (found.kind === "collection" && wanted.kind !== "collection") {
    check.report(say.collectionValue(span, what, found));
    return BROKEN_VALUE;
  }
  if (found.kind !== "null" && !fitsKind(found, wanted)) {
    check.report(say.typeMismatch(span, what, wanted, found));
    return BROKEN_VALUE;
  }
  if (found.nullable && !wanted.nullable) {
    check.report(say.nullableValue(span, what, check.textOf(span), nullAlternative(check, typed, found)));
    return BROKEN_VALUE;
  }
  return value;
}

function nullAlternative(check: Check, { syntax, value }: Typed, found: Type): string {
  const text = check.textOf(syntax.span);
  if (found.kind === "null") return "give it a value, or declare it `nullable`";
  const start = startOf(value);
  if (start.kind === "variable" && start.variable === "auth" && start.type.nullable) {
    return "let only users in: `authorize { @auth is not null }`";
  }
  if (found.kind === "boolean") return `guard it: \`… is not null and ${text}\``;
  if (found.kind === "record") return "make sure it is there with a rule or a filter: `… is not null`";
  return `say what to take instead: \`coalesce(${text}, …)\``;
}

/** What a path begins with. */
function startOf(expression: Expression): Expression {
  return expression.kind === "member" ? startOf(expression.on) : expression;
}

/** Literals take the wanted type, also those a choice is made from. */
function adaptValue(check: Check, typed: Typed, wanted: Type): Expression {
  const { syntax, value } = typed;
  if (syntax.kind === "call" && value.kind === "call" && value.function === "fake") {
    const [kind, list] = value.arguments;
    const listSyntax = syntax.arguments[1];
    if (list?.kind === "array" && listSyntax?.kind === "array" && kind && wanted.kind === "enum") {
      const items = list.items.map((item, index) => {
        const itemSyntax = listSyntax.items[index];
        return itemSyntax ? adaptLiteral(check, { syntax: itemSyntax, value: item }, wanted) : item;
      });
      return { ...value, type: items[0]?.type ?? value.type, arguments: [kind, { ...list, items }] };
    }
  }
  return adaptLiteral(check, typed, wanted);
}

function fitsKind(found: Type, wanted: Type): boolean {
  switch (wanted.kind) {
    case "float":
      return found.kind === "float" || found.kind === "integer";
    case "decimal":
      return found.kind === "decimal" || found.kind === "integer";
    case "string":
      return found.kind === "string" || found.kind === "enum";
    case "json":
      return isValueType(found) || found.kind === "struct" || found.kind === "array";
    case "enum":
      return found.kind === "enum" && found.enum === wanted.enum;
    case "record":
      return found.kind === "record" && found.model === wanted.model;
    default:
      return found.kind === wanted.kind;
  }
}
