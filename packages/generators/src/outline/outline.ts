// All that clients can call and see, worked out once: the document and the client are written from this, under the
// same names.

import type { Definition } from "@stoa/definition";
import { enumNames } from "./enum-names.js";
import { NameList, pascalCase } from "./names.js";
import { type ApiGroup, listApis, listGroups, listOperations, type Operation } from "./operations.js";
import { RESERVED } from "./reserved.js";
import { nameResponses, type Shape, Shapes } from "./shapes.js";

export interface Outline {
  readonly definition: Definition;
  readonly apis: readonly ApiGroup[];
  readonly operations: readonly Operation[];
  /** What an operation sends back, one record of it; absent where it is nothing, or up to code. */
  readonly responses: ReadonlyMap<Operation, Shape>;
  /** The names of the objects that requests bring. */
  readonly inputs: ReadonlyMap<Operation, string>;
  readonly shapes: Shapes;
  /** All names that are taken. */
  readonly names: NameList;
}

export function outline(definition: Definition): Outline {
  const names = new NameList([...RESERVED, ...enumNames(definition).values()]);
  const shapes = new Shapes(definition, names);
  const apis = listApis(definition);
  const operations = listOperations(apis);
  const responses = new Map(listGroups(apis).flatMap((group) => [...nameResponses(group, shapes)]));
  for (const operation of operations) {
    const { actions } = operation.endpoint;
    const respond = actions.find((action) => action.kind === "respond");
    if (respond === undefined) continue;
    responses.set(operation, shapes.ofExpression(respond.body, actions, `${pascalCase(operation.id)}Answer`));
  }
  const inputs = nameInputs(operations, names);
  return { definition, apis, operations, responses, inputs, shapes, names };
}

/** Requests that bring the same share a name, that of the first. */
function nameInputs(operations: readonly Operation[], names: NameList): Map<Operation, string> {
  const byContent = new Map<string, string>();
  const inputs = new Map<Operation, string>();
  for (const operation of operations) {
    const { request } = operation.endpoint;
    if (request === null) continue;
    const content = JSON.stringify(request);
    const name = byContent.get(content) ?? names.take(`${pascalCase(operation.id)}Input`);
    byContent.set(content, name);
    inputs.set(operation, name);
  }
  return inputs;
}
