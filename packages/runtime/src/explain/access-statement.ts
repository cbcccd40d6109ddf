// The statement that evaluates the clauses of an endpoint, each as a column: those about the user by themselves, the
// others over the records of the path, which are found without asking the rules.

import type { Database } from "@stoa/database";
import { type Definition, type Entrypoint, type Expression, enumValuesOf } from "@stoa/definition";
import { textReader } from "../input/identifier.js";
import { addChain } from "../plan/chain.js";
import type { Place } from "../plan/place.js";
import { draftStatement, type Statement } from "../plan/statement.js";
import { boundEntrypoints } from "../plan/write/allowed.js";
import { From, idOf } from "../sql/from.js";
import { type Scope, withRecord } from "../sql/scope.js";
import type { AccessClause, AccessQuestion, Truth } from "./clauses.js";

export interface FoundClauses {
  readonly hasUser: boolean;
  readonly hasRecord: boolean;
  /** In the order of the clauses. */
  readonly truths: readonly { readonly whole: Truth; readonly parts: readonly Truth[] }[];
}

interface Asked {
  readonly clauses: readonly AccessClause[];
  readonly question: AccessQuestion;
  readonly database: Database;
}

type Columns = readonly (readonly (boolean | null)[])[];

export async function askClauses(
  definition: Definition,
  place: Place,
  { clauses, question, database }: Asked,
): Promise<FoundClauses> {
  const { sql, bindings } = statementOf(definition, place, clauses);
  const { identifiers, userId } = readValues(definition, place, question);
  const parameters = bindings.map((binding) => {
    if (binding.kind === "path") return identifiers[binding.index] ?? null;
    return binding.kind === "user" ? userId : null;
  });
  const [row] = await database.query<{ user: boolean; own: Columns; record: Columns | null }>(
    sql,
    parameters,
  );
  const own = [...(row?.own ?? [])];
  const record = row?.record == null ? null : [...row.record];
  const truths = clauses.map((clause) => {
    const columns = isOfUser(clause) ? own.shift() : record?.shift();
    const [whole, ...parts] = columns ?? [];
    return { whole: truthOf(whole), parts: parts.map(truthOf) };
  });
  return { hasUser: row?.user === true, hasRecord: row?.record != null, truths };
}

function truthOf(value: boolean | null | undefined): Truth {
  if (value === undefined) return "unknown";
  return value === null ? "null" : value ? "yes" : "no";
}

function isOfUser({ role }: AccessClause): boolean {
  return role === "user";
}

function statementOf(definition: Definition, place: Place, clauses: readonly AccessClause[]): Statement {
  const { scope, finish } = draftStatement(definition);
  const from = new From(scope.context);
  const bound = boundEntrypoints(place).map((entrypoint): Entrypoint => ({ ...entrypoint, authorize: [] }));
  const chain = addChain(bound, scope, from);
  const inner = chain.last === null ? chain.scope : withRecord(chain.scope, chain.last);
  const own = clauses.filter(isOfUser).map((clause) => columnsOf(clause, scope));
  const others = clauses.filter((clause) => !isOfUser(clause));
  const about = others.map((clause) =>
    clause.role === "after" ? "json_build_array()" : columnsOf(clause, inner),
  );
  const record =
    chain.last === null ? "null" : `(select json_build_array(${about.join(", ")})${from.render()})`;
  const user = scope.auth === null ? "false" : `${idOf(scope.auth)} is not null`;
  return finish(`select ${user} as "user", json_build_array(${own.join(", ")}) as own, ${record} as record`);
}

function columnsOf({ expression, parts }: AccessClause, scope: Scope): string {
  const value = (each: Expression): string => scope.emitter.value(each, scope);
  return `json_build_array(${[expression, ...parts].map(value).join(", ")})`;
}

/** What cannot be of the type identifies nothing. */
function readValues(definition: Definition, place: Place, { userId, records }: AccessQuestion) {
  const valuesOf = enumValuesOf(definition);
  const types = boundEntrypoints(place).flatMap(({ identify }) => (identify === null ? [] : [identify.type]));
  const identifiers = types.map((type, index) => textReader(type, valuesOf)(records[index] ?? "") ?? null);
  const users = definition.models.find(({ name }) => name === definition.auth?.model);
  const id = users?.members.find((member) => member.kind === "id");
  const user = userId === null || id === undefined ? null : (textReader(id.type, valuesOf)(userId) ?? null);
  return { identifiers, userId: user };
}
