// Holds answers of a server against its OpenAPI document: whatever is not described there is a complaint.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export interface Exchange {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Contract {
  readonly document: Document;
  /** What is wrong with an answer; nothing where no operation has such an address. */
  complaintsOf(exchange: Exchange): string[];
  /** The operation of an address. */
  find(method: string, target: string): Located | undefined;
  /** A validator for a part of the document, by its pointer. */
  validatorAt(pointer: string): ValidateFunction;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Response>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
}

export interface Located {
  readonly operation: Operation;
  readonly pointer: string;
}

export function openContract(text: string): Contract {
  const document: Document = JSON.parse(text);
  const ajv = createAjv();
  ajv.addSchema(document, "document");
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
    validators.set(pointer, known);
    return known;
  };
  const routes = routesOf(document);
  const find = (method: string, target: string) => findRoute(routes, method, target);
  const complaintsOf = (exchange: Exchange): string[] => {
    const located = find(exchange.method, exchange.target);
    return located === undefined ? [] : complain({ document, validatorAt }, located, exchange);
  };
  return { document, complaintsOf, find, validatorAt };
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  // Its types are those of a CommonJS module.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addFormat("decimal", /^-?\d+(\.\d+)?$/);
  return ajv;
}

// ---------------------------------------------------------------- addresses

interface Route extends Located {
  readonly method: string;
  /** Null for a parameter. */
  readonly segments: readonly (string | null)[];
}

function routesOf({ paths }: Document): Route[] {
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): Route[] => {
      if (method === "parameters") return [];
      const segments = path
        .split("/")
        .slice(1)
        .map((each) => (each.startsWith("{") ? null : decodeURIComponent(each)));
      return [
        {
          method: method.toUpperCase(),
          segments,
          operation,
          pointer: `/paths/${pointerPart(path)}/${method}`,
        },
      ];
    }),
  );
  // A literal comes before a parameter.
  const rank = ({ segments }: Route) => segments.map((each) => (each === null ? "1" : "0")).join("");
  return routes.sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function findRoute(routes: readonly Route[], method: string, target: string): Located | undefined {
  const path = target.split("?")[0]?.replace(/\/$/, "") ?? "";
  const segments = path.split("/").slice(1).map(decode);
  const wanted = method === "HEAD" ? "GET" : method;
  return routes.find(
    (route) =>
      route.method === wanted &&
      route.segments.length === segments.length &&
      route.segments.every((each, index) =>
        each === null ? Boolean(segments[index]) : each === segments[index],
      ),
  );
}

/** Empty for what cannot be a segment. */
function decode(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    return text.includes("\0") ? "" : text;
  } catch {
    return "";
  }
}

// ---------------------------------------------------------------- answers

type Validation = Pick<Contract, "document" | "validatorAt">;

function complain({ document, validatorAt }: Validation, located: Located, exchange: Exchange): string[] {
  const { method, target, status, headers, body } = exchange;
  const where = `${method} ${target} → ${status}`;
  const found = responseOf(document, located, status);
  if (found === undefined) return [`${where}: ${located.operation.operationId} has no such status: ${body}`];
  const { response, pointer } = found;
  const missing = Object.keys(response.headers ?? {})
    .filter((name) => name === "X-Request-Id" || name === "WWW-Authenticate" || name === "Retry-After")
    .filter((name) => !headers.has(name.toLowerCase()));
  const complaints = missing.map((name) => `${where}: the header ${name} is missing`);
  if (method === "HEAD") return complaints;
  return [
    ...complaints,
    ...complainOfBody({ response, pointer, validatorAt }, exchange).map((text) => `${where}: ${text}`),
  ];
}

interface Found {
  readonly response: Response;
  readonly pointer: string;
}

function responseOf(document: Document, { operation, pointer }: Located, status: number): Found | undefined {
  const names = [String(status), `${String(status)[0]}XX`, "default"];
  const name = names.find((each) => operation.responses[each] !== undefined);
  const response = name === undefined ? undefined : operation.responses[name];
  if (response === undefined) return undefined;
  if (!("$ref" in response)) return { response, pointer: `${pointer}/responses/${name}` };
  const component = response.$ref.split("/").at(-1) ?? "";
  const shared = document.components.responses?.[component];
  return shared === undefined ? undefined : { response: shared, pointer: response.$ref.slice(1) };
}

function complainOfBody(
  { response, pointer, validatorAt }: Found & Pick<Contract, "validatorAt">,
  { headers, body }: Exchange,
): string[] {
  const { content } = response;
  if (content === undefined) return body === "" ? [] : [`there is a body, and none is described: ${body}`];
  const type = headers.get("content-type")?.split(";")[0]?.trim() ?? "(none)";
  const key = content[type] === undefined ? "*/*" : type;
  if (content[key] === undefined) return [`${type} is not among ${Object.keys(content).join(", ")}`];
  if (key === "*/*") return [];
  const validate = validatorAt(`${pointer}/content/${pointerPart(key)}/schema`);
  if (validate(JSON.parse(body))) return [];
  const errors = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return [`${errors.join("; ")} in ${body}`];
}
