// What an endpoint does beside answering: values that it sets, further actions, checks, and code that it runs.

import type { Action, Assignment } from "@stoa/definition";
import { PROBLEMS, type ProblemCode, problemsOf } from "../outline/problems.js";
import { problemAdded, problemRemoved } from "./answer-messages.js";
import type { Finding } from "./change.js";
import { clausesOf, compareClauses } from "./clauses.js";
import type { Comparison, Side } from "./comparison.js";
import { ruleCondition } from "./conditions.js";
import { actionChanged } from "./endpoint-messages.js";
import { compareTests } from "./inputs.js";
import { meaningOf, queryMeaning, selectMeaning, type View } from "./meaning.js";

export function compareBehaviour(comparison: Comparison): Finding[] {
  return [...compareChecks(comparison), ...compareEffects(comparison), ...compareProblems(comparison)];
}

/** `validate with key`: like the validators of an input. */
function compareChecks({ before, after, where }: Comparison): Finding[] {
  const [old, now] = [checksOf(before), checksOf(after)];
  const inputs = before.operation.endpoint.request?.fields.map(({ name }) => name) ?? [];
  const keys = [...new Set([...now.keys(), ...old.keys()])];
  // Of an input that is new, nobody can have sent a wrong value.
  return keys
    .filter((key) => old.has(key) || inputs.includes(key.split(".")[0] ?? ""))
    .flatMap((key) => {
      return compareTests(where, key, compareClauses(old.get(key) ?? [], now.get(key) ?? []));
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
  const added = [...now].filter(([key]) => !old.has(key));
  const removed = [...old].filter(([key]) => !now.has(key));
  const changed = [...now].filter(([key, { meaning }]) => old.has(key) && old.get(key)?.meaning !== meaning);
  return [
    ...added.map(([, { name }]) => actionChanged(`also does \`${name}\``)),
    ...removed.map(([, { name }]) => actionChanged(`no longer does \`${name}\``)),
    ...changed.map(([, { name }]) => actionChanged(`does \`${name}\` in another way`)),
  ];
}

interface Effect {
  /** By the old names. */
  readonly key: string;
  readonly name: string;
  readonly meaning: string;
}

function effectsOf({ operation, view }: Side): Map<string, Effect> {
  const effects = new Map<string, Effect>();
  for (const action of operation.endpoint.actions) {
    for (const effect of effectsOfAction(view, action)) {
      const meaning = `${effects.get(effect.key)?.meaning ?? ""}${effect.meaning};`;
      effects.set(effect.key, { ...effect, meaning });
    }
  }
  return effects;
}

/** What inputs are for is told by the inputs; checks and answers are told elsewhere. */
function effectsOfAction(view: View, action: Action): Effect[] {
  const effect = (word: string, model: string, meaning: string): Effect => {
    const key = `${word} ${view.renames?.modelBefore(model) ?? model}`;
    return { key, name: `${word} ${model}`, meaning };
  };
  switch (action.kind) {
    case "create":
      return [
        ...(action.primary ? [] : [effect("create", action.model, "")]),
        ...effectsOfAssignments(view, action.model, action.assignments),
      ];
    case "update":
      return [
        ...(action.primary ? [] : [effect("update", action.model, meaningOf(view, action.target))]),
        ...effectsOfAssignments(view, action.model, action.assignments),
      ];
    case "delete":
      return action.primary ? [] : [effect("delete", action.model, meaningOf(view, action.target))];
    case "query": {
      const { query, operation } = action;
      const meaning = `${queryMeaning(view, query)} ${operationMeaning(view, action)}`;
      const written = operation.kind === "update" ? operation.assignments : [];
      return [effect("query", query.model, meaning), ...effectsOfAssignments(view, query.model, written)];
    }
    case "execute":
      return [{ key: "execute", name: "execute", meaning: "code" }];
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
    const { member } = assignment;
    const meaning = assignment.kind === "set" ? meaningOf(view, assignment.value) : "code";
    const { renames } = view;
    const old =
      renames === null ? [model, member] : [renames.modelBefore(model), renames.memberBefore(model, member)];
    return [{ key: `set ${old.join(".")}`, name: `set ${model}.${member}`, meaning }];
  });
}

function compareProblems({ before, after }: Comparison): Finding[] {
  const [old, now] = [before, after].map(({ outline, operation }) =>
    problemsOf(outline.definition, operation),
  );
  const words = (code: ProblemCode) => [PROBLEMS[code].status, code] as const;
  return [
    ...(now ?? []).filter((code) => !old?.includes(code)).map((code) => problemAdded(...words(code))),
    ...(old ?? []).filter((code) => !now?.includes(code)).map((code) => problemRemoved(...words(code))),
  ];
}
