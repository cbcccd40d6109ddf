// The runtime of Stoa: an application definition, served.

export { type Application, type ApplicationOptions, createApplication } from "./application.js";
export type { AuthOptions, KeySetTimes, LoginLimits } from "./auth/index.js";
export type { DocumentationOptions } from "./docs/index.js";
export type * from "./exchange.js";
export * from "./explain/index.js";
export {
  createLog,
  createStandIn,
  ListenError,
  type ListeningServer,
  type ListenOptions,
  type ListenWithOptions,
  type Log,
  type LogFields,
  type LogLevel,
  type LogOptions,
  listenWith,
  type NodeListener,
  type RequestEntry,
} from "./http/index.js";
export { HttpError } from "./http-error.js";
export { type Place, placesOf } from "./plan/place.js";
export type { ReadPlan } from "./plan/plan.js";
export { planRead } from "./plan/read.js";
export {
  createHooks,
  type HookArguments,
  type HookBatch,
  type HookBundle,
  type HookCalls,
} from "./run/hook-calls.js";
export type { HookContext, HookLog } from "./run/hook-context.js";
export { checkReady } from "./run/ready.js";
