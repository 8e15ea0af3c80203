/**
 * @module The long lists of a run's record as columns that any tool reads: samples, fills, quotes. What is not known is
 * empty.
 */
import type { UnixMs } from '../core/index.ts';
import {
  MARKOUT_HORIZONS_MS,
  type MarketSymbol,
  type OrderId,
  quantums,
  type RecordedFill,
  type RecordedQuote,
  type RunRecord,
  type RunSamples,
} from '../domain/index.ts';
import { csvOf, rowsOfCsv } from './csv.ts';

const QUOTE_HEAD = ['at_ms', 'strategy', 'order', 'symbol', 'side', 'price_ticks', 'size_lots', 'event'];
const FILL_HEAD = [
  ...['at_ms', 'strategy', 'intent', 'order', 'symbol', 'side', 'role', 'price_ticks', 'size_lots', 'fee'],
  ...['mid_ticks', ...MARKOUT_HORIZONS_MS.map((ms) => `mid_${ms}_ms`)],
  ...['queue_ahead_lots', 'queue_at_rest_lots'],
];
const sampleHead = (symbols: readonly string[]) => [
  ...['at_ms', 'equity'],
  ...symbols.flatMap((symbol) => [`mid_ticks ${symbol}`, `lots ${symbol}`]),
];

/** The parts that are columns. */
export type RunColumns = Pick<RunRecord, 'samples' | 'fills' | 'quotes'>;

/** Names of the columns' files, each with its text. */
export function columnTexts(record: RunRecord): ReadonlyMap<string, string> {
  const { samples } = record;
  const rows = Array.from(samples.atMs, (atMs, at) => [
    atMs,
    samples.equity[at] ?? Number.NaN,
    ...record.markets.flatMap((_market, place) => [
      samples.midTicks[place]?.[at] ?? Number.NaN,
      samples.inventoryLots[place]?.[at] ?? Number.NaN,
    ]),
  ]);
  return new Map([
    ['samples.csv.gz', csvOf(sampleHead(record.markets.map(({ symbol }) => symbol)), rows)],
    ['fills.csv.gz', csvOf(FILL_HEAD, record.fills.map(fillRow))],
    ['quotes.csv.gz', csvOf(QUOTE_HEAD, record.quotes.map(quoteRow))],
  ]);
}

/** The columns out of their texts; otherwise the name of the first file that is not as it should be. */
export function columnsOf(
  texts: ReadonlyMap<string, string>,
  symbols: readonly string[],
  periodMs: number,
): RunColumns | string {
  const samples = rowsOfCsv(texts.get('samples.csv.gz') ?? '', sampleHead(symbols));
  if (samples === undefined) return 'samples.csv.gz';
  const fills = rowsOfCsv(texts.get('fills.csv.gz') ?? '', FILL_HEAD);
  if (fills === undefined) return 'fills.csv.gz';
  const quotes = rowsOfCsv(texts.get('quotes.csv.gz') ?? '', QUOTE_HEAD);
  if (quotes === undefined) return 'quotes.csv.gz';
  return {
    samples: samplesOf(samples, symbols.length, periodMs),
    fills: fills.map(fillOf),
    quotes: quotes.map(quoteOf),
  };
}

function samplesOf(rows: readonly (readonly string[])[], markets: number, periodMs: number): RunSamples {
  const column = (place: number) => Float64Array.from(rows, (row) => numberOf(row[place]));
  const places = Array.from({ length: markets }, (_, market) => market);
  return {
    periodMs,
    atMs: column(0),
    equity: column(1),
    midTicks: places.map((market) => column(2 + 2 * market)),
    inventoryLots: places.map((market) => column(3 + 2 * market)),
  };
}

function fillRow(fill: RecordedFill): readonly (string | number)[] {
  return [
    ...[fill.atMs, fill.strategyId ?? '', fill.intentId ?? '', fill.orderId, fill.symbol, fill.side],
    ...[fill.role, fill.priceTicks, fill.sizeLots, fill.fee === null ? '' : fill.fee.toString()],
    ...[fill.midTicks, ...MARKOUT_HORIZONS_MS.map((_ms, place) => fill.laterMidTicks[place] ?? Number.NaN)],
    ...[fill.queueAheadLots, fill.queueAtRestLots],
  ];
}

function fillOf(row: readonly string[]): RecordedFill {
  const [at, strategy = '', intent = '', order = '', symbol = '', side, role, price, size, fee = ''] = row;
  const rest = row.slice(10).map(numberOf);
  const horizons = MARKOUT_HORIZONS_MS.length;
  return {
    atMs: Number(at) as UnixMs,
    strategyId: strategy === '' ? undefined : (strategy as NonNullable<RecordedFill['strategyId']>),
    intentId: intent === '' ? undefined : (intent as NonNullable<RecordedFill['intentId']>),
    orderId: order as OrderId,
    symbol: symbol as MarketSymbol,
    side: side === 'buy' ? 'buy' : 'sell',
    role: role === 'maker' ? 'maker' : 'taker',
    priceTicks: Number(price) as RecordedFill['priceTicks'],
    sizeLots: Number(size) as RecordedFill['sizeLots'],
    fee: fee === '' ? null : quantums(BigInt(fee)),
    midTicks: rest[0] ?? Number.NaN,
    laterMidTicks: rest.slice(1, 1 + horizons),
    queueAheadLots: rest[1 + horizons] ?? Number.NaN,
    queueAtRestLots: rest[2 + horizons] ?? Number.NaN,
  };
}

function quoteRow(quote: RecordedQuote): readonly (string | number)[] {
  const { atMs, strategyId, orderId, symbol, side, priceTicks, sizeLots, event } = quote;
  return [atMs, strategyId ?? '', orderId, symbol, side, priceTicks, sizeLots, event];
}

function quoteOf(row: readonly string[]): RecordedQuote {
  const [at, strategy = '', order, symbol, side, price, size, event] = row;
  return {
    atMs: Number(at) as UnixMs,
    strategyId: strategy === '' ? undefined : (strategy as NonNullable<RecordedQuote['strategyId']>),
    orderId: order as OrderId,
    symbol: symbol as MarketSymbol,
    side: side === 'buy' ? 'buy' : 'sell',
    priceTicks: Number(price) as RecordedQuote['priceTicks'],
    sizeLots: Number(size) as RecordedQuote['sizeLots'],
    event: event as RecordedQuote['event'],
  };
}

function numberOf(text: string | undefined): number {
  return text === undefined || text === '' ? Number.NaN : Number(text);
}
