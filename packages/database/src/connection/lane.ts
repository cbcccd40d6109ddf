// A few connections that many statements share: each is sent without waiting for the answers to the ones before.
// A slow statement holds up those behind it; the ones that come later pass it by.

import { closed } from "./errors.js";
import type { Connector } from "./pool.js";
import type { Connection } from "./wire/connection.js";

export class Lane {
  readonly #connector: Connector;
  readonly #size: number;
  readonly #open: Connection[] = [];
  #opening: Promise<Connection> | undefined;
  #isClosed = false;
  #underWay = 0;
  #onDrained: () => void = () => {};

  constructor(connector: Connector, size: number) {
    this.#connector = connector;
    this.#size = size;
  }

  /** Whether every connection is held up by something slow, and there can be no more of them. */
  get isStuck(): boolean {
    return this.#open.length >= this.#size && this.#open.every((each) => each.isStuck);
  }

  /** The connection with the least to do; others use it, too. Counts as under way until `release`. */
  acquire(): Connection | Promise<Connection> {
    if (this.#isClosed) return Promise.reject(closed());
    this.#underWay++;
    const picked = this.#pick();
    if (picked instanceof Promise) picked.catch(() => this.release());
    return picked;
  }

  release(): void {
    this.#underWay--;
    if (this.#underWay === 0) this.#onDrained();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    // One may be on its way that no statement has waited for.
    await this.#opening?.catch(() => {});
    await Promise.all(this.#open.splice(0).map((connection) => connection.end()));
  }

  #pick(): Connection | Promise<Connection> {
    let best: Connection | undefined;
    for (const each of this.#open) {
      if (!each.isLost && (best === undefined || isBetter(each, best))) best = each;
    }
    if (best === undefined) return this.#openOne();
    // Opened beside the work; statements go on over what is there.
    if (best.load > 0 && this.#open.length < this.#size) this.#openOne().catch(() => {});
    return best;
  }

  #openOne(): Promise<Connection> {
    this.#opening ??= this.#connector
      .open()
      .then((connection) => {
        this.#open.push(connection);
        connection.onLost(() => this.#open.splice(this.#open.indexOf(connection), 1));
        return connection;
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }
}

function isBetter(one: Connection, other: Connection): boolean {
  if (one.isStuck !== other.isStuck) return other.isStuck;
  return one.load < other.load;
}
