// Whether a query may give a record more than once. `memberships.user` may: two memberships, one user. As a resource
// every record is there once.

import type { Expression, Query } from "@stoa/definition";
import type { Context } from "../sql/context.js";

export function mayRepeat({ from }: Query, context: Context): boolean {
  return from.kind === "path" && pathMayRepeat(from.path, context);
}

/** From one record to many never meets one twice; from many to one each may. */
function pathMayRepeat(path: Expression, context: Context): boolean {
  if (path.kind !== "member") return false;
  const { on, name } = path;
  const isFromMany = on.type.kind === "collection";
  const owner = isFromMany && on.type.kind === "collection" ? on.type.of : on.type;
  if (owner.kind !== "record") return false;
  const member = context.model(owner.model).members.find((each) => each.name === name);
  if (pathMayRepeat(on, context)) return true;
  if (member?.kind === "query") {
    const isSingle = member.query.result.kind !== "many";
    return (isSingle && isFromMany) || mayRepeat(member.query, context);
  }
  return isFromMany && member?.kind === "reference" && !member.unique;
}
