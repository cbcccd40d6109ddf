// Rules: validators and conditions joined by `and`, `or` and `not`, compiled into one function. `not` is moved
// inwards until it stands before a single validator, which knows what to say then.
//
//   a and b     the first that fails is told
//   a or b      the code of the first, the messages of all
//   not a       the code of `a` with `not-` in front

import {
  compileExpression,
  type Evaluate,
  EvaluationProblem,
  type Rule,
  type Type,
  type Value,
} from "@stoa/definition";
import { conditionFails, Fault, noResult } from "./fault.js";
import { compileValidator, type RuleRun, type Test, type ValidatorSource } from "./validator.js";

export type Verdict = Fault | null;

export type CompiledRule =
  | { readonly isAsync: false; readonly check: (value: Value, run: RuleRun) => Verdict }
  | { readonly isAsync: true; readonly check: (value: Value, run: RuleRun) => Promise<Verdict> };

/** `type` is that of the value under test, where the rule does not name its own. */
export function compileRule(source: ValidatorSource, rule: Rule, type: Type): CompiledRule {
  return compile({ source, type }, rule, false);
}

interface Context {
  readonly source: ValidatorSource;
  readonly type: Type;
}

function compile(context: Context, rule: Rule, isNegated: boolean): CompiledRule {
  switch (rule.kind) {
    case "not":
      return compile(context, rule.rule, !isNegated);
    case "and":
    case "or": {
      const rules = rule.rules.map((part) => compile(context, part, isNegated));
      // Of two conditions, not both hold when one of them does not.
      return (rule.kind === "and") !== isNegated ? allOf(rules) : anyOf(rules);
    }
    case "validator": {
      const value = rule.value === null ? null : compileExpression(rule.value);
      const type = rule.value?.type ?? context.type;
      const { validator, arguments: args } = rule;
      const test = compileValidator(context.source, { validator, arguments: args, type });
      return ruleOfTest(test, value, isNegated);
    }
    case "condition": {
      const holds = compileExpression(rule.condition);
      const check = (_: Value, run: RuleRun) =>
        (holds(run.scope) === true) !== isNegated ? null : conditionFails();
      return { isAsync: false, check: guarded(check) };
    }
  }
}

/** A value that is null is not tested. */
function ruleOfTest(test: Test, subject: Evaluate | null, isNegated: boolean): CompiledRule {
  const subjectOf = (value: Value, run: RuleRun): Value => (subject === null ? value : subject(run.scope));
  const verdict = (passes: boolean, run: RuleRun): Verdict =>
    passes !== isNegated ? null : test.refuse(isNegated, run);
  if (!test.isAsync) {
    const check = (given: Value, run: RuleRun): Verdict => {
      const value = subjectOf(given, run);
      return value === null ? null : verdict(test.passes(value, run) === true, run);
    };
    return { isAsync: false, check: guarded(check) };
  }
  const check = async (given: Value, run: RuleRun): Promise<Verdict> => {
    try {
      const value = subjectOf(given, run);
      return value === null ? null : verdict(await test.passes(value, run), run);
    } catch (error) {
      return faultOf(error);
    }
  };
  return { isAsync: true, check };
}

function guarded(check: (value: Value, run: RuleRun) => Verdict): (value: Value, run: RuleRun) => Verdict {
  return (value, run) => {
    try {
      return check(value, run);
    } catch (error) {
      return faultOf(error);
    }
  };
}

/** A test without a result is the input's fault; anything else that is thrown is not. */
export function faultOf(error: unknown): Fault {
  if (error instanceof EvaluationProblem) return noResult(error);
  throw error;
}

type SyncRule = Extract<CompiledRule, { readonly isAsync: false }>;

function areSync(rules: readonly CompiledRule[]): rules is readonly SyncRule[] {
  return rules.every((rule) => !rule.isAsync);
}

export function allOf(rules: readonly CompiledRule[]): CompiledRule {
  if (areSync(rules)) {
    return { isAsync: false, check: (value, run) => firstFault(rules, value, run) };
  }
  // What can be said at once is said first: hooks cost more.
  const ordered = [...rules].sort((a, b) => Number(a.isAsync) - Number(b.isAsync));
  const check = async (value: Value, run: RuleRun): Promise<Verdict> => {
    for (const rule of ordered) {
      const verdict = await rule.check(value, run);
      if (verdict !== null) return verdict;
    }
    return null;
  };
  return { isAsync: true, check };
}

function firstFault(rules: readonly SyncRule[], value: Value, run: RuleRun): Verdict {
  for (const rule of rules) {
    const verdict = rule.check(value, run);
    if (verdict !== null) return verdict;
  }
  return null;
}

function anyOf(rules: readonly CompiledRule[]): CompiledRule {
  if (areSync(rules)) {
    const check = (value: Value, run: RuleRun): Verdict => {
      const faults: Fault[] = [];
      for (const rule of rules) {
        const verdict = rule.check(value, run);
        if (verdict === null) return null;
        faults.push(verdict);
      }
      return joined(faults);
    };
    return { isAsync: false, check };
  }
  const check = async (value: Value, run: RuleRun): Promise<Verdict> => {
    const faults: Fault[] = [];
    for (const rule of rules) {
      const verdict = await rule.check(value, run);
      if (verdict === null) return null;
      faults.push(verdict);
    }
    return joined(faults);
  };
  return { isAsync: true, check };
}

function joined(faults: readonly Fault[]): Verdict {
  const [first] = faults;
  if (first === undefined) return null;
  const messages = [...new Set(faults.map((fault) => fault.message))];
  return new Fault(first.code, messages.join(", or "), first.params);
}

/** The parts of a rule that must all hold, so that those that wait for hooks can be run after all others. */
export function conjuncts(rule: Rule): readonly Rule[] {
  return rule.kind === "and" ? rule.rules.flatMap(conjuncts) : [rule];
}
