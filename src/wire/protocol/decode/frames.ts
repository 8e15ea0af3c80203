/**
 * @module
 * Frames of the server as typed values in ticks, lots and quantums. A frame that breaks the interface is a value, never
 * an error thrown; a channel that is not known is passed on by name. The levels of a book go straight into the arrays of
 * the book's keeper, without an object a level.
 */
import {
  eachOf,
  fieldOf,
  ID,
  INTEGER,
  type JsonObject,
  OBJECT,
  objectOf,
  optionalOf,
  parseJson,
  TEXT,
} from '../../../core/index.ts';
import type { Address, Market, MarketSymbol, Seq } from '../../../domain/index.ts';
import { CHANNELS } from '../channels.ts';
import {
  readAccountSummary,
  readFill,
  readLedgerEntry,
  readOrder,
  readOrderEvent,
  readPosition,
} from './account.ts';
import { type BookLevels, decodeBookInto } from './book.ts';
import { readControlFrame } from './control-frames.ts';
import { caught, type Decoded } from './decoded.ts';
import { type DecodeContext, optionalEpoch, optionalSeq } from './fields.ts';
import type {
  AccountFrame,
  AccountFrameHead,
  ControlFrame,
  MarketFrame,
  RawFrame,
  ServerFrame,
  UnknownFrame,
} from './frame-types.ts';
import { parseBookFrame } from './level-text.ts';
import { readBbo, readCandle, readFunding, readKnownPrices, readTrade } from './market-data.ts';

/** Where the levels of books are written. */
export interface BookTargets {
  /** The arrays of a market's book; `undefined`: no reader wants the levels of this frame. */
  book(symbol: MarketSymbol, isSnapshot: boolean): BookLevels | undefined;
}

/**
 * The frame of `text`. Never throws for what came over the wire. The levels of a book are in `targets.book` afterwards;
 * where the frame names a flaw of them, garbage is.
 * @example const frame = decodeFrame(text, markets, { book: () => levels });
 */
export function decodeFrame(
  text: string,
  context: DecodeContext,
  targets: BookTargets,
): Decoded<ServerFrame> {
  return caught(() => readFrame(parseBookFrame(text) ?? parseJson(text), context, targets));
}

/** The frame of `text` for who does not want the bot's records: data stays as it came. Never throws for what came. */
export function decodeRawFrame(text: string): Decoded<ControlFrame | RawFrame | UnknownFrame> {
  return caught(() => {
    const frame = objectOf(parseJson(text));
    const channel = fieldOf(frame, 'channel', TEXT);
    if (CHANNEL_NAMES.has(channel)) return frame as RawFrame;
    return readControlFrame(channel, frame) ?? { channel: 'unknown', name: channel };
  });
}

const CHANNEL_NAMES: ReadonlySet<string> = new Set(CHANNELS);

function readFrame(value: unknown, context: DecodeContext, targets: BookTargets): ServerFrame {
  const frame = objectOf(value);
  const channel = fieldOf(frame, 'channel', TEXT);
  if (channel === 'book') return readBookFrame(frame, context, targets);
  return (
    readMarketFrame(channel, frame, context) ??
    readAccountFrame(channel, frame, context) ??
    readControlFrame(channel, frame) ?? { channel: 'unknown', name: channel }
  );
}

function readBookFrame(frame: JsonObject, context: DecodeContext, targets: BookTargets): MarketFrame {
  const data = dataOf(frame);
  const symbol = fieldOf(data, 'symbol', TEXT) as MarketSymbol;
  const head = snapshotHead(frame);
  const tsMs = instantOf(data);
  const levels = targets.book(symbol, head.isSnapshot);
  const flaw = levels === undefined ? undefined : bookFlaw(data, context.market(symbol), levels);
  return { channel: 'book', ...head, symbol, tsMs, flaw };
}

function bookFlaw(data: JsonObject, market: Market | undefined, levels: BookLevels): string | undefined {
  return market === undefined ? 'the market is unknown' : decodeBookInto(data, market, levels);
}

function readMarketFrame(
  channel: string,
  frame: JsonObject,
  context: DecodeContext,
): MarketFrame | undefined {
  switch (channel) {
    case 'bbo': {
      const data = dataOf(frame);
      return { channel, ...snapshotHead(frame), tsMs: instantOf(data), bbo: readBbo(data, context) };
    }
    case 'prices': {
      const prices = readKnownPrices(dataOf(frame), context);
      return { channel, ...snapshotHead(frame), prices };
    }
    case 'trades':
      return { channel, seq: optionalSeq(frame), trade: readTrade(dataOf(frame), context) };
    case 'candles':
      return { channel, seq: optionalSeq(frame), candle: readCandle(dataOf(frame), context) };
    case 'funding':
      return { channel, seq: optionalSeq(frame), funding: readFunding(dataOf(frame), context) };
    case 'events':
      return readEventFrame(frame);
    default:
      return undefined;
  }
}

function readEventFrame(frame: JsonObject): MarketFrame {
  const data = dataOf(frame);
  const epoch = optionalEpoch(frame);
  const id = fieldOf(data, 'id', ID);
  return {
    channel: 'events',
    epoch,
    id,
    kind: fieldOf(data, 'kind', TEXT),
    data: optionalOf(data, 'data', OBJECT, {}),
  };
}

function readAccountFrame(
  channel: string,
  frame: JsonObject,
  context: DecodeContext,
): AccountFrame | undefined {
  switch (channel) {
    case 'orders': {
      const data = dataOf(frame);
      const head = { channel, ...accountHead(frame) } as const;
      return isSnapshotOf(frame)
        ? { ...head, isSnapshot: true, orders: eachOf(data, 'orders', (item) => readOrder(item, context)) }
        : { ...head, isSnapshot: false, orders: [readOrderEvent(data, context)] };
    }
    case 'fills':
      return { channel, ...accountHead(frame), fill: readFill(dataOf(frame), context) };
    case 'positions': {
      const positions = eachOf(dataOf(frame), 'positions', (item) => readPosition(item, context));
      return { channel, ...accountHead(frame), isSnapshot: isSnapshotOf(frame), positions };
    }
    case 'account': {
      const account = readAccountSummary(dataOf(frame), context);
      return { channel, ...accountHead(frame), isSnapshot: isSnapshotOf(frame), account };
    }
    case 'ledger':
      return { channel, ...accountHead(frame), entry: readLedgerEntry(dataOf(frame), context) };
    default:
      return undefined;
  }
}

function dataOf(frame: JsonObject): JsonObject {
  return fieldOf(frame, 'data', OBJECT);
}

function isSnapshotOf(frame: JsonObject): boolean {
  return frame['isSnapshot'] === true;
}

function snapshotHead(frame: JsonObject): { readonly isSnapshot: boolean; readonly seq: Seq | undefined } {
  return { isSnapshot: isSnapshotOf(frame), seq: optionalSeq(frame) };
}

function accountHead(frame: JsonObject): AccountFrameHead {
  return {
    address: optionalOf(frame, 'address', TEXT, undefined)?.toLowerCase() as Address | undefined,
    subaccount: optionalOf(frame, 'subaccount', INTEGER, 0),
    vault: optionalOf(frame, 'vault', ID, undefined),
    epoch: optionalEpoch(frame),
    seq: optionalSeq(frame),
  };
}

/** An instant that the interface does not promise: one of another form is none. */
function instantOf({ ts }: JsonObject): number | undefined {
  const ms = typeof ts === 'string' && /^[0-9]{1,15}$/.test(ts) ? Number(ts) : ts;
  return typeof ms === 'number' && Number.isSafeInteger(ms) ? ms : undefined;
}
