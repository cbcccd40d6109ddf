// The code of the cases: `source <function> from "./hooks.ts"`.

import { HttpError } from "../../src/index.js";

type Arguments = Readonly<Record<string, unknown>>;

interface Context {
  readonly auth: { readonly id: string | number } | null;
  readonly db: {
    sql(texts: TemplateStringsArray, ...values: readonly unknown[]): Promise<readonly Arguments[]>;
  };
  readonly request: { readonly headers: Arguments; readonly query: string | null };
  readonly response: Response;
}

interface Response {
  status(status: number): Response;
  header(name: string, value: string): Response;
  send(body: unknown): void;
}

export function shout({ text }: Arguments): string {
  return `${String(text).toUpperCase()}!`;
}

export function echo({ value }: Arguments): unknown {
  return value;
}

export async function later({ value }: Arguments): Promise<unknown> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return value;
}

export function nothing(): void {}

export function fail(): never {
  throw new Error("select secret from somewhere at /srv/hooks.ts:1");
}

export function refuse(): never {
  throw new HttpError(402, "payment-needed", "The card was refused");
}

export function isEven({ value }: Arguments): boolean {
  return Number(value) % 2 === 0;
}

export async function countItems(_: Arguments, { db }: Context): Promise<unknown> {
  const [row] = await db.sql`select count(*)::int as n from item`;
  return row?.n;
}

export async function addItem({ name }: Arguments, { db }: Context): Promise<unknown> {
  const rows = await db.sql`insert into item (name, stock) values (${name}, ${7}) returning id, name`;
  return rows[0];
}

export async function breakUnique({ name }: Arguments, { db }: Context): Promise<void> {
  await db.sql`insert into item (name, stock) values (${name}, 1)`;
  await db.sql`insert into item (name, stock) values (${name}, 1)`;
}

export function answer({ name }: Arguments, { response }: Context): void {
  response.status(202).header("X-Answer", "by code").send({ hello: name });
}

export function answerText({ name }: Arguments, { response }: Context): void {
  response.send(`hello ${String(name)}`);
}

export function whoAsks(_: Arguments, { auth, request }: Context): unknown {
  return { id: auth?.id ?? null, agent: request.headers["x-agent"] ?? null, query: request.query };
}
