// Inputs in a few letters. A case is a line: what is sent, an arrow, and what becomes of it.
//
//   {"title": 5}                  → /title type: must be a string
//   {"title": "x"}                → title "x", views 1 (default)
//
// Values stand as the text that the database gets, in quotes where it is a string; what is absent and has no
// default is not shown. Several errors are separated by ` | `.

import { compile } from "@stoa/compiler";
import type { Definition, Endpoint, Entrypoint } from "@stoa/definition";
import type { Problem } from "../src/exchange.js";
import {
  type CompiledRequest,
  compileRequest,
  type InputSource,
  type Inputs,
  parameterText,
  type RequestOptions,
  type ValidatorHooks,
} from "../src/input/index.js";

export function compileSource(text: string): Definition {
  const { definition, diagnostics } = compile([{ name: "main.stoa", text }]);
  if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return definition;
}

/** A model `Thing` with these members, and the given endpoints. */
export function thing(members: string, endpoints = "create endpoint {} update endpoint {}"): string {
  return `model Thing { ${members} } api { entrypoint Thing as thing { ${endpoints} } }`;
}

const noHooks: ValidatorHooks = {
  find: (name) => {
    throw new Error(`no code for ${name}`);
  },
};

export interface Subject {
  readonly definition: Definition;
  readonly request: CompiledRequest;
  readonly endpoint: Endpoint;
}

export function requestOf(
  source: string,
  kind: Endpoint["kind"] = "create",
  options: Partial<RequestOptions> = {},
): Subject {
  const definition = compileSource(source);
  const endpoint = definition.apis
    .flatMap((api) => api.entrypoints.flatMap(endpointsOf))
    .find((each) => each.kind === kind && each.request !== null);
  if (!endpoint?.request) throw new Error(`There is no ${kind} endpoint with a request.`);
  const mode = kind === "create" || kind === "update" ? kind : "custom";
  const request = compileRequest(definition, endpoint.request, { mode, hooks: noHooks, ...options });
  return { definition, request, endpoint };
}

function endpointsOf({ endpoints, entrypoints }: Entrypoint): readonly Endpoint[] {
  return [...endpoints, ...entrypoints.flatMap(endpointsOf)];
}

export const NOW = "2026-11-14T10:20:30.000000Z";
export const NEW_ID = "018f4e6e-7c5b-7a57-9d3e-2f7a1c0b9e44";

export function sourceOf(body: string | Uint8Array | AsyncIterable<Uint8Array> | null): InputSource {
  return {
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? Buffer.from(body) : body,
    query: null,
    scope: { now: () => NOW, uuid: () => NEW_ID },
  };
}

export async function show({ request, endpoint }: Subject, source: InputSource): Promise<string> {
  const result = await request.read(source);
  return result.kind === "problem" ? showProblem(result) : showInputs(result, endpoint);
}

export function showProblem({ code, detail, errors }: Problem): string {
  if (errors === undefined) return `${code}: ${detail}`;
  return errors.map((error) => `${error.path} ${error.code}: ${error.message}`).join(" | ");
}

function showInputs(inputs: Inputs, { request }: Endpoint): string {
  const shown = inputs.all().flatMap(({ slot, input }) => {
    if (input.from === "nothing") return [];
    const fields = request?.fields ?? [];
    const inner =
      slot.path.length === 1 ? fields : fields.flatMap((f) => (f.kind === "object" ? f.fields : []));
    const field = inner.find((each) => each.kind === "value" && each.name === slot.path.at(-1));
    if (field?.kind !== "value") throw new Error("no field");
    const text = parameterText(input.value, field.type);
    const isText = typeof input.value === "string";
    const origin = input.from === "request" ? "" : ` (${input.from})`;
    return [`${slot.path.join(".")} ${isText ? JSON.stringify(text) : text}${origin}`];
  });
  return shown.length === 0 ? "nothing" : shown.join(", ");
}

/** The cases of a table, one per line. */
export function casesOf(table: string): readonly { readonly sent: string; readonly becomes: string }[] {
  return table
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [sent = "", becomes = ""] = line.split(/\s+→ /);
      return { sent, becomes };
    });
}
