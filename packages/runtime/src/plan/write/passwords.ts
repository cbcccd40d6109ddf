// Passwords are stored as hashes, whatever writes them. Those of requests are hashed when they are read. Any other is
// worked out by the database first, like the arguments of code, hashed by the server, and then written: so `set` of a
// password, and its default, become code.

import type { Action, Assignment, Place as At, Definition, Expression, FieldMember } from "@stoa/definition";
import type { Place } from "../place.js";
import { mentionsThis } from "../rules.js";
import { laterDefaults } from "./defaults.js";

/** Whether a member is the secret that users log in with. */
export function isPassword({ auth }: Definition, model: string, member: string): boolean {
  return auth?.password != null && auth.model === model && auth.password.secret === member;
}

/** The same endpoint, with code wherever a password is made up. */
export function withHashedPasswords(definition: Definition, place: Place): Place {
  if (definition.auth?.password == null) return place;
  const { endpoint } = place;
  const actions = endpoint.actions.map((action) => hashedAction(definition, action, place));
  return { ...place, endpoint: { ...endpoint, actions } };
}

function hashedAction(definition: Definition, action: Action, place: Place): Action {
  switch (action.kind) {
    case "create": {
      const assignments = [...action.assignments, ...defaultPassword(definition, action)];
      return { ...action, assignments: hashedAssignments(definition, action.model, assignments, place) };
    }
    case "update":
      return {
        ...action,
        assignments: hashedAssignments(definition, action.model, action.assignments, place),
      };
    case "query": {
      const { operation, query } = action;
      if (operation.kind !== "update") return action;
      const assignments = hashedAssignments(definition, query.model, operation.assignments, place);
      checkMany(operation.assignments, assignments, place);
      return { ...action, operation: { ...operation, assignments } };
    }
    default:
      return action;
  }
}

function hashedAssignments(
  definition: Definition,
  model: string,
  assignments: readonly Assignment[],
  place: Place,
): Assignment[] {
  return assignments.map((assignment) => {
    if (!isPassword(definition, model, assignment.member)) return assignment;
    if (assignment.kind === "input") checkDefault(assignment.field, place);
    return assignment.kind === "set"
      ? asCode(assignment.member, assignment.value, assignment.at)
      : assignment;
  });
}

/** A new record whose password nothing assigns has that of the model. */
function defaultPassword(
  definition: Definition,
  { model: name, assignments, at }: Extract<Action, { kind: "create" }>,
): Assignment[] {
  const model = definition.models.find((each) => each.name === name);
  const field = model?.members.find((member): member is FieldMember => {
    return member.kind === "field" && isPassword(definition, name, member.name);
  });
  if (field === undefined || field.default === null) return [];
  const isAssigned = assignments.some(({ member }) => member === field.name);
  return isAssigned ? [] : [asCode(field.name, field.default, at)];
}

/** The code gives its argument; what it gives for a password is hashed. */
function asCode(member: string, expression: Expression, at: At): Assignment {
  const value = { kind: "expression", expression } as const;
  const hook = { arguments: [{ name: "value", value }], code: { kind: "inline", code: "value" } } as const;
  return { kind: "hook", member, hook, at };
}

/** Many records are changed by one statement, so there is one hash for all. */
function checkMany(before: readonly Assignment[], after: readonly Assignment[], { endpoint }: Place): void {
  for (const [index, assignment] of before.entries()) {
    const isHashed = assignment !== after[index];
    if (!isHashed || assignment.kind !== "set" || !mentionsThis(assignment.value)) continue;
    const reason =
      "one password for each of many records cannot be hashed; write one that is the same for all";
    throw new Error(`\`set ${assignment.member}\` in \`${endpoint.name}\`: ${reason}.`);
  }
}

/** A default that looks at records is worked out within the statement that writes it: too late to be hashed. */
function checkDefault(field: readonly string[], { endpoint }: Place): void {
  if (!laterDefaults(endpoint.request).has(field.join("."))) return;
  const reason = "the default of a password cannot look at records, since it could not be hashed";
  throw new Error(`The input \`${field.join(".")}\` of \`${endpoint.name}\`: ${reason}.`);
}
