/** @module Changes of an account that were not reported yet, in order. */
import type { AccountChange } from './account-change.ts';

/** See the module. Nearly every fact adds one or none: the slots of the list are used again and again. */
export class PendingChanges {
  readonly #changes: (AccountChange | undefined)[] = [];
  #count = 0;

  add(change: AccountChange): void {
    this.#changes[this.#count++] = change;
  }

  /** Reports each, and what is added meanwhile. */
  drain(onChange: (change: AccountChange) => void): void {
    for (let at = 0; at < this.#count; at++) {
      const change = this.#changes[at];
      this.#changes[at] = undefined;
      if (change !== undefined) onChange(change);
    }
    this.#count = 0;
  }
}
