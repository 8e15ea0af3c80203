/** @module Changes of an account that have not been told, in order. */
import type { AccountChange } from './account-change.ts';

/** See the module. Nearly every fold adds one or none: the places of the list are used again and again. */
export class PendingChanges {
  readonly #changes: (AccountChange | undefined)[] = [];
  #count = 0;

  add(change: AccountChange): void {
    this.#changes[this.#count++] = change;
  }

  /** Tells each, and what is added meanwhile. */
  drain(tell: (change: AccountChange) => void): void {
    for (let at = 0; at < this.#count; at++) {
      const change = this.#changes[at];
      this.#changes[at] = undefined;
      if (change !== undefined) tell(change);
    }
    this.#count = 0;
  }
}
