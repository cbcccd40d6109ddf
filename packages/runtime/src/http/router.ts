// Finds the route of a request. Built once from all routes, as a tree of path segments; a request walks down it
// without splitting the path, and decodes only the segments that need it.

import type { Route } from "../exchange.js";

export interface Router {
  /** `target` is the request target as it came: path and query, or one of the rarer forms of HTTP. */
  find(method: string, target: string): Found;
}

export type Found = Match | Miss;

export interface Match {
  readonly kind: "match";
  readonly route: Route;
  readonly parameters: readonly string[];
  readonly query: string | null;
}

export interface Miss {
  readonly kind: "miss";
  /** The methods of the path, for the header `Allow`; null when there is no such path. */
  readonly allow: string | null;
}

interface Branch {
  readonly literals: Map<string, Branch>;
  parameter: Branch | undefined;
  /** By method; HEAD is there wherever GET is. */
  readonly routes: Map<string, Route>;
}

const NO_PATH: Miss = { kind: "miss", allow: null };
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const SLASH = 0x2f;

export function createRouter(routes: readonly Route[]): Router {
  const root = newBranch();
  for (const route of routes) addRoute(root, route);
  const all = writeAllow(new Set(routes.map((route) => route.method)));
  return {
    find(method, target) {
      const text = isOrdinary(target) ? target : readTarget(target);
      if (text === undefined) {
        return method === "OPTIONS" && target === "*" ? { kind: "miss", allow: all } : NO_PATH;
      }
      const mark = text.indexOf("?");
      const path = trimPath(text, mark === -1 ? text.length : mark);
      const parameters: string[] = [];
      const route = findRoute(root, path, 1, { method, parameters });
      if (route === undefined) return miss(root, path);
      return { kind: "match", route, parameters, query: mark === -1 ? null : text.slice(mark + 1) };
    },
  };
}

function newBranch(): Branch {
  return { literals: new Map(), parameter: undefined, routes: new Map() };
}

function addRoute(root: Branch, route: Route): void {
  let branch = root;
  for (const segment of route.path.split("/").slice(1)) branch = growBranch(branch, segment);
  if (branch.routes.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`);
  branch.routes.set(route.method, route);
  if (route.method === "GET") branch.routes.set("HEAD", route);
}

function growBranch(branch: Branch, segment: string): Branch {
  if (segment.startsWith("{") && segment.endsWith("}")) {
    branch.parameter ??= newBranch();
    return branch.parameter;
  }
  const literal = decodeURIComponent(segment);
  const known = branch.literals.get(literal);
  if (known !== undefined) return known;
  const grown = newBranch();
  branch.literals.set(literal, grown);
  return grown;
}

/** A path in ASCII, which is what all but a handful of clients send. */
function isOrdinary(target: string): boolean {
  if (target.charCodeAt(0) !== SLASH) return false;
  for (let index = 1; index < target.length; index++) {
    if (target.charCodeAt(index) > 0x7e) return false;
  }
  return true;
}

/**
 * Brings the rarer forms of a request target to path and query: the absolute form, which HTTP obliges servers to
 * take, and characters that a client should have percent-encoded and did not. Undefined when there is no path.
 */
function readTarget(target: string): string | undefined {
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? "";
  const rest = target.slice(origin.length);
  const text = origin !== "" && !rest.startsWith("/") ? `/${rest}` : rest;
  return text.startsWith("/") ? text.replace(/[\u007f-\uffff]+/g, encodeRun) : undefined;
}

/** Node reads request lines byte by byte, so that each character stands for one byte of UTF-8. */
function encodeRun(run: string): string {
  const bytes = Buffer.from(run, /[\u0100-\uffff]/.test(run) ? "utf8" : "latin1");
  return Array.from(bytes, (byte) => `%${byte.toString(16)}`).join("");
}

/** The path without the query and without one trailing slash. */
function trimPath(text: string, end: number): string {
  return text.slice(0, text.charCodeAt(end - 1) === SLASH ? end - 1 : end);
}

interface Search {
  readonly method: string;
  readonly parameters: string[];
}

/**
 * The route for what begins at `start`, just after a slash. A literal comes before a parameter; where the literal
 * leads to nothing for this method, the parameter gets its turn. No search visits a branch twice, so its cost is
 * bounded by the routes and not by the request.
 */
function findRoute(branch: Branch, path: string, start: number, search: Search): Route | undefined {
  if (start > path.length) return branch.routes.get(search.method);
  const end = segmentEnd(path, start);
  const segment = readSegment(path.slice(start, end));
  if (segment === undefined) return undefined;
  const literal = branch.literals.get(segment);
  if (literal !== undefined) {
    const route = findRoute(literal, path, end + 1, search);
    if (route !== undefined) return route;
  }
  if (branch.parameter === undefined) return undefined;
  search.parameters.push(segment);
  const route = findRoute(branch.parameter, path, end + 1, search);
  if (route === undefined) search.parameters.pop();
  return route;
}

function segmentEnd(path: string, start: number): number {
  const slash = path.indexOf("/", start);
  return slash === -1 ? path.length : slash;
}

/** Undefined for what cannot be a segment: nothing at all, bytes that are not UTF-8, or a null character. */
function readSegment(raw: string): string | undefined {
  if (raw.length === 0) return undefined;
  if (!raw.includes("%")) return raw;
  try {
    const text = decodeURIComponent(raw);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function miss(root: Branch, path: string): Miss {
  const methods = new Set<string>();
  collectMethods(root, path, 1, methods);
  return methods.size === 0 ? NO_PATH : { kind: "miss", allow: writeAllow(methods) };
}

function collectMethods(branch: Branch, path: string, start: number, methods: Set<string>): void {
  if (start > path.length) {
    for (const method of branch.routes.keys()) methods.add(method);
    return;
  }
  const end = segmentEnd(path, start);
  const segment = readSegment(path.slice(start, end));
  if (segment === undefined) return;
  const literal = branch.literals.get(segment);
  if (literal !== undefined) collectMethods(literal, path, end + 1, methods);
  if (branch.parameter !== undefined) collectMethods(branch.parameter, path, end + 1, methods);
}

function writeAllow(methods: ReadonlySet<string>): string {
  const named = METHODS.filter((method) => methods.has(method === "HEAD" ? "GET" : method));
  return [...named, "OPTIONS"].join(", ");
}
