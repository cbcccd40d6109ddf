// PostgreSQL for Stoa: the embedded server, connections, the schema and its migrations, populators.

export { connect } from "./connection/connect.js";
export type { ConnectOptions, TlsMode, TlsOptions } from "./connection/connect-options.js";
export {
  type BatchOptions,
  type BatchOutcome,
  type BatchStatement,
  type CancelSignal,
  type Database,
  DatabaseError,
  type DatabaseErrorKind,
  type Parameter,
  type Prepared,
  type PrepareOptions,
  type Queryable,
  type Row,
  type RunOptions,
  type TransactionOptions,
} from "./connection/database.js";
export { createDatabase, dropDatabase } from "./embedded/databases.js";
export { EmbeddedError } from "./embedded/failure.js";
export { type EmbeddedOptions, startEmbedded } from "./embedded/project-server.js";
export type { EmbeddedServer } from "./embedded/server.js";
export { startThrowaway, type ThrowawayOptions } from "./embedded/throwaway.js";
export * from "./migrate/index.js";
export * from "./populate/index.js";
export * from "./schema/index.js";
