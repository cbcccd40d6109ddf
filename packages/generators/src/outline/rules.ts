// Rules, as far as their code and codes go: which validators wait for code, and what is said when they fail.

import { BUILT_IN_VALIDATORS, type Definition, type RequestField, type Rule } from "@stoa/definition";

export function callsHooks(
  definition: Definition,
  place: RequestField | { readonly kind: "rule"; readonly rule: Rule },
): boolean {
  if (place.kind === "object") return place.fields.some((field) => callsHooks(definition, field));
  const rules = place.kind === "rule" ? [place.rule] : place.validate;
  return rules.flatMap(validatorsOf).some((name) => hasHook(definition, name));
}

function validatorsOf(rule: Rule): string[] {
  switch (rule.kind) {
    case "and":
    case "or":
      return rule.rules.flatMap(validatorsOf);
    case "not":
      return validatorsOf(rule.rule);
    case "validator":
      return [rule.validator];
    case "condition":
      return [];
  }
}

function hasHook({ validators }: Definition, name: string): boolean {
  return validators.find((each) => each.name === name)?.assert.kind === "hook";
}

const BUILT_IN_CODES: Readonly<Record<string, string>> = {
  minLength: "min-length",
  maxLength: "max-length",
  min: "min",
  max: "max",
  matches: "pattern",
  isEmail: "email",
  isUrl: "url",
  oneOf: "one-of",
};

/** Tests of the program may also come to no result. */
const NO_RESULT = [
  "integer-out-of-range",
  "float-out-of-range",
  "datetime-out-of-range",
  "division-by-zero",
  "type-mismatch",
];

/** What can be said of a value that does not fulfil a rule. */
export function ruleCodes(definition: Definition, rule: Rule, isNegated = false): string[] {
  switch (rule.kind) {
    case "and":
    case "or":
      return rule.rules.flatMap((each) => ruleCodes(definition, each, isNegated));
    case "not":
      return ruleCodes(definition, rule.rule, !isNegated);
    case "condition":
      return ["condition", ...NO_RESULT];
    case "validator": {
      const isBuiltIn = BUILT_IN_VALIDATORS.has(rule.validator);
      const code = isBuiltIn ? BUILT_IN_CODES[rule.validator] : declaredCode(definition, rule.validator);
      const said = isNegated ? `not-${code}` : `${code}`;
      return isBuiltIn && rule.arguments.every(({ kind }) => kind === "literal") && rule.value === null
        ? [said]
        : [said, ...NO_RESULT];
    }
  }
}

function declaredCode({ validators }: Definition, name: string): string {
  return validators.find((each) => each.name === name)?.error.code ?? name;
}
