/**
 * @module
 * Reads recorded raw WebSocket streams of Binance, USD-M and spot, as typed records, in the order of the file. A line is
 * `<receive time> <JSON message>`; the message is a frame, alone or of a combined stream, or the REST depth snapshot.
 * Frames of the other venue are refused by the fields that only one of them has. Prices and sizes stay text here: their scale is known to the reader's caller. What this does not do:
 * building a book, ordering by exchange time, deciding what counts as a trade.
 */
import { type UnixMs, unixMs } from '../../../core/index.ts';
import { type RecordedLine, readRecordedLines } from '../lines.ts';
import { malformed, type Place, quoted } from '../location.ts';
import { otherFormat } from '../other-format.ts';
import { receivedNs } from '../recorded-time.ts';
import { type BinanceVenue, Message, parseMessage, type TextLevel } from './binance-message.ts';
import { inverseMarket, isInverse } from './inverse.ts';

interface Received {
  readonly place: Place;
  /** When the recorder received it, nanoseconds since 1970 by the recorder's clock, which may be seconds off. */
  readonly receivedAtNs: bigint;
}

interface Published extends Received {
  readonly symbol: string;
  /** Event time of the exchange, Unix us. */
  readonly eventAtUs: number;
}

interface Transacted extends Published {
  /** Transaction time of the matching engine, Unix us; of spot the event time. */
  readonly transactAtUs: number;
}

/** What frames of spot that name no time get from the one before. */
interface Untimed {
  /** True if the exchange named no time. */
  readonly isUntimed?: boolean;
}

/** The REST depth snapshot, or a frame with a whole book. */
export interface BinanceSnapshot extends Received, Untimed {
  readonly kind: 'snapshot';
  /** Last update id that is included. */
  readonly lastUpdateId: number;
  /** Transaction time, Unix us. */
  readonly transactAtUs: number;
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

/** The kind of a trade that met the book; all of spot are. */
export const BOOK_TRADE_KIND = 'MARKET';

/** Best quotes as of one update id. */
export interface BinanceBookTicker extends Transacted, Untimed {
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
    for await (const line of readRecordedLines(path)) yield decodeBinanceLine(line, 'um');
  }
}

/** The record of one line. @throws ProtocolError naming file and line when it is malformed, or of the other venue. */
export function decodeBinanceLine({ place, text }: RecordedLine, venue: BinanceVenue): BinanceRecord {
  const blank = text.indexOf(' ');
  if (blank < 0) throw malformed(place, 'a receive time, a blank and a JSON message', quoted(text));
  const received: Received = {
    place,
    receivedAtNs: receivedNs(place, text.slice(0, blank), 'before the blank'),
  };
  const message = new Message(place, parseMessage(place, text.slice(blank + 1)), venue);
  const stream = message.has('stream') ? message.text('stream') : '';
  const data = stream === '' ? message : new Message(place, message.record('data'), venue);
  const kind = kindOf(data, stream);
  checkVenue(place, { data, kind, venue });
  switch (kind) {
    case 'snapshot':
      return decodeSnapshot(received, data);
    case 'depthUpdate':
      return decodeDiff(received, data);
    case 'trade':
      return decodeTrade(received, data, 't');
    case 'aggTrade':
      return venue === 'spot' ? decodeTrade(received, data, 'a') : { ...received, kind: 'other', stream };
    case 'bookTicker':
      return decodeBookTicker(received, data);
    case 'markPriceUpdate':
      return decodeMarkPrice(received, data);
    default:
      return { ...received, kind: 'other', stream };
  }
}

/** The type of a frame; those of spot that have none are known by their fields. */
function kindOf(data: Message, stream: string): string {
  if (data.has('e')) return data.text('e');
  if (data.has('u') && data.has('B') && data.has('A')) return 'bookTicker';
  return stream === '' || data.has('lastUpdateId') ? 'snapshot' : '';
}

/** The field that frames of USD-M have and those of spot have not. */
const FIELD_OF_UM: Readonly<Record<string, string>> = {
  depthUpdate: 'pu',
  trade: 'X',
  bookTicker: 'e',
  snapshot: 'T',
};

interface FrameOfVenue {
  readonly data: Message;
  readonly kind: string;
  readonly venue: BinanceVenue;
}

/** @throws ProtocolError when a frame is of another venue than the format says. */
function checkVenue(place: Place, { data, kind, venue }: FrameOfVenue): void {
  const symbol = data.has('s') ? data.text('s') : '';
  if (isInverse(symbol)) throw inverseMarket(`${symbol} at ${place.file}:${place.line}`);
  const field = FIELD_OF_UM[kind];
  if (field === undefined && kind !== 'markPriceUpdate') return;
  const found: BinanceVenue = field === undefined || data.has(field) ? 'um' : 'spot';
  if (found === venue || (found === 'spot' && !isOfSpot(data, kind))) return;
  throw otherFormat(place, {
    expected: `a frame of format binance-${venue}`,
    found: `${kind} of Binance ${found === 'um' ? 'USD-M' : 'spot'} (${field === undefined || found === 'um' ? 'with' : 'without'} ${field ?? kind})`,
    format: `binance-${found}`,
  });
}

/** True if a frame has what spot puts into it: a field less than USD-M is then no damage. */
function isOfSpot(data: Message, kind: string): boolean {
  if (kind === 'depthUpdate') return data.has('U') && data.has('u') && !data.has('T');
  if (kind === 'snapshot') return data.has('bids') && !data.has('E');
  return kind !== 'trade' || data.has('M');
}

function decodeSnapshot(received: Received, message: Message): BinanceSnapshot {
  return {
    ...received,
    kind: 'snapshot',
    lastUpdateId: message.integer('lastUpdateId'),
    ...(message.venue === 'um' ? { transactAtUs: message.instantUs('T') } : UNTIMED),
    bids: message.levels('bids'),
    asks: message.levels('asks'),
  };
}

/** Times that `readBinanceSpot` puts in place. */
const UNTIMED = { isUntimed: true, transactAtUs: 0 } as const;

function decodeDiff(received: Received, data: Message): BinanceDiff {
  const firstUpdateId = data.integer('U');
  const isSpot = data.venue === 'spot';
  return {
    ...received,
    kind: 'depth',
    symbol: data.text('s'),
    eventAtUs: data.instantUs('E'),
    transactAtUs: data.instantUs(isSpot ? 'E' : 'T'),
    firstUpdateId,
    lastUpdateId: data.integer('u'),
    // Each update of spot begins with the number after the one before.
    previousUpdateId: isSpot ? firstUpdateId - 1 : data.integer('pu'),
    bids: data.levels('b'),
    asks: data.levels('a'),
  };
}

function decodeTrade(received: Received, data: Message, id: 't' | 'a'): BinanceTrade {
  return {
    ...received,
    kind: 'trade',
    symbol: data.text('s'),
    eventAtUs: data.instantUs('E'),
    transactAtUs: data.instantUs('T'),
    tradeId: data.integer(id),
    price: data.text('p'),
    size: data.text('q'),
    tradeKind: data.venue === 'spot' ? BOOK_TRADE_KIND : data.text('X'),
    isBuyerMaker: data.flag('m'),
  };
}

function decodeBookTicker(received: Received, data: Message): BinanceBookTicker {
  const times = { eventAtUs: 0, ...UNTIMED };
  return {
    ...received,
    kind: 'bookTicker',
    symbol: data.text('s'),
    ...(data.venue === 'spot'
      ? times
      : { eventAtUs: data.instantUs('E'), transactAtUs: data.instantUs('T') }),
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
    eventAtUs: data.instantUs('E'),
    mark: data.text('p'),
    index: data.text('i'),
    fundingRate: data.text('r'),
    // A contract without funding has 0.
    nextFundingAtMs: unixMs(data.has('T') && data.integer('T') === 0 ? 0 : data.instantUs('T') / 1_000),
  };
}
