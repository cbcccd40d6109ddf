// The database while development goes on: opened, asked how it is, and opened again when it is lost.

import { type Database, DatabaseError } from "@stoa/database";
import type { Configuration } from "../config/configuration.js";
import { type OpenDatabase, openDatabase } from "../database.js";
import type { DevSettings } from "./settings.js";
import { databaseAway, type Trouble, workFailed } from "./trouble.js";

export type DatabaseState =
  | { readonly kind: "same"; readonly database: Database }
  /** What was made for another one must be made anew. */
  | { readonly kind: "new"; readonly database: Database }
  | { readonly kind: "away"; readonly trouble: Trouble };

const ANSWER_MS = 3000;
const CLOSE_MS = 2000;

export class LiveDatabase {
  readonly #configuration: Configuration;
  readonly #url: string | undefined;
  #opened: OpenDatabase | undefined;

  constructor({ configuration, databaseUrl }: DevSettings) {
    this.#configuration = configuration;
    this.#url = databaseUrl;
  }

  get isEmbedded(): boolean {
    return this.#url === undefined;
  }

  /** Whether these settings are about another one, or another way to use it. */
  isOther({ configuration, databaseUrl }: DevSettings): boolean {
    const connections = "database.connections";
    return (
      databaseUrl !== this.#url ||
      configuration.settings[connections] !== this.#configuration.settings[connections]
    );
  }

  get name(): string {
    return this.#opened?.name ?? "no database";
  }

  /** Whether it is the embedded one of another command, with which it stops. */
  get isBorrowed(): boolean {
    return this.#opened?.isBorrowed ?? false;
  }

  async isAnswering(): Promise<boolean> {
    return this.#opened !== undefined && (await failureOf(this.#opened.database)) === null;
  }

  /** An embedded server that is gone is started again; for another one there is only waiting. */
  async ensure(): Promise<DatabaseState> {
    try {
      if (this.#opened === undefined) return await this.#open();
      const { database } = this.#opened;
      const failure = await failureOf(database);
      if (failure === null) return { kind: "same", database };
      if (this.#url !== undefined) return this.#away(failure);
      await this.close();
      return await this.#open();
    } catch (error) {
      return { kind: "away", trouble: workFailed(error) };
    }
  }

  async #open(): Promise<DatabaseState> {
    const opened = await openDatabase(this.#configuration);
    this.#opened = opened;
    const failure = await failureOf(opened.database);
    return failure === null ? { kind: "new", database: opened.database } : this.#away(failure);
  }

  #away(failure: DatabaseError): DatabaseState {
    return { kind: "away", trouble: databaseAway(failure.message, this.#url === undefined) };
  }

  /** What does not end by itself is left behind. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([opened.close(), limit]).finally(() => clearTimeout(timer));
  }
}

async function failureOf(database: Database): Promise<DatabaseError | null> {
  try {
    await database.query("select 1", [], { signal: AbortSignal.timeout(ANSWER_MS) });
    return null;
  } catch (error) {
    if (error instanceof DatabaseError) return error;
    throw error;
  }
}
