// Validation rules.

import type { Type } from "@stoa/definition";
import { aType } from "../describe-type.js";
import type { Diagnostic, Span } from "../diagnostic.js";
import { nearest } from "../suggest.js";
import { make, replaceBy } from "./make.js";
import { unknownValidator } from "./names.js";

export const aTypeOf = aType;

export function validatorNeeded(span: Span): Diagnostic {
  return make("syntax", span, "A `validate` block is made of validators.", {
    hint: "for example: `validate { minLength(4) and not isReserved() }`; for other conditions, declare a validator",
  });
}

export function validatorNeedsBrackets(span: Span, name: string, known: readonly string[]): Diagnostic {
  if (!known.includes(name) && !nearest(name, known)) return unknownValidator(span, name, known);
  const meant = known.includes(name) ? name : (nearest(name, known) ?? name);
  return make("syntax", span, `A validator is called with brackets: \`${meant}()\`.`, {
    fix: replaceBy(span, `${meant}()`),
  });
}

export interface ValidatorValue {
  readonly name: string;
  readonly needs: string;
  readonly type: Type;
  readonly what: string;
}

export function validatorValue(span: Span, { name, needs, type, what }: ValidatorValue): Diagnostic {
  const subject = what.replace(/^The /, "the ");
  return make("argument-type", span, `\`${name}\` tests ${needs}, and ${subject} is ${aType(type)}.`);
}

/** A validator in an action, without anything to test. */
export function nothingToTest(span: Span, name: string): Diagnostic {
  return make("argument-count", span, `\`${name}\` has nothing to test.`, {
    hint: `in an action, the value under test comes first: \`${name}(…)\``,
  });
}

export function patternNotLiteral(span: Span): Diagnostic {
  return make("invalid-pattern", span, "A pattern is a text, written out.", {
    hint: 'for example: `matches("^[a-z]+$")`',
  });
}

export function invalidPattern(span: Span, problem: string): Diagnostic {
  return make(
    "invalid-pattern",
    span,
    `This pattern cannot be used: ${problem.charAt(0).toLowerCase()}${problem.slice(1)}.`,
    {
      hint: "patterns are regular expressions as in JavaScript, without look-around and back-references",
    },
  );
}
