// Code of hooks that write: found when the application is made, called while a transaction is open.

import { compileInlineCode, type Queryable } from "@stoa/database";
import { bundleKey, type Definition, type Hook } from "@stoa/definition";
import type { HookBundle } from "./hook-bundle.js";
import type { HookContext } from "./hook-context.js";

/** What code of a program gets beside its arguments. */
export interface CodeContext extends HookContext {
  /** The transaction of the request. */
  readonly db: CodeDatabase;
  readonly request?: CodeRequest;
  readonly response?: CodeResponse;
}

/** `` db.sql`select … ${value}` ``: values are parameters, whatever they are. */
export interface CodeDatabase {
  sql(
    texts: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export interface CodeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly parameters: readonly string[];
  readonly query: string | null;
}

/** What code that answers by itself says. */
export interface CodeResponse {
  status(status: number): CodeResponse;
  header(name: string, value: string): CodeResponse;
  /** Ends the answer: text as it is, anything else as JSON. */
  send(body: unknown): void;
}

export type CodeFunction = (args: Readonly<Record<string, unknown>>, context: CodeContext) => unknown;

export interface CodeCalls {
  /** Throws where there is no code for it. */
  find(hook: Hook): CodeFunction;
}

export function createCode(definition: Definition, { hooks }: HookBundle): CodeCalls {
  return {
    find({ code, arguments: args }) {
      if (code.kind === "inline")
        return compileInlineCode<CodeContext>(
          code.code,
          args.map(({ name }) => name),
        );
      const key = bundleKey(definition, code);
      const found = Object.hasOwn(hooks, key) ? hooks[key] : undefined;
      if (typeof found === "function") return found as CodeFunction;
      throw new Error(`The code of a hook was not given: there is no function \`${key}\`.`);
    },
  };
}

export function databaseOf(transaction: Queryable): CodeDatabase {
  return {
    sql: (texts, ...values) => {
      const sql = texts.reduce((text, part, index) => (index === 0 ? part : `${text}$${index}${part}`), "");
      const rows = transaction.query(sql, values.map(asParameter));
      // Code that does not wait for it learns of its failing by the failing of the transaction.
      rows.catch(() => {});
      return rows;
    },
  };
}

/** Lists are PostgreSQL arrays, other objects are JSON, whatever their columns are. */
function asParameter(value: unknown): string | null {
  switch (typeof value) {
    case "undefined":
      return null;
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    case "function":
    case "symbol":
      throw new TypeError(`A ${typeof value} is no value for a statement.`);
  }
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return `{${value.map(asItem).join(",")}}`;
  return JSON.stringify(value);
}

function asItem(value: unknown): string {
  const text = asParameter(value);
  if (text === null) return "NULL";
  return Array.isArray(value) ? text : `"${text.replaceAll(/[\\"]/g, "\\$&")}"`;
}
