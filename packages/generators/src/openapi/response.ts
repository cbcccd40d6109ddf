// Answers, by status: what stands there alone refers to a component, what several things may stand for is spelled out.

import { pascalCase } from "../outline/names.js";
import { PROBLEMS, type ProblemCode } from "../outline/problems.js";
import type { Json } from "./schema.js";

export interface Answer {
  /** `200`, or a range: `4XX`. */
  readonly status: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, Json>>;
  /** Null for an answer without a body. */
  readonly content: { readonly mediaType: string; readonly schema: Json } | null;
  /** The problem that it is, for the component. */
  readonly problem?: ProblemCode;
}

export const PROBLEM_TYPE = "application/problem+json";

export function schemaRef(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

export function headerRef(name: string): Json {
  return { $ref: `#/components/headers/${name}` };
}

export function problemSchemaName(code: ProblemCode): string {
  return `${pascalCase(code)}Problem`;
}

export function problemAnswer(code: ProblemCode): Answer {
  const { status, when } = PROBLEMS[code];
  return {
    ...{ status: String(status), description: when, problem: code },
    headers: headersOf(code),
    content: { mediaType: PROBLEM_TYPE, schema: schemaRef(problemSchemaName(code)) },
  };
}

/** What code of the program throws. */
export function ownProblemAnswer(status: string): Answer {
  return {
    ...{ status, headers: {}, description: "An error of the application's own." },
    content: { mediaType: PROBLEM_TYPE, schema: schemaRef("OwnProblem") },
  };
}

function headersOf(code: ProblemCode): Record<string, Json> {
  if (code === "unauthenticated") return { "WWW-Authenticate": headerRef("WwwAuthenticate") };
  return code === "unavailable" || code === "rate-limited" ? { "Retry-After": headerRef("RetryAfter") } : {};
}

/** The answers of an operation as the document has them, in the order of their statuses. */
export function renderAnswers(answers: readonly Answer[], shared: SharedResponses): Json {
  const byStatus = new Map<string, Answer[]>();
  for (const answer of answers) byStatus.set(answer.status, [...(byStatus.get(answer.status) ?? []), answer]);
  const entries = [...byStatus].sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([status, same]) => [status, renderSame(same, shared)]));
}

function renderSame(answers: readonly Answer[], shared: SharedResponses): Json {
  const codes = answers.map(({ problem }) => problem);
  if (codes.every((code) => code !== undefined)) return shared.refer(codes as ProblemCode[], answers);
  return responseOf(answers);
}

function responseOf(answers: readonly Answer[]): Json {
  const content = new Map<string, Json[]>();
  for (const answer of answers) {
    if (answer.content === null) continue;
    const { mediaType, schema } = answer.content;
    content.set(mediaType, [...(content.get(mediaType) ?? []), schema]);
  }
  const media = [...content].map(([type, schemas]) => [type, { schema: oneOf(schemas) }]);
  const headers = Object.assign({}, ...answers.map((answer) => answer.headers));
  return {
    description: [...new Set(answers.map(({ description }) => description))].join(" "),
    headers: { "X-Request-Id": headerRef("RequestId"), ...headers },
    content: media.length > 0 ? Object.fromEntries(media) : undefined,
  };
}

function oneOf(schemas: readonly Json[]): Json {
  const [first = {}] = schemas;
  return schemas.length === 1 ? first : { anyOf: schemas };
}

/** The responses that many operations give alike, each under a name made of its problems. */
export class SharedResponses {
  readonly #used = new Map<string, Json>();

  refer(codes: readonly ProblemCode[], answers: readonly Answer[]): Json {
    const name = codes.map((code) => pascalCase(code)).join("Or");
    this.#used.set(name, responseOf(answers));
    return { $ref: `#/components/responses/${name}` };
  }

  get all(): Json {
    return Object.fromEntries([...this.#used].sort(([left], [right]) => (left < right ? -1 : 1)));
  }
}
