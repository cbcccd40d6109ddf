// What code gets beside its arguments.

import type { Definition } from "@stoa/definition";
import type { Call } from "../exchange.js";
import type { Log, LogFields } from "../http/index.js";

export interface HookContext {
  /** The user who asks, or null. */
  readonly auth: { readonly id: string | number } | null;
  /** Its lines carry the id of the request. */
  readonly log: HookLog;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export type HookLog = Pick<Log, "error" | "warn" | "info" | "debug">;

export type ContextOf = (call: Call) => HookContext;

export function contextsOf(definition: Definition, log: Log): ContextOf {
  const hasNumbers = isIdInteger(definition);
  return (call) => ({
    auth: call.userId === null ? null : { id: hasNumbers ? Number(call.userId) : call.userId },
    log: logOf(log, call.requestId),
    // Few hooks ask for it.
    get signal() {
      return call.signal ?? new AbortController().signal;
    },
  });
}

function isIdInteger({ auth, models }: Definition): boolean {
  const model = models.find(({ name }) => name === auth?.model);
  return model?.members.some((member) => member.kind === "id" && member.type.kind === "integer") ?? false;
}

function logOf(log: Log, requestId: string): HookLog {
  const at = (level: keyof HookLog) => (message: string, fields?: LogFields) =>
    log[level](message, { ...fields, requestId });
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
