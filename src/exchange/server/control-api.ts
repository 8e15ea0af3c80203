/**
 * @module
 * The host of a controlled exchange: its clock, its snapshots, and the exchange that is served now, which the action
 * `restore` replaces.
 */
import { actionRefused, type Clock } from '../../core/index.ts';
import type { Crypto } from '../../wire/crypto/index.ts';
import type { ControlHost, NamedAccount } from '../control/index.ts';
import type { ControlledClock, Exchange } from '../kernel/index.ts';
import { loadSnapshot, takeSnapshot } from '../snapshot/index.ts';

/** What a control API works on. */
export interface ControlApiParts {
  /** The exchange to control. */
  readonly exchange: Exchange;
  /** Clock of the exchange. */
  readonly clock: Clock;
  /** Absent: time cannot be moved from here. */
  readonly controlledClock?: ControlledClock;
  /** Seed and cryptography of the exchange; absent: no snapshots. */
  readonly origin?: { readonly seed: number; readonly crypto: Crypto };
  /** Where the action `save` writes to; absent: nowhere. */
  readonly saveSnapshot?: (text: string) => void;
}

/** An exchange under control. */
export class ControlApi implements ControlHost {
  #exchange: Exchange;
  readonly clock: Clock;
  readonly controlledClock: ControlledClock | undefined;
  readonly #parts: ControlApiParts;
  readonly #onReplaced: (() => void)[] = [];

  constructor(parts: ControlApiParts) {
    this.#parts = parts;
    this.#exchange = parts.exchange;
    this.clock = parts.clock;
    this.controlledClock = parts.controlledClock;
    parts.exchange.control.host = this;
  }

  /** The exchange that is served now; after {@link restore} it is another one. */
  get exchange(): Exchange {
    return this.#exchange;
  }

  /** The accounts that the action `account` made, oldest first. */
  get accounts(): readonly NamedAccount[] {
    return this.#exchange.control.accounts;
  }

  /** A snapshot of the exchange. @throws BotError `SNAPSHOT_UNAVAILABLE`, `CONTROL_REFUSED`. */
  snapshot(): string {
    return takeSnapshot(this.#exchange, { seed: this.#origin().seed, nowMs: this.clock.nowMs() });
  }

  /** Writes a snapshot to the file that was named at the start; gives its length. */
  save(): number {
    const { saveSnapshot } = this.#parts;
    if (saveSnapshot === undefined)
      throw actionRefused('no file was named for snapshots', 'Start the exchange with --snapshot-out.');
    const text = this.snapshot();
    saveSnapshot(text);
    return text.length;
  }

  /**
   * Serves the exchange of a snapshot instead of this one, at the time it was taken. Streams are cut, faults that
   * waited are gone. @throws BotError `SNAPSHOT_DAMAGED`, `SNAPSHOT_VERSION_UNSUPPORTED`, `SNAPSHOT_DIVERGED`; then
   * nothing has changed.
   */
  restore(text: string): { readonly seq: number; readonly nowMs: number } {
    const { crypto } = this.#origin();
    if (this.controlledClock === undefined)
      throw actionRefused('the clock of this exchange cannot be moved', 'Start it with `ballast sim`.');
    const exchange = loadSnapshot(text, { clock: this.controlledClock, crypto });
    this.#exchange.stop();
    for (const listener of this.#onReplaced.splice(0)) listener();
    this.#exchange = exchange;
    exchange.control.host = this;
    exchange.resume();
    return { seq: exchange.seq, nowMs: this.clock.nowMs() };
  }

  /** Calls `listener` once, when another exchange replaces this one. */
  onReplaced(listener: () => void): void {
    this.#onReplaced.push(listener);
  }

  #origin(): Required<ControlApiParts>['origin'] {
    const { origin } = this.#parts;
    if (origin === undefined)
      throw actionRefused('this exchange takes no snapshots', 'Start it with `ballast sim`.');
    return origin;
  }
}
