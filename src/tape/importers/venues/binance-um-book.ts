/**
 * @module The local book of a recorded Binance USD-M stream: REST snapshot plus diffs by update id. Diffs that come
 * before the snapshot wait for it; those it already contains are dropped. A break in the chain of update ids is counted
 * and the diffs continue to be applied, for they carry total sizes: levels that change heal, others may stay stale.
 */
import { LevelBook } from '../../../domain/index.ts';
import { malformed, priceAt, type RecordedScale, sizeAt } from '../location.ts';
import type { TextLevel } from './binance-message.ts';
import type { BinanceDiff, BinanceSnapshot } from './binance-um.ts';

/** The most diffs that wait for a snapshot: at 20 per second, over 16 minutes. */
const WAITING_DIFFS_MAX = 20_000;

/** A book of one symbol and what happened to it. */
export class BinanceUmBook {
  readonly levels = new LevelBook();
  readonly #scale: RecordedScale;
  readonly #onChanged: (cause: BinanceSnapshot | BinanceDiff) => void;
  #waiting: BinanceDiff[] = [];
  #snapshotUpdateId: number | undefined;
  #lastUpdateId = 0;
  /** The next diff starts the chain: it may overlap the snapshot. */
  #isFirst = true;
  #diffsApplied = 0;
  #diffsDropped = 0;
  #sequenceGaps = 0;
  #crossedStates = 0;

  /** `onChanged` is called after each snapshot and each diff that changed the book. */
  constructor(scale: RecordedScale, onChanged: (cause: BinanceSnapshot | BinanceDiff) => void) {
    this.#scale = scale;
    this.#onChanged = onChanged;
  }

  /** Update id of the first snapshot; `undefined` before it has come. */
  get snapshotUpdateId(): number | undefined {
    return this.#snapshotUpdateId;
  }

  /** Update id of the book. */
  get lastUpdateId(): number {
    return this.#lastUpdateId;
  }

  /** Diffs that changed the book. */
  get diffsApplied(): number {
    return this.#diffsApplied;
  }

  /** Diffs that the snapshot already contained. */
  get diffsDropped(): number {
    return this.#diffsDropped;
  }

  /** Breaks in the chain of update ids. */
  get sequenceGaps(): number {
    return this.#sequenceGaps;
  }

  /** How often the best bid was at or above the best ask after a diff. */
  get crossedStates(): number {
    return this.#crossedStates;
  }

  /** Replaces the book, then applies the diffs that waited for it. @throws ProtocolError on a malformed number. */
  reset(snapshot: BinanceSnapshot): void {
    this.levels.clear();
    this.#set(snapshot.bids, snapshot.asks, snapshot);
    this.#snapshotUpdateId ??= snapshot.lastUpdateId;
    this.#lastUpdateId = snapshot.lastUpdateId;
    this.#isFirst = true;
    this.#onChanged(snapshot);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const diff of waiting) this.apply(diff);
  }

  /**
   * Applies `diff`; it waits when there is no snapshot yet and is dropped when it is older.
   * @throws ProtocolError on a malformed number, or when too many diffs wait.
   */
  apply(diff: BinanceDiff): void {
    if (this.#snapshotUpdateId === undefined) {
      if (this.#waiting.length === WAITING_DIFFS_MAX)
        throw malformed(diff.place, `a REST snapshot before ${WAITING_DIFFS_MAX} diffs`, 'one more diff');
      this.#waiting.push(diff);
      return;
    }
    if (diff.lastUpdateId < this.#lastUpdateId) {
      this.#diffsDropped++;
      return;
    }
    const follows = this.#isFirst
      ? diff.previousUpdateId <= this.#lastUpdateId
      : diff.previousUpdateId === this.#lastUpdateId;
    if (!follows) this.#sequenceGaps++;
    this.#isFirst = false;
    this.#set(diff.bids, diff.asks, diff);
    this.#lastUpdateId = diff.lastUpdateId;
    this.#diffsApplied++;
    if (this.levels.isCrossed) this.#crossedStates++;
    this.#onChanged(diff);
  }

  #set(
    bids: readonly TextLevel[],
    asks: readonly TextLevel[],
    { place }: Pick<BinanceDiff | BinanceSnapshot, 'place'>,
  ): void {
    const { priceDecimals, sizeDecimals } = this.#scale;
    for (const [price, size] of bids)
      this.levels.set('buy', priceAt(place, price, priceDecimals), sizeAt(place, size, sizeDecimals));
    for (const [price, size] of asks)
      this.levels.set('sell', priceAt(place, price, priceDecimals), sizeAt(place, size, sizeDecimals));
  }
}
