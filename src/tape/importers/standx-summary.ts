/**
 * @module
 * The figures of a StandX recording, hour by hour, that prove a reader right. What this does not do: judging them.
 */
import { formatScaled } from '../../core/index.ts';
import { priceAt, sizeAt } from '../place.ts';
import { readStandxBooks, readStandxTrades, STANDX_LEVELS, type StandxBookRow } from './standx.ts';
import { STANDX_SCALE, type StandxFiles, sidesOf } from './standx-market.ts';

/** The figures of one hour; prices as recorded, volumes as decimal text. */
export interface StandxHourSummary {
  readonly bookRows: number;
  readonly distinctBookTimes: number;
  /** Among distinct snapshots. */
  readonly lockedStates: number;
  readonly crossedStates: number;
  readonly maxGapMs: number;
  readonly outOfOrder: number;
  readonly firstExchMs: number;
  readonly lastExchMs: number;
  readonly firstBest: readonly [bid: string, ask: string];
  readonly lastBest: readonly [bid: string, ask: string];
  readonly trades: number;
  readonly tradeVolume: string;
  readonly tradeNotional: string;
  readonly tradeSides: Readonly<Record<string, number>>;
}

const HOUR_IN_NAME = /_(\d{4}-\d{2}-\d{2}_\d{2})\.csv\.gz$/;

/** The hour in the name of a file, as `2026-01-06_08`. */
export function hourOf(path: string): string {
  return HOUR_IN_NAME.exec(path)?.[1] ?? '';
}

/** Reads the whole recording; keys are hours. @throws ProtocolError naming file and line when it is malformed. */
export async function summarizeStandx({
  books,
  trades,
}: Omit<StandxFiles, 'symbol'>): Promise<Readonly<Record<string, StandxHourSummary>>> {
  const hours: Record<string, StandxHourSummary> = {};
  for (const path of books) {
    const hour = hourOf(path);
    const tradePaths = trades.filter((trade) => hourOf(trade) === hour);
    hours[hour] = { ...(await summarizeBooks(path)), ...(await summarizeTrades(tradePaths)) };
  }
  return hours;
}

type BookFigures = Omit<StandxHourSummary, 'trades' | 'tradeVolume' | 'tradeNotional' | 'tradeSides'>;

async function summarizeBooks(path: string): Promise<BookFigures> {
  const figures = { bookRows: 0, distinctBookTimes: 0, lockedStates: 0, crossedStates: 0 };
  const order = { maxGapMs: 0, outOfOrder: 0 };
  let first: StandxBookRow | undefined;
  let last: StandxBookRow | undefined;
  for await (const row of readStandxBooks([path])) {
    figures.bookRows++;
    if (row.isDuplicate) continue;
    const { bids, asks } = sidesOf(row);
    const spreadTicks = (asks[0]?.priceTicks ?? Number.POSITIVE_INFINITY) - (bids[0]?.priceTicks ?? 0);
    if (spreadTicks === 0) figures.lockedStates++;
    if (spreadTicks < 0) figures.crossedStates++;
    if (last?.atMs !== row.atMs) figures.distinctBookTimes++;
    const gapMs = row.atMs - (last?.atMs ?? row.atMs);
    if (gapMs < 0) order.outOfOrder++;
    order.maxGapMs = Math.max(order.maxGapMs, gapMs);
    first ??= row;
    last = row;
  }
  return {
    ...figures,
    ...order,
    firstExchMs: first?.atMs ?? 0,
    lastExchMs: last?.atMs ?? 0,
    firstBest: printedBest(first),
    lastBest: printedBest(last),
  };
}

function printedBest(row: StandxBookRow | undefined): readonly [string, string] {
  return [row?.cells[0] ?? '', row?.cells[2 * STANDX_LEVELS] ?? ''];
}

async function summarizeTrades(paths: readonly string[]) {
  const { priceDecimals, sizeDecimals } = STANDX_SCALE;
  const tradeSides: Record<string, number> = {};
  let trades = 0;
  let volume = 0n;
  let notional = 0n;
  for await (const { place, price, size, side } of readStandxTrades(paths)) {
    const sizeLots = BigInt(sizeAt(place, size, sizeDecimals));
    trades++;
    volume += sizeLots;
    notional += BigInt(priceAt(place, price, priceDecimals)) * sizeLots;
    tradeSides[side] = (tradeSides[side] ?? 0) + 1;
  }
  return {
    trades,
    tradeVolume: formatScaled(volume, sizeDecimals),
    tradeNotional: formatScaled(notional, priceDecimals + sizeDecimals),
    tradeSides,
  };
}
