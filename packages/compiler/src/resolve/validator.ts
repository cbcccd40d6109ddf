// Validators: names and types of their arguments.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/names.js";
import { type MissingWord, missingProperties, missingProperty } from "../diagnostics/messages/syntax.js";
import { isMissing, itemOf, itemsOf, type Name, type ValidatorNode } from "../syntax/tree.js";
import type { ValidatorArgument, ValidatorDeclaration } from "./program.js";
import { resolveValueType, type TypeNames } from "./value-type.js";

export function resolveValidator(
  node: ValidatorNode,
  names: TypeNames,
  report: (diagnostic: Diagnostic) => void,
): ValidatorDeclaration {
  const owner = `The validator \`${node.name.text}\``;
  const args: ValidatorArgument[] = [];
  const seen = new Map<string, Name>();
  for (const arg of itemsOf(node.body, "arg")) {
    const first = seen.get(arg.name.text);
    if (first) report(say.duplicateName(arg.name.span, arg.name.text, "this validator", first.span));
    seen.set(arg.name.text, arg.name);
    const type = itemOf(arg.body, "type");
    const nullable = itemOf(arg.body, "nullable") !== undefined;
    if (!type && !arg.body.damaged && !isMissing(arg.name)) {
      report(missingProperty(arg.name.span, `The argument \`${arg.name.text}\``, "type", "type string"));
    }
    const valueType = type && resolveValueType(type.type, nullable, { names, report });
    if (!first) args.push({ name: arg.name.text, type: valueType, span: arg.name.span });
  }
  if (!node.body.damaged) reportMissing(node, owner, report);
  return { name: node.name.text, node, arguments: args };
}

function reportMissing(node: ValidatorNode, owner: string, report: (diagnostic: Diagnostic) => void): void {
  const error = itemOf(node.body, "error");
  const missing: MissingWord[] = [];
  if (!itemOf(node.body, "arg")) missing.push(["arg", "arg value { type string }"]);
  if (!itemOf(node.body, "assert")) missing.push(["assert", "assert { length(value) > 3 }"]);
  if (!error) missing.push(["error", 'error { code "too-short" }']);
  if (missing.length > 0) report(missingProperties(node.name.span, owner, missing));
  if (error && !itemOf(error.body, "code") && !error.body.damaged) {
    report(missingProperty(error.span, "An error", "code", 'code "too-short"'));
  }
}
