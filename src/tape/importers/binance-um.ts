/**
 * @module
 * Reads recorded raw WebSocket streams of Binance USD-M as typed records, in the order of the file. A line is
 * `<receive time> <JSON message>`; the message is a combined-stream frame, or the REST depth snapshot that has no
 * `stream`. Prices and sizes stay text here: their scale is known to the reader's caller. What this does not do:
 * building a book, ordering by exchange time, deciding what counts as a trade.
 */
import { isRecord, parseJson, type UnixMs, unixMs } from '../../core/index.ts';
import { type RecordedLine, readRecordedLines } from './lines.ts';
import { FOUND_LENGTH_MAX, malformed, type Place, quoted } from './location.ts';
import { receivedNs, recordedUs } from './recorded-time.ts';

/** Price and total size as they are in the message; size 0 removes the level. */
export type TextLevel = readonly [price: string, size: string];

interface Received {
  readonly place: Place;
  /** When the recorder received it, nanoseconds since 1970 by the recorder's clock, which may be seconds off. */
  readonly receivedAtNs: bigint;
}

interface Published extends Received {
  readonly symbol: string;
  /** Event time of the exchange. */
  readonly eventAtMs: UnixMs;
}

interface Transacted extends Published {
  /** Transaction time of the matching engine. */
  readonly transactAtMs: UnixMs;
}

/** The REST depth snapshot. */
export interface BinanceSnapshot extends Received {
  readonly kind: 'snapshot';
  /** Last update id that is included. */
  readonly lastUpdateId: number;
  /** Transaction time, Unix ms. */
  readonly transactAtMs: UnixMs;
  /** Bid levels as recorded. */
  readonly bids: readonly TextLevel[];
  /** Ask levels as recorded. */
  readonly asks: readonly TextLevel[];
}

/** A change of the book: new total sizes of levels. */
export interface BinanceDiff extends Transacted {
  readonly kind: 'depth';
  /** First update id that is included. */
  readonly firstUpdateId: number;
  /** Last update id that is included. */
  readonly lastUpdateId: number;
  /** Last update id of the message before. */
  readonly previousUpdateId: number;
  /** Bid levels as recorded. */
  readonly bids: readonly TextLevel[];
  /** Ask levels as recorded. */
  readonly asks: readonly TextLevel[];
}

/** A trade; only `MARKET` ones met the book, `INSURANCE_FUND` and `ADL` did not. */
export interface BinanceTrade extends Transacted {
  readonly kind: 'trade';
  /** Number of the trade. */
  readonly tradeId: number;
  /** Price as decimal text. */
  readonly price: string;
  /** Size as decimal text. */
  readonly size: string;
  readonly tradeKind: string;
  /** True if the taker sold. */
  readonly isBuyerMaker: boolean;
}

/** Best quotes as of one update id. */
export interface BinanceBookTicker extends Transacted {
  readonly kind: 'bookTicker';
  /** Update id of the book. */
  readonly updateId: number;
  /** Best bid. */
  readonly bid: TextLevel;
  /** Best ask. */
  readonly ask: TextLevel;
}

/** Mark price, index price and funding. */
export interface BinanceMarkPrice extends Published {
  readonly kind: 'markPrice';
  /** Mark price as decimal text. */
  readonly mark: string;
  /** Index price as decimal text. */
  readonly index: string;
  /** Funding rate of one interval as decimal text. */
  readonly fundingRate: string;
  /** Time of the next funding settlement, Unix ms. */
  readonly nextFundingAtMs: UnixMs;
}

/** A frame of a stream that is not read; kept so that it can be counted. */
export interface BinanceOther extends Received {
  readonly kind: 'other';
  /** Name of the stream. */
  readonly stream: string;
}

/** One line of a recording. */
export type BinanceRecord =
  | BinanceSnapshot
  | BinanceDiff
  | BinanceTrade
  | BinanceBookTicker
  | BinanceMarkPrice
  | BinanceOther;

/** Reads the files at `paths` one after the other, line by line. @throws ProtocolError naming file and line. */
export async function* readBinanceUm(paths: readonly string[]): AsyncGenerator<BinanceRecord> {
  for (const path of paths) {
    for await (const line of readRecordedLines(path)) yield decodeBinanceLine(line);
  }
}

/** The record of one line. @throws ProtocolError naming file and line when it is malformed. */
export function decodeBinanceLine({ place, text }: RecordedLine): BinanceRecord {
  const blank = text.indexOf(' ');
  if (blank < 0) throw malformed(place, 'a receive time, a blank and a JSON message', quoted(text));
  const received: Received = {
    place,
    receivedAtNs: receivedNs(place, text.slice(0, blank), 'before the blank'),
  };
  const message = new Message(place, parseMessage(place, text.slice(blank + 1)));
  if (!message.has('stream')) return decodeSnapshot(received, message);
  const stream = message.text('stream');
  const data = new Message(place, message.record('data'));
  switch (data.has('e') ? data.text('e') : '') {
    case 'depthUpdate':
      return decodeDiff(received, data);
    case 'trade':
      return decodeTrade(received, data);
    case 'bookTicker':
      return decodeBookTicker(received, data);
    case 'markPriceUpdate':
      return decodeMarkPrice(received, data);
    default:
      return { ...received, kind: 'other', stream };
  }
}

function decodeSnapshot(received: Received, message: Message): BinanceSnapshot {
  return {
    ...received,
    kind: 'snapshot',
    lastUpdateId: message.integer('lastUpdateId'),
    transactAtMs: message.instant('T'),
    bids: message.levels('bids'),
    asks: message.levels('asks'),
  };
}

function decodeDiff(received: Received, data: Message): BinanceDiff {
  return {
    ...received,
    kind: 'depth',
    symbol: data.text('s'),
    eventAtMs: data.instant('E'),
    transactAtMs: data.instant('T'),
    firstUpdateId: data.integer('U'),
    lastUpdateId: data.integer('u'),
    previousUpdateId: data.integer('pu'),
    bids: data.levels('b'),
    asks: data.levels('a'),
  };
}

function decodeTrade(received: Received, data: Message): BinanceTrade {
  return {
    ...received,
    kind: 'trade',
    symbol: data.text('s'),
    eventAtMs: data.instant('E'),
    transactAtMs: data.instant('T'),
    tradeId: data.integer('t'),
    price: data.text('p'),
    size: data.text('q'),
    tradeKind: data.text('X'),
    isBuyerMaker: data.flag('m'),
  };
}

function decodeBookTicker(received: Received, data: Message): BinanceBookTicker {
  return {
    ...received,
    kind: 'bookTicker',
    symbol: data.text('s'),
    eventAtMs: data.instant('E'),
    transactAtMs: data.instant('T'),
    updateId: data.integer('u'),
    bid: [data.text('b'), data.text('B')],
    ask: [data.text('a'), data.text('A')],
  };
}

function decodeMarkPrice(received: Received, data: Message): BinanceMarkPrice {
  return {
    ...received,
    kind: 'markPrice',
    symbol: data.text('s'),
    eventAtMs: data.instant('E'),
    mark: data.text('p'),
    index: data.text('i'),
    fundingRate: data.text('r'),
    // A contract without funding has 0.
    nextFundingAtMs: data.has('T') && data.integer('T') === 0 ? unixMs(0) : data.instant('T'),
  };
}

function parseMessage(place: Place, text: string): Record<string, unknown> {
  let message: unknown;
  try {
    message = parseJson(text);
  } catch {
    throw malformed(place, 'a JSON message', quoted(text));
  }
  if (isRecord(message)) return message;
  throw malformed(place, 'a JSON object', quoted(text));
}

/** The fields of a message, each of the type that is asked for. */
class Message {
  readonly #place: Place;
  readonly #fields: Record<string, unknown>;

  constructor(place: Place, fields: Record<string, unknown>) {
    this.#place = place;
    this.#fields = fields;
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined;
  }

  record(name: string): Record<string, unknown> {
    const value = this.#fields[name];
    return isRecord(value) ? value : this.#refuse(name, 'an object');
  }

  text(name: string): string {
    const value = this.#fields[name];
    return typeof value === 'string' ? value : this.#refuse(name, 'a text');
  }

  flag(name: string): boolean {
    const value = this.#fields[name];
    return typeof value === 'boolean' ? value : this.#refuse(name, 'true or false');
  }

  integer(name: string): number {
    const value = this.#fields[name];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? value
      : this.#refuse(name, 'an integer');
  }

  instant(name: string): UnixMs {
    const value = this.#fields[name];
    if (typeof value !== 'number' && typeof value !== 'bigint') return this.#refuse(name, 'an integer');
    return unixMs(recordedUs(this.#place, String(value), { name, unit: 'ms' }) / 1_000);
  }

  levels(name: string): readonly TextLevel[] {
    const value = this.#fields[name];
    return Array.isArray(value) && value.every(isTextLevel)
      ? value
      : this.#refuse(name, 'a list of [price, size]');
  }

  #refuse(name: string, expected: string): never {
    const found = JSON.stringify(this.#fields[name]) ?? 'missing';
    throw malformed(this.#place, `${name} as ${expected}`, found.slice(0, FOUND_LENGTH_MAX));
  }
}

function isTextLevel(value: unknown): value is TextLevel {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'string'
  );
}
