// Plans of endpoints that write. One that does a single thing and shows no more than it has written is one
// statement; any other is a program of several, which are still sent in one go where no code runs between them.

import type { Action, Definition, Entrypoint, Model } from "@stoa/definition";
import { From, rowRecord, type SqlRecord } from "../../sql/from.js";
import type { Scope } from "../../sql/scope.js";
import { selectColumns } from "../../sql/select.js";
import { addChain, addRules } from "../chain.js";
import { hookSlots } from "../hook-slots.js";
import type { Place } from "../place.js";
import { conditionsOf, refusal, unionOf } from "../refusal.js";
import { draftStatement } from "../statement.js";
import { addPrecondition, changedBranch, representationOf } from "../tag.js";
import { aboutRecord, tagSource } from "./about.js";
import { boundEntrypoints, forbiddenBranch, rulesAfter } from "./allowed.js";
import { writeDelete, writeUpdate } from "./change.js";
import { type Ground, type Write, writeCreate } from "./create.js";
import { guardOf, planSteps } from "./long.js";
import { optionalFields } from "./optional.js";
import type { Step, WriteProgram } from "./program.js";
import { touches } from "./touch.js";

export function planWrite(definition: Definition, place: Place): WriteProgram {
  const { endpoint } = place;
  const models = [...new Set(endpoint.actions.flatMap(writtenModels))];
  const action = loneAction(definition, place, models);
  const steps = action === null ? planSteps(definition, place) : [loneStep(definition, place, action)];
  const hooks = endpoint.response === null ? [] : hookSlots(endpoint.response);
  const tag = tagSource(place);
  return { endpoint, steps, models, guard: guardOf(definition, place), tag, hooks };
}

function writtenModels(action: Action): string[] {
  switch (action.kind) {
    case "create":
      return [action.model, ...(action.link === null ? [] : modelOfLink(action.link.record.type))];
    case "update":
    case "delete":
      return [action.model];
    case "query":
      return action.operation.kind === "select" ? [] : [action.query.model];
    default:
      return [];
  }
}

function modelOfLink(type: { readonly kind: string; readonly model?: string }): string[] {
  return type.model === undefined ? [] : [type.model];
}

type LoneAction = Extract<Action, { kind: "create" | "update" | "delete" }>;

/** The only action, if one statement can do it and answer. */
function loneAction(definition: Definition, place: Place, models: readonly string[]) {
  const { endpoint, entrypoints } = place;
  const [action, ...more] = endpoint.actions;
  if (action === undefined || more.length > 0 || endpoint.kind === "custom") return null;
  if (action.kind !== "create" && action.kind !== "update" && action.kind !== "delete") return null;
  if (action.kind === "create" && action.link !== null) return null;
  if (action.kind === "delete" && clearsReference(entrypoints)) return null;
  if (action.kind !== "delete" && action.assignments.some(({ kind }) => kind === "hook")) return null;
  if (rulesAfter(place, action).length > 0) return null;
  const shown = [endpoint.response, tagSource(place) === "row" ? representationOf(place) : null];
  const isStale = shown.some((select) => select !== null && touches(select, new Set(models), definition));
  return isStale ? null : action;
}

/** A record that is reached through a reference which may be empty: deleting it empties the reference. */
export function clearsReference(entrypoints: readonly Entrypoint[]): boolean {
  const target = entrypoints.at(-1)?.target;
  return target?.kind === "member" && target.single && target.nullable;
}

function loneStep(definition: Definition, place: Place, action: LoneAction): Step {
  const { endpoint } = place;
  const { scope, finish } = draftStatement(definition);
  const rules = conditionsOf(place, scope);
  const from = new From(scope.context);
  const chain = addChain(boundEntrypoints(place), scope, from);
  for (const rule of rules) from.where(rule);
  addRules(endpoint.authorize, chain.scope, from);
  if (chain.last !== null) addPrecondition(place, chain.last, chain.scope, from);
  const write = writeAction(action, { scope: { ...chain.scope, strict: "" }, from }, place);
  const shown = shownBranches(place, scope.context.model(action.model), write.rows, chain.scope);
  const refusals = write.refusals.map(({ mark, condition }) => `select '${mark}' where ${condition}`);
  const refused = [
    ...refusal(rules, scope),
    ...forbiddenBranch(place, scope),
    ...changedBranch(place, scope),
  ];
  const body = unionOf([...refused, ...refusals, ...shown]);
  return { kind: "statement", statement: finish(body, write.heads), lookups: write.lookups };
}

function writeAction(action: LoneAction, ground: Ground, { endpoint }: Place): Write {
  const call = () => {
    throw new Error("Code cannot run within a statement.");
  };
  switch (action.kind) {
    case "create":
      return writeCreate(action, ground, { index: 0, call });
    case "update":
      return writeUpdate(action, ground, { call, isOptional: optionalFields(endpoint.request) });
    case "delete":
      return writeDelete(action, ground, { clears: null });
  }
}

/** The written record as its endpoint shows it, and what else the answer says of it. */
function shownBranches(place: Place, model: Model, rows: string, scope: Scope): string[] {
  const { endpoint } = place;
  const row = (show: (record: SqlRecord) => string, wrap = (select: string) => select): string => {
    const from = new From(scope.context);
    const record = rowRecord(from, model, from.add(rows));
    const shown = show(record);
    return wrap(`select ${shown}${from.render()}`);
  };
  const { response } = endpoint;
  if (response === null) return [row(() => "'k'")];
  const json = row(
    (record) => selectColumns(response, record, scope),
    (select) => `select row_to_json(v)::text from (${select}) v`,
  );
  return [json, ...aboutRecord(place).map((about) => row((record) => about(record, scope)))];
}
