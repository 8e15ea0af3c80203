/**
 * @module
 * A Binance USD-M recording as a {@link RecordedMarket}: each applied diff gives the new best levels, each trade that
 * met the book a taker. Times are transaction times of the matching engine (event time for mark prices), never the
 * receive time, because the recorder's clock is seconds off. Best-quote frames are not used: they run ahead of the
 * diffs and carry one level only.
 */
import { parseScaled, type UnixMs } from '../../core/index.ts';
import { type Ticks, ticks } from '../../domain/index.ts';
import {
  type BinanceMarkPrice,
  type BinanceRecord,
  type BinanceSnapshot,
  type BinanceTrade,
  decodeBinanceLine,
  readBinanceUm,
} from './binance-um.ts';
import { BinanceUmBook } from './binance-um-book.ts';
import { BookRepair } from './book-repair.ts';
import { inOrder } from './event-order.ts';
import { readLastLines } from './lines.ts';
import { malformed, type Place, priceAt, quoted, type Scale, sizeAt } from './location.ts';
import {
  RECORDED_LEVELS_MAX,
  type RecordedEvent,
  type RecordedLevelsEvent,
  type RecordedMarkEvent,
  type RecordedMarket,
  type RecordingCounters,
  zeroCounters,
} from './recorded-market.ts';

/** The kind of trade that met the book. */
export const BOOK_TRADE_KIND = 'MARKET';

/** The most records before the REST snapshot that the book starts from. */
const RECORDS_BEFORE_SNAPSHOT_MAX = 20_000;
/** Lines at the end of the recording that are looked at for its last time. */
const LAST_LINES = 256;

const MARK_DECIMALS = 8;
const RATE_DECIMALS = 9;

/** One symbol of a recording: its files in order of time. */
export interface BinanceUmFiles {
  readonly symbol: string;
  readonly paths: readonly string[];
}

/** Opens the recording of one symbol. Reads its beginning up to the snapshot, and its last file once for its end. */
export async function openBinanceUm({ symbol, paths }: BinanceUmFiles): Promise<RecordedMarket> {
  const snapshot = await firstSnapshot(paths);
  const scale = scaleOf(snapshot);
  let counters = zeroCounters();
  return {
    format: 'binance-um',
    symbol,
    ...scale,
    firstAtMs: snapshot.transactAtMs,
    lastAtMs: await lastAtMs(paths, snapshot.transactAtMs),
    events: {
      [Symbol.asyncIterator]() {
        counters = zeroCounters();
        return inOrder(new Normaliser(scale, counters).events(paths), counters);
      },
    },
    stats: () => ({ ...counters }),
  };
}

/** The REST snapshot that the book of a recording starts from. @throws ProtocolError when it does not come. */
export async function firstSnapshot(paths: readonly string[]): Promise<BinanceSnapshot> {
  let count = 0;
  let place: Place = { file: paths[0] ?? '', line: 0 };
  for await (const record of readBinanceUm(paths)) {
    if (record.kind === 'snapshot') return record;
    place = record.place;
    if (++count === RECORDS_BEFORE_SNAPSHOT_MAX) break;
  }
  throw malformed(
    place,
    `a REST depth snapshot within the first ${RECORDS_BEFORE_SNAPSHOT_MAX} records`,
    `none in ${count}`,
  );
}

/** The fewest decimals that hold all prices and sizes of `snapshot`: its step, though it prints more zeros. */
export function scaleOf(snapshot: BinanceSnapshot): Scale {
  const levels = [...snapshot.bids, ...snapshot.asks];
  return {
    priceDecimals: Math.max(0, ...levels.map(([price]) => decimalsOf(price))),
    sizeDecimals: Math.max(0, ...levels.map(([, size]) => decimalsOf(size))),
  };
}

function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.slice(point + 1).replace(/0+$/, '').length;
}

async function lastAtMs(paths: readonly string[], firstAtMs: UnixMs): Promise<UnixMs> {
  let latest = firstAtMs;
  for (const line of await readLastLines(paths.at(-1) ?? '', LAST_LINES)) {
    const record = decodeBinanceLine(line);
    if (record.kind === 'other') continue;
    const atMs = record.kind === 'markPrice' ? record.eventAtMs : record.transactAtMs;
    if (atMs > latest) latest = atMs;
  }
  return latest;
}

/** Records of one reading as events, in the order of the file. */
class Normaliser {
  readonly #scale: Scale;
  readonly #counters: RecordingCounters;
  readonly #repair: BookRepair;
  readonly #book: BinanceUmBook;
  /** Levels made by the record at hand; one snapshot can set free many diffs. */
  #ready: RecordedLevelsEvent[] = [];
  #lastTradeId: number | undefined;

  constructor(scale: Scale, counters: RecordingCounters) {
    this.#scale = scale;
    this.#counters = counters;
    this.#repair = new BookRepair(counters);
    this.#book = new BinanceUmBook(scale, ({ transactAtMs }) => this.#takeLevels(transactAtMs));
  }

  async *events(paths: readonly string[]): AsyncGenerator<RecordedEvent> {
    for await (const record of readBinanceUm(paths)) {
      yield* this.#next(record);
    }
  }

  *#next(record: BinanceRecord): Generator<RecordedEvent> {
    switch (record.kind) {
      case 'snapshot':
        this.#book.reset(record);
        yield* this.#levels();
        return;
      case 'depth':
        this.#book.apply(record);
        yield* this.#levels();
        return;
      case 'trade':
        yield* this.#trade(record);
        return;
      case 'markPrice':
        yield markEvent(record, this.#scale.priceDecimals);
        return;
      case 'other':
        this.#counters.othersSkipped++;
        return;
      case 'bookTicker':
        return;
    }
  }

  #takeLevels(atMs: UnixMs): void {
    const sides = this.#repair.repair({
      bids: this.#book.top('buy', RECORDED_LEVELS_MAX),
      asks: this.#book.top('sell', RECORDED_LEVELS_MAX),
    });
    this.#ready.push({ kind: 'levels', atMs, ...sides });
  }

  #levels(): readonly RecordedEvent[] {
    const ready = this.#ready;
    this.#ready = [];
    this.#counters.diffsDropped = this.#book.diffsDropped;
    this.#counters.sequenceGaps = this.#book.sequenceGaps;
    return ready;
  }

  *#trade(trade: BinanceTrade): Generator<RecordedEvent> {
    const lastTradeId = this.#lastTradeId ?? trade.tradeId - 1;
    if (trade.tradeId <= lastTradeId) {
      this.#counters.duplicatesDropped++;
      return;
    }
    if (trade.tradeId !== lastTradeId + 1) this.#counters.tradeIdGaps++;
    this.#lastTradeId = trade.tradeId;
    const sizeLots = sizeAt(trade.place, trade.size, this.#scale.sizeDecimals);
    if (trade.tradeKind !== BOOK_TRADE_KIND || sizeLots === 0) {
      this.#counters.tradesDropped++;
      return;
    }
    yield {
      kind: 'trade',
      atMs: trade.transactAtMs,
      aggressor: trade.isBuyerMaker ? 'sell' : 'buy',
      priceTicks: priceAt(trade.place, trade.price, this.#scale.priceDecimals),
      sizeLots,
    };
  }
}

/** The rate of `record` in parts per billion, exactly. @throws ProtocolError naming the place. */
export function ratePpbOf({ place, fundingRate }: BinanceMarkPrice): number {
  const ratePpb = parseScaled(fundingRate, RATE_DECIMALS);
  if (ratePpb !== undefined) return Number(ratePpb);
  throw malformed(place, `a rate with at most ${RATE_DECIMALS} decimals`, quoted(fundingRate));
}

function markEvent(record: BinanceMarkPrice, priceDecimals: number): RecordedMarkEvent {
  return {
    kind: 'mark',
    atMs: record.eventAtMs,
    markTicks: roundedTicks(record.place, record.mark, priceDecimals),
    indexTicks: roundedTicks(record.place, record.index, priceDecimals),
    fundingRatePpb: ratePpbOf(record),
    nextFundingAtMs: record.nextFundingAtMs,
  };
}

/** Mark and index prices are averages with more decimals than the tick: half a tick goes up. */
export function roundedTicks(place: Place, text: string, priceDecimals: number): Ticks {
  const value = parseScaled(text, MARK_DECIMALS);
  if (value === undefined || value <= 0n || priceDecimals > MARK_DECIMALS)
    throw malformed(place, `a price above zero with at most ${MARK_DECIMALS} decimals`, quoted(text));
  const tick = 10n ** BigInt(MARK_DECIMALS - priceDecimals);
  return ticks(Number((2n * value + tick) / (2n * tick)));
}
