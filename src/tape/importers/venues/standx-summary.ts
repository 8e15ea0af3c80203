/**
 * @module The statistics of a StandX recording, hour by hour, that prove a reader right. It does not check them.
 */
import { formatScaled } from '../../../core/index.ts';
import type { Sides } from '../book-repair.ts';
import { priceAt, sizeAt } from '../location.ts';
import { STANDX_LEVELS, STANDX_SCALE, type StandxBookRow, type StandxTradeRow } from './standx.ts';

/** The statistics of one hour; prices as recorded, volumes as decimal text. */
export interface StandxHourSummary {
  /** Number of recorded books. */
  readonly bookRows: number;
  /** Number of different book times. */
  readonly distinctBookTimes: number;
  /** Number of distinct books whose best bid is the best ask. */
  readonly lockedStates: number;
  /** Number of distinct books with the best bid above the best ask. */
  readonly crossedStates: number;
  /** Longest time between two books, ms. */
  readonly maxGapMs: number;
  /** Books earlier than the one before. */
  readonly outOfOrder: number;
  /** First exchange time, Unix ms. */
  readonly firstExchMs: number;
  /** Last exchange time, Unix ms. */
  readonly lastExchMs: number;
  /** Best bid and ask of the first book, as recorded. */
  readonly firstBest: readonly [bid: string, ask: string];
  /** Best bid and ask of the last book, as recorded. */
  readonly lastBest: readonly [bid: string, ask: string];
  /** Number of trades. */
  readonly trades: number;
  /** Traded size as decimal text. */
  readonly tradeVolume: string;
  /** Traded notional as decimal text. */
  readonly tradeNotional: string;
  /** Number of trades by recorded side. */
  readonly tradeSides: Readonly<Record<string, number>>;
}

const HOUR_IN_NAME = /_(\d{4}-\d{2}-\d{2}_\d{2})\.csv(?:\.gz)?$/;

/** The hour in the name of a file, as `2026-01-06_08`. */
function hourOf(path: string): string {
  return HOUR_IN_NAME.exec(path)?.[1] ?? '';
}

/** Counts rows by the hour of their file. */
export class StandxTally {
  readonly #hours = new Map<string, HourTally>();

  /** `sides` are the row's levels as recorded; absent for a row that repeats the one before. */
  addBook(row: StandxBookRow, sides: Sides | undefined): void {
    const hour = this.#hourOf(row);
    hour.bookRows++;
    if (sides !== undefined) hour.addState(row, sides);
  }

  addTrade(row: StandxTradeRow): void {
    this.#hourOf(row).addTrade(row);
  }

  /** The statistics so far. */
  hours(): Readonly<Record<string, StandxHourSummary>> {
    return Object.fromEntries([...this.#hours].map(([hour, tally]) => [hour, tally.summary()]));
  }

  #hourOf({ place }: StandxBookRow | StandxTradeRow): HourTally {
    const hour = hourOf(place.file);
    const known = this.#hours.get(hour);
    if (known !== undefined) return known;
    const tally = new HourTally();
    this.#hours.set(hour, tally);
    return tally;
  }
}

class HourTally {
  bookRows = 0;
  #distinctBookTimes = 0;
  #lockedStates = 0;
  #crossedStates = 0;
  #maxGapMs = 0;
  #outOfOrder = 0;
  #first: StandxBookRow | undefined;
  #last: StandxBookRow | undefined;
  #trades = 0;
  #volume = 0n;
  #notional = 0n;
  readonly #tradeSides: Record<string, number> = {};

  addState(row: StandxBookRow, { bids, asks }: Sides): void {
    const spreadTicks = (asks[0]?.priceTicks ?? Number.POSITIVE_INFINITY) - (bids[0]?.priceTicks ?? 0);
    if (spreadTicks === 0) this.#lockedStates++;
    if (spreadTicks < 0) this.#crossedStates++;
    const last = this.#last;
    if (last?.exchangeUs !== row.exchangeUs) this.#distinctBookTimes++;
    const gapMs = (row.exchangeUs - (last?.exchangeUs ?? row.exchangeUs)) / 1_000;
    if (gapMs < 0) this.#outOfOrder++;
    this.#maxGapMs = Math.max(this.#maxGapMs, gapMs);
    this.#first ??= row;
    this.#last = row;
  }

  addTrade({ place, price, size, side }: StandxTradeRow): void {
    const { priceDecimals, sizeDecimals } = STANDX_SCALE;
    const sizeLots = BigInt(sizeAt(place, size, sizeDecimals));
    this.#trades++;
    this.#volume += sizeLots;
    this.#notional += BigInt(priceAt(place, price, priceDecimals)) * sizeLots;
    this.#tradeSides[side] = (this.#tradeSides[side] ?? 0) + 1;
  }

  summary(): StandxHourSummary {
    const { priceDecimals, sizeDecimals } = STANDX_SCALE;
    return {
      bookRows: this.bookRows,
      distinctBookTimes: this.#distinctBookTimes,
      lockedStates: this.#lockedStates,
      crossedStates: this.#crossedStates,
      maxGapMs: this.#maxGapMs,
      outOfOrder: this.#outOfOrder,
      firstExchMs: (this.#first?.exchangeUs ?? 0) / 1_000,
      lastExchMs: (this.#last?.exchangeUs ?? 0) / 1_000,
      firstBest: printedBest(this.#first),
      lastBest: printedBest(this.#last),
      trades: this.#trades,
      tradeVolume: formatScaled(this.#volume, sizeDecimals),
      tradeNotional: formatScaled(this.#notional, priceDecimals + sizeDecimals),
      tradeSides: this.#tradeSides,
    };
  }
}

function printedBest(row: StandxBookRow | undefined): readonly [string, string] {
  return [row?.cells[0] ?? '', row?.cells[2 * STANDX_LEVELS] ?? ''];
}
