// The actions of a program, each as one statement or a few.

import { quoteName } from "@stoa/database";
import type {
  Action,
  Assignment,
  CreateAction,
  DeleteAction,
  ExecuteAction,
  Expression,
  Model,
  QueryAction,
  QueryResult,
  Rule,
  UpdateAction,
  ValidateAction,
} from "@stoa/definition";
import { isValueType } from "@stoa/definition";
import { emitQueryAggregate } from "../../sql/aggregate.js";
import {
  idColumn,
  idOf,
  LoneRecord,
  rowRecord,
  type SqlRecord,
  TableRecord,
  tableOf,
} from "../../sql/from.js";
import { addQuery, selectOfQuery } from "../../sql/query.js";
import { type Scope, withRecord } from "../../sql/scope.js";
import { markOf } from "../refusal.js";
import { mentionsAlias } from "../rules.js";
import { boundEntrypoints, type RulesAfter, rulesAfter } from "./allowed.js";
import { memberType, writtenMember } from "./assign.js";
import type { CallOf, Program, StepDraft } from "./builder.js";
import { changeRows, deleteRows, writeDelete, writeUpdate } from "./change.js";
import { newRecord, ROWS, type Write, writeCreate } from "./create.js";
import { endSessions, notedUsers } from "./end-sessions.js";
import { judgementOf } from "./foreseen.js";
import type { ImageRules } from "./image.js";
import type { Known } from "./known.js";
import { lockFor } from "./locks.js";
import { optionalFields } from "./optional.js";
import { isPassword } from "./passwords.js";
import type { HookUse } from "./program.js";
import { ruleExpressions } from "./rule-values.js";
import { GOES_ON, keep } from "./settings.js";

export function addAction(program: Program, index: number): void {
  const action = program.place.endpoint.actions[index];
  if (action === undefined) throw new Error(`The endpoint has no action ${index}.`);
  switch (action.kind) {
    case "create":
      return addCreate(program, action, index);
    case "update":
      return addUpdate(program, action, index);
    case "delete":
      return addDelete(program, action);
    case "query":
      return addQueryAction(program, action);
    case "validate":
      return addValidate(program, action, index);
    case "execute":
      return addExecute(program, action);
    case "respond":
      return;
  }
}

/** A write, what it refuses, and its rows under an alias. */
function addWrite(
  program: Program,
  draft: StepDraft,
  write: Write,
  alias: string | null,
  known: Known | null,
) {
  const refusals = write.refusals.map((refusal) => program.stop(refusal));
  const setting = alias === null || known === null ? null : program.aliases.add(alias, known);
  const kept = setting === null ? "''" : keep(setting, keptRows(known));
  const done = `select 'k' || left(${kept}, 0) from ${known?.kind === "records" ? `(select 1 where ${GOES_ON}) r` : `${ROWS} r`}`;
  program.add(
    draft.finish(
      [...refusals, done, ...(write.notes ?? [])].map((branch) => `(${branch})`).join(" union all "),
      write.heads,
    ),
    write.lookups,
  );
  if (write.notes !== undefined && write.notes.length > 0) program.add(endSessions());
  program.hasWritten = true;
}

function keptRows(known: Known | null): string {
  return known?.kind === "records"
    ? `(select json_agg(row_to_json(q)) from ${ROWS} q)::text`
    : "row_to_json(r)::text";
}

function addCreate(program: Program, action: CreateAction, index: number): void {
  const model = modelOf(program, action.model);
  const notYet = () => {
    throw new Error(`Code that gives values of \`${model.name}\` cannot look at each other's results.`);
  };
  const call = addSetHooks(
    program,
    action.assignments,
    model,
    (draft) => newRecord(action, model, draft, { index, call: notYet }).scope,
  );
  const draft = program.draft();
  const { image, rules } = judgementIn(program, action, index);
  const write = writeCreate(action, draft, { index, call, image });
  addWrite(program, draft, write, action.alias, { kind: "record", model: action.model, isNullable: false });
  addRulesAfter(program, action, rules);
}

function addUpdate(program: Program, action: UpdateAction, index: number): void {
  const model = modelOf(program, action.model);
  const call = addSetHooks(program, action.assignments, model, ({ scope }) =>
    withRecord(scope, scope.emitter.record(action.target, scope)),
  );
  const draft = program.draft();
  const isOptional = optionalFields(program.place.endpoint.request);
  const notes = notedUsers(
    { model, assignments: action.assignments, isOptional },
    program.definition,
    draft.scope,
  );
  const { image, rules } = judgementIn(program, action, index);
  const write = { ...writeUpdate(action, draft, { call, isOptional, image }), notes };
  const isNullable = action.target.type.nullable;
  addWrite(program, draft, write, action.alias, { kind: "record", model: action.model, isNullable });
  addRulesAfter(program, action, rules);
}

/** The rules that are asked about a record before it is written, or those that are asked when it is. */
function judgementIn(
  { definition, place, planning }: Program,
  action: CreateAction | UpdateAction,
  index: number,
): { readonly image: ImageRules | null; readonly rules: RulesAfter | null } {
  const before = place.endpoint.actions.slice(0, index);
  const judgement = judgementOf(definition, place, action, before);
  if (judgement.kind === "image" && planning.asksBefore) return { image: judgement.rules, rules: null };
  return { image: null, rules: rulesAfter(place, action, definition.models) };
}

/** What was written must still be within the rules, as all of it is now; otherwise it is undone. */
function addRulesAfter(program: Program, action: Action, rules: RulesAfter | null): void {
  if (rules === null) return;
  const { scope, finish } = program.draft();
  const aliases = new Map(scope.aliases);
  const present = boundEntrypoints(program.place).flatMap(({ alias }) => {
    const kept = scope.aliases.get(alias);
    if (kept === undefined || !rules.clauses.some((clause) => mentionsAlias(clause, alias))) return [];
    const now = asItIsNow(kept, scope);
    aliases.set(alias, now);
    return [`${idOf(now)} is not null`];
  });
  const created = action.kind === "create" ? scope.aliases.get(action.alias) : undefined;
  if (rules.created !== null && created !== undefined) aliases.set(rules.created, created);
  const inner = { ...scope, strict: null, aliases };
  const allowed = rules.clauses.map((clause) => scope.emitter.condition(clause, inner)).join(" and ");
  // Of what the program has deleted itself there is nothing to be asked.
  const isRefused = [...present, `not coalesce(${allowed}, false)`].join(" and ");
  program.add(finish(program.stopWith(markOf(scope), isRefused)));
}

/** The row of a record that was kept earlier. */
function asItIsNow(kept: SqlRecord, { context }: Scope): SqlRecord {
  const { model } = kept;
  return new LoneRecord(context, { model, isNullable: false }, (from) => {
    const name = from.add(tableOf(model));
    from.where(`${name}.${quoteName(idColumn(model))} = ${idOf(kept)}`);
    return rowRecord(from, model, name);
  });
}

function modelOf(program: Program, name: string): Model {
  const model = program.definition.models.find((each) => each.name === name);
  if (model === undefined) throw new Error(`The definition has no model \`${name}\`.`);
  return model;
}

/** Code that gives values for members runs first; its arguments may look at what is about to be changed. */
function addSetHooks(
  program: Program,
  assignments: readonly Assignment[],
  model: Model,
  scopeOf: (draft: StepDraft) => Scope,
): CallOf {
  const calls = new Map<Assignment, number>();
  for (const assignment of assignments) {
    if (assignment.kind !== "hook") continue;
    const draft = program.draft();
    const type = memberType(model, writtenMember(model, assignment.member));
    const { member } = assignment;
    const isHashed = isPassword(program.definition, model.name, member);
    const use: HookUse = { kind: "set", type, member, isPassword: isHashed };
    calls.set(assignment, program.call(assignment.hook, use, draft, scopeOf(draft)));
  }
  return (assignment) => {
    const call = calls.get(assignment);
    if (call === undefined) throw new Error("The code of an assignment was not called.");
    return call;
  };
}

function addDelete(program: Program, action: DeleteAction): void {
  const draft = program.draft();
  const write = writeDelete(action, draft, { clears: clearedReference(program, action.target, draft.scope) });
  addWrite(program, draft, write, null, null);
}

/** The reference through which the deleted record was reached, where it may be empty. */
function clearedReference({ place }: Program, target: Expression, scope: Scope) {
  if (target.kind === "member" && target.member === "reference") {
    return { owner: scope.emitter.record(target.on, scope), reference: target.name };
  }
  if (target.kind !== "variable") return null;
  const index = place.entrypoints.findIndex(({ alias }) => alias === target.name);
  const parent = place.entrypoints[index - 1];
  const through = place.entrypoints[index]?.target;
  const owner = parent === undefined ? undefined : scope.aliases.get(parent.alias);
  if (through?.kind !== "member" || owner === undefined) return null;
  const isReference = owner.model.members.some(
    ({ kind, name }) => kind === "reference" && name === through.member,
  );
  return isReference && through.nullable ? { owner, reference: through.member } : null;
}

function addQueryAction(program: Program, action: QueryAction): void {
  const { operation, query, alias } = action;
  if (operation.kind === "select") return addFound(program, action);
  const model = modelOf(program, query.model);
  // Code gives nothing for many records but the hash of a password, which is the same for all of them.
  const assignments = operation.kind === "update" ? operation.assignments : [];
  const call = addSetHooks(program, assignments, model, ({ scope }) => scope);
  const draft = program.draft();
  const { element } = addQuery(query, null, draft.scope, draft.from);
  if (element.kind !== "record" || !(element.record instanceof TableRecord))
    throw new Error("The query has no rows.");
  const isOptional = () => false;
  const rows =
    operation.kind === "delete"
      ? deleteRows(element.record, draft.from)
      : changeRows(operation.assignments, element.record, draft, { call, isOptional });
  const notes =
    operation.kind === "delete"
      ? []
      : notedUsers(
          { model, assignments: operation.assignments, isOptional },
          program.definition,
          draft.scope,
        );
  const write = { heads: [`${ROWS} as (${rows})`], rows: ROWS, refusals: [], lookups: [], notes };
  addWrite(program, draft, write, alias, { kind: "records", model: query.model });
  addRulesAfter(program, action, rulesAfter(program.place, action, program.definition.models));
}

/** What a query finds is kept as it is now; a single record is locked, since later actions may count on it. */
function addFound(program: Program, { query, alias, operation }: QueryAction): void {
  const draft = program.draft();
  const { scope } = draft;
  const { result } = query;
  const shape = operation.kind === "select" ? operation.select : null;
  if (result.kind === "aggregate") {
    const type = aggregateType(result);
    const setting = program.aliases.add(alias ?? "$unnamed", { kind: "value", type });
    const value = `${emitQueryAggregate(query, null, scope)}::text`;
    return program.add(draft.finish(`select 'k' || left(${keep(setting, value)}, 0)${draft.from.render()}`));
  }
  const isMany = result.kind === "many";
  const known: Known = isMany
    ? { kind: "records", model: query.model }
    : { kind: "record", model: query.model, isNullable: result.kind === "first" };
  const setting = program.aliases.add(alias ?? "$unnamed", known, shape);
  const rows = selectOfQuery(query, null, scope, {
    lock: isMany ? null : lockFor(program.place.endpoint.actions, query.model),
  });
  const found = isMany
    ? `(select json_agg(row_to_json(q)) from (${rows}) q)::text`
    : `(select row_to_json(q) from (${rows}) q)::text`;
  program.add(draft.finish(`select 'k' || left(${keep(setting, found)}, 0)${draft.from.render()}`));
  if (result.kind === "one") {
    const isMissing = `coalesce(current_setting('stoa.${setting}', true), '') = ''`;
    program.add(program.draft().finish(program.stop({ mark: "'n'", condition: isMissing })));
  }
}

function aggregateType(result: Extract<QueryResult, { kind: "aggregate" }>) {
  if (result.function === "exists") return { kind: "boolean", nullable: false } as const;
  if (result.function === "count" || result.value === null)
    return { kind: "integer", nullable: false } as const;
  const { type } = result.value;
  if (result.function === "avg" && type.kind === "integer") return { kind: "float", nullable: true } as const;
  return isValueType(type) ? type : null;
}

/** Conditions are checked by the database; validators by the server, over values from the database. */
function addValidate(program: Program, { key, rule }: ValidateAction, index: number): void {
  const draft = program.draft();
  const { scope } = draft;
  if (isCondition(rule)) {
    const condition = `not coalesce(${ruleCondition(rule, scope)}, false)`;
    program.add(draft.finish(program.stop({ mark: `'v${index}'`, condition })));
    return;
  }
  const values = ruleExpressions(rule).map((expression) => scope.emitter.json(expression, scope));
  program.add(
    draft.finish(`select 'a' || json_build_array(${values.join(", ")})::text${draft.from.render()}`),
  );
  program.steps.push({ kind: "rule", key, rule });
}

function isCondition(rule: Rule): boolean {
  switch (rule.kind) {
    case "condition":
      return true;
    case "validator":
      return false;
    case "not":
      return isCondition(rule.rule);
    case "and":
    case "or":
      return rule.rules.every(isCondition);
  }
}

function ruleCondition(rule: Rule, scope: Scope): string {
  switch (rule.kind) {
    case "condition":
      return scope.emitter.value(rule.condition, scope);
    case "not":
      return `(not ${ruleCondition(rule.rule, scope)})`;
    case "and":
    case "or":
      return `(${rule.rules.map((each) => ruleCondition(each, scope)).join(` ${rule.kind} `)})`;
    case "validator":
      throw new Error("A validator is no condition.");
  }
}

function addExecute(program: Program, { hook, alias, responds }: ExecuteAction): void {
  const draft = program.draft();
  const call = program.call(hook, { kind: "execute", responds }, draft);
  program.hasWritten = true;
  if (alias === null) return;
  const after = program.draft();
  const type = { kind: "json", nullable: true } as const;
  const result = after.scope.context.parameter({ kind: "hook", call, type });
  const setting = program.aliases.add(alias, { kind: "value", type: null });
  program.add(
    after.finish(`select 'k' || left(${keep(setting, `${result}::text`)}, 0)${after.from.render()}`),
  );
}
