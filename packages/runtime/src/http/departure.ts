// Whether anybody still waits for the answer, as statements ask it. Does the work of an AbortSignal, whose making
// would cost more than all else that the server does for a quick request.

import type { CancelSignal } from "@stoa/database";

export class Departure implements CancelSignal {
  aborted = false;
  readonly #actions: (() => void)[] = [];

  addEventListener(_type: "abort", action: () => void): void {
    this.#actions.push(action);
  }

  removeEventListener(_type: "abort", action: () => void): void {
    const index = this.#actions.indexOf(action);
    if (index >= 0) this.#actions.splice(index, 1);
  }

  announce(): void {
    this.aborted = true;
    for (const action of this.#actions.splice(0)) action();
  }
}
