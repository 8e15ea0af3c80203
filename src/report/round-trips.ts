/**
 * @module
 * Round trips: every closing order against the oldest open fills of its strategy in its market (FIFO, as pyfolio
 * matches them). A fill that turns a position around closes and opens. What a strategy held at the beginning counts as
 * bought, or sold, at the first known mid. Profit by FIFO and by average cost (`pnl.realized`) differ while a position
 * is open, and never in their sum with what is open.
 */
import { formatScaled } from '../core/index.ts';
import { type MarketSymbol, NO_STRATEGY, type RecordedFill, type RunRecord } from '../domain/index.ts';
import { quantileOf } from './histogram.ts';
import type { Statistic } from './metrics.ts';
import { rounded } from './words.ts';

/** A closing order and what it closed. */
interface RoundTrip {
  readonly strategy: string;
  readonly symbol: MarketSymbol;
  /** Side of the position that was closed. */
  readonly side: 'long' | 'short';
  /** Its last fill, Unix ms. */
  closedAtMs: number;
  /** Closed size, in lots. */
  lots: number;
  /** Lots x ms that they were held. */
  heldLotMs: number;
  /** Profit less the fees of both sides, in quantums. */
  net: bigint;
}

/** Statistics of round trips of one market, or of all. */
export interface TripsDocument {
  /** Symbol of the market; `null`: all markets. */
  readonly symbol: string | null;
  /** Number of closing orders. */
  readonly count: number;
  /** Net profit of all of them as decimal text. */
  readonly net: string;
  /** Share of those that did not end at 0 that ended above. */
  readonly winRate: Statistic;
  /** Sum of gains / sum of losses. */
  readonly profitFactor: Statistic;
  /** Mean gain, mean loss (below 0) and mean of all, as decimal text; `null`: none. */
  readonly averageWin: string | null;
  readonly averageLoss: string | null;
  readonly expectancy: string | null;
  /** Mean gain / mean loss without its sign. */
  readonly payoffRatio: Statistic;
  readonly best: string | null;
  readonly worst: string | null;
  /** Holding time in ms: mean by size, median of orders. */
  readonly meanHoldingMs: Statistic;
  readonly medianHoldingMs: Statistic;
}

/** See the module. */
export interface RoundTripsDocument {
  /** How fills are matched. */
  readonly method: 'FIFO';
  /** All markets, then each market with round trips where there are several. */
  readonly rows: readonly TripsDocument[];
}

/** Lots that are open since one fill. */
interface OpenLots {
  readonly atMs: number;
  readonly priceTicks: number;
  lots: number;
  /** What is left of its fee. */
  fee: bigint;
}

interface Line {
  /** 1: long, -1: short. */
  sign: 1 | -1;
  readonly open: OpenLots[];
  /** Of {@link Line.open}: what is before it is closed. */
  first: number;
  readonly trips: Map<string, RoundTrip>;
}

/** The round trips of a run in the order of their first closing fill. */
function roundTripsOf(record: RunRecord): readonly RoundTrip[] {
  const lines = startingLines(record);
  const trips: RoundTrip[] = [];
  for (const fill of record.fills.toSorted((a, b) => a.atMs - b.atMs)) {
    const perTickLot = record.markets.find(({ symbol }) => symbol === fill.symbol)?.quantumsPerTickLot ?? 0n;
    const key = keyOf(fill.strategyId, fill.symbol);
    let line = lines.get(key);
    if (line === undefined) {
      line = { sign: 1, open: [], first: 0, trips: new Map() };
      lines.set(key, line);
    }
    apply(line, fill, perTickLot, trips);
  }
  return trips;
}

function apply(line: Line, fill: RecordedFill, perTickLot: bigint, trips: RoundTrip[]): void {
  const sign = fill.side === 'buy' ? 1 : -1;
  let lots: number = fill.sizeLots;
  let fee: bigint = fill.fee ?? 0n;
  for (let oldest = line.open[line.first]; oldest !== undefined && lots > 0; oldest = line.open[line.first]) {
    if (line.sign === sign) break;
    const closed = Math.min(lots, oldest.lots);
    const [feeIn, feeOut] = [shareOf(oldest.fee, closed, oldest.lots), shareOf(fee, closed, lots)];
    const gross = BigInt((fill.priceTicks - oldest.priceTicks) * line.sign) * BigInt(closed) * perTickLot;
    const trip = tripOf(line, fill, trips);
    trip.closedAtMs = fill.atMs;
    trip.lots += closed;
    trip.heldLotMs += closed * (fill.atMs - oldest.atMs);
    trip.net += gross - feeIn - feeOut;
    oldest.lots -= closed;
    oldest.fee -= feeIn;
    lots -= closed;
    fee -= feeOut;
    if (oldest.lots === 0) line.first++;
  }
  if (lots === 0) return;
  if (line.sign !== sign) {
    line.sign = sign;
    line.trips.clear();
  }
  line.open.push({ atMs: fill.atMs, priceTicks: fill.priceTicks, lots, fee });
}

function tripOf(line: Line, fill: RecordedFill, trips: RoundTrip[]): RoundTrip {
  const known = line.trips.get(fill.orderId);
  if (known !== undefined) return known;
  const trip: RoundTrip = {
    strategy: fill.strategyId ?? NO_STRATEGY,
    symbol: fill.symbol,
    side: line.sign === 1 ? 'long' : 'short',
    ...{ closedAtMs: fill.atMs, lots: 0, heldLotMs: 0, net: 0n },
  };
  line.trips.set(fill.orderId, trip);
  trips.push(trip);
  return trip;
}

/** What each strategy held when the run began: its final position less its fills. */
function startingLines(record: RunRecord): Map<string, Line> {
  const lines = new Map<string, Line>();
  const held = new Map<string, number>();
  for (const { strategyId, symbol, finalLots } of record.byStrategy)
    held.set(keyOf(strategyId, symbol), finalLots);
  for (const { strategyId, symbol, side, sizeLots } of record.fills) {
    const key = keyOf(strategyId, symbol);
    const before = held.get(key);
    if (before !== undefined) held.set(key, before - (side === 'buy' ? sizeLots : -sizeLots));
  }
  for (const { strategyId, symbol } of record.byStrategy) {
    const lots = held.get(keyOf(strategyId, symbol)) ?? 0;
    const place = record.markets.findIndex((market) => market.symbol === symbol);
    const priceTicks = record.samples.midTicks[place]?.find((mid) => !Number.isNaN(mid));
    if (lots === 0 || priceTicks === undefined) continue;
    lines.set(keyOf(strategyId, symbol), {
      sign: lots > 0 ? 1 : -1,
      open: [{ atMs: record.fromMs, priceTicks: Math.round(priceTicks), lots: Math.abs(lots), fee: 0n }],
      ...{ first: 0, trips: new Map() },
    });
  }
  return lines;
}

function keyOf(strategyId: string | undefined, symbol: MarketSymbol): string {
  return `${strategyId ?? NO_STRATEGY}\n${symbol}`;
}

function shareOf(amount: bigint, part: number, whole: number): bigint {
  return part === whole ? amount : (amount * BigInt(part)) / BigInt(whole);
}

/** Statistics of the round trips of a run. */
export function roundTripsDocument(record: RunRecord): RoundTripsDocument {
  const trips = roundTripsOf(record);
  const symbols = record.markets
    .map(({ symbol }) => symbol)
    .filter((one) => trips.some(({ symbol }) => symbol === one));
  const each = symbols.length > 1 ? symbols : [];
  return {
    method: 'FIFO',
    rows: [
      statisticsOf(record, trips, null),
      ...each.map((one) =>
        statisticsOf(
          record,
          trips.filter(({ symbol }) => symbol === one),
          one,
        ),
      ),
    ],
  };
}

function statisticsOf(record: RunRecord, trips: readonly RoundTrip[], symbol: string | null): TripsDocument {
  const money = (amount: bigint) => formatScaled(amount, record.collateralDecimals);
  const nets = trips.map(({ net }) => net);
  const wins = nets.filter((net) => net > 0n);
  const losses = nets.filter((net) => net < 0n);
  const sum = (all: readonly bigint[]) => all.reduce((total, one) => total + one, 0n);
  const mean = (all: readonly bigint[]) => (all.length === 0 ? null : money(sum(all) / BigInt(all.length)));
  const [gained, lost] = [Number(sum(wins)), -Number(sum(losses))];
  const end = (of: (a: bigint, b: bigint) => boolean) =>
    nets.length === 0 ? null : money(nets.reduce((a, b) => (of(a, b) ? a : b)));
  const lots = trips.reduce((total, trip) => total + trip.lots, 0);
  const held = trips.map((trip) => trip.heldLotMs / trip.lots).sort((a, b) => a - b);
  return {
    symbol,
    count: trips.length,
    net: money(sum(nets)),
    winRate: rounded(wins.length / (wins.length + losses.length)),
    profitFactor: rounded(gained / lost),
    averageWin: mean(wins),
    averageLoss: mean(losses),
    expectancy: mean(nets),
    payoffRatio: rounded(gained / wins.length / (lost / losses.length)),
    best: end((a, b) => a >= b),
    worst: end((a, b) => a <= b),
    meanHoldingMs: rounded(trips.reduce((total, trip) => total + trip.heldLotMs, 0) / lots),
    medianHoldingMs: rounded(quantileOf(held, 0.5)),
  };
}
