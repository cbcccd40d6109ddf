// Migrations: a definition's changes as files that people read, and their way into a database in use.

export { type BaselineOutcome, baselineDatabase } from "./baseline.js";
export { findChainProblem, inOrder } from "./chain.js";
export { type DeployOptions, type DeployOutcome, deployMigrations, LOCK_TIMEOUT_MS } from "./deploy.js";
export type { Difference } from "./differences.js";
export type { AppliedMigration } from "./history.js";
export type { LookAlike } from "./look-alikes.js";
export * as migrationWords from "./messages.js";
export {
  type Migration,
  type MigrationProblem,
  type MigrationStep,
  migrationNumber,
  type Snapshot,
} from "./migration.js";
export { type MigrationPlan, type PlanOptions, planMigration } from "./plan.js";
export { type Preview, type PreviewLock, type PreviewStep, previewDeploy } from "./preview.js";
export { type MigrationReadiness, readMigrationReadiness } from "./readiness.js";
export { type Replay, replayMigrations } from "./replay.js";
export type { Rewrite } from "./rewrites.js";
export type { DeployEvent } from "./run-context.js";
export { printSnapshot, readSnapshot, type SnapshotReading } from "./snapshot.js";
export { isCurrent, type MigrationStatus, readStatus } from "./status.js";
export { printUpFile, readUpFile } from "./up-file.js";
