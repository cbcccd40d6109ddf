// Which rules can be asked about a record before it is written: those that see nothing of the change but the record
// itself. A rule that reaches the changed table by another way would see it as it was, and has to wait until it is
// written.

import {
  type Action,
  type Definition,
  type Expression,
  expressionParts,
  type Model,
  modelOfType,
  someExpression,
} from "@stoa/definition";
import type { Place } from "../place.js";
import { mentions } from "../rules.js";
import { changeOf } from "./affected.js";
import { boundEntrypoints, type RulesAfter, rulesAfter } from "./allowed.js";
import type { ImageRules } from "./image.js";
import { expressionTouches } from "./touch.js";
import { writtenModels } from "./written.js";

/** What has to be asked again of an action: nothing, before it writes, or when it has written. */
export type Judgement =
  | { readonly kind: "none" }
  | { readonly kind: "image"; readonly rules: ImageRules }
  | { readonly kind: "after"; readonly rules: RulesAfter };

/** `before` are the actions that come first: what they have changed is not seen in copies of records. */
export function judgementOf(
  definition: Definition,
  place: Place,
  action: Action,
  before: readonly Action[],
): Judgement {
  const rules = rulesAfter(place, action, definition.models);
  if (rules === null) return { kind: "none" };
  const bound = boundEntrypoints(place);
  const alias = writtenAlias(action, rules, new Set(bound.map((each) => each.alias)));
  const isStale = bound.some(({ model }) => before.some((each) => writtenModels(each).includes(model)));
  if (
    alias === null ||
    isStale ||
    !rules.clauses.every((clause) => isForeseen(clause, alias, action, definition))
  )
    return { kind: "after", rules };
  return { kind: "image", rules: { alias, clauses: rules.clauses } };
}

/** The alias in the rules of the one record that an action writes. */
function writtenAlias(action: Action, { created }: RulesAfter, bound: ReadonlySet<string>): string | null {
  if (action.kind === "create") return action.link === null && action.assignments.length > 0 ? created : null;
  if (action.kind !== "update" || action.target.kind !== "variable") return null;
  const { variable, name } = action.target;
  return variable === "alias" && bound.has(name) ? name : null;
}

function isForeseen(clause: Expression, alias: string, action: Action, definition: Definition): boolean {
  if (action.kind !== "create" && action.kind !== "update") return false;
  const model = definition.models.find(({ name }) => name === action.model);
  if (model === undefined || expressionTouches(clause, new Set([model.name]), definition)) return false;
  // Two names may be names of one record.
  const isOther = mentions(clause, ({ variable, name, type }) => {
    return variable === "alias" && name !== alias && modelOfType(type) === model.name;
  });
  if (isOther) return false;
  if (action.kind === "create") return !needsNewId(clause, alias, model);
  return !seesUserChanged(clause, action, definition);
}

/** The number of a new record is not known before it is there. */
function needsNewId(clause: Expression, alias: string, model: Model): boolean {
  const id = model.table.columns.find(({ name }) => name === model.table.primaryKey.columns[0]);
  return id?.generated !== "uuid" && readsId(clause, alias, model);
}

/** As the id itself, as the record in a comparison, or on the way to records that point at it. */
function readsId(expression: Expression, alias: string, model: Model): boolean {
  if (isSelf(expression, alias)) return true;
  if (expression.kind !== "member" || !isSelf(expression.on, alias))
    return expressionParts(expression).some((part) => readsId(part, alias, model));
  switch (expression.member) {
    case "field":
    case "key":
    case "reference":
      return false;
    default:
      // What a computed member or a query looks at is not followed.
      return true;
  }
}

function isSelf(expression: Expression, alias: string): boolean {
  return expression.kind === "variable" && expression.variable === "alias" && expression.name === alias;
}

/** A user who changes their own record: rules about `@auth` would see them as they were. */
function seesUserChanged(clause: Expression, action: Action, { auth, models }: Definition): boolean {
  const change = changeOf(action, models);
  if (change === null || auth?.model !== change.model.name) return false;
  return someExpression(clause, (part) => {
    if (part.kind !== "member" || part.on.kind !== "variable" || part.on.variable !== "auth") return false;
    const member = change.model.members.find(({ name }) => name === part.name);
    return member === undefined || !("column" in member) || change.columns.has(member.column);
  });
}
