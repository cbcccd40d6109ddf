// What an endpoint does beside answering: values that it sets, further actions, checks, and code that it runs.

import type { Action, Assignment } from "@stoa/definition";
import { PROBLEMS, type ProblemCode, problemsOf } from "../outline/problems.js";
import type { Finding } from "./change.js";
import { clausesOf, compareClauses, printClauses } from "./clauses.js";
import type { Comparison, Side } from "./comparison.js";
import { ruleCondition } from "./conditions.js";
import { meaningOf, queryMeaning, selectMeaning, type View } from "./meaning.js";
import * as say from "./messages.js";

export function compareBehaviour(comparison: Comparison): Finding[] {
  return [...compareChecks(comparison), ...compareEffects(comparison), ...compareProblems(comparison)];
}

/** `validate with key`: like the validators of an input. */
function compareChecks({ before, after, where }: Comparison): Finding[] {
  const [old, now] = [checksOf(before), checksOf(after)];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((key): Finding[] => {
    const { relation, added, removed } = compareClauses(old.get(key) ?? [], now.get(key) ?? []);
    if (relation === "same") return [];
    if (relation === "stricter") return [say.inputStricter(where, key, printClauses(added))];
    if (relation === "laxer") return [say.inputLaxer(key, printClauses(removed))];
    return [say.inputRuleChanged(where, key, { before: printClauses(removed), after: printClauses(added) })];
  });
}

function checksOf({ operation, view }: Side) {
  const checks = new Map<string, ReturnType<typeof clausesOf>>();
  for (const action of operation.endpoint.actions) {
    if (action.kind !== "validate") continue;
    const key = action.key.join(".");
    checks.set(key, [...(checks.get(key) ?? []), ...clausesOf(ruleCondition(view, action.rule))]);
  }
  return checks;
}

/** Effects by what they are called, each with all that it means. */
function compareEffects({ before, after }: Comparison): Finding[] {
  const [old, now] = [effectsOf(before), effectsOf(after)];
  const added = [...now.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !now.has(name));
  const changed = [...now].filter(([name, meaning]) => old.has(name) && old.get(name) !== meaning);
  return [
    ...added.map((name) => say.actionChanged(`also does \`${name}\``)),
    ...removed.map((name) => say.actionChanged(`no longer does \`${name}\``)),
    ...changed.map(([name]) => say.actionChanged(`does \`${name}\` in another way`)),
  ];
}

function effectsOf({ operation, view }: Side): Map<string, string> {
  const effects = new Map<string, string>();
  for (const action of operation.endpoint.actions) {
    for (const [name, meaning] of effectsOfAction(view, action)) {
      effects.set(name, `${effects.get(name) ?? ""}${meaning};`);
    }
  }
  return effects;
}

type Effect = readonly [name: string, meaning: string];

/** What inputs are for is told by the inputs; checks and answers are told elsewhere. */
function effectsOfAction(view: View, action: Action): Effect[] {
  const model = (name: string): string => view.renames?.modelBefore(name) ?? name;
  switch (action.kind) {
    case "create":
      return [
        ...(action.primary ? [] : [[`create ${action.model}`, model(action.model)] as const]),
        ...effectsOfAssignments(view, action.model, action.assignments),
      ];
    case "update":
      return [
        ...(action.primary ? [] : [[`update ${action.model}`, meaningOf(view, action.target)] as const]),
        ...effectsOfAssignments(view, action.model, action.assignments),
      ];
    case "delete":
      return action.primary ? [] : [[`delete ${action.model}`, meaningOf(view, action.target)]];
    case "query":
      return [
        [
          `query ${action.query.model}`,
          `${queryMeaning(view, action.query)} ${operationMeaning(view, action)}`,
        ],
        ...(action.operation.kind === "update"
          ? effectsOfAssignments(view, action.query.model, action.operation.assignments)
          : []),
      ];
    case "execute":
      return [["execute", "code"]];
    case "validate":
    case "respond":
      return [];
  }
}

function operationMeaning(view: View, { operation }: Extract<Action, { readonly kind: "query" }>): string {
  const { kind } = operation;
  return kind === "select" && operation.select !== null ? selectMeaning(view, operation.select) : kind;
}

/** What code is run is told with the code. */
function effectsOfAssignments(view: View, model: string, assignments: readonly Assignment[]): Effect[] {
  return assignments.flatMap((assignment): Effect[] => {
    if (assignment.kind !== "set" && assignment.kind !== "hook") return [];
    const value = assignment.kind === "set" ? meaningOf(view, assignment.value) : "code";
    return [[`set ${model}.${assignment.member}`, value]];
  });
}

function compareProblems({ before, after }: Comparison): Finding[] {
  const [old, now] = [before, after].map(({ outline, operation }) =>
    problemsOf(outline.definition, operation),
  );
  const words = (code: ProblemCode) => [PROBLEMS[code].status, code] as const;
  return [
    ...(now ?? []).filter((code) => !old?.includes(code)).map((code) => say.problemAdded(...words(code))),
    ...(old ?? []).filter((code) => !now?.includes(code)).map((code) => say.problemRemoved(...words(code))),
  ];
}
