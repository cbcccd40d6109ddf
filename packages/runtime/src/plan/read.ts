// Plans of get and list: one statement each. It finds the parents, checks the rules, counts, orders and cuts the
// page, and makes the JSON of each record.

import { quoteName } from "@stoa/database";
import type { Definition, Endpoint, Select } from "@stoa/definition";
import { Context } from "../sql/context.js";
import { emitter } from "../sql/emitter.js";
import { From, idColumn, idOf, LoneRecord, rowRecord, type SqlRecord, tableOf } from "../sql/from.js";
import { totalOrder } from "../sql/query.js";
import { orderOf, renderOrder, type Scope, type SqlOrder, withRecord } from "../sql/scope.js";
import { selectColumns } from "../sql/select.js";
import { addChain, addResource, addRules, aliasesApart, bind, type Chain, userRules } from "./chain.js";
import { hookSlots } from "./hook-slots.js";
import type { Place } from "./place.js";
import type { ReadPlan } from "./plan.js";

export function planRead(definition: Definition, place: Place): ReadPlan {
  const { endpoint } = place;
  const response = responseOf(endpoint);
  const context = new Context(definition);
  const auth = authOf(definition, context);
  const scope: Scope = { context, emitter, this: null, owner: null, aliases: new Map(), auth: auth.record };
  const branches = endpoint.kind === "get" ? getBranches(place, scope) : listBranches(place, scope);
  const sql = branches.map((branch) => (branches.length === 1 ? branch : `(${branch})`)).join(" union all ");
  const pagination = endpoint.list?.pagination ?? null;
  return {
    kind: endpoint.kind === "get" ? "one" : pagination === null ? "all" : "page",
    endpoint,
    sql: `${auth.render()}${sql}`,
    bindings: context.bindings,
    pagination,
    hooks: hookSlots(response),
  };
}

function responseOf({ response, name }: Endpoint): Select {
  if (response === null) throw new Error(`The endpoint \`${name}\` has no response.`);
  return response;
}

const AUTH = quoteName("$auth");

/** The user, looked up at the head of the statement if anything asks for them. */
function authOf(definition: Definition, context: Context) {
  if (definition.auth === null) return { record: null, render: () => "" };
  const model = context.model(definition.auth.model);
  let isUsed = false;
  const record = new LoneRecord(context, { model, isNullable: true }, (from) => {
    isUsed = true;
    return rowRecord(from, model, from.add(AUTH));
  });
  return {
    record,
    render: () => (isUsed ? `with ${AUTH} as materialized (${userQuery(model, context)}) ` : ""),
  };
}

function userQuery(model: SqlRecord["model"], context: Context): string {
  const id = model.members.find((member) => member.kind === "id");
  if (id === undefined) throw new Error(`The model \`${model.name}\` has no id.`);
  const user = context.parameter({ kind: "user", type: id.type });
  return `select * from ${tableOf(model)} where ${quoteName(id.column)} = ${user}`;
}

/** One row if a rule about the user does not hold. It comes from no table, so nothing else shows through it. */
function refusal(rules: readonly string[], scope: Scope): string[] {
  if (rules.length === 0) return [];
  const mark = scope.auth === null ? "'f'" : `case when ${idOf(scope.auth)} is null then 'u' else 'f' end`;
  return [`select ${mark} where not coalesce(${rules.join(" and ")}, false)`];
}

function conditionsOf(place: Place, scope: Scope): string[] {
  return userRules(place).map((rule) => scope.emitter.condition(rule, scope));
}

function getBranches(place: Place, scope: Scope): string[] {
  const { entrypoints, endpoint } = place;
  const rules = conditionsOf(place, scope);
  const from = new From(scope.context);
  const chain = addChain(entrypoints, scope, from);
  if (chain.last === null) throw new Error("The endpoint has no entrypoint.");
  for (const rule of rules) from.where(rule);
  addRules(endpoint.authorize, chain.scope, from);
  const columns = selectColumns(responseOf(endpoint), chain.last, chain.scope);
  return [...refusal(rules, scope), `select row_to_json(v)::text from (select ${columns}${from.render()}) v`];
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
  addRules([...own.authorize, ...endpoint.authorize], scope, from);
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
  return `select row_to_json(v)::text from (${shown}) v`;
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
