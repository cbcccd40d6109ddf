// The entrypoints above an endpoint, outermost first, as tables of a query: each is joined to the one before and
// found by its identifier. A record is thus only ever reached through its own parents.

import { quoteName } from "@stoa/database";
import { conjuncts, type Entrypoint, type Expression, isAlwaysTrue, type Query } from "@stoa/definition";
import { From, idColumn, idOf, LoneRecord, rowRecord, type SqlRecord, tableOf } from "../sql/from.js";
import { addQuery, keyColumn } from "../sql/query.js";
import { orderOf, type Scope, type SqlOrder, withRecord } from "../sql/scope.js";
import type { Place } from "./place.js";
import { mayRepeat } from "./repeats.js";
import { mentionsRecord, recordClauses } from "./rules.js";

export interface Chain {
  readonly scope: Scope;
  /** The last record of the chain; null before the first. */
  readonly last: SqlRecord | null;
  /** How many parameters of the path have been used. */
  readonly parameters: number;
}

/** Adds entrypoints whose records are identified by the path. */
export function addChain(entrypoints: readonly Entrypoint[], scope: Scope, from: From): Chain {
  let chain: Chain = { scope, last: null, parameters: 0 };
  for (const entrypoint of entrypoints) chain = addIdentified(entrypoint, chain, from);
  return chain;
}

function addIdentified(entrypoint: Entrypoint, chain: Chain, from: From): Chain {
  const { record } = addResource(entrypoint, chain, from);
  const { identify } = entrypoint;
  if (identify !== null) {
    const value = chain.scope.context.parameter({
      kind: "path",
      index: chain.parameters,
      type: identify.type,
    });
    from.where(`${identifier(record, identify.path, chain.scope)} = ${value}`);
  }
  const scope = bind(chain.scope, entrypoint, record);
  addClauses(recordClauses(entrypoint.authorize), scope, from);
  return { scope, last: record, parameters: chain.parameters + (identify === null ? 0 : 1) };
}

export interface Resource {
  readonly record: SqlRecord;
  /** How a query orders it. */
  readonly order: readonly SqlOrder[];
}

/** The records of an entrypoint: all of a model, or those of a member of the record before. */
export function addResource({ target, model }: Entrypoint, chain: Chain, from: From): Resource {
  const { scope, last } = chain;
  const of = scope.context.model(model);
  if (target.kind === "model") return { record: rowRecord(from, of, from.add(tableOf(of))), order: [] };
  if (last === null) throw new Error("A nested entrypoint has no parent.");
  return addMember(last, target.member, scope, from);
}

function addMember(parent: SqlRecord, name: string, scope: Scope, from: From): Resource {
  const member = parent.model.members.find((each) => each.name === name);
  switch (member?.kind) {
    case "relation": {
      const model = scope.context.model(member.from);
      const key = quoteName(keyColumn(model, member));
      const table = from.join(tableOf(model), (each) => `${each}.${key} = ${idOf(parent)}`);
      return { record: rowRecord(from, model, table), order: [] };
    }
    case "reference": {
      const model = scope.context.model(member.to);
      const id = quoteName(idColumn(model));
      const key = parent.column(member.column);
      const table = from.join(tableOf(model), (each) => `${each}.${id} = ${key}`);
      return { record: rowRecord(from, model, table), order: [] };
    }
    case "query": {
      if (mayRepeat(member.query, scope.context)) return addOnce(member.query, parent, scope, from);
      const { element, order } = addQuery(member.query, parent, scope, from);
      if (element.kind !== "record") throw new Error(`The query \`${name}\` has no records.`);
      return { record: element.record, order };
    }
    default:
      throw new Error(`\`${parent.model.name}.${name}\` is no resource.`);
  }
}

/** The records of a query that may give some of them twice: whatever is below them would be there twice, too. */
function addOnce(query: Query, parent: SqlRecord, scope: Scope, from: From): Resource {
  const model = scope.context.model(query.model);
  const found = new From(scope.context);
  const { element } = addQuery(query, parent, scope, found);
  if (element.kind !== "record") throw new Error("The query has no records.");
  const name = from.join(tableOf(model), (table) => {
    found.where(`${idOf(element.record)} = ${table}.${quoteName(idColumn(model))}`);
    return `exists (select 1${found.render()})`;
  });
  const record = rowRecord(from, model, name);
  return { record, order: orderOf(query.orderBy, { ...withRecord(scope, record), owner: parent }) };
}

/** From a record to what identifies it; all steps on the way are unique. */
export function identifier(record: SqlRecord, path: readonly string[], scope: Scope): string {
  const [name, ...rest] = path;
  if (name === undefined) throw new Error("The identify path is empty.");
  if (rest.length > 0) return identifier(scope.emitter.follow(record, name, scope), rest, scope);
  const member = record.model.members.find((each) => each.name === name);
  if (member?.kind !== "id" && member?.kind !== "field" && member?.kind !== "key") {
    throw new Error(`\`${record.model.name}.${name}\` does not identify records.`);
  }
  return record.column(member.column);
}

/** The record of an entrypoint under its alias. */
export function bind(scope: Scope, { alias }: Entrypoint, record: SqlRecord): Scope {
  return { ...scope, aliases: new Map(scope.aliases).set(alias, record) };
}

/** Clauses about records hide those that do not fulfil them. Those about the user alone are checked apart. */
export function addClauses(clauses: readonly Expression[], scope: Scope, from: From): void {
  for (const clause of clauses) from.where(scope.emitter.condition(clause, scope));
}

/** The records of the chain for a query that does not join them: each is looked up once per statement. */
export function aliasesApart(entrypoints: readonly Entrypoint[], scope: Scope): Scope {
  const aliases = new Map(scope.aliases);
  for (const [index, { alias, model }] of entrypoints.entries()) {
    const about = { model: scope.context.model(model), isNullable: false };
    const find = (from: From) => {
      const { last } = addChain(entrypoints.slice(0, index + 1), scope, from);
      if (last === null) throw new Error("The chain is empty.");
      return last;
    };
    aliases.set(alias, new LoneRecord(scope.context, about, find));
  }
  return { ...scope, aliases };
}

/** Rules that are about the user alone. */
export function userRules({ entrypoints, endpoint }: Place): Expression[] {
  const rules = [...entrypoints.flatMap(({ authorize }) => authorize), ...endpoint.authorize];
  return rules
    .flatMap(({ condition }) => conjuncts(condition))
    .filter((condition) => !mentionsRecord(condition) && !isAlwaysTrue(condition));
}
