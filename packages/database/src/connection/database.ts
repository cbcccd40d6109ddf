// What the rest of Stoa knows of a database: two narrow sides. The general one (rows, transactions, cursors,
// copy) is for tools; the hot path (a prepared statement in, the bytes of one text column out) is for
// requests, and may get another implementation without anyone noticing.

/**
 * Values are what JavaScript holds exactly: boolean; number for int2, int4, oid, float4 and float8; the parsed
 * value of json and jsonb; Uint8Array for bytea; lists for arrays of built-in types. All others (int8, numeric,
 * date, timestamp, time, interval, uuid, enums …) are text as PostgreSQL prints it; dates and times are ISO, and
 * timestamptz is in UTC.
 */
export type Row = Readonly<Record<string, unknown>>;

/** Sent as text, whatever its type; the statement decides the type. Lists become PostgreSQL arrays. */
export type Parameter =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly (string | number | boolean | null)[];

/**
 * Tells when nobody wants the result any more. An AbortSignal is one; making one takes as long as a quick statement,
 * though, so whoever knows anyway when it is over may say so in the same words.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", action: () => void): void;
  removeEventListener(type: "abort", action: () => void): void;
}

export interface RunOptions {
  /** Cancels the statement on the server; it then fails with the kind `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface Queryable {
  /** Runs one statement and gives its rows. */
  query<R extends Row = Row>(
    sql: string,
    parameters?: readonly Parameter[],
    options?: RunOptions,
  ): Promise<readonly R[]>;
  /** Runs statements without parameters; several may be separated by `;`, and succeed or fail as one. */
  execute(sql: string, options?: RunOptions): Promise<void>;
  /**
   * Reads through a cursor, in batches; leaving the loop closes it. Outside a transaction it has one of its
   * own: a statement that writes is committed at the end and undone when the loop is left before.
   */
  stream<R extends Row = Row>(
    sql: string,
    parameters?: readonly Parameter[],
    options?: RunOptions,
  ): AsyncIterable<readonly R[]>;
  /** `COPY … FROM STDIN`: takes the next chunk when the last one is on its way. Chunks may end anywhere. */
  copyFrom(sql: string, chunks: AsyncIterable<string | Uint8Array>, options?: RunOptions): Promise<void>;
  /**
   * Several statements in one write and one round trip, each prepared once per connection. Outside a transaction
   * they are one: all or nothing, and may run again after a serialization failure or deadlock. Inside one, a
   * failure has undone it, whatever the work does then; thrown on, it lets the transaction be tried again.
   * Statements that want no transaction around them, such as VACUUM, and COPY have no place here.
   */
  batch(statements: readonly BatchStatement[], options?: RunOptions): Promise<BatchOutcome>;
}

/** A statement that returns one text column or no rows. Each distinct text stays prepared: make it constant. */
export interface BatchStatement {
  readonly sql: string;
  readonly parameters: readonly (string | null)[];
}

/**
 * What the server has said. Where it could not be asked or could not answer, the promise is rejected instead, and
 * the error's `isOutcomeUnknown` tells whether the batch may have been kept all the same.
 */
export interface BatchOutcome {
  /** Rows of each statement that ran, in order: their bytes as they came. Null comes as no bytes. */
  readonly rows: readonly (readonly Uint8Array[])[];
  /**
   * Why the batch ended before its end; then nothing of it was kept. The statement is the one at `rows.length`,
   * or none of them where only keeping it all failed (deferred constraints).
   */
  readonly failure: DatabaseError | null;
}

export interface BatchOptions {
  /** Cancels the batch on the server; it then fails with the kind `cancelled`. */
  readonly signal?: CancelSignal | undefined;
  /** How often serialization failures and deadlocks are tried again; 10 when not given. */
  readonly retries?: number;
  /**
   * Whether others may use its connection at the same time: sent without waiting for them, and held up by them if
   * they are slow. For short ones that seldom wait for a lock. Without, it has a connection of its own.
   */
  readonly isShared?: boolean;
}

export interface TransactionOptions extends RunOptions {
  /** Transactions of one name that get in each other's way are let through one after another for a while. */
  readonly name?: string;
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
  /** How often serialization failures and deadlocks are tried again; 10 when not given. */
  readonly retries?: number;
}

export interface Database extends Queryable {
  /**
   * All or nothing. The work may run again after a serialization failure or deadlock. Only what goes through
   * the given handle is part of the transaction; the handle is of no use afterwards.
   */
  transaction<Result>(
    work: (transaction: Queryable) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** As above; tried again as often as a transaction would be. */
  batch(statements: readonly BatchStatement[], options?: BatchOptions): Promise<BatchOutcome>;
  /** Costs nothing until it is executed. Each distinct text stays prepared on the server: make it constant. */
  prepare(sql: string, options?: PrepareOptions): Prepared;
  /** Finishes what is under way, then closes all connections. */
  close(): Promise<void>;
}

export interface PrepareOptions {
  /**
   * Pipelined statements (the default) share a few connections and are sent without waiting for one another. Where
   * all of those are held up, and without this, a statement has a connection of the pool to itself.
   */
  readonly isPipelined?: boolean;
  /** Whether it is done in well under a millisecond (the default). Others share connections of their own. */
  readonly isQuick?: boolean;
}

/** A statement that returns one text column: its rows as they came, byte for byte. Null comes as no bytes. */
export interface Prepared {
  execute(parameters: readonly (string | null)[], signal?: CancelSignal): Promise<readonly Uint8Array[]>;
  /**
   * Rows as they come from the network, in batches; the server waits while the reader does. Runs on a connection
   * of the pool of its own, in no transaction, as one statement in one round trip. Leaving the loop, or the
   * signal, cancels the statement on the server and gives the connection back (or closes it).
   */
  stream(parameters: readonly (string | null)[], signal?: CancelSignal): AsyncIterable<readonly Uint8Array[]>;
}

export type DatabaseErrorKind =
  | "unavailable"
  | "authentication"
  | "unique"
  | "foreign-key"
  | "check"
  | "not-null"
  | "serialization"
  | "timeout"
  | "cancelled"
  | "other";

/** What went wrong, in our words; the server's own are in `cause`. */
export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind;
  readonly sqlState: string | undefined;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly detail: string | undefined;
  /**
   * The connection was lost while a transaction or a batch was being committed: it may have been kept or not.
   * Of single statements outside a transaction this is not told; any of them that is lost may have been kept.
   */
  readonly isOutcomeUnknown: boolean;

  constructor(
    kind: DatabaseErrorKind,
    message: string,
    details: {
      readonly cause?: unknown;
      readonly sqlState?: string | undefined;
      readonly constraint?: string | undefined;
      readonly table?: string | undefined;
      readonly column?: string | undefined;
      readonly detail?: string | undefined;
      readonly isOutcomeUnknown?: boolean;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = "DatabaseError";
    this.kind = kind;
    this.sqlState = details.sqlState;
    this.constraint = details.constraint;
    this.table = details.table;
    this.column = details.column;
    this.detail = details.detail;
    this.isOutcomeUnknown = details.isOutcomeUnknown ?? false;
  }
}
