// What expressions of a populator can read of the records above them: what is stored, the records that
// references point at, and computeds over those. Relations and queries would need records that are not written.

import {
  type CompileOptions,
  compileExpression,
  type Definition,
  type Expression,
  type MemberExpression,
  type ReadRecord,
  type Value,
} from "@stoa/definition";
import { RowProblem } from "./failure.js";
import { hookNotRead, notYetWritten, referenceNotAtHand } from "./messages.js";
import { findMember, findModel } from "./row.js";

/** Throws a `RowProblem` for a path that no row could ever answer. */
export function memberReader(definition: Definition): CompileOptions {
  const options: CompileOptions = { readMember: (member) => readerOf(definition, member, options) };
  return options;
}

function readerOf(definition: Definition, path: MemberExpression, options: CompileOptions): ReadRecord {
  const { name, member } = path;
  switch (member) {
    case "relation":
    case "query":
      throw new RowProblem(notYetWritten(pathText(path), member));
    case "hook":
      throw new RowProblem(hookNotRead(pathText(path)));
    case "computed":
      return computedReader(definition, path, options);
    case "reference":
      return (record) => {
        const target: Value | undefined = record[name];
        if (target === undefined) throw new RowProblem(referenceNotAtHand(pathText(path)));
        return target;
      };
    case "id":
    case "field":
    case "key":
    case "json":
    case "part":
      return (record) => record[name] ?? null;
  }
}

function computedReader(
  definition: Definition,
  { on, name }: MemberExpression,
  options: CompileOptions,
): ReadRecord {
  if (on.type.kind !== "record") throw new Error(`\`${name}\` is not read from a record.`);
  const computed = findMember(findModel(definition, on.type.model), name);
  if (computed.kind !== "computed") throw new Error(`\`${name}\` is not a computed.`);
  const evaluate = compileExpression(computed.value, options);
  return (record, scope) => evaluate({ ...scope, this: record });
}

function pathText(path: Expression): string {
  if (path.kind === "member") {
    const on = pathText(path.on);
    return on === "" ? path.name : `${on}.${path.name}`;
  }
  return path.kind === "variable" ? path.name : "";
}
