// Plans of get and list: one statement each. It finds the parents, checks the rules, counts, orders and cuts the
// page, and makes the JSON of each record.

import { quoteName } from "@stoa/database";
import type { Definition, Endpoint, Select } from "@stoa/definition";
import { From, idColumn, rowRecord, type SqlRecord } from "../sql/from.js";
import { ROW, rowObject } from "../sql/json.js";
import { totalOrder } from "../sql/query.js";
import { orderOf, renderOrder, type Scope, type SqlOrder, withRecord } from "../sql/scope.js";
import { selectColumns } from "../sql/select.js";
import { addChain, addClauses, addResource, aliasesApart, bind, type Chain } from "./chain.js";
import { hookSlots } from "./hook-slots.js";
import type { Place } from "./place.js";
import type { ReadPlan } from "./plan.js";
import { conditionsOf, refusal, unionOf, userBranch } from "./refusal.js";
import { clausesOfPath, recordClauses } from "./rules.js";
import { draftStatement } from "./statement.js";

export function planRead(definition: Definition, place: Place): ReadPlan {
  const { endpoint } = place;
  const response = responseOf(endpoint);
  const { scope, finish } = draftStatement(definition);
  const hooks = hookSlots(response);
  const branches = endpoint.kind === "get" ? getBranches(place, scope) : listBranches(place, scope);
  const pagination = endpoint.list?.pagination ?? null;
  return {
    kind: endpoint.kind === "get" ? "one" : pagination === null ? "all" : "page",
    endpoint,
    ...finish(unionOf(hooks.length === 0 ? branches : [...userBranch(scope), ...branches])),
    pagination,
    hooks,
    isQuick: endpoint.kind === "get" && !scope.context.readsMany,
  };
}

function responseOf({ response, name }: Endpoint): Select {
  if (response === null) throw new Error(`The endpoint \`${name}\` has no response.`);
  return response;
}

function getBranches(place: Place, scope: Scope): string[] {
  const { entrypoints, endpoint } = place;
  const rules = conditionsOf(place, scope);
  const from = new From(scope.context);
  const chain = addChain(entrypoints, scope, from);
  if (chain.last === null) throw new Error("The endpoint has no entrypoint.");
  for (const rule of rules) from.where(rule);
  addClauses(clausesOfPath(place), chain.scope, from);
  const columns = selectColumns(responseOf(endpoint), chain.last, chain.scope);
  return [
    ...refusal(rules, scope),
    `select ${rowObject(columns)}::text from (select ${columns}${from.render()}) ${ROW}`,
  ];
}

function listBranches(place: Place, scope: Scope): string[] {
  const rules = conditionsOf(place, scope);
  return [...refusal(rules, scope), ...headBranch(place, scope, rules), recordsBranch(place, scope, rules)];
}

/** What must be known even if there are no records: their count, and that their parent exists. */
function headBranch(place: Place, scope: Scope, rules: readonly string[]): string[] {
  const parents = place.entrypoints.slice(0, -1);
  const isPage = place.endpoint.list?.pagination != null;
  if (parents.length === 0 && !isPage) return [];
  const outer = new From(scope.context);
  const chain = addChain(parents, scope, outer);
  const inner = parents.length === 0 ? outer : new From(scope.context);
  if (isPage) addListed(place, chain, inner);
  // Where rules about the records above do not hold, there is no list.
  addClauses(clausesOfPath(place), chain.scope, outer);
  for (const rule of rules) outer.where(rule);
  if (!isPage) return [`select 'p'${outer.render()}`];
  if (parents.length === 0) return [`select count(*)::text${outer.render()}`];
  return [`select (select count(*)${inner.render()})::text${outer.render()}`];
}

interface Listed {
  readonly record: SqlRecord;
  readonly order: readonly SqlOrder[];
}

/** The records of a list: of its parent, through its filter and its rules about them. */
function addListed({ entrypoints, endpoint }: Place, chain: Chain, from: From): Listed {
  const own = entrypoints.at(-1);
  if (own === undefined) throw new Error("The endpoint has no entrypoint.");
  const { record, order } = addResource(own, chain, from);
  const scope = withRecord(bind(chain.scope, own, record), record);
  addClauses(recordClauses([...own.authorize, ...endpoint.authorize]), scope, from);
  const list = endpoint.list;
  if (list?.filter) from.where(scope.emitter.condition(list.filter, scope));
  const ordered = list && list.orderBy.length > 0 ? orderOf(list.orderBy, scope) : order;
  return { record, order: ordered };
}

/** First the records of the page, then what is shown of them: nothing is looked up for others. */
function recordsBranch(place: Place, scope: Scope, rules: readonly string[]): string {
  const { entrypoints, endpoint } = place;
  const parents = entrypoints.slice(0, -1);
  const from = new From(scope.context);
  const listed = addListed(place, addChain(parents, scope, from), from);
  for (const rule of rules) from.where(rule);
  const page = new From(scope.context);
  const name = page.context.freshName();
  const keys = sortKeys(listed, name);
  const limit = limitOf(endpoint, scope);
  const records = `select ${keys.columns}${from.render()} order by ${keys.inner}${limit}`;
  page.addNamed(`(${records})`, name);
  const record = rowRecord(page, listed.record.model, name);
  const own = entrypoints.at(-1);
  const apart = aliasesApart(parents, scope);
  const inner = own === undefined ? apart : bind(apart, own, record);
  const columns = selectColumns(responseOf(endpoint), record, inner);
  const shown = `select ${columns}${page.render()} order by ${keys.outer}`;
  return `select ${rowObject(columns)}::text from (${shown}) ${ROW}`;
}

function limitOf({ list }: Endpoint, { context }: Scope): string {
  if (!list?.pagination) return "";
  return ` limit ${context.parameter({ kind: "limit" })} offset ${context.parameter({ kind: "offset" })}`;
}

/** The order of the inner query, and the same again for the outer one, which may only join what keeps it. */
function sortKeys({ record, order }: Listed, name: string) {
  const total = totalOrder(order, record);
  const own = record.model.table.columns.map((column) => record.column(column.name));
  const added: string[] = [];
  const outer = total.map(({ sql, descending }, index): SqlOrder => {
    if (index === total.length - 1)
      return { sql: `${name}.${quoteName(idColumn(record.model))}`, descending };
    const key = quoteName(`$${index}`);
    added.push(`${sql} as ${key}`);
    return { sql: `${name}.${key}`, descending };
  });
  return { columns: [...own, ...added].join(", "), inner: renderOrder(total), outer: renderOrder(outer) };
}
