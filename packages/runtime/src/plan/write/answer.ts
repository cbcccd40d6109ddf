// The end of a program: the record that was written, the answer that it says, or nothing.

import { quoteLiteral, quoteName } from "@stoa/database";
import type { Endpoint, Expression, RespondAction } from "@stoa/definition";
import { idColumn, idOf, rowRecord, type SqlRecord, tableOf } from "../../sql/from.js";
import { selectColumns } from "../../sql/select.js";
import { aboutRecord } from "./about.js";
import type { Program, StepDraft } from "./builder.js";

export function answerSteps(program: Program): void {
  const { endpoint } = program.place;
  const respond = endpoint.actions.find((action) => action.kind === "respond");
  if (respond !== undefined) return addRespond(program, respond);
  if (endpoint.response !== null) addResponse(program, endpoint);
}

/** The written record, read again: as it is now, with all that was written beside it. */
function addResponse(program: Program, { actions, response }: Endpoint): void {
  if (response === null) return;
  const primary = actions.find(
    (action) => (action.kind === "create" || action.kind === "update") && action.primary,
  );
  if (primary?.kind !== "create" && primary?.kind !== "update")
    throw new Error("The endpoint writes no record.");
  const json = program.draft();
  const columns = selectColumns(response, writtenRow(json, primary.alias), json.scope);
  program.add(json.finish(`select row_to_json(v)::text from (select ${columns}${json.from.render()}) v`));
  for (const about of aboutRecord(program.place)) {
    const draft = program.draft();
    const value = about(writtenRow(draft, primary.alias), draft.scope);
    program.add(draft.finish(`select ${value}${draft.from.render()}`));
  }
}

function writtenRow({ scope, from }: StepDraft, alias: string): SqlRecord {
  const written = scope.aliases.get(alias);
  if (written === undefined) throw new Error(`The alias \`${alias}\` is unknown.`);
  const id = quoteName(idColumn(written.model));
  const table = from.join(tableOf(written.model), (name) => `${name}.${id} = ${idOf(written)}`);
  return rowRecord(from, written.model, table);
}

function addRespond(program: Program, { body, status, headers }: RespondAction): void {
  const { scope, from, finish } = program.draft();
  const where = from.render();
  const json = (expression: Expression) => scope.emitter.json(expression, scope);
  const code = status === null ? "'200'" : statusText(scope.emitter.value(status, scope));
  const entries = headers.map(({ name, value }) => `${quoteLiteral(name)}, ${json(value)}`);
  const branches = [
    `select 's' || ${code}${where}`,
    `select 'h' || json_build_object(${entries.join(", ")})::text${where}`,
    `select 'b' || ${body.type.kind === "null" ? "'null'" : `coalesce(to_json(${json(body)})::text, 'null')`}${where}`,
  ];
  program.add(finish(branches.map((branch) => `(${branch})`).join(" union all ")));
}

/** What is no status of an answer fails here, where all can still be undone. By its text: code may have given it. */
function statusText(sql: string): string {
  const fails = "('no status: ' || left(a::text, 0))::int::text";
  const text = `case when a is null then '200' when a between 200 and 599 then a::text else ${fails} end`;
  return `(select ${text} from (select (${sql})::text::bigint as a offset 0) v)`;
}
