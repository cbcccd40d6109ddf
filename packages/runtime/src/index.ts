// The runtime of Stoa: an application definition, served.

export { type Application, type ApplicationOptions, createApplication } from "./application.js";
export type * from "./exchange.js";
export {
  createLog,
  ListenError,
  type ListeningServer,
  type ListenOptions,
  type Log,
  type LogLevel,
  type LogOptions,
} from "./http/index.js";
export { type Place, placesOf } from "./plan/place.js";
export type { ReadPlan } from "./plan/plan.js";
export { planRead } from "./plan/read.js";
export type { HookBatch, HookCalls } from "./run/hooks.js";
