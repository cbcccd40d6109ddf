// Validators, runtimes and generators.

import type { Expression, Generator, Hook, Runtime, Validator } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/program.js";
import { type MissingWord, missingProperties } from "../diagnostics/messages/syntax.js";
import type { ValidatorDeclaration } from "../resolve/program.js";
import { type AssertNode, type GeneratorNode, isMissing, itemOf } from "../syntax/tree.js";
import type { Check } from "./context.js";
import { inferCondition } from "./expression.js";
import { checkHook } from "./hook.js";
import { EMPTY_SCOPE, type Scope } from "./scope.js";
import { ANY } from "./types.js";

export function checkValidators(check: Check): Validator[] {
  return [...check.program.validators.values()].flatMap((declaration) => {
    const validator = checkValidator(check, declaration);
    return validator ? [validator] : [];
  });
}

function checkValidator(check: Check, declaration: ValidatorDeclaration): Validator | undefined {
  const { node } = declaration;
  const assertNode = itemOf(node.body, "assert");
  const error = itemOf(node.body, "error");
  const code = error && itemOf(error.body, "code");
  const assert = assertNode && checkAssert(check, assertNode, declaration);
  const args = declaration.arguments.flatMap(({ name, type }) => (type ? [{ name, type }] : []));
  if (!assert || !code || args.length < declaration.arguments.length) return undefined;
  const message = itemOf(error.body, "message")?.value.value ?? null;
  return {
    name: declaration.name,
    arguments: args,
    assert,
    error: { code: code.value.value, message },
    doc: node.doc ?? null,
    at: check.placeOf(node.span),
  };
}

function checkAssert(
  check: Check,
  node: AssertNode,
  declaration: ValidatorDeclaration,
): Expression | { readonly kind: "hook"; readonly hook: Hook } {
  const scope: Scope = {
    ...EMPTY_SCOPE,
    place: "a validator",
    noAuth: "a validator judges the value alone",
    onZero: "error",
    variables: new Map(
      declaration.arguments.map(({ name, type, span }) => [
        name,
        { name, kind: "argument", type: type ?? ANY, span },
      ]),
    ),
  };
  if (node.value.kind !== "hook") return inferCondition(check, node.value, scope, "an assertion");
  const place = { span: node.value.span, scope, fromModels: false };
  return { kind: "hook", hook: checkHook(check, node.value.hook.body, place) };
}

export function checkRuntimes(check: Check): Runtime[] {
  const { runtimes } = check.program;
  const defaults = runtimes.flatMap((node) => itemOf(node.body, "default") ?? []);
  const [first, ...others] = defaults;
  for (const other of others) if (first) check.report(say.secondDefaultRuntime(other.span, first.span));
  const [, another] = runtimes;
  if (!first && another) check.report(say.noDefaultRuntime(another.name.span));
  return runtimes.flatMap((node) => {
    const source = itemOf(node.body, "source");
    if (!source) {
      if (!node.body.damaged) check.report(say.runtimeNeedsSource(node.name.span, node.name.text));
      return [];
    }
    const isDefault = itemOf(node.body, "default") !== undefined || runtimes.length === 1;
    const at = check.placeOf(node.span);
    return [
      { name: node.name.text, default: isDefault, path: source.value.value, doc: node.doc ?? null, at },
    ];
  });
}

export function checkGenerators(check: Check): Generator[] {
  const seen = new Map<string, Span>();
  return check.program.generators.flatMap((node) => {
    const generator = checkGenerator(check, node);
    if (!generator) return [];
    const key = generator.kind === "apidocs" ? generator.kind : `${generator.kind} ${generator.output}`;
    const first = seen.get(key);
    if (first) check.report(say.duplicateGenerator(node.span, generator.kind, first));
    else seen.set(key, node.span);
    return [generator];
  });
}

function checkGenerator(check: Check, { target, body, span }: GeneratorNode): Generator | undefined {
  if (target === undefined) return undefined;
  if (target === "apidocs") {
    return { kind: "apidocs", basePath: itemOf(body, "basePath")?.value.value ?? null };
  }
  const output = itemOf(body, "output")?.value.value;
  const language = itemOf(body, "target")?.name;
  const isClient = target === "client";
  const missing: MissingWord[] = [];
  if (isClient && !language) missing.push(["target", "target ts"]);
  if (output === undefined)
    missing.push(["output", isClient ? 'output "./client"' : 'output "./openapi.json"']);
  if (missing.length > 0 && !body.damaged) {
    const owner = isClient ? "A client generator" : "An OpenAPI generator";
    check.report(missingProperties(span, owner, missing));
  }
  if (!isClient) return output === undefined ? undefined : { kind: "openapi", output };
  if (!language || isMissing(language) || output === undefined) return undefined;
  if (language.text !== "ts" && language.text !== "js") {
    check.report(say.clientTarget(language.span, language.text));
    return undefined;
  }
  return { kind: "client", target: language.text, output };
}
