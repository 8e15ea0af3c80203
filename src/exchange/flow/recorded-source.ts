/**
 * @module
 * A tape as the market that a recorded flow plays: its rows become full sets of levels, trades, index prices and gaps,
 * in order of time. Rows are read block by block, synchronously, as the flow takes them.
 *
 *   rows of the tape ──▶ book of one market ──▶ one set of levels a frame, trades at once ──▶ flow
 *
 * Rules
 *   - The market begins with its first frame of levels; trades and prices before it are dropped.
 *   - At most {@link LEVELS_MAX} levels a side rest, although the tape may hold more.
 *   - A tape whose book is coarser than its trades (`bookStep`) shows a level at P for all that rests from P to below
 *     P + step. A trade within that span of the best price takes the best price itself.
 *
 * What this does not do: open files, pace, separate locked books (the import does).
 */
import { type UnixMs, unixMs } from '../../core/index.ts';
import {
  EVENT,
  FLAG_END,
  LevelBook,
  type Lots,
  lots,
  type Side,
  type Ticks,
  ticks,
} from '../../domain/index.ts';

/** One resting level of a recording. */
export interface RecordedFlowLevel {
  /** Price in ticks. */
  readonly priceTicks: Ticks;
  /** Size in lots. */
  readonly sizeLots: Lots;
}

/** Levels of one side, best first, without repeated prices, sizes above zero. */
export type RecordedFlowLevels = readonly RecordedFlowLevel[];

/** A full new set of resting levels; what is not in it rests no more. */
export interface RecordedFlowBook {
  readonly kind: 'levels';
  /** Exchange time, Unix ms. */
  readonly atMs: UnixMs;
  /** Bid levels, best first. */
  readonly bids: RecordedFlowLevels;
  /** Ask levels, best first. */
  readonly asks: RecordedFlowLevels;
}

/** A recorded execution against the book, with the side of its taker. */
export interface RecordedFlowTrade {
  readonly kind: 'trade';
  /** Exchange time, Unix ms. */
  readonly atMs: UnixMs;
  /** Side of the taker. */
  readonly aggressor: Side;
  /** Price in ticks. */
  readonly priceTicks: Ticks;
  /** Size in lots. */
  readonly sizeLots: Lots;
}

/** Prices that the recorded exchange published. */
export interface RecordedFlowMark {
  readonly kind: 'mark';
  /** Exchange time, Unix ms. */
  readonly atMs: UnixMs;
  readonly indexTicks: Ticks;
}

/** Nothing was recorded after `atMs` until `untilMs`. */
export interface RecordedFlowGap {
  readonly kind: 'gap';
  /** Exchange time, Unix ms. */
  readonly atMs: UnixMs;
  /** End of the gap, Unix ms. */
  readonly untilMs: UnixMs;
}

/** One event of a recording in ticks and lots of the market it drives; exchange time of the recording. */
export type RecordedFlowEvent = RecordedFlowBook | RecordedFlowTrade | RecordedFlowMark | RecordedFlowGap;

/** A recording as a queue in order of time, read synchronously. */
export interface RecordedSource {
  /** The next event without taking it; `undefined`: the recording has ended. */
  peek(): RecordedFlowEvent | undefined;
  /** Takes the next event. */
  shift(): RecordedFlowEvent | undefined;
  /** Trades that were moved to the best price of a coarser book, as far as the recording has been read. */
  readonly tradesMoved?: number;
}

/** A block of rows of a tape, in columns. What each row says is in `domain/market-rows.ts`. */
export interface RecordedRows {
  /** Number of rows. */
  readonly rows: number;
  /** Kind of each row (`domain/market-rows.ts`). */
  readonly kind: ArrayLike<number>;
  /** Flags of each row. */
  readonly flags: ArrayLike<number>;
  /** Market index of each row. */
  readonly market: ArrayLike<number>;
  /** Exchange time, Unix us. */
  readonly exchangeUs: ArrayLike<number>;
  /** Price of each row in ticks, or the value that its kind defines. */
  readonly price: ArrayLike<number>;
  /** Size of each row in lots, or the value that its kind defines. */
  readonly size: ArrayLike<number>;
  /** Id of each row; its kind defines the meaning. */
  readonly id: ArrayLike<number>;
}

/** Which rows a {@link TapePlayback} plays. */
export interface TapePlaybackOptions {
  /** Index of the market in the tape. */
  readonly market: number;
  /** See `TapeMarket.bookStep`, in ticks; absent: every price is shown. */
  readonly bookStep?: number | undefined;
  /** Called once when the tape cannot be read on; what was read before is still played, then the recording ends. */
  readonly onFailure: (error: unknown) => void;
}

/** Levels of each side that rest. */
const LEVELS_MAX = 20;

/** One market of a tape; reads on when its queue is empty. */
export class TapePlayback implements RecordedSource {
  readonly #blocks: Iterator<RecordedRows>;
  readonly #market: number;
  readonly #step: number;
  readonly #onFailure: (error: unknown) => void;
  readonly #book = new LevelBook();
  #queue: RecordedFlowEvent[] = [];
  #next = 0;
  #block: RecordedRows | undefined;
  #row = 0;
  /** The frame at hand has changed the book. */
  #isChanged = false;
  #hasBegun = false;
  #tradesMoved = 0;

  constructor(blocks: Iterable<RecordedRows>, options: TapePlaybackOptions) {
    this.#blocks = blocks[Symbol.iterator]();
    this.#market = options.market;
    this.#step = options.bookStep ?? 1;
    this.#onFailure = options.onFailure;
  }

  get tradesMoved(): number {
    return this.#tradesMoved;
  }

  peek(): RecordedFlowEvent | undefined {
    if (this.#next === this.#queue.length) this.#read();
    return this.#queue[this.#next];
  }

  shift(): RecordedFlowEvent | undefined {
    const event = this.peek();
    if (event !== undefined) this.#next++;
    return event;
  }

  /** Closes the files of the tape. */
  stop(): void {
    this.#blocks.return?.();
  }

  /** Reads rows until there is an event, or the tape has ended. */
  #read(): void {
    this.#queue = [];
    this.#next = 0;
    while (this.#queue.length === 0) {
      if (this.#block === undefined || this.#row === this.#block.rows) {
        this.#block = this.#nextBlock();
        this.#row = 0;
        if (this.#block === undefined) return;
        continue;
      }
      this.#take(this.#block, this.#row++);
    }
  }

  #nextBlock(): RecordedRows | undefined {
    try {
      const { done, value } = this.#blocks.next();
      return done === true ? undefined : value;
    } catch (error) {
      this.#onFailure(error);
      return undefined;
    }
  }

  #take(block: RecordedRows, row: number): void {
    if (block.market[row] !== this.#market) return;
    const kind = block.kind[row];
    const price = block.price[row] ?? 0;
    const size = block.size[row] ?? 0;
    const atMs = unixMs(Math.floor((block.exchangeUs[row] ?? 0) / 1_000));
    if (kind === EVENT.bookReset) this.#book.clear();
    if (kind === EVENT.bidLevel) this.#book.set('buy', ticks(price), lots(size));
    if (kind === EVENT.askLevel) this.#book.set('sell', ticks(price), lots(size));
    if (kind === EVENT.bookReset || kind === EVENT.bidLevel || kind === EVENT.askLevel)
      this.#isChanged = true;
    if (this.#hasBegun && kind === EVENT.buyTrade) this.#trade('buy', atMs, price, size);
    if (this.#hasBegun && kind === EVENT.sellTrade) this.#trade('sell', atMs, price, size);
    if (this.#hasBegun && kind === EVENT.index)
      this.#queue.push({ kind: 'mark', atMs, indexTicks: ticks(price) });
    if (this.#hasBegun && kind === EVENT.hole) {
      const untilMs = unixMs(Math.floor((block.id[row] ?? 0) / 1_000));
      this.#queue.push({ kind: 'gap', atMs, untilMs });
    }
    if (!this.#isChanged || ((block.flags[row] ?? 0) & FLAG_END) === 0) return;
    this.#isChanged = false;
    this.#hasBegun = true;
    this.#queue.push({ kind: 'levels', atMs, bids: this.#levels('buy'), asks: this.#levels('sell') });
  }

  #levels(side: Side): RecordedFlowLevels {
    const levels: RecordedFlowLevel[] = [];
    this.#book.forEachLevel(
      side,
      (priceTicks, sizeLots) => levels.push({ priceTicks, sizeLots }) < LEVELS_MAX,
    );
    return levels;
  }

  #trade(aggressor: Side, atMs: UnixMs, price: number, size: number): void {
    const priceTicks = this.#reached(aggressor, price);
    if (priceTicks !== price) this.#tradesMoved++;
    this.#queue.push({ kind: 'trade', atMs, aggressor, priceTicks, sizeLots: lots(size) });
  }

  /**
   * The price at which a recorded taker meets the book. A best price off the steps is one that the import moved out by
   * a tick because it was locked: it was shown at the step that it was moved away from.
   */
  #reached(aggressor: Side, price: number): Ticks {
    const best = aggressor === 'buy' ? this.#book.topAskTicks : this.#book.topBidTicks;
    if (this.#step === 1 || best === 0) return ticks(price);
    const steps = best / this.#step;
    const shown = (aggressor === 'buy' ? Math.floor(steps) : Math.ceil(steps)) * this.#step;
    return ticks(price >= shown && price < shown + this.#step ? best : price);
  }
}
