// The end of a program: the record that was written, the answer that it says, or nothing.

import { quoteLiteral, quoteName } from "@stoa/database";
import type { CreateAction, Endpoint, Expression, RespondAction, UpdateAction } from "@stoa/definition";
import { type From, idColumn, idOf, rowRecord, type SqlRecord, tableOf } from "../../sql/from.js";
import type { Scope } from "../../sql/scope.js";
import { selectColumns } from "../../sql/select.js";
import type { Place } from "../place.js";
import { unionOf } from "../refusal.js";
import { aboutRecord } from "./about.js";
import type { Program, StepDraft } from "./builder.js";
import type { Ground } from "./create.js";

export function answerSteps(program: Program): void {
  const { endpoint } = program.place;
  const draft = program.draft();
  const respond = respondOf(endpoint);
  if (respond !== undefined) program.add(draft.finish(unionOf(saidBranches(respond, draft))));
  else if (endpoint.response !== null) {
    const { alias } = primaryOf(endpoint);
    program.add(
      draft.finish(
        unionOf(shownBranches(program.place, draft.scope, () => writtenRow(program, draft, alias))),
      ),
    );
  }
}

export function respondOf({ actions }: Endpoint): RespondAction | undefined {
  return actions.find((action) => action.kind === "respond");
}

export function primaryOf({ actions }: Endpoint): CreateAction | UpdateAction {
  const primary = actions.find(
    (action) => (action.kind === "create" || action.kind === "update") && action.primary,
  );
  if (primary?.kind === "create" || primary?.kind === "update") return primary;
  throw new Error("The endpoint writes no record.");
}

/** A row of the written record, in a query of its own. */
export interface Written {
  readonly record: SqlRecord;
  readonly from: From;
}

/** The written record as its endpoint shows it, and what else the answer says of it. */
export function shownBranches(place: Place, scope: Scope, written: () => Written): string[] {
  const { response } = place.endpoint;
  const row = (show: (record: SqlRecord) => string): string => {
    const { record, from } = written();
    const shown = show(record);
    return `select ${shown}${from.render()}`;
  };
  if (response === null) return [row(() => "'k'")];
  const json = row((record) => selectColumns(response, record, scope));
  return [
    `select row_to_json(v)::text from (${json}) v`,
    ...aboutRecord(place).map((about) => row((record) => about(record, scope))),
  ];
}

/** The written record, read again: as it is now, with all that was written beside it. */
function writtenRow(program: Program, { scope }: StepDraft, alias: string): Written {
  const from = program.begin(scope);
  const written = scope.aliases.get(alias);
  if (written === undefined) throw new Error(`The alias \`${alias}\` is unknown.`);
  const id = quoteName(idColumn(written.model));
  const table = from.join(tableOf(written.model), (name) => `${name}.${id} = ${idOf(written)}`);
  return { record: rowRecord(from, written.model, table), from };
}

/** `respond`: status, headers and body. */
export function saidBranches({ body, status, headers }: RespondAction, { scope, from }: Ground): string[] {
  const where = from.render();
  const json = (expression: Expression) => scope.emitter.json(expression, scope);
  const code = status === null ? "'200'" : statusText(scope.emitter.value(status, scope));
  const entries = headers.map(({ name, value }) => `${quoteLiteral(name)}, ${json(value)}`);
  return [
    `select 's' || ${code}${where}`,
    `select 'h' || json_build_object(${entries.join(", ")})::text${where}`,
    `select 'b' || ${body.type.kind === "null" ? "'null'" : `coalesce(to_json(${json(body)})::text, 'null')`}${where}`,
  ];
}

/** What is no status of an answer fails here, where all can still be undone. By its text: code may have given it. */
function statusText(sql: string): string {
  const fails = "('no status: ' || left(a::text, 0))::int::text";
  const text = `case when a is null then '200' when a between 200 and 599 then a::text else ${fails} end`;
  return `(select ${text} from (select (${sql})::text::bigint as a offset 0) v)`;
}
