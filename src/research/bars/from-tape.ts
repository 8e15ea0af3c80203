/**
 * @module Bars and settlements of one market of a tape: its candles, those that make up the length, else bars made of
 * its trades. It does not check them; `checkBars` does.
 */
import type { Bar } from '../../bot/strategy/index.ts';
import { EVENT, type EventBatch } from '../../tape/format/index.ts';
import { type BarColumns, NumberColumn, type SettlementColumns } from './columns.ts';
import { BarGatherer } from './gather.ts';

const US_PER_MS = 1_000;

/** The span of a tape that is read. */
export interface BarTape {
  /** First exchange time, Unix us. */
  readonly fromUs: number;
  /** Last exchange time, Unix us. */
  readonly toUs: number;
  /** All rows, batch by batch. */
  batches(): Generator<EventBatch>;
}

/** What to read. */
export interface TapeBarOptions {
  /** Index of the market in the rows. */
  readonly market: number;
  /** Length of the bars, ms; absent: of the shortest candles on the tape. */
  readonly barMs?: number | undefined;
  /** How long after a multiple of their length bars begin, ms; absent: 0. */
  readonly offsetMs?: number | undefined;
  /** Hours between settlements where the tape names rates but no settlements. */
  readonly fundingIntervalMs: number;
}

/** What was read. */
export interface TapeBars {
  /** The bars, oldest first. */
  readonly bars: BarColumns;
  /** Funding settlements. */
  readonly settlements: SettlementColumns;
  /** What the bars were made of. */
  readonly from: 'candles' | 'trades';
}

/**
 * Bars of a market; `undefined`: no candles make up the length, and no length was asked for that trades could fill.
 * @throws BotError `BARS_OFFSET_INVALID` for a candle that does not lie in one bar.
 */
export function barsOfTape(tape: BarTape, options: TapeBarOptions): TapeBars | undefined {
  const { market, barMs, offsetMs } = options;
  const partMs = candleLengthOf(tape, market, barMs);
  const barUs = (barMs ?? partMs ?? 0) * US_PER_MS;
  if (barUs === 0) return undefined;
  const funding = new FundingReader(options.fundingIntervalMs);
  const length = { barUs, offsetUs: offsetMs === undefined ? undefined : offsetMs * US_PER_MS };
  const reader =
    partMs === undefined ? new TradeReader(length, tape.fromUs) : new CandleReader(length, partMs);
  for (const batch of tape.batches())
    for (let row = 0; row < batch.rows; row++) {
      if (batch.market[row] !== market) continue;
      funding.take(batch, row);
      reader.take(batch, row);
    }
  return {
    bars: reader.done(tape.toUs),
    settlements: funding.done(tape.toUs),
    from: partMs === undefined ? 'trades' : 'candles',
  };
}

/** The shortest candles of the market whose length fits into `barMs`. */
function candleLengthOf(tape: BarTape, market: number, barMs: number | undefined): number | undefined {
  const lengths = new Set<number>();
  for (const { rows, kind, market: place, id } of tape.batches())
    for (let row = 0; row < rows; row++)
      if (kind[row] === EVENT.candleOpen && place[row] === market) lengths.add(id[row] ?? 0);
  const fitting = [...lengths].filter((ms) => ms > 0 && (barMs === undefined || barMs % ms === 0));
  // The longest that fits is the least work; without a length asked for, the shortest is the finest.
  fitting.sort((a, b) => a - b);
  return barMs === undefined ? fitting[0] : fitting.at(-1);
}

/** How long bars last, and how long after a multiple of it they begin. */
interface BarLength {
  readonly barUs: number;
  readonly offsetUs: number | undefined;
}

/** Reads candles of one length; of one that was published several times the last counts. */
class CandleReader {
  readonly #bars: BarGatherer;
  readonly #partMs: number;
  #isOwn = false;
  #open = 0;
  #high = 0;
  #low = 0;
  #startMs = 0;
  #last: Bar | undefined;

  constructor(length: BarLength, partMs: number) {
    this.#partMs = partMs;
    this.#bars = new BarGatherer({ ...length, partUs: partMs * US_PER_MS });
  }

  take({ kind, price, size, id }: EventBatch, row: number): void {
    const value = price[row] ?? 0;
    switch (kind[row]) {
      case EVENT.candleOpen:
        this.#isOwn = id[row] === this.#partMs;
        this.#open = value;
        break;
      case EVENT.candleHigh:
        this.#high = value;
        this.#startMs = id[row] ?? 0;
        break;
      case EVENT.candleLow:
        this.#low = value;
        break;
      case EVENT.candleClose:
        if (this.#isOwn) this.#candle(value, size[row] ?? 0);
        break;
    }
  }

  done(seenToUs: number): BarColumns {
    const last = this.#last;
    // A live candle is published before it ends.
    if (last !== undefined && last.openUs + this.#partMs * US_PER_MS <= seenToUs) this.#bars.add(last);
    return this.#bars.done(seenToUs);
  }

  #candle(close: number, volume: number): void {
    const openUs = this.#startMs * US_PER_MS;
    const last = this.#last;
    // After the last one: it was published again too late to count.
    if (last !== undefined && openUs < last.openUs) return;
    if (last !== undefined && openUs > last.openUs) this.#bars.add(last);
    this.#last = { openUs, open: this.#open, high: this.#high, low: this.#low, close, volume };
  }
}

/** Makes bars of trades. */
class TradeReader {
  readonly #bars: BarGatherer;

  constructor(length: BarLength, seenFromUs: number) {
    this.#bars = new BarGatherer({ ...length, seenFromUs });
  }

  take({ kind, exchangeUs, price, size, id }: EventBatch, row: number): void {
    const openUs = exchangeUs[row] ?? 0;
    if (kind[row] === EVENT.hole) this.#bars.addHole(openUs, id[row] ?? openUs);
    if (kind[row] !== EVENT.buyTrade && kind[row] !== EVENT.sellTrade) return;
    const at = price[row] ?? 0;
    this.#bars.add({ openUs, open: at, high: at, low: at, close: at, volume: size[row] ?? 0 });
  }

  done(seenToUs: number): BarColumns {
    return this.#bars.done(seenToUs);
  }
}

/** Settlements that the tape names; else the rate in force at each boundary, as the local venue settles it. */
class FundingReader {
  readonly #intervalUs: number;
  readonly #named = new Settlements();
  readonly #byRate = new Settlements();
  #ratePpb = 0;
  #dueUs = Number.POSITIVE_INFINITY;

  constructor(fundingIntervalMs: number) {
    this.#intervalUs = fundingIntervalMs * 1_000;
  }

  take({ kind, exchangeUs, price, size, id }: EventBatch, row: number): void {
    const us = exchangeUs[row] ?? 0;
    if (kind[row] === EVENT.fundingSettled) this.#named.add(us, size[row] ?? 0, price[row] ?? 0);
    if (kind[row] !== EVENT.fundingRate) return;
    this.#settleUntil(us);
    this.#ratePpb = size[row] ?? 0;
    const nextUs = (id[row] ?? 0) * US_PER_MS;
    this.#dueUs = nextUs > us ? nextUs : (Math.floor(us / this.#intervalUs) + 1) * this.#intervalUs;
  }

  done(seenToUs: number): SettlementColumns {
    this.#settleUntil(seenToUs);
    return (this.#named.rows > 0 ? this.#named : this.#byRate).done();
  }

  #settleUntil(us: number): void {
    for (; this.#dueUs <= us; this.#dueUs += this.#intervalUs)
      this.#byRate.add(this.#dueUs, this.#ratePpb, 0);
  }
}

/** Settlements in columns that grow. */
export class Settlements {
  readonly #atUs = new NumberColumn();
  readonly #ratePpb = new NumberColumn();
  readonly #priceTicks = new NumberColumn();
  rows = 0;

  add(atUs: number, ratePpb: number, priceTicks: number): void {
    this.#atUs.push(atUs);
    this.#ratePpb.push(ratePpb);
    this.#priceTicks.push(priceTicks);
    this.rows++;
  }

  done(): SettlementColumns {
    return {
      rows: this.rows,
      atUs: this.#atUs.done(),
      ratePpb: this.#ratePpb.done(),
      priceTicks: this.#priceTicks.done(),
    };
  }
}
