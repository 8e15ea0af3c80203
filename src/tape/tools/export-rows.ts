/**
 * @module
 * The rows of a tape in words and exact decimals, as every export has them. docs/reference/tape.md lists the columns, and
 * which kinds have a price and a size.
 */
import { csvText, formatScaled } from '../../core/index.ts';
import {
  EVENT,
  type EventBatch,
  type EventKind,
  type EventName,
  FLAG_END,
  type Tape,
} from '../format/index.ts';

/** A number of a row: `unscaled` x 10^-decimals; `undefined`: its kind has none, or it is not known. */
export type ExportNumber = { readonly unscaled: number; readonly decimals: number } | undefined;

/** The columns of an export, in order. */
export const EXPORT_COLUMNS = [
  ...(['exchangeUs', 'receivedUs', 'market', 'kind', 'isEnd', 'price', 'size', 'id', 'value'] as const),
];

/** One row of an export. */
export interface ExportRow {
  /** Exchange time, Unix us. */
  readonly exchangeUs: number;
  /** Receive time, Unix us. */
  readonly receivedUs: number;
  /** Symbol of the market, or `feed:` and the name of the feed. */
  readonly market: string;
  /** Name of the kind. */
  readonly kind: string;
  /** True for the last row of its frame. */
  readonly isEnd: boolean;
  readonly price: ExportNumber;
  readonly size: ExportNumber;
  /** As the kind defines. */
  readonly id: number;
  /** Of a feed its value as JSON, else `undefined`. */
  readonly value: string | undefined;
}

/** Takes rows one after the other. */
export interface RowSink {
  add(row: ExportRow): void;
  /** Writes what is left, and the end of the file. */
  finish(): void;
}

const NAMES = new Map<number, EventName>(
  (Object.entries(EVENT) as [EventName, EventKind][]).map(([name, kind]) => [kind, name]),
);

/** Kinds with a price in ticks. */
const PRICED: ReadonlySet<number> = new Set([
  ...[EVENT.bidLevel, EVENT.askLevel, EVENT.buyTrade, EVENT.sellTrade, EVENT.mark, EVENT.index],
  ...[EVENT.bestBid, EVENT.bestAsk, EVENT.candleOpen, EVENT.candleHigh, EVENT.candleLow, EVENT.candleClose],
  ...[EVENT.bidOrder, EVENT.askOrder],
]);
/** Kinds with a price in ticks where it is known: 0 is none. */
const MAY_BE_PRICED: ReadonlySet<number> = new Set([
  ...[EVENT.fundingSettled, EVENT.orderReduced, EVENT.orderExecuted, EVENT.orderDeleted],
]);
/** Kinds with a size in lots. */
const SIZED: ReadonlySet<number> = new Set([
  ...[EVENT.bidLevel, EVENT.askLevel, EVENT.buyTrade, EVENT.sellTrade, EVENT.bestBid, EVENT.bestAsk],
  ...[EVENT.candleClose, EVENT.bidOrder, EVENT.askOrder],
  ...[EVENT.orderReduced, EVENT.orderExecuted, EVENT.orderDeleted],
]);
/** Kinds whose size is an integer of another unit: parts per billion, a status. */
const COUNTED: ReadonlySet<number> = new Set([EVENT.fundingRate, EVENT.fundingSettled, EVENT.marketStatus]);

/** Row `row` of a batch. */
export function exportRow(tape: Tape, batch: EventBatch, row: number): ExportRow {
  const kind = batch.kind[row] ?? 0;
  const place = batch.market[row] ?? 0;
  const isFeed = kind === EVENT.feed;
  const market = isFeed ? undefined : tape.markets[place];
  const [price = 0, size = 0, id = 0] = [batch.price[row], batch.size[row], batch.id[row]];
  const isPriced = PRICED.has(kind) || (price !== 0 && MAY_BE_PRICED.has(kind));
  return {
    exchangeUs: batch.exchangeUs[row] ?? 0,
    receivedUs: batch.receivedUs[row] ?? 0,
    market: isFeed ? `feed:${tape.feeds[place]}` : (market?.symbol ?? ''),
    kind: NAMES.get(kind) ?? '',
    isEnd: ((batch.flags[row] ?? 0) & FLAG_END) !== 0,
    price: isPriced ? { unscaled: price, decimals: market?.priceDecimals ?? 0 } : undefined,
    size: SIZED.has(kind)
      ? { unscaled: size, decimals: market?.sizeDecimals ?? 0 }
      : COUNTED.has(kind)
        ? { unscaled: size, decimals: 0 }
        : undefined,
    id,
    value: isFeed ? tape.feedLine(id) : undefined,
  };
}

/** A row as a line of CSV; what is not there is empty. */
export function csvLine({ price, size, value = '', ...row }: ExportRow): string {
  const { exchangeUs, receivedUs, market, kind, isEnd, id } = row;
  return `${exchangeUs},${receivedUs},${csvText(market)},${kind},${isEnd},${decimalOf(price) ?? ''},${decimalOf(size) ?? ''},${id},${csvText(value)}\n`;
}

/** A row as a line of JSON: prices and sizes as text, so that no reader makes binary fractions of them. */
export function jsonLine({ value, ...row }: ExportRow): string {
  const line = {
    ...row,
    price: decimalOf(row.price) ?? null,
    size: decimalOf(row.size) ?? null,
    ...(value === undefined ? {} : { value: JSON.parse(value) as unknown }),
  };
  return `${JSON.stringify(line)}\n`;
}

function decimalOf(number: ExportNumber): string | undefined {
  return number === undefined ? undefined : formatScaled(number.unscaled, number.decimals);
}
