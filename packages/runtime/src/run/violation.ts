// What only the database can see: values that are taken, records that are missing or still needed. Each is told
// by the field that caused it, never by the constraint's name or by other people's values.

import type { DatabaseError } from "@stoa/database";
import type { Action, Definition, Model } from "@stoa/definition";
import type { InputError, Problem } from "../exchange.js";
import { pointerOf } from "../input/index.js";
import { invalid } from "../input/query-string.js";
import { NOT_FOUND, TAKEN } from "./refusals.js";

/** `actions` are those whose statement has failed, where that is known. */
export type ExplainViolation = (failure: DatabaseError, actions: readonly Action[]) => Problem | null;

/** Constraints of all models, looked up by name when one is violated. */
export function violationsOf(definition: Definition, actions: readonly Action[]): ExplainViolation {
  const blamed = blamesOf(definition.models);
  return (failure, failed) => {
    const blame = blamed.get(failure.constraint ?? "");
    const suspects = [...failed, ...actions];
    switch (failure.kind) {
      case "unique":
        return conflict(
          (blame?.members ?? []).map((member) => ({ member, source: sourceOf(suspects, blame, member) })),
        );
      case "foreign-key":
        return blame === undefined ? null : foreignKey(failure, blame, suspects);
      // Whatever comes from requests has been tested: code has given a value that the column cannot have.
      case "check":
      case "not-null":
        return null;
      default:
        return outOfRange(failure);
    }
  };
}

interface Blame {
  readonly model: Model;
  readonly members: readonly string[];
}

function blamesOf(models: readonly Model[]): ReadonlyMap<string, Blame> {
  const blames = new Map<string, Blame>();
  for (const model of models) {
    const { table } = model;
    for (const { name, members } of table.uniques) blames.set(name, { model, members });
    for (const { name, member } of [...table.foreignKeys, ...table.checks])
      blames.set(name, { model, members: [member] });
    blames.set(table.primaryKey.name, { model, members: ["id"] });
  }
  return blames;
}

/**
 * Where the request has the value of a member; the member itself where it does not come from the request. What comes
 * from the path is nothing that a client could give another value.
 */
function sourceOf(
  actions: readonly Action[],
  blame: Blame | undefined,
  member: string,
): readonly string[] | "parent" {
  for (const action of actions) {
    if ((action.kind !== "create" && action.kind !== "update") || action.model !== blame?.model.name)
      continue;
    const assignment = action.assignments.find((each) => each.member === member);
    if (assignment?.kind === "input" || assignment?.kind === "lookup") return assignment.field;
    if (assignment?.kind === "parent") return "parent";
  }
  return [member];
}

function taken(field: readonly string[]): InputError {
  return { path: pointerOf(field), code: "unique", message: "is already taken" };
}

interface Claim {
  readonly member: string;
  readonly source: readonly string[] | "parent";
}

/** All that must not be the same together is named; what a client could give another value is blamed. */
function conflict(claims: readonly Claim[]): Problem {
  const errors = claims.flatMap(({ source }) => (source === "parent" ? [] : [taken(source)]));
  if (errors.length === 0) return TAKEN;
  const fields = claims
    .map(({ member, source }) => (source === "parent" ? member : source.join("/")))
    .join(", ");
  return {
    kind: "problem",
    code: "conflict",
    detail: `There is a record with the same ${fields} already`,
    errors,
  };
}

/** The record that a reference points at is missing; or a record is to be deleted that others point at. */
function foreignKey(
  { detail, message }: DatabaseError,
  { model, members }: Blame,
  actions: readonly Action[],
): Problem {
  const member = members[0] ?? "";
  const isStillNeeded = /still referenced/.test(`${detail} ${message}`);
  if (isStillNeeded) {
    return {
      kind: "problem",
      code: "conflict",
      detail: `The record is still referenced by ${model.name}.${member}`,
    };
  }
  const source = sourceOf(actions, { model, members }, member);
  // A parent that was found is deleted meanwhile.
  if (source === "parent") return NOT_FOUND;
  return invalid([
    { path: pointerOf(source), code: "not-found", message: "names a record that does not exist" },
  ]);
}

const OUT_OF_RANGE = new Set(["22003", "22008", "22P02"]);
const RAISED = /stoa:([a-z-]+):([^:]*):/;

/** Results of expressions that nothing can hold; where a strict one has failed, it says of what. */
function outOfRange({ sqlState = "", cause }: DatabaseError): Problem | null {
  if (sqlState === "22012") {
    return invalid([{ path: "", code: "division-by-zero", message: "would be a division by zero" }]);
  }
  const raised = RAISED.exec(cause instanceof Error ? cause.message : "");
  // A text that is no number, and not one of ours: code gave it.
  if (!OUT_OF_RANGE.has(sqlState) || (sqlState === "22P02" && raised === null)) return null;
  const message = "the calculated value is out of range";
  const [, code = "out-of-range", path = ""] = raised ?? [];
  return invalid([{ path, code, message }]);
}
