// Programs with code in them: a transaction that stays open while the code runs. Statements up to the next code are
// sent in one go.

import { DatabaseError, type Queryable } from "@stoa/database";
import { type Value, type ValueType, valueFromJson } from "@stoa/definition";
import type { Call, Outcome, Problem, Reply } from "../exchange.js";
import { isHttpError } from "../http-error.js";
import { parameterText } from "../input/index.js";
import { type Step, WRITE_MARK } from "../plan/write/program.js";
import { answerOf } from "./answer.js";
import { bindAll, type Values } from "./bind.js";
import { type CodeContext, type CodeResponse, databaseOf } from "./code.js";
import { contextsOf } from "./hook-context.js";
import { HookError } from "./hooks.js";
import { has, textOf } from "./marks.js";
import { NOT_FOUND } from "./refusals.js";
import { explained, reasonOfAll, type StatementStep, type Writing } from "./writing.js";

/** Leaves the transaction and undoes it; the problem is the answer. */
class Undo extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

export async function runInTransaction(writing: Writing, values: Values, call: Call): Promise<Outcome> {
  try {
    return await writing.options.database.transaction(
      (transaction) => new Run(writing, values, call, transaction).finish(),
      { signal: call.signal },
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
  readonly #transaction: Queryable;
  readonly #results = new Map<number, string | null>();
  readonly #rows: Uint8Array[] = [];
  #answer: Reply | undefined;

  constructor(writing: Writing, values: Values, call: Call, transaction: Queryable) {
    this.#writing = writing;
    this.#values = { ...values, results: this.#results };
    this.#call = call;
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
    return this.#answer ?? answerOf(this.#writing, this.#rows, this.#call);
  }

  async #send(steps: readonly StatementStep[]): Promise<readonly Uint8Array[]> {
    if (steps.length === 0) return [];
    const statements = steps.map(({ statement }) => {
      return { sql: statement.sql, parameters: bindAll(statement.bindings, this.#values) };
    });
    const { rows, failure } = await this.#transaction.batch(statements, { signal: this.#call.signal });
    const reason = reasonOfAll(this.#writing, steps, rows);
    if (reason !== null) throw new Undo(reason);
    if (failure !== null) throw failure;
    const flat = rows.flat();
    this.#rows.push(...flat);
    return flat;
  }

  async #runCode(step: Exclude<Step, StatementStep>, args: string): Promise<void> {
    if (step.kind === "rule") {
      const { definition, log } = this.#writing.options;
      const context = contextsOf(definition, log)(this.#call);
      const problem = await this.#writing.checkRule(step, JSON.parse(args), context);
      if (problem !== null) throw new Undo(problem);
      return;
    }
    const result = await this.#callHook(step, JSON.parse(args));
    if (step.use.kind === "execute")
      this.#results.set(step.call, result === undefined ? null : JSON.stringify(result));
    else this.#results.set(step.call, storable(result, step.use));
  }

  async #callHook(
    step: Extract<Step, { kind: "hook" }>,
    args: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    const run = this.#writing.options.hooks.code.find(step.hook);
    try {
      return await run(args, this.#contextOf(step));
    } catch (error) {
      if (isHttpError(error) || error instanceof DatabaseError || this.#call.signal?.aborted) throw error;
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
        status = code;
        return response;
      },
      header: (name, value) => {
        headers[name] = value;
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
          body: { kind: "bytes", bytes },
        };
      },
    };
    return response;
  }
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
