// The endpoints of a program as clients call them: each with a name of its own, which stays the same as long as the
// endpoint does, and with the entrypoints that lead to it.

import type { Api, Definition, Endpoint, Entrypoint } from "@stoa/definition";
import { camelCase } from "./names.js";

export interface Operation {
  /** `author.books.create`; of custom endpoints the path in place of the kind: `order.pay`. */
  readonly id: string;
  /** The last part of the id. */
  readonly name: string;
  readonly endpoint: Endpoint;
  /** From the outermost to its own. */
  readonly entrypoints: readonly Entrypoint[];
  readonly group: Group;
}

/** An entrypoint as a place in the tree of the api. */
export interface Group {
  /** `["Admin", "user", "memberships"]`. */
  readonly path: readonly string[];
  readonly entrypoint: Entrypoint;
  readonly operations: readonly Operation[];
  readonly groups: readonly Group[];
}

/** The entrypoints of an api; those of the api without a name stand at the top. */
export interface ApiGroup {
  readonly api: Api;
  readonly groups: readonly Group[];
}

export function listApis(definition: Definition): ApiGroup[] {
  return definition.apis.map((api) => {
    const above = api.name === null ? [] : [api.name];
    return { api, groups: api.entrypoints.map((entrypoint) => groupOf(entrypoint, above, [])) };
  });
}

export function listOperations(apis: readonly ApiGroup[]): Operation[] {
  return apis.flatMap(({ groups }) => groups.flatMap(operationsBelow));
}

export function listGroups(apis: readonly ApiGroup[]): Group[] {
  return apis.flatMap(({ groups }) => groups.flatMap(groupsBelow));
}

function operationsBelow({ operations, groups }: Group): Operation[] {
  return [...operations, ...groups.flatMap(operationsBelow)];
}

function groupsBelow(group: Group): Group[] {
  return [group, ...group.groups.flatMap(groupsBelow)];
}

function groupOf(entrypoint: Entrypoint, above: readonly string[], parents: readonly Entrypoint[]): Group {
  const path = [...above, keyOf(entrypoint)];
  const entrypoints = [...parents, entrypoint];
  const operations: Operation[] = [];
  const group: Group = {
    ...{ path, entrypoint, operations },
    groups: entrypoint.entrypoints.map((each) => groupOf(each, path, entrypoints)),
  };
  const names = nameEndpoints(entrypoint);
  for (const [endpoint, name] of names) {
    operations.push({ id: [...path, name].join("."), name, endpoint, entrypoints, group });
  }
  return group;
}

/** What stands in the path, which is what clients know of it. */
function keyOf({ segment }: Entrypoint): string {
  return camelCase(decodeURIComponent(segment));
}

/** Custom endpoints are named by their path; where that is taken, by their method as well. */
function nameEndpoints(entrypoint: Entrypoint): Map<Endpoint, string> {
  const { endpoints } = entrypoint;
  const built = endpoints.filter(({ kind }) => kind !== "custom");
  const taken = new Set([...built.map(({ kind }) => kind), ...entrypoint.entrypoints.map(keyOf)]);
  const names = new Map<Endpoint, string>(built.map((endpoint) => [endpoint, endpoint.kind]));
  for (const endpoint of endpoints.filter(({ kind }) => kind === "custom")) {
    const name = customNames(endpoint).find((each) => !taken.has(each));
    if (name === undefined) throw new Error(`There is no name left for \`${endpoint.name}\`.`);
    taken.add(name);
    names.set(endpoint, name);
  }
  return new Map(endpoints.map((endpoint) => [endpoint, names.get(endpoint) ?? endpoint.kind]));
}

/** The endpoint's own name ends with method, cardinality and path: `order.POST:one:pay`. */
function customNames({ name, method, cardinality }: Endpoint): string[] {
  const path = decodeURIComponent(
    name
      .slice(name.indexOf(`${method}:${cardinality}:`))
      .split(":")
      .slice(2)
      .join(":"),
  );
  const verb = method.toLowerCase();
  return [camelCase(path), camelCase(`${verb} ${path}`), camelCase(`${verb} ${cardinality} ${path}`)];
}
