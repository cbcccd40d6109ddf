// What is wrong with a request, collected: one entry per input, the first that is found.

import type { InputError, Problem } from "../exchange.js";
import type { Fault } from "./fault.js";
import { invalid } from "./query-string.js";

/** A request can have more mistakes than anybody wants to read; the answer tells how many there are. */
export const MAX_ERRORS = 100;

export class ErrorList {
  readonly #errors = new Map<string, InputError>();
  #left = 0;

  get isEmpty(): boolean {
    return this.#errors.size === 0;
  }

  /** Whether there is room for another one, so that nobody works out what will not be told. */
  get isFull(): boolean {
    return this.#errors.size >= MAX_ERRORS;
  }

  add(path: string, { code, message, params }: Fault): void {
    this.addError({ path, code, message, ...(params && { params }) });
  }

  addError(error: InputError): void {
    if (this.#errors.has(error.path)) return;
    if (this.isFull) this.#left++;
    else this.#errors.set(error.path, error);
  }

  /** Counts errors that are not told one by one. */
  leave(count: number): void {
    this.#left += count;
  }

  /** Whether an error is told for this place or for something that it is part of. */
  covers(path: string): boolean {
    for (const told of this.#errors.keys()) {
      if (path === told || path.startsWith(`${told}/`)) return true;
    }
    return false;
  }

  problem(): Problem {
    const errors = [...this.#errors.values()];
    if (this.#left === 0) return invalid(errors);
    const detail = `${errors.length + this.#left} inputs are not valid; the first ${errors.length} are told`;
    return { kind: "problem", code: "validation", detail, errors };
  }
}
