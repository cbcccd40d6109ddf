// Plans of endpoints that write. One that does a single thing and shows no more than it has written is one
// statement; any other is a program of several, which are still sent in one go where no code runs between them.

import type { Action, Definition, Entrypoint, UpdateAction } from "@stoa/definition";
import { From, rowRecord } from "../../sql/from.js";
import type { Scope } from "../../sql/scope.js";
import { addChain, addClauses } from "../chain.js";
import { hookSlots } from "../hook-slots.js";
import type { Place } from "../place.js";
import { conditionsOf, refusal, unionOf } from "../refusal.js";
import { clausesOfPath } from "../rules.js";
import { draftStatement } from "../statement.js";
import { addPrecondition, changedBranch, representationOf } from "../tag.js";
import { tagSource } from "./about.js";
import { boundEntrypoints, forbiddenBranch, overtakenBranch } from "./allowed.js";
import { shownBranches } from "./answer.js";
import { writeDelete, writeUpdate } from "./change.js";
import { type Ground, type Write, writeCreate } from "./create.js";
import { laterDefaults } from "./defaults.js";
import { endSessions, notedUsers } from "./end-sessions.js";
import { judgementOf } from "./foreseen.js";
import type { ImageRules } from "./image.js";
import { guardOf, planSteps } from "./long.js";
import { optionalFields } from "./optional.js";
import { withHashedPasswords } from "./passwords.js";
import type { Step, WriteProgram } from "./program.js";
import { computesFromMany } from "./reads.js";
import { PLANNING, type Planning } from "./runs.js";
import { touches } from "./touch.js";
import { writtenModels } from "./written.js";

export function planWrite(definition: Definition, written: Place, planning = PLANNING): WriteProgram {
  const place = withHashedPasswords(definition, written);
  const { endpoint } = place;
  const models = [...new Set(endpoint.actions.flatMap(writtenModels))];
  const action = loneAction(definition, place, models, planning);
  const hooks = endpoint.response === null ? [] : hookSlots(endpoint.response);
  const guard = guardOf(definition, place);
  // Code wants to know who the user is, which the guard says.
  const first: Step[] =
    guard === null || hooks.length === 0
      ? []
      : [{ kind: "statement", statement: guard, lookups: [], actions: [] }];
  const steps =
    action === null
      ? planSteps(definition, place, planning)
      : [...first, ...loneSteps(definition, place, action)];
  return { endpoint, steps, models, guard, tag: tagSource(place), hooks };
}

type LoneAction = Extract<Action, { kind: "create" | "update" | "delete" }>;

/** The only action, if one statement can do it and answer. */
function loneAction(
  definition: Definition,
  place: Place,
  models: readonly string[],
  { asksBefore }: Planning,
): LoneAction | null {
  const { endpoint, entrypoints } = place;
  const [action, ...more] = endpoint.actions;
  if (action === undefined || more.length > 0) return null;
  if (action.kind !== "create" && action.kind !== "update" && action.kind !== "delete") return null;
  if (endpoint.kind === "custom" && !isOfPath(place, action)) return null;
  if (action.kind === "create" && action.link !== null) return null;
  if (action.kind === "delete" && clearsReference(definition, entrypoints)) return null;
  if (action.kind !== "delete" && action.assignments.some(({ kind }) => kind === "hook")) return null;
  // What is counted after waiting for the record has to be counted by a statement that begins then.
  if (computesFromMany(action, definition)) return null;
  const { kind: judged } = judgementOf(definition, place, action, []);
  if (judged === "after" || (judged === "image" && !asksBefore)) return null;
  const shown = [endpoint.response, tagSource(place) === "row" ? representationOf(place) : null];
  const isStale = shown.some((select) => select !== null && touches(select, new Set(models), definition));
  return isStale ? null : action;
}

/** Whether an action changes the very record that the path names, and so locks it as a program would. */
function isOfPath(place: Place, action: LoneAction): boolean {
  if (action.kind === "create" || action.target.kind !== "variable") return false;
  const { variable, name } = action.target;
  return variable === "alias" && boundEntrypoints(place).at(-1)?.alias === name;
}

/** A record that is reached through a reference which may be empty: deleting it empties the reference. */
function clearsReference({ models }: Definition, entrypoints: readonly Entrypoint[]): boolean {
  const [parent, own] = entrypoints.slice(-2);
  if (own?.target.kind !== "member" || !own.target.nullable) return false;
  const { member } = own.target;
  const { members = [] } = models.find(({ name }) => name === parent?.model) ?? {};
  return members.some(({ kind, name }) => kind === "reference" && name === member);
}

function loneSteps(definition: Definition, place: Place, action: LoneAction): Step[] {
  const { scope: bare, finish } = draftStatement(definition);
  const scope = { ...bare, defaults: laterDefaults(place.endpoint.request) };
  const rules = conditionsOf(place, scope);
  const ground = groundOf(place, scope, rules);
  const judgement = judgementOf(definition, place, action, []);
  const image = judgement.kind === "image" ? judgement.rules : null;
  const write = writeAction(action, { ...ground, scope: { ...ground.scope, strict: "" } }, { place, image });
  const model = scope.context.model(action.model);
  const shown = shownBranches(place, ground.scope, () => {
    const from = new From(scope.context);
    return { record: rowRecord(from, model, from.add(write.rows)), from };
  });
  // What the request names is told to be missing only where the record it is for is there.
  const refusals = write.refusals.map(({ mark, condition, isOfGround }) => {
    if (isOfGround) return `select ${mark} where ${condition}`;
    const { from } = groundOf(place, scope, rules);
    from.where(`(${condition})`);
    return `select ${mark}${from.render()}`;
  });
  const refused = [
    ...refusal(rules, scope),
    ...forbiddenBranch(place, scope),
    ...changedBranch(place, scope),
    ...(action.kind === "create" ? [] : overtakenBranch(place, scope, write.rows)),
  ];
  const noted = action.kind === "update" ? notedOf(action, definition, place, scope) : [];
  const statement = finish(unionOf([...refused, ...refusals, ...shown, ...noted]), write.heads);
  const step: Step = { kind: "statement", statement, lookups: write.lookups, actions: [0] };
  if (noted.length === 0) return [step];
  return [step, { kind: "statement", statement: endSessions(), lookups: [], actions: [0] }];
}

function notedOf(action: UpdateAction, definition: Definition, { endpoint }: Place, scope: Scope): string[] {
  const { model, assignments } = action;
  const isOptional = optionalFields(endpoint.request);
  return notedUsers({ model: scope.context.model(model), assignments, isOptional }, definition, scope);
}

/** The records of the path, if the rules allow it and the last is the one that the client knows. */
function groundOf(place: Place, scope: Scope, rules: readonly string[]): Ground {
  const from = new From(scope.context);
  const chain = addChain(boundEntrypoints(place), scope, from);
  for (const rule of rules) from.where(rule);
  addClauses(clausesOfPath(place), chain.scope, from);
  if (chain.last !== null) addPrecondition(place, chain.last, chain.scope, from);
  return { scope: chain.scope, from };
}

function writeAction(
  action: LoneAction,
  ground: Ground,
  { place, image }: { readonly place: Place; readonly image: ImageRules | null },
): Write {
  const call = () => {
    throw new Error("Code cannot run within a statement.");
  };
  switch (action.kind) {
    case "create":
      return writeCreate(action, ground, { index: 0, call, image });
    case "update":
      return writeUpdate(action, ground, { call, image, isOptional: optionalFields(place.endpoint.request) });
    case "delete":
      return writeDelete(action, ground, { clears: null });
  }
}
