// Programs with code in them: a transaction that stays open while the code runs. Statements up to the next code are
// sent in one go.

import { validateHeaderName, validateHeaderValue } from "node:http";
import { type BatchOutcome, type BatchStatement, DatabaseError, type Queryable } from "@stoa/database";
import { type Value, type ValueType, valueFromJson } from "@stoa/definition";
import type { Call, Outcome, Reply } from "../exchange.js";
import { hashInTurn } from "../hashing.js";
import { isHttpError } from "../http-error.js";
import { parameterText } from "../input/index.js";
import { KNOWN } from "../plan/write/idempotent.js";
import { type HookUse, type Step, WRITE_MARK } from "../plan/write/program.js";
import { answerOf } from "./answer.js";
import { bindAll, type Values } from "./bind.js";
import { type CodeContext, type CodeResponse, databaseOf } from "./code.js";
import { unlessGivenUp } from "./given-up.js";
import { contextsOf } from "./hook-context.js";
import { HookError } from "./hooks.js";
import { has, textOf } from "./marks.js";
import { NOT_FOUND, noteUser } from "./refusals.js";
import { explained, reasonOfAll, type StatementStep, type Writing } from "./writing.js";

/** Leaves the transaction and undoes it; the problem is the answer. */
class Undo extends Error {
  readonly problem: Exclude<Outcome, Reply>;

  constructor(problem: Exclude<Outcome, Reply>) {
    super(problem.code);
    this.problem = problem;
  }
}

/** Says in the transaction that this request is dealt with, and how. */
export interface Claim {
  /** Goes in front of the program; if it fails, the program does not run. */
  readonly statement: BatchStatement;
  store(answer: Reply): BatchStatement;
}

/** One request that runs a program. */
export interface Request {
  readonly values: Values;
  readonly call: Call;
  readonly claim: Claim | null;
}

/** The claim has found that this request has been dealt with before. */
export class DoneBefore extends Error {}

/** Throws `DoneBefore`; whatever else the program or the claim has to say is the outcome. */
export async function runInTransaction(writing: Writing, request: Request): Promise<Outcome> {
  try {
    return await writing.options.database.transaction(
      (transaction) => new Run(writing, request, transaction).finish(),
      { signal: request.call.signal, name: writing.program.endpoint.name },
    );
  } catch (error) {
    if (error instanceof Undo) return error.problem;
    if (error instanceof DatabaseError) return explained(writing, error);
    throw error;
  }
}

/** One attempt at a program. */
class Run {
  readonly #writing: Writing;
  readonly #values: Values;
  readonly #call: Call;
  readonly #signal: AbortSignal;
  readonly #claim: Claim | null;
  readonly #transaction: Queryable;
  readonly #results = new Map<number, string | null>();
  readonly #rows: Uint8Array[] = [];
  #isClaimed: boolean;
  #answer: Reply | undefined;

  constructor(writing: Writing, { values, call, claim }: Request, transaction: Queryable) {
    this.#writing = writing;
    this.#values = { ...values, results: this.#results };
    this.#call = call;
    this.#signal = call.signal ?? new AbortController().signal;
    this.#claim = claim;
    this.#isClaimed = claim === null;
    this.#transaction = transaction;
  }

  async finish(): Promise<Outcome> {
    let pending: StatementStep[] = [];
    for (const step of this.#writing.program.steps) {
      if (step.kind === "statement") {
        pending.push(step);
        continue;
      }
      const rows = await this.#send(pending);
      pending = [];
      if (!has(rows, WRITE_MARK.arguments)) throw new Undo(NOT_FOUND);
      await this.#runCode(step, textOf(rows, WRITE_MARK.arguments) ?? "{}");
    }
    await this.#send(pending);
    const outcome = this.#answer ?? (await answerOf(this.#writing, this.#rows, this.#call));
    if (outcome.kind !== "reply") throw new Undo(outcome);
    await this.#store(outcome);
    return outcome;
  }

  async #store(answer: Reply): Promise<void> {
    if (this.#claim === null) return;
    const { failure } = await this.#transaction.batch([this.#claim.store(answer)]);
    if (failure !== null) throw failure;
  }

  async #send(steps: readonly StatementStep[]): Promise<readonly Uint8Array[]> {
    if (steps.length === 0) return [];
    const statements = steps.map(({ statement }) => {
      return { sql: statement.sql, parameters: bindAll(statement.bindings, this.#values) };
    });
    const { rows, failure } = await this.#sendClaimed(statements);
    for (const each of rows) noteUser(this.#call, each);
    const reason = reasonOfAll(this.#writing, steps, rows);
    if (reason !== null) throw new Undo(reason);
    if (failure !== null) throw new Undo(explained(this.#writing, failure, steps[rows.length]));
    const flat = rows.flat();
    this.#rows.push(...flat);
    return flat;
  }

  /** The claim goes with the first statements. */
  async #sendClaimed(statements: readonly BatchStatement[]): Promise<BatchOutcome> {
    if (this.#claim === null || this.#isClaimed) return this.#transaction.batch(statements);
    this.#isClaimed = true;
    const { rows, failure } = await this.#transaction.batch([this.#claim.statement, ...statements]);
    if (rows.length === 0 && isKnown(failure)) throw new DoneBefore();
    return { rows: rows.slice(1), failure };
  }

  async #runCode(step: Exclude<Step, StatementStep>, args: string): Promise<void> {
    if (step.kind === "rule") {
      const { definition, log } = this.#writing.options;
      const context = contextsOf(definition, log)(this.#call);
      const check = () => this.#writing.checkRule(step, JSON.parse(args), context);
      const problem = await unlessGivenUp(this.#signal, check);
      if (problem !== null) throw new Undo(problem);
      return;
    }
    const result = await this.#callHook(step, JSON.parse(args));
    if (step.use.kind === "execute")
      this.#results.set(step.call, result === undefined ? null : JSON.stringify(result));
    else this.#results.set(step.call, await this.#stored(result, step.use));
  }

  async #stored(result: unknown, use: Extract<HookUse, { kind: "set" }>): Promise<string | null> {
    const text = storable(result, use);
    if (text === null || !use.isPassword) return text;
    const { checkPassword, options } = this.#writing;
    const context = contextsOf(options.definition, options.log)(this.#call);
    const problem = await unlessGivenUp(this.#signal, () => checkPassword(text, context));
    if (problem !== null) throw new Undo(problem);
    return hashInTurn(text, this.#signal);
  }

  async #callHook(
    step: Extract<Step, { kind: "hook" }>,
    args: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    const run = this.#writing.options.hooks.code.find(step.hook);
    try {
      return await unlessGivenUp(this.#signal, () => run(args, this.#contextOf(step)));
    } catch (error) {
      if (isHttpError(error) || error instanceof DatabaseError || this.#signal.aborted) throw error;
      throw new HookError(this.#writing.program.endpoint.name, error);
    }
  }

  #contextOf({ use }: Extract<Step, { kind: "hook" }>): CodeContext {
    const { options } = this.#writing;
    const base = {
      ...contextsOf(options.definition, options.log)(this.#call),
      db: databaseOf(this.#transaction),
    };
    if (use.kind !== "execute") return base;
    const { headers, parameters, query } = this.#call;
    return { ...base, request: { headers, parameters, query }, response: this.#responseOf() };
  }

  #responseOf(): CodeResponse {
    let status = 200;
    const headers: Record<string, string> = {};
    const response: CodeResponse = {
      status: (code) => {
        if (!Number.isInteger(code) || code < 200 || code > 599)
          throw new RangeError(`${code} is no status of an answer`);
        status = code;
        return response;
      },
      // What cannot be sent fails here, where it can still be undone.
      header: (name, value) => {
        validateHeaderName(name);
        validateHeaderValue(name, value);
        headers[/^content-type$/i.test(name) ? "Content-Type" : name] = value;
        return response;
      },
      send: (body) => {
        const isText = typeof body === "string";
        const bytes = Buffer.from(isText ? body : JSON.stringify(body ?? null));
        const type = isText ? { "Content-Type": "text/plain; charset=utf-8" } : {};
        this.#answer = {
          kind: "reply",
          status,
          headers: { ...type, ...headers },
          body: status === 204 || status === 304 ? { kind: "none" } : { kind: "bytes", bytes },
        };
      },
    };
    return response;
  }
}

function isKnown(failure: DatabaseError | null): boolean {
  return failure?.cause instanceof Error && failure.cause.message.includes(KNOWN);
}

/** What code gave for a member, in the member's type. */
function storable(
  result: unknown,
  { type, member }: { readonly type: ValueType; readonly member: string },
): string | null {
  const value: Value | undefined = valueFromJson(type, result ?? null);
  if (value === undefined || (value === null && !type.nullable)) {
    throw new HookError(member, new TypeError(`it gave a value that \`${member}\` cannot have`));
  }
  return parameterText(value, type);
}
