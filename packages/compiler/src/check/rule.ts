// Validation rules: validators joined by `and`, `or` and `not`.

import { isValueType, type Rule, readPattern, type Type } from "@stoa/definition";
import * as sayExpression from "../diagnostics/messages/expressions.js";
import { unknownValidator } from "../diagnostics/messages/names.js";
import * as say from "../diagnostics/messages/rules.js";
import type { CallExpr, Expr } from "../syntax/tree.js";
import { FUNCTION_NAMES } from "./call.js";
import type { Check } from "./context.js";
import { inferCondition, inferExpression } from "./expression.js";
import { fit } from "./fit.js";
import { EMPTY_SCOPE, type Scope } from "./scope.js";
import { ANY, INTEGER, isNumeric, isOrdered, isText, STRING, withNull, withoutDigits } from "./types.js";

interface BuiltIn {
  readonly accepts: (type: Type) => boolean;
  readonly needs: string;
  /** Types of the further arguments, given the value's. */
  readonly arguments: (value: Type) => readonly Type[];
  readonly variadic?: boolean;
}

const none = (): readonly Type[] => [];
const same = (value: Type): readonly Type[] => [withoutDigits(value)];

const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  minLength: { accepts: isText, needs: "a string", arguments: () => [INTEGER] },
  maxLength: { accepts: isText, needs: "a string", arguments: () => [INTEGER] },
  min: { accepts: isOrdered, needs: "a value that has an order", arguments: same },
  max: { accepts: isOrdered, needs: "a value that has an order", arguments: same },
  matches: { accepts: isText, needs: "a string", arguments: () => [STRING] },
  isEmail: { accepts: isText, needs: "a string", arguments: none },
  isUrl: { accepts: isText, needs: "a string", arguments: none },
  oneOf: { accepts: isValueType, needs: "a value", arguments: same, variadic: true },
};

/** Where a rule stands on a field or input, the arguments of validators are constants: literals and functions. */
const CONSTANTS: Scope = {
  ...EMPTY_SCOPE,
  place: "a validation",
  noAuth: "a validation is the same for everyone",
};

interface ValueUnderTest {
  readonly type: Type;
  /** "`Book.title`", for messages. */
  readonly what: string;
}

/** The rule of a field or input: every validator tests its value. */
export function checkFieldRule(check: Check, syntax: Expr, value: ValueUnderTest): Rule | null {
  switch (syntax.kind) {
    case "missing":
      return null;
    case "unary":
      if (syntax.operator !== "not") break;
      return negate(checkFieldRule(check, syntax.operand, value));
    case "binary":
      if (syntax.operator !== "and" && syntax.operator !== "or") break;
      return join(syntax.operator, [
        checkFieldRule(check, syntax.left, value),
        checkFieldRule(check, syntax.right, value),
      ]);
    case "call":
      return checkValidatorCall(check, syntax, { value, args: syntax.arguments, scope: CONSTANTS });
    case "name":
      check.report(say.validatorNeedsBrackets(syntax.span, syntax.name.text, validatorNames(check)));
      return null;
    default:
  }
  check.report(say.validatorNeeded(syntax.span));
  return null;
}

/** The rule of a `validate` action: conditions, and validators with their value as first argument. */
export function checkConditionRule(check: Check, syntax: Expr, scope: Scope): Rule | null {
  if (syntax.kind === "unary" && syntax.operator === "not") {
    return negate(checkConditionRule(check, syntax.operand, scope));
  }
  if (
    syntax.kind === "binary" &&
    (syntax.operator === "and" || syntax.operator === "or") &&
    callsValidator(syntax)
  ) {
    return join(syntax.operator, [
      checkConditionRule(check, syntax.left, scope),
      checkConditionRule(check, syntax.right, scope),
    ]);
  }
  if (syntax.kind !== "call" || !isValidator(syntax)) {
    return { kind: "condition", condition: inferCondition(check, syntax, scope, "a validation") };
  }
  const [first, ...args] = syntax.arguments;
  if (!first) {
    check.report(say.nothingToTest(syntax.span, syntax.callee.text));
    return null;
  }
  const value = inferExpression(check, first, scope);
  const under: ValueUnderTest = { type: value.type, what: `\`${check.textOf(first.span)}\`` };
  const rule = checkValidatorCall(check, syntax, { value: under, args, scope });
  return rule?.kind === "validator" ? { ...rule, value } : rule;
}

function callsValidator(syntax: Expr): boolean {
  if (syntax.kind === "call") return isValidator(syntax);
  if (syntax.kind === "unary") return callsValidator(syntax.operand);
  return syntax.kind === "binary" && (callsValidator(syntax.left) || callsValidator(syntax.right));
}

function isValidator({ callee, arguments: args }: CallExpr): boolean {
  // `min` and `max` are aggregates as well; those take one argument.
  if (FUNCTION_NAMES.includes(callee.text)) return Object.hasOwn(BUILT_IN, callee.text) && args.length !== 1;
  return true;
}

function negate(rule: Rule | null): Rule | null {
  return rule && { kind: "not", rule };
}

function join(kind: "and" | "or", rules: readonly (Rule | null)[]): Rule | null {
  const present = rules.filter((rule) => rule !== null);
  return present.length === rules.length ? { kind, rules: present } : null;
}

function validatorNames(check: Check): string[] {
  return [...Object.keys(BUILT_IN), ...check.program.validators.keys()];
}

interface ValidatorCall {
  readonly value: ValueUnderTest;
  readonly args: readonly Expr[];
  /** What the arguments can name. */
  readonly scope: Scope;
}

function checkValidatorCall(
  check: Check,
  syntax: CallExpr,
  { value, args, scope }: ValidatorCall,
): Rule | null {
  const name = syntax.callee.text;
  const builtIn = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  const plain = { ...value, type: withNull(value.type, false) };
  const types = builtIn
    ? builtInTypes(check, syntax, { builtIn, value: plain })
    : declaredTypes(check, syntax, { value: plain, isInAction: scope !== CONSTANTS });
  if (!types) return null;
  const variadic = builtIn?.variadic === true;
  const isCountRight = variadic ? args.length >= 1 : args.length === types.length;
  if (!isCountRight) {
    const range = sayExpression.countRange(
      variadic ? 1 : types.length,
      variadic ? Number.POSITIVE_INFINITY : types.length,
    );
    check.report(sayExpression.argumentCount(syntax.span, name, range, args.length));
    return null;
  }
  const values = args.map((arg, index) => {
    const typed = { syntax: arg, value: inferExpression(check, arg, scope) };
    const wanted = types[Math.min(index, types.length - 1)] ?? ANY;
    return fit(check, typed, { type: wanted, what: `Argument ${index + 1} of \`${name}\`` });
  });
  if (name === "matches" && values[0]?.type.kind !== "any") checkPattern(check, args[0]);
  return { kind: "validator", validator: name, value: null, arguments: values };
}

function builtInTypes(
  check: Check,
  syntax: CallExpr,
  { builtIn, value }: { readonly builtIn: BuiltIn; readonly value: ValueUnderTest },
): readonly Type[] | undefined {
  if (value.type.kind === "any") return builtIn.arguments(ANY);
  if (builtIn.accepts(value.type)) return builtIn.arguments(value.type);
  check.report(
    say.validatorValue(syntax.callee.span, { name: syntax.callee.text, needs: builtIn.needs, ...value }),
  );
  return undefined;
}

function declaredTypes(
  check: Check,
  syntax: CallExpr,
  { value, isInAction }: { readonly value: ValueUnderTest; readonly isInAction: boolean },
): readonly Type[] | undefined {
  const { text: name, span } = syntax.callee;
  const declared = check.program.validators.get(name);
  if (!declared) {
    const known = [...validatorNames(check), ...(isInAction ? FUNCTION_NAMES : [])];
    if (!check.program.damaged) check.report(unknownValidator(span, name, known));
    return undefined;
  }
  const [under, ...rest] = declared.arguments.map((arg): Type => arg.type ?? ANY);
  if (under && !takes(under, value.type)) {
    check.report(say.validatorValue(span, { name, needs: say.aTypeOf(under), ...value }));
    return undefined;
  }
  return rest;
}

function takes(wanted: Type, found: Type): boolean {
  if (wanted.kind === "any" || found.kind === "any" || wanted.kind === "json") return true;
  if (wanted.kind === "string") return isText(found);
  if (wanted.kind === "enum") return found.kind === "enum" && found.enum === wanted.enum;
  if (isNumeric(wanted) && wanted.kind !== "integer")
    return found.kind === wanted.kind || found.kind === "integer";
  return wanted.kind === found.kind;
}

/** Patterns run in linear time, so what would need back-tracking is refused. */
function checkPattern(check: Check, syntax: Expr | undefined): void {
  if (syntax?.kind !== "string") {
    if (syntax && syntax.kind !== "missing") check.report(say.patternNotLiteral(syntax.span));
    return;
  }
  const reading = readPattern(syntax.value);
  if (reading.kind === "problem") check.report(say.invalidPattern(syntax.span, reading.message));
}
