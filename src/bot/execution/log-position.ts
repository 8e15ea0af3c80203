/**
 * @module
 * How far the ledger has come by answers to our own writes and by receipts: what reads are asked to be as new as. A position
 * that is not believed counts for nothing until the list of open orders says that the log goes there; until then no
 * proof is made.
 */
import { type Clock, type Log, messageOf } from '../../core/index.ts';
import { DOUBT_ANSWERS_MAX, DOUBT_PAUSE_MS, LogReach } from '../../wire/protocol/index.ts';
import { readOpenOrders } from './open-orders.ts';
import type { WritePipe } from './ports.ts';

/** What it asks with. */
export interface LogPositionPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly pipe: Pick<WritePipe, 'openOrders'>;
}

/** See the module. */
export class LogPosition {
  readonly #ports: LogPositionPorts;
  readonly #reach: LogReach;
  #newest: bigint | undefined;
  /** The greatest position that is in doubt, and the least that the exchange's lists did not reach. */
  #doubted: bigint | undefined;
  #refuted: bigint | undefined;
  /** Before the first list. */
  #syncedTo: bigint | undefined;
  /** Counts ledgers: what was asked in an older one settles nothing. */
  #generation = 0;
  #isStopped = false;

  constructor(ports: LogPositionPorts) {
    this.#ports = ports;
    this.#reach = new LogReach(ports.clock);
  }

  /** What reads must have reached: the newest position, also while it is in doubt; `undefined`: none was said. */
  get newest(): bigint | undefined {
    return this.#doubted ?? this.#newest;
  }

  /** The newest position that is believed. */
  get proven(): bigint | undefined {
    return this.#newest;
  }

  /** True while the exchange is asked whether its log goes as far as it was said. */
  get isInDoubt(): boolean {
    return this.#doubted !== undefined;
  }

  /** Takes a position out of an answer; gives it back if it is believed. */
  take(seq: bigint | undefined): bigint | undefined {
    if (seq === undefined) return undefined;
    if (this.#reach.known !== undefined && this.#reach.mayBe(seq)) return this.#note(seq);
    if (this.#refuted !== undefined && seq >= this.#refuted) return undefined;
    const isAsked = this.#doubted !== undefined;
    if (this.#doubted === undefined || seq > this.#doubted) this.#doubted = seq;
    if (!isAsked) this.#ask().catch((thrown: unknown) => this.#giveUp(messageOf(thrown)));
    return undefined;
  }

  /** What a read must have reached after an answer at `seq`. */
  readAt(seq: bigint | undefined): bigint | undefined {
    if (seq === undefined || this.take(seq) !== undefined) return seq;
    return this.isInDoubt ? seq : this.#newest;
  }

  /** The account was synced up to `seq`, by what the streams have read. */
  synced(seq: bigint): void {
    if (this.#reach.known !== undefined) this.take(seq);
    else if (this.#syncedTo === undefined || seq < this.#syncedTo) this.#syncedTo = seq;
  }

  /** The list of open orders at the start: it and the sync say how far the log goes, each of which may be wrong. */
  begin(seq: bigint | undefined): void {
    if (seq === undefined || this.#reach.known !== undefined) this.take(seq);
    else this.#note(this.#syncedTo !== undefined && this.#syncedTo < seq ? this.#syncedTo : seq);
  }

  /** The position if it is believed, or else the newest that is. */
  atMost(seq: bigint | undefined): bigint | undefined {
    return this.#reach.known === undefined || this.#reach.mayBe(seq) ? seq : this.#newest;
  }

  #note(seq: bigint): bigint {
    this.#reach.advance(seq);
    if (this.#newest === undefined || seq > this.#newest) this.#newest = seq;
    return seq;
  }

  /** Another ledger. */
  beginEpoch(): void {
    this.#generation++;
    this.#reach.forget();
    this.#newest = undefined;
    this.#doubted = undefined;
    this.#refuted = undefined;
    this.#syncedTo = undefined;
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true;
  }

  async #ask(): Promise<void> {
    const { pipe, clock } = this.#ports;
    const generation = this.#generation;
    const isOver = (): boolean => this.#isStopped || this.#generation !== generation;
    let before: bigint | undefined;
    for (let answers = 0; this.#doubted !== undefined; ) {
      const listed = readOpenOrders(await pipe.openOrders(undefined));
      if (isOver()) return;
      before = this.#weigh(listed?.seq, before);
      if (this.#reach.known !== undefined && this.#reach.mayBe(this.#doubted)) {
        this.#note(this.#doubted);
        this.#doubted = undefined;
        return;
      }
      if (listed !== undefined && ++answers >= DOUBT_ANSWERS_MAX) return this.#giveUp('it does not go there');
      await new Promise<void>((resolve) => clock.after(DOUBT_PAUSE_MS, resolve));
      if (isOver()) return;
    }
  }

  /** A list may be wrong, too: of two that are not believed the lower one is. */
  #weigh(listed: bigint | undefined, before: bigint | undefined): bigint | undefined {
    if (listed === undefined) return before;
    if (this.#reach.known !== undefined && this.#reach.mayBe(listed)) this.#note(listed);
    else if (before !== undefined) this.#note(listed < before ? listed : before);
    return listed;
  }

  #giveUp(why: string): void {
    const { log } = this.#ports;
    log.warn('an answer names a position beyond the log of the exchange', {
      position: this.#doubted,
      end: this.#reach.known,
      why,
    });
    this.#refuted = this.#doubted;
    this.#doubted = undefined;
  }
}
