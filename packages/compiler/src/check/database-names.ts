// Names in the database: two members or models may not end up in the same place.

import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/models.js";
import { isTooLong, MAX_IDENTIFIER_BYTES, snakeCase } from "../naming.js";
import type { Member, Model } from "../resolve/program.js";
import { type Block, isMissing, itemOf, type Text } from "../syntax/tree.js";
import type { Check } from "./context.js";

export interface DatabaseName {
  readonly name: string;
  readonly span: Span;
}

export function tableName(model: Model): DatabaseName {
  const dbname = itemOf(model.node.body, "dbname");
  return overridden(dbname?.value) ?? { name: snakeCase(model.name), span: model.node.name.span };
}

/** The column of a stored member; undefined for the others (and for keys: theirs is their reference's). */
export function columnName(member: Member): DatabaseName | undefined {
  switch (member.kind) {
    case "id":
      return { name: "id", span: member.span };
    case "field":
      return overrideIn(member.node?.body) ?? { name: snakeCase(member.name), span: member.span };
    case "reference":
      return overrideIn(member.node.body) ?? { name: `${snakeCase(member.name)}_id`, span: member.span };
    case "key":
    case "relation":
    case "computed":
    case "query":
    case "hook":
      return undefined;
  }
}

function overrideIn(body: Block<{ readonly kind: string; readonly value?: unknown }> | undefined) {
  const node = body?.items.find((item) => item.kind === "dbname");
  return overridden(node?.value as Text | undefined);
}

function overridden(text: Text | undefined): DatabaseName | undefined {
  return text && { name: text.value, span: text.span };
}

/** Every table of PostgreSQL has these. */
const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]);

export function checkDatabaseNames(check: Check): void {
  const claimed = new Map<string, Span>();
  const tables = new Map<string, { readonly model: Model; readonly span: Span }>();
  for (const model of check.program.models.values()) {
    const table = tableName(model);
    checkName(check, table);
    const first = tables.get(table.name);
    if (first) {
      const names = [first.model.name, model.name] as const;
      check.report(say.collision(table.span, { what: "table", name: table.name, names, first: first.span }));
    } else tables.set(table.name, { model, span: table.span });
    checkColumns(check, model);
    checkModelRename(check, model, claimed);
  }
}

function checkColumns(check: Check, model: Model): void {
  const columns = new Map<string, { readonly member: string; readonly span: Span }>();
  for (const member of model.members.values()) {
    const column = columnName(member);
    if (!column) continue;
    checkName(check, column);
    if (SYSTEM_COLUMNS.has(column.name)) check.report(say.systemColumn(column.span, column.name));
    const first = columns.get(column.name);
    if (!first) {
      columns.set(column.name, { member: member.name, span: column.span });
      continue;
    }
    // `field author_id` beside `reference author` has been reported as a name that is taken.
    const isKey = first.member === `${member.name}_id` || member.name === `${first.member}_id`;
    if (!isKey) {
      const names = [first.member, member.name] as const;
      check.report(
        say.collision(column.span, { what: "column", name: column.name, names, first: first.span }),
      );
    }
  }
}

function checkName(check: Check, { name, span }: DatabaseName): void {
  if (name === "" && span.start < span.end) check.report(say.emptyDatabaseName(span));
  else if (name.includes("\u0000") || isTooLong(name)) {
    check.report(say.nameTooLong(span, name, MAX_IDENTIFIER_BYTES));
  }
}

function checkModelRename(check: Check, model: Model, claimed: Map<string, Span>): void {
  const was = itemOf(model.node.body, "was");
  if (!was || isMissing(was.name)) return;
  const still = check.program.models.get(was.name.text);
  const first = claimed.get(was.name.text);
  if (still) check.report(say.stillThere(was.name.span, was.name.text, still.node.name.span));
  else if (first) check.report(say.renamedTwice(was.name.span, was.name.text, first));
  claimed.set(was.name.text, was.name.span);
}
