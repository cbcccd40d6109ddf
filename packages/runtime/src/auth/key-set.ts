// The public keys of an issuer, from a URL or a file: loaded when first needed, kept for a while, and loaded again
// when a token names a key that is not among them. Nobody can make us ask more often than that.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createLocalJWKSet, type JSONWebKeySet } from "jose";
import { KeySetError } from "./key-set-error.js";

export type Keys = ReturnType<typeof createLocalJWKSet>;

export interface KeySetTimes {
  /** How long keys are used without looking for newer ones. */
  readonly lifetimeMs: number;
  /** How much longer, while newer ones cannot be had. */
  readonly graceMs: number;
  /** How long nothing is loaded again for the sake of an unknown key. */
  readonly refetchMs: number;
  /** How long nothing is tried after a failure. */
  readonly retryMs: number;
  readonly timeoutMs: number;
}

export const KEY_SET_TIMES: KeySetTimes = {
  lifetimeMs: 10 * 60_000,
  graceMs: 60 * 60_000,
  refetchMs: 30_000,
  retryMs: 5_000,
  timeoutMs: 5_000,
};

export interface KeySetOptions {
  /** A URL, or the path of a file. */
  readonly source: string;
  /** Where paths of files begin. */
  readonly baseFolder: string;
  readonly times: KeySetTimes;
  /** Told once for each attempt that failed. */
  readonly onFailure: (error: KeySetError) => void;
  readonly now?: () => number;
}

export class KeySet {
  readonly #options: KeySetOptions;
  readonly #now: () => number;
  #keys: Keys | undefined;
  #loadedAt = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<Keys> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Rejects with a KeySetError where there are none. */
  async current(): Promise<Keys> {
    const { lifetimeMs, graceMs } = this.#options.times;
    const keys = this.#keys;
    const age = this.#now() - this.#loadedAt;
    if (keys !== undefined && age < lifetimeMs) return keys;
    try {
      return await this.#load();
    } catch (error) {
      if (keys !== undefined && age < lifetimeMs + graceMs) return keys;
      throw error;
    }
  }

  /** Keys that are newer than those; null where it is too early to ask. */
  async newer(than: Keys): Promise<Keys | null> {
    if (this.#keys !== undefined && this.#keys !== than) return this.#keys;
    if (this.#now() - this.#loadedAt < this.#options.times.refetchMs) return null;
    return this.#load();
  }

  /** Those who ask at the same time wait for the same answer. */
  #load(): Promise<Keys> {
    const { source, times } = this.#options;
    if (this.#loading !== undefined) return this.#loading;
    if (this.#now() - this.#failedAt < times.retryMs) return Promise.reject(new KeySetError(source));
    this.#loading = this.#loadNow().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadNow(): Promise<Keys> {
    try {
      this.#keys = createLocalJWKSet(JSON.parse(await readSource(this.#options)) as JSONWebKeySet);
      this.#loadedAt = this.#now();
      return this.#keys;
    } catch (cause) {
      this.#failedAt = this.#now();
      const error = new KeySetError(this.#options.source, cause);
      this.#options.onFailure(error);
      throw error;
    }
  }
}

function isUrl(source: string): boolean {
  return /^https?:/i.test(source);
}

/** An issuer that sends us elsewhere is not the one that the program names. */
async function readSource({ source, baseFolder, times }: KeySetOptions): Promise<string> {
  if (!isUrl(source)) return readFile(resolve(baseFolder, source), "utf8");
  const answer = await fetch(source, {
    headers: { Accept: "application/jwk-set+json, application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(times.timeoutMs),
  });
  if (answer.status === 200) return answer.text();
  await answer.body?.cancel();
  throw new Error(`It answered with the status ${answer.status}`);
}
