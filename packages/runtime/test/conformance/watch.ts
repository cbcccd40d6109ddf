// A database that remembers what was asked of it.

import type { Database, Prepared, Queryable } from "@stoa/database";

export interface Watched {
  readonly database: Database;
  /** Every statement since it was last emptied, as it went to the server. */
  readonly statements: string[];
  /** How often somebody has waited for the server so far. */
  roundTrips(): number;
}

export function watch(database: Database): Watched {
  const statements: string[] = [];
  let trips = 0;
  const note = (...sent: readonly string[]): void => {
    statements.push(...sent);
    trips++;
  };
  return {
    statements,
    roundTrips: () => trips,
    database: {
      ...watchQueries(database, note),
      transaction: (work, options) => {
        note("begin");
        return database
          .transaction((inner) => work(watchQueries(inner, note)), options)
          .finally(() => note("commit or rollback"));
      },
      prepare: (sql, options) => watchPrepared(database.prepare(sql, options), () => note(sql)),
      close: () => database.close(),
    },
  };
}

function watchQueries(queries: Queryable, note: (...sent: readonly string[]) => void): Queryable {
  return {
    query: (sql, parameters, options) => {
      note(sql);
      return queries.query(sql, parameters, options);
    },
    execute: (sql, options) => {
      note(sql);
      return queries.execute(sql, options);
    },
    stream: (sql, parameters, options) => {
      note(sql);
      return queries.stream(sql, parameters, options);
    },
    copyFrom: (sql, chunks, options) => {
      note(sql);
      return queries.copyFrom(sql, chunks, options);
    },
    batch: (statements, options) => {
      note(...statements.map(({ sql }) => sql));
      return queries.batch(statements, options);
    },
  };
}

function watchPrepared(prepared: Prepared, note: () => void): Prepared {
  return {
    execute: (parameters, signal) => {
      note();
      return prepared.execute(parameters, signal);
    },
    stream: (parameters, signal) => {
      note();
      return prepared.stream(parameters, signal);
    },
  };
}
