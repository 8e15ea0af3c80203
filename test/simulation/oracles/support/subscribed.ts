/** @module Since when a bot is subscribed to a channel, by the confirmations it was sent. */
import type { Sight } from '../../types.ts';

/** Since when one channel is confirmed. Those of other channels come again and again: an audit asks for snapshots. */
export class Subscribed {
  readonly #confirmed: RegExp;
  #sinceMs: number | undefined;

  /** `channel`: its name on the wire. */
  constructor(channel: string) {
    this.#confirmed = new RegExp(`^\\{"channel":"subscribed","data":\\{[^}]*"channel":"${channel}"`);
  }

  /** Virtual ms of the last confirmation; `undefined`: it is not subscribed. */
  get sinceMs(): number | undefined {
    return this.#sinceMs;
  }

  see(sight: Sight): void {
    const isStart = sight.kind === 'life' && sight.what === 'started';
    if (isStart || sight.kind === 'closed') this.#sinceMs = undefined;
    else if (sight.kind === 'frame' && this.#confirmed.test(sight.text)) this.#sinceMs = sight.atMs;
  }
}
