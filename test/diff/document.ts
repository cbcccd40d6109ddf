// The OpenAPI document of a definition, as far as it says what is sent and answered: without words, examples and names of
// objects, every reference replaced by what it refers to.

import type { Definition } from "@stoa/definition";
import { writeOpenApi } from "@stoa/generators";
import type { Schema } from "../contract/arbitrary.js";

/** What goes to and fro at an address, when all goes well. */
export interface Exchange {
  readonly request: Schema | null;
  readonly answers: ReadonlyMap<string, Schema>;
}

const WORDS = new Set(["description", "summary", "examples", "tags", "title"]);

type Part = Readonly<Record<string, unknown>>;

export class Document {
  /** The same text for documents that say the same. */
  readonly content: string;
  /** By method and path, without the names of parameters. */
  readonly exchanges: ReadonlyMap<string, Exchange>;

  constructor(definition: Definition) {
    const document: Part = JSON.parse(writeOpenApi(definition));
    const operations = Object.entries(document.paths as Part).flatMap(([path, item]) =>
      operationsOf(document, path, item as Part),
    );
    this.content = JSON.stringify(operations.sort(([left], [right]) => (left < right ? -1 : 1)));
    this.exchanges = new Map(operations.map(([address, operation]) => [address, exchangeOf(operation)]));
  }
}

function operationsOf(document: Part, path: string, { parameters, ...methods }: Part): [string, Part][] {
  const types = (parameters as Part[] | undefined)?.map(({ schema }) => resolve(document, schema));
  return Object.entries(methods).map(([method, operation]) => [
    `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`,
    { types, ...(resolve(document, operation) as Part) },
  ]);
}

/** With sorted keys; lists of names are sets. */
function resolve(document: Part, part: unknown): unknown {
  if (Array.isArray(part)) {
    const items = part.map((item) => resolve(document, item));
    return items.every((item) => typeof item === "string") ? items.sort() : items;
  }
  if (typeof part !== "object" || part === null) return part;
  const { $ref, ...rest } = part as Part;
  const target = typeof $ref === "string" ? (lookUp(document, $ref) as Part) : {};
  return Object.fromEntries(
    Object.entries({ ...target, ...rest })
      .filter(([key, value]) => !(WORDS.has(key) && (typeof value === "string" || Array.isArray(value))))
      .map(([key, value]) => [key, resolve(document, value)] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function lookUp(document: Part, ref: string): unknown {
  return ref
    .slice(2)
    .split("/")
    .reduce<unknown>((part, key) => (part as Part)[key], document);
}

function exchangeOf({ requestBody, responses }: Part): Exchange {
  const answers = Object.entries(responses as Part).flatMap(([status, response]): [string, Schema][] => {
    const schema = schemaOf(response);
    return /^2/.test(status) && schema !== null ? [[status, schema]] : [];
  });
  return { request: requestBody === undefined ? null : schemaOf(requestBody), answers: new Map(answers) };
}

function schemaOf(part: unknown): Schema | null {
  const content = (part as { readonly content?: Record<string, { readonly schema: Schema }> }).content;
  return content?.["application/json"]?.schema ?? null;
}
