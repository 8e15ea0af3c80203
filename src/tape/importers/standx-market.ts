/**
 * @module
 * A StandX recording as a {@link RecordedMarket}: books and trades joined by exchange time, trades before the book of
 * their millisecond. Repeated books are dropped, locked ones repaired, aggressors inferred from the book as printed.
 *
 * A trade whose price lies within the step that its side's best price was cut to takes that best price as it rests
 * after the repair: otherwise a sell at 93274.03 would not reach the bid that was printed as 93274.
 */
import { type UnixMs, unixMs } from '../../core/index.ts';
import type { Side, Ticks } from '../../domain/index.ts';
import { BookRepair, type Sides } from './book-repair.ts';
import { inOrder, mergeByTime } from './event-order.ts';
import { readLastLines } from './lines.ts';
import { integerAt, malformed, priceAt, quoted, type Scale, sizeAt } from './location.ts';
import {
  type RecordedEvent,
  type RecordedLevel,
  type RecordedLevelsEvent,
  type RecordedMarket,
  type RecordingCounters,
  zeroCounters,
} from './recorded-market.ts';
import {
  readStandxBooks,
  readStandxTrades,
  STANDX_LEVELS,
  type StandxBookRow,
  type StandxTradeRow,
} from './standx.ts';
import { AggressorRule, type PrintedBest, STANDX_BOOK_STEP_TICKS } from './standx-aggressor.ts';

/** The steps of the recorded market: trades have prices of 0.01, sizes 0.0001. */
export const STANDX_SCALE: Scale = { priceDecimals: 2, sizeDecimals: 4 };

/** Files of a recording in order of time; `symbol` is the reader's word, the files name none. */
export interface StandxFiles {
  readonly symbol: string;
  readonly books: readonly string[];
  readonly trades: readonly string[];
}

/** Opens a recording. Reads the first snapshot, and the last files once for its end. */
export async function openStandx({ symbol, books, trades }: StandxFiles): Promise<RecordedMarket> {
  let counters = zeroCounters();
  const firstAtMs = await firstBookAtMs(books);
  return {
    format: 'standx',
    symbol,
    ...STANDX_SCALE,
    firstAtMs,
    lastAtMs: await lastAtMs([books.at(-1), trades.at(-1)], firstAtMs),
    events: {
      [Symbol.asyncIterator]() {
        counters = zeroCounters();
        return inOrder(new Normaliser(counters).events({ books, trades }), counters);
      },
    },
    stats: () => ({ ...counters }),
  };
}

async function firstBookAtMs(books: readonly string[]): Promise<UnixMs> {
  for await (const row of readStandxBooks(books)) return row.atMs;
  throw malformed(
    { file: books[0] ?? '', line: 2 },
    'at least one snapshot of the book',
    'the end of the files',
  );
}

async function lastAtMs(paths: readonly (string | undefined)[], firstAtMs: UnixMs): Promise<UnixMs> {
  let latest: number = firstAtMs;
  for (const path of paths) {
    if (path === undefined) continue;
    const [line] = await readLastLines(path, 1);
    if (line === undefined || line.place.line === 1) continue;
    latest = Math.max(latest, integerAt(line.place, line.text.slice(0, line.text.indexOf(',')), 'exch_ms'));
  }
  return unixMs(latest);
}

const NO_BEST: PrintedBest = { bidTicks: undefined, askTicks: undefined };

/** The levels of a row with sizes above zero. @throws ProtocolError on a malformed number. */
export function sidesOf(row: StandxBookRow): Sides {
  return { bids: sideOf(row, 0), asks: sideOf(row, 2 * STANDX_LEVELS) };
}

function sideOf({ place, cells }: StandxBookRow, from: number): readonly RecordedLevel[] {
  const levels: RecordedLevel[] = [];
  for (let at = from; at < from + 2 * STANDX_LEVELS; at += 2) {
    const price = cells[at] ?? '';
    const size = cells[at + 1] ?? '';
    if (price === '' && size === '') continue;
    const level = {
      priceTicks: priceAt(place, price, STANDX_SCALE.priceDecimals),
      sizeLots: sizeAt(place, size, STANDX_SCALE.sizeDecimals),
    };
    const before = levels.at(-1);
    const direction = from > 0 ? 1 : -1;
    if (before !== undefined && (level.priceTicks - before.priceTicks) * direction <= 0)
      throw malformed(place, 'levels from best to worst', `${quoted(price)} in column ${at + 3}`);
    if (level.sizeLots > 0) levels.push(level);
  }
  return levels;
}

/** Rows of one reading as events, by exchange time. */
class Normaliser {
  readonly #counters: RecordingCounters;
  readonly #repair: BookRepair;
  readonly #aggressors = new AggressorRule();
  /** Best prices as recorded and as they rest after the repair. */
  #printed = NO_BEST;
  #resting = NO_BEST;

  constructor(counters: RecordingCounters) {
    this.#counters = counters;
    this.#repair = new BookRepair(counters);
  }

  async *events({ books, trades }: Omit<StandxFiles, 'symbol'>): AsyncGenerator<RecordedEvent> {
    for await (const row of mergeByTime(readStandxTrades(trades), readStandxBooks(books))) {
      if (row.kind === 'book') {
        if (row.isDuplicate) this.#counters.duplicatesDropped++;
        else yield this.#levels(row);
      } else {
        const trade = this.#trade(row);
        if (trade !== undefined) yield trade;
      }
    }
  }

  #levels(row: StandxBookRow): RecordedLevelsEvent {
    const sides = sidesOf(row);
    const resting = this.#repair.repair(sides);
    this.#printed = bestOf(sides);
    this.#resting = bestOf(resting);
    return { kind: 'levels', atMs: row.atMs, ...resting };
  }

  #trade({ place, atMs, price, size }: StandxTradeRow): RecordedEvent | undefined {
    const printedTicks = priceAt(place, price, STANDX_SCALE.priceDecimals);
    const sizeLots = sizeAt(place, size, STANDX_SCALE.sizeDecimals);
    if (sizeLots === 0) {
      this.#counters.tradesDropped++;
      return undefined;
    }
    const { side, rule } = this.#aggressors.of(printedTicks, this.#printed);
    if (rule === 'quote') this.#counters.aggressorsByQuote++;
    else this.#counters.aggressorsByTick++;
    const priceTicks = this.#snapped(printedTicks, side);
    if (priceTicks !== printedTicks) this.#counters.tradesSnapped++;
    return { kind: 'trade', atMs, aggressor: side, priceTicks, sizeLots };
  }

  #snapped(priceTicks: Ticks, aggressor: Side): Ticks {
    const printed = aggressor === 'buy' ? this.#printed.askTicks : this.#printed.bidTicks;
    const resting = aggressor === 'buy' ? this.#resting.askTicks : this.#resting.bidTicks;
    if (printed === undefined || resting === undefined) return priceTicks;
    return priceTicks >= printed && priceTicks < printed + STANDX_BOOK_STEP_TICKS ? resting : priceTicks;
  }
}

function bestOf({ bids, asks }: Sides): PrintedBest {
  return { bidTicks: bids[0]?.priceTicks, askTicks: asks[0]?.priceTicks };
}
