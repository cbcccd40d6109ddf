// Apis: their prefixes, entrypoints and routes.

import type { Api } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/api.js";
import { kebabCase } from "../naming.js";
import { type ApiNode, isMissing, itemOf } from "../syntax/tree.js";
import type { Chain } from "./chain.js";
import type { Check } from "./context.js";
import { type CheckedEntrypoint, checkEntrypoints } from "./entrypoint.js";
import { checkRoutes } from "./routes.js";
import { EMPTY_SCOPE } from "./scope.js";

/** With passwords, the routes of logging in and out are here, and nothing else. */
const ACCOUNT_PATH = "/api/auth";

export function checkApis(check: Check, hasPassword: boolean): Api[] {
  const seen = new Map<string, Span>();
  const checked = check.program.apis.flatMap((node) => {
    const name = node.name && !isMissing(node.name) ? node.name.text : undefined;
    const span = node.name?.span ?? { ...node.span, end: node.span.start + "api".length };
    const prefix = name === undefined ? "/api" : `/api/${kebabCase(name)}`;
    const first = seen.get(prefix);
    if (first) check.report(say.duplicateApi(span, prefix, first));
    else seen.set(prefix, span);
    const entrypoints = checkApi(check, node, { name, prefix });
    return [{ node, name, prefix, span, entrypoints, isFirst: first === undefined }];
  });
  const password = hasPassword ? passwordSpan(check) : undefined;
  if (password) checkAccountPath(check, checked, password);
  checkPrefixes(check, password ? checked.filter(({ prefix }) => prefix !== ACCOUNT_PATH) : checked);
  checkRoutes(
    check,
    // Two apis of one path are one mistake, however many of their routes clash.
    checked.flatMap(({ isFirst, entrypoints }) =>
      isFirst ? entrypoints.flatMap(({ routes }) => routes) : [],
    ),
  );
  return checked.map(({ node, name, prefix, entrypoints }) => ({
    name: name ?? null,
    prefix,
    entrypoints: entrypoints.map((entrypoint) => entrypoint.entrypoint),
    doc: node.doc ?? null,
    at: check.placeOf(node.span),
  }));
}

function checkApi(
  check: Check,
  node: ApiNode,
  { name, prefix }: { readonly name: string | undefined; readonly prefix: string },
): CheckedEntrypoint[] {
  const chain: Chain = {
    path: prefix,
    parameters: [],
    name: name ?? "",
    scope: EMPTY_SCOPE,
    guarded: false,
    depth: 0,
    record: undefined,
  };
  return checkEntrypoints(check, node.body.items, chain);
}

interface CheckedApi {
  readonly name: string | undefined;
  readonly prefix: string;
  readonly span: Span;
  readonly entrypoints: readonly CheckedEntrypoint[];
}

function passwordSpan({ program }: Check): Span | undefined {
  const [auth] = program.auths;
  const password = auth && itemOf(auth.body, "password");
  return password && { ...password.span, end: password.span.start + "password".length };
}

/** Whole, not route by route: what a record's identifier could be mistaken for would depend on the data. */
function checkAccountPath(check: Check, apis: readonly CheckedApi[], password: Span): void {
  for (const { name, prefix, span, entrypoints } of apis) {
    if (prefix === ACCOUNT_PATH) {
      check.report(say.accountPath(span, ACCOUNT_PATH, { hint: "give the api another name", password }));
    }
    const clash =
      name === undefined &&
      entrypoints.find(({ entrypoint }) => `/api/${entrypoint.segment}` === ACCOUNT_PATH);
    if (clash) {
      check.report(
        say.accountPath(clash.span, ACCOUNT_PATH, { hint: 'choose another one: `path "…"`', password }),
      );
    }
  }
}

/** `api Admin` owns `/api/admin`, so the api without a name has no entrypoint there. */
function checkPrefixes(check: Check, apis: readonly CheckedApi[]): void {
  const unnamed = apis.filter((api) => api.name === undefined).flatMap((api) => api.entrypoints);
  for (const { prefix, span, name } of apis) {
    if (name === undefined) continue;
    const clash = unnamed.find(({ entrypoint }) => `/api/${entrypoint.segment}` === prefix);
    if (clash) check.report(say.prefixClash(span, prefix, clash.span));
  }
}
