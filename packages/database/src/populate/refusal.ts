// What the database says of a batch it does not take, in the words of the program: which row, which member,
// and where it was set.

import type { Definition, Model, Place } from "@stoa/definition";
import { DatabaseError } from "../connection/database.js";
import { decodeValue } from "./copy-text.js";
import { PopulateError, sourcePlace } from "./failure.js";
import * as say from "./messages.js";
import type { NodePlan } from "./plan.js";
import { createRow, describeRow, type Row, storedMembers } from "./row.js";

export interface RefusedBatch {
  readonly definition: Definition;
  readonly node: NodePlan;
  /** All of it in the text of COPY. */
  readonly text: string;
}

/** The error to throw: as it was where it is not about the rows, such as a lost connection or a deadlock. */
export function describeRefusal(error: unknown, batch: RefusedBatch): unknown {
  if (!(error instanceof DatabaseError) || !isAboutRows(error)) return error;
  const { definition, node } = batch;
  const blame = blameOf(error, node.model);
  const row = findRow(error, batch, blame);
  const message = messageOf(error, { model: node.model, blame, row });
  return new PopulateError({
    message,
    place: sourcePlace(definition, placeOf(node, blame.members)),
    row: { model: node.model.name, values: row ? describeRow(node.model, row) : {} },
    cause: error,
  });
}

function isAboutRows({ kind, sqlState }: DatabaseError): boolean {
  switch (kind) {
    case "unique":
    case "foreign-key":
    case "check":
    case "not-null":
      return true;
    case "other":
      // Data that a column (22xxx, a decimal with too many digits) or an index (54xxx, a long text) does not take.
      return /^(22|54)/.test(sqlState ?? "");
    case "unavailable":
    case "authentication":
    case "serialization":
    case "timeout":
    case "cancelled":
      return false;
  }
}

interface Blame {
  /** Names of stored members: of a reference, its key. */
  readonly members: readonly string[];
}

function blameOf(error: DatabaseError, { table, members }: Model): Blame {
  const { constraint } = error;
  const constraints = [table.primaryKey, ...table.uniques, ...table.foreignKeys, ...table.checks];
  const columns =
    constraints.find((candidate) => candidate.name === constraint)?.columns ??
    [error.column ?? copyContext(error)?.column].filter((column) => column !== undefined);
  const stored = members.filter(
    (member) => member.kind === "id" || member.kind === "field" || member.kind === "key",
  );
  return {
    members: stored.filter((member) => columns.includes(member.column)).map((member) => member.name),
  };
}

/** `COPY book, line 3, column price: "…"`: where in the batch it happened. */
function copyContext(
  error: DatabaseError,
): { readonly line: number; readonly column: string | undefined } | undefined {
  const where = (error.cause as { readonly where?: unknown } | undefined)?.where;
  const match = typeof where === "string" ? /^COPY .*?, line (\d+)(?:, column ([^:]+))?/m.exec(where) : null;
  return match ? { line: Number(match[1]), column: match[2] } : undefined;
}

/** A missing reference is noticed after all lines were read, so it is found by its value. */
function findRow(error: DatabaseError, { node, text }: RefusedBatch, { members }: Blame): Row | undefined {
  const lines = text.split("\n").slice(0, -1);
  const context = copyContext(error);
  if (context) return readLine(node, lines[context.line - 1]);
  const at = node.columns.findIndex((column) => column.member === members[0]);
  const value = detailValue(error);
  return readLine(
    node,
    lines.find((line) => line.split("\t")[at] === value),
  );
}

function readLine({ columns }: NodePlan, line: string | undefined): Row | undefined {
  if (line === undefined) return undefined;
  const row = createRow();
  const texts = line.split("\t");
  for (const [index, { member, type }] of columns.entries()) {
    row[member] = decodeValue(type, texts[index] ?? "");
  }
  return row;
}

/** `Key (author_id)=(99) is not present in table "author".` */
function detailValue({ detail }: DatabaseError): string | undefined {
  return detail === undefined ? undefined : /=\((.*)\) (?:is not present|already exists)/s.exec(detail)?.[1];
}

interface Refusal {
  readonly model: Model;
  readonly blame: Blame;
  readonly row: Row | undefined;
}

function messageOf(error: DatabaseError, { model, blame, row }: Refusal): say.Message {
  const names = blame.members.map((member) => say.memberName(model, member));
  const value = isSecret(model, blame) ? undefined : shownValue(error, { model, blame, row });
  const name = names[0] ?? model.name;
  switch (error.kind) {
    case "unique":
      return say.duplicateValue(names.length > 0 ? names : [model.name], value);
    case "foreign-key":
      return say.missingReference(name, value);
    case "not-null":
      return say.missingValue(name);
    case "check":
      return blame.members.length > 0 ? say.notInEnum(name) : say.refused(error.message);
    default:
      return say.refused(isSecret(model, blame) ? `\`${name}\` does not take the value` : error.message);
  }
}

function isSecret(model: Model, { members }: Blame): boolean {
  return storedMembers(model).some(
    (member) => member.kind === "field" && member.secret && members.includes(member.name),
  );
}

function shownValue(error: DatabaseError, { model, blame, row }: Refusal): string | undefined {
  if (!row) return detailValue(error);
  const values = describeRow(model, row);
  return blame.members.map((member) => String(values[member])).join(", ");
}

/** Where the member was set; otherwise the block itself. */
function placeOf({ populate, model }: NodePlan, members: readonly string[]): Place {
  const names = new Set(
    members.flatMap((name) => {
      const member = model.members.find((candidate) => candidate.name === name);
      return member?.kind === "key" ? [name, member.reference] : [name];
    }),
  );
  const assignment = populate.assignments.find(
    (candidate) => names.has(candidate.member) && (candidate.kind === "set" || candidate.kind === "hook"),
  );
  return assignment && "at" in assignment ? assignment.at : populate.at;
}
