// Values for the parameters of a statement, from wherever they come.

import type { ValueType } from "@stoa/definition";
import type { Credentials } from "../exchange.js";
import { type Inputs, parameterText } from "../input/index.js";
import type { Binding } from "../sql/context.js";
import { offsetOf, type Page } from "./paging.js";

/** What statements that read need. */
export interface ReadValues {
  readonly identifiers: readonly string[];
  readonly userId: string | null;
  readonly credentials: Credentials | null;
  readonly page: Page | null;
}

export interface Values extends ReadValues {
  readonly inputs: Inputs | null;
  /** A text to write instead of an input, by the input's path: secrets are kept as hashes. */
  readonly hashed: ReadonlyMap<string, string>;
  /** New ids by action, results of code by call. */
  readonly newId: (action: number) => string;
  readonly results: ReadonlyMap<number, string | null>;
  /** A list of entity tags as PostgreSQL reads it. */
  readonly tags: string | null;
}

export function bindRead(bindings: readonly Binding[], values: ReadValues): (string | null)[] {
  return bindings.map((binding) => bindOfRead(binding, values));
}

export function bindAll(bindings: readonly Binding[], values: Values): (string | null)[] {
  return bindings.map((binding) => bind(binding, values));
}

function bindOfRead(binding: Binding, values: ReadValues): string | null {
  const { identifiers, userId, credentials, page } = values;
  switch (binding.kind) {
    case "path":
      return identifiers[binding.index] ?? null;
    case "user":
      return userId;
    case "session":
      return credentials?.kind === "session" ? credentials.tokenHash : null;
    case "subject":
      return credentials?.kind === "subject" ? credentials.subject : null;
    case "limit":
      return page === null ? null : String(page.pageSize);
    case "offset":
      return page === null ? null : String(offsetOf(page));
    default:
      throw new Error(`A statement that reads has a parameter of the kind \`${binding.kind}\`.`);
  }
}

function bind(binding: Binding, values: Values): string | null {
  switch (binding.kind) {
    case "path":
    case "user":
    case "session":
    case "subject":
    case "limit":
    case "offset":
      return bindOfRead(binding, values);
    case "input":
      return inputText(binding.path, binding.type, values);
    case "given":
      return isPresent(binding.path, values) ? "true" : "false";
    case "new id":
      return values.newId(binding.action);
    case "tags":
      return values.tags;
    case "hook":
      return values.results.get(binding.call) ?? null;
  }
}

function inputText(path: readonly string[], type: ValueType, { inputs, hashed }: Values): string | null {
  const hash = hashed.get(path.join("."));
  if (hash !== undefined) return hash;
  return inputs === null ? null : parameterText(inputs.get(path).value, type);
}

/** Whether there is a value to write: given, or by default. */
function isPresent(path: readonly string[], { inputs }: Values): boolean {
  const from = inputs?.get(path).from;
  return from === "request" || from === "default";
}
