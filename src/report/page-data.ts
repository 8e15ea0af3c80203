/**
 * @module What the charts of a page draw, packed: columns of integers as differences, thinned where a run is too long
 * for all points to be visible. What was left out is said in a note; statistics are never computed from this.
 */

import type { RecordedFill, RecordedQuote, RunMarket, RunRecord } from '../domain/index.ts';
import { listedFills } from './fill-list.ts';
import { pnlSplitOf } from './pnl-split.ts';
import type { ReportDocument } from './report-document.ts';
import { thinned } from './series.ts';
import { grouped } from './words.ts';

/** How many points a line has at most. */
const LINE_POINTS_MAX = 40_000;
/** How many points lines over the same times have together at most: each of them is drawn at the points of all. */
const LINES_POINTS_MAX = 8_000;
/** How many orders of a market are drawn at most. */
const ORDERS_DRAWN_MAX = 40_000;
/** How many fills of a market are drawn at most. */
const FILLS_DRAWN_MAX = 20_000;

/** A column of integers as differences from the one before, the first from 0; `null`: not known. */
export type Packed = readonly (number | null)[];

/** A line: milliseconds since the beginning, and values. */
export interface PackedLine {
  /** Times, packed as differences. */
  readonly at: Packed;
  /** Values, packed as differences. */
  readonly value: Packed;
}

/** What is drawn of one market. */
export interface PageMarket {
  /** Symbol of the market. */
  readonly symbol: string;
  /** Decimals of a price; one tick is 10^-priceDecimals. */
  readonly priceDecimals: number;
  /** Decimals of a size; one lot is 10^-sizeDecimals. */
  readonly sizeDecimals: number;
  /** In half ticks. */
  readonly mid: PackedLine;
  /** Position over time. */
  readonly inventory: PackedLine;
  /** Orders: from when to when, at what price; side 1 is a bid. */
  readonly orders: {
    readonly from: Packed;
    readonly length: readonly number[];
    readonly price: Packed;
    readonly isBid: readonly (0 | 1)[];
  };
  /** Fills as packed columns. */
  readonly fills: {
    readonly at: Packed;
    readonly price: Packed;
    readonly size: readonly number[];
    readonly isBuy: readonly (0 | 1)[];
    readonly isMaker: readonly (0 | 1)[];
    /** What a person reads of it: fee, order, strategy. */
    readonly words: readonly string[];
  };
}

/** Everything that a page draws. */
export interface PageData {
  /** Start, Unix ms. */
  readonly fromMs: number;
  /** End, Unix ms. */
  readonly toMs: number;
  /** Decimals of money values. */
  readonly moneyDecimals: number;
  /** Equity over time. */
  readonly equity: PackedLine;
  /** Parts of the profit over time, in quantums, at the times of `at`. */
  readonly split: {
    readonly at: Packed;
    readonly spread: Packed;
    readonly inventory: Packed;
    readonly funding: Packed;
    readonly fees: Packed;
  };
  /** Returns since the beginning of the run and of its markets, in millionths, at the times of `at`. */
  readonly grown: {
    readonly at: Packed;
    readonly lines: readonly { readonly name: string; readonly value: Packed }[];
  };
  /** Rolling statistics, in thousandths. */
  readonly rolling: { readonly at: Packed; readonly sharpe: Packed; readonly volatility: Packed };
  /** Time of writes, in hundredths of a millisecond. */
  readonly latency: PackedLine;
  /** The fills one by one, as CSV, and how many. */
  readonly fillList: string;
  readonly listedFills: number;
  /** One entry per market. */
  readonly markets: readonly PageMarket[];
  /** Markout curves. */
  readonly markouts: readonly {
    readonly name: string;
    readonly dashed: boolean;
    readonly role: 'maker' | 'taker';
    readonly bps: readonly (number | null)[];
  }[];
  /** Markout horizons, ms. */
  readonly horizons: readonly number[];
}

/** What a page draws of `record`, and what it leaves out in words. */
export function pageDataOf(
  record: RunRecord,
  report: ReportDocument,
): { readonly data: PageData; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const { samples, fromMs } = record;
  const line = (values: Float64Array, scale = 1): PackedLine => {
    const places = thinned(values, LINE_POINTS_MAX);
    return {
      at: packed(Array.from(places, (at) => Math.round((samples.atMs[at] ?? 0) - fromMs))),
      value: packed(Array.from(places, (at) => (values[at] ?? Number.NaN) * scale)),
    };
  };
  if (samples.atMs.length > LINE_POINTS_MAX)
    notes.push(
      `Lines show the lowest and the highest sample of each stretch: about ${grouped(String(LINE_POINTS_MAX))} of ${grouped(String(samples.atMs.length))} samples.`,
    );
  const markets = record.markets.map((market, place) => ({
    symbol: market.symbol,
    priceDecimals: market.priceDecimals,
    sizeDecimals: market.sizeDecimals,
    mid: line(samples.midTicks[place] ?? new Float64Array(), 2),
    inventory: line(samples.inventoryLots[place] ?? new Float64Array()),
    orders: ordersOf(record, market, notes),
    fills: fillsOf(record, market, notes),
  }));
  const list = listedFills(record);
  const data: PageData = {
    fromMs,
    toMs: record.toMs,
    moneyDecimals: record.collateralDecimals,
    equity: line(samples.equity),
    ...linesOf(record, report),
    fillList: list.csv,
    listedFills: list.count,
    markets,
    markouts: markoutsOf(report),
    horizons: report.fills.maker.markouts.map(({ horizonMs }) => horizonMs),
  };
  return { data, notes };
}

/** Several lines over the same times. */
function linesOf(
  record: RunRecord,
  report: ReportDocument,
): Pick<PageData, 'split' | 'grown' | 'rolling' | 'latency'> {
  const { samples, fromMs } = record;
  const parts = pnlSplitOf(record);
  const times = (places: Iterable<number>) =>
    packed(Array.from(places, (at) => Math.round((samples.atMs[at] ?? 0) - fromMs)));
  const values = (places: Iterable<number>, of: (at: number) => number) =>
    packed(Array.from(places, (at) => Math.round(of(at))));
  const four = [parts.spread, parts.inventory, parts.funding, parts.fees];
  const split = placesOf(four);
  const of = (column: Float64Array) => values(split, (at) => column[at] ?? Number.NaN);
  const columns = [samples.equity, ...samples.midTicks];
  const grown = placesOf(columns);
  const rolling = report.rolling?.points ?? [];
  const rollingOf = (name: 'sharpe' | 'volatility') =>
    packed(rolling.map((point) => Math.round((point[name] ?? Number.NaN) * 1_000)));
  const rows = record.latency?.rows ?? [];
  return {
    split: {
      at: times(split),
      ...{ spread: of(parts.spread), inventory: of(parts.inventory) },
      ...{ funding: of(parts.funding), fees: of(parts.fees) },
    },
    grown: {
      at: times(grown),
      lines: columns.map((column, place) => {
        const first = column.find((value) => !Number.isNaN(value)) ?? Number.NaN;
        return {
          name: place === 0 ? 'this run' : (record.markets[place - 1]?.symbol ?? ''),
          value: values(grown, (at) => ((column[at] ?? Number.NaN) / first - 1) * 1e6),
        };
      }),
    },
    rolling: {
      at: packed(rolling.map(({ at }) => Date.parse(at) - fromMs)),
      sharpe: rollingOf('sharpe'),
      volatility: rollingOf('volatility'),
    },
    latency: {
      at: packed(rows.map(([atMs]) => atMs - fromMs)),
      value: packed(rows.map(([, ms]) => Math.round(ms * 100))),
    },
  };
}

/** Samples that keep the peaks of all columns. */
function placesOf(columns: readonly Float64Array[]): readonly number[] {
  const samples = columns[0]?.length ?? 0;
  const each = samples <= LINES_POINTS_MAX ? samples : Math.ceil(LINES_POINTS_MAX / columns.length);
  const places = new Set(columns.flatMap((column) => [...thinned(column, each)]));
  return [...places].sort((a, b) => a - b);
}

function markoutsOf({ fills }: ReportDocument): PageData['markouts'] {
  return (['maker', 'taker'] as const)
    .filter((role) => fills[role].fills > 0)
    .flatMap((role) => [
      {
        ...{ name: `${role}, from the price of the fill`, role, dashed: false },
        bps: fills[role].markouts.map(({ bps }) => bps),
      },
      {
        ...{ name: `${role}, from the mid at the fill (dashed)`, role, dashed: true },
        bps: fills[role].markouts.map(({ midMarkoutBps }) => midMarkoutBps),
      },
    ]);
}

interface Span {
  readonly quote: RecordedQuote;
  toMs: number;
}

function ordersOf(record: RunRecord, market: RunMarket, notes: string[]): PageMarket['orders'] {
  const open = new Map<string, Span>();
  const spans: Span[] = [];
  for (const quote of record.quotes) {
    if (quote.symbol !== market.symbol) continue;
    const known = open.get(quote.orderId);
    if (known !== undefined) known.toMs = quote.atMs;
    open.delete(quote.orderId);
    if (quote.event !== 'rested') continue;
    const span = { quote, toMs: record.toMs };
    open.set(quote.orderId, span);
    spans.push(span);
  }
  const oneOf = Math.ceil(spans.length / ORDERS_DRAWN_MAX);
  const drawn = oneOf <= 1 ? spans : spans.filter((_span, at) => at % oneOf === 0);
  if (oneOf * record.quoteSampling > 1)
    notes.push(
      `One of ${grouped(String(oneOf * record.quoteSampling))} orders in ${market.symbol} is drawn (${grouped(String(drawn.length))} of them); every statistic covers all orders.`,
    );
  return {
    from: packed(drawn.map(({ quote }) => quote.atMs - record.fromMs)),
    length: drawn.map(({ quote, toMs }) => Math.max(0, toMs - quote.atMs)),
    price: packed(drawn.map(({ quote }) => quote.priceTicks)),
    isBid: drawn.map(({ quote }) => (quote.side === 'buy' ? 1 : 0)),
  };
}

function fillsOf(record: RunRecord, market: RunMarket, notes: string[]): PageMarket['fills'] {
  const all = record.fills.filter((fill) => fill.symbol === market.symbol);
  const oneOf = Math.ceil(all.length / FILLS_DRAWN_MAX);
  const drawn = oneOf <= 1 ? all : all.filter((_fill, at) => at % oneOf === 0);
  if (oneOf > 1)
    notes.push(
      `One of ${grouped(String(oneOf))} fills in ${market.symbol} is drawn (${grouped(String(drawn.length))} of ${grouped(String(all.length))}); every statistic is of all fills.`,
    );
  return {
    at: packed(drawn.map((fill) => fill.atMs - record.fromMs)),
    price: packed(drawn.map((fill) => fill.priceTicks)),
    size: drawn.map((fill) => fill.sizeLots),
    isBuy: drawn.map((fill) => (fill.side === 'buy' ? 1 : 0)),
    isMaker: drawn.map((fill) => (fill.role === 'maker' ? 1 : 0)),
    words: drawn.map((fill) => fillWords(fill)),
  };
}

function fillWords({ orderId, strategyId }: RecordedFill): string {
  return `order ${orderId}${strategyId === undefined ? '' : ` of ${strategyId}`}`;
}

/** Integers as differences. */
export function packed(values: readonly number[]): Packed {
  let before = 0;
  return values.map((value) => {
    if (Number.isNaN(value)) return null;
    const difference = value - before;
    before = value;
    return difference;
  });
}
