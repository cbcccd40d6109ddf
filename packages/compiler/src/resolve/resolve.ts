// Phase 2: syntax trees of all files → the program: who is who. Declarations and members by name, types of
// fields, targets of references and relations. Files and declarations may come in any order.

import { BUILT_IN_VALIDATORS } from "@stoa/definition";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/names.js";
import { type Declaration, isMissing, type Name, type SourceFile } from "../syntax/tree.js";
import { type ModelNames, resolveModel } from "./model.js";
import type { EnumDeclaration, Model, Program, ValidatorDeclaration } from "./program.js";
import { resolveValidator } from "./validator.js";
import { TYPE_NAMES } from "./value-type.js";

export interface ResolveResult {
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
}

export function resolve(files: readonly SourceFile[]): ResolveResult {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const sorted = [...files].sort((a, b) => (a.file < b.file ? -1 : 1));
  const declarations = sorted.flatMap((file) => file.declarations);
  const unique = uniqueDeclarations(declarations, report);
  const damaged = files.some((file) => file.damaged) || declarations.some(hasNoName);
  const names = collectNames(unique, damaged);
  const program: Program = {
    models: resolveModels(names, report),
    enums: resolveEnums(unique, report),
    validators: resolveValidators(unique, names, report),
    apis: ofKind(declarations, "api"),
    populators: ofKind(unique, "populator"),
    runtimes: ofKind(unique, "runtime"),
    generators: ofKind(declarations, "generator"),
    auths: ofKind(declarations, "auth"),
    damaged,
  };
  return { program, diagnostics };
}

function ofKind<Kind extends Declaration["kind"]>(
  declarations: readonly Declaration[],
  kind: Kind,
): Extract<Declaration, { kind: Kind }>[] {
  return declarations.filter((node): node is Extract<Declaration, { kind: Kind }> => node.kind === kind);
}

function hasNoName(node: Declaration): boolean {
  return "name" in node && node.name !== undefined && isMissing(node.name);
}

/** Declarations whose names share one space: of two with the same name, the first counts. */
function uniqueDeclarations(
  declarations: readonly Declaration[],
  report: (diagnostic: Diagnostic) => void,
): Declaration[] {
  const seen = new Map<string, Name>();
  return declarations.filter((node) => {
    if (node.kind === "api" || node.kind === "auth" || node.kind === "generator") return false;
    const { name } = node;
    if (isMissing(name)) return false;
    const first = seen.get(name.text);
    if (first) report(say.duplicateName(name.span, name.text, "the program", first.span));
    else if (isBuiltIn(node)) report(say.builtInName(name.span, name.text, node.kind));
    if (!first) seen.set(name.text, name);
    return !first;
  });
}

function isBuiltIn(node: Declaration): boolean {
  if (node.kind === "enum") return TYPE_NAMES.includes(node.name.text);
  return node.kind === "validator" && BUILT_IN_VALIDATORS.has(node.name.text);
}

function collectNames(declarations: readonly Declaration[], damaged: boolean): ModelNames {
  return {
    models: new Map(ofKind(declarations, "model").map((node) => [node.name.text, node])),
    enums: new Map(ofKind(declarations, "enum").map((node) => [node.name.text, node])),
    damaged,
  };
}

function resolveModels(names: ModelNames, report: (diagnostic: Diagnostic) => void): Map<string, Model> {
  return new Map([...names.models].map(([name, node]) => [name, resolveModel(node, names, report)]));
}

function resolveEnums(
  declarations: readonly Declaration[],
  report: (diagnostic: Diagnostic) => void,
): Map<string, EnumDeclaration> {
  const enums = new Map<string, EnumDeclaration>();
  for (const node of ofKind(declarations, "enum")) {
    const values = new Map<string, Name>();
    for (const { name } of node.values) {
      const first = values.get(name.text);
      if (first)
        report(say.duplicateName(name.span, name.text, `the enum \`${node.name.text}\``, first.span));
      else values.set(name.text, name);
    }
    if (node.values.length === 0 && !node.damaged) report(say.emptyEnum(node.name.span, node.name.text));
    enums.set(node.name.text, { name: node.name.text, node, values: new Set(values.keys()) });
  }
  return enums;
}

function resolveValidators(
  declarations: readonly Declaration[],
  names: ModelNames,
  report: (diagnostic: Diagnostic) => void,
): Map<string, ValidatorDeclaration> {
  const nodes = ofKind(declarations, "validator");
  return new Map(nodes.map((node) => [node.name.text, resolveValidator(node, names, report)]));
}
