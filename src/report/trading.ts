/**
 * @module Statistics of trading out of fills and samples: spread captured, what prices did afterwards, queues,
 * inventory. Amounts are exact; averages in basis points are statistics and plain numbers. NaN: unknown.
 */
import {
  MARKOUT_HORIZONS_MS,
  type MarketSymbol,
  type RecordedFill,
  type RunMarket,
  type RunRecord,
} from '../domain/index.ts';

/** One point of a markout curve. */
export interface Markout {
  /** Time after the fill, ms. */
  readonly horizonMs: number;
  /** Number of fills. */
  readonly fills: number;
  /** What the price did for the fill, measured from its own price, in bps of it; weighted by notional. */
  readonly bps: number;
  /** The same measured from the mid at the fill: below 0 the market moved against it. */
  readonly midMarkoutBps: number;
}

/** Fills of one role: what they traded, what they cost, and what came after. */
export interface RoleStatistics {
  /** Number of fills. */
  readonly fills: number;
  /** Traded notional in quantums. */
  readonly turnover: bigint;
  /** Positive: paid. */
  readonly fees: bigint;
  /** Fills whose fee is unknown. */
  readonly fillsWithoutFee: number;
  /** Side x (mid - price) x size: what was earned against the mid at the fill. */
  readonly spreadCapture: bigint;
  /** Spread capture in basis points of turnover. */
  readonly spreadCaptureBps: number;
  /** Fills whose mid was not known: they are in no statistic of spread or markout. */
  readonly fillsWithoutMid: number;
  /** Markouts by horizon. */
  readonly markouts: readonly Markout[];
}

/** The statistics of both roles over some fills. */
export interface FillStatistics {
  /** Fills as maker. */
  readonly maker: RoleStatistics;
  /** Fills as taker. */
  readonly taker: RoleStatistics;
  /** Queue statistics of maker fills; `undefined`: unknown. */
  readonly queue: QueueStatistics | undefined;
}

/** The queue ahead of orders that were filled as maker, in lots: averages. */
export interface QueueStatistics {
  /** Number of fills. */
  readonly fills: number;
  /** Mean queue ahead when the order came to rest, in lots. */
  readonly queueAheadAtEntryLots: number;
  /** Mean queue ahead at the fill, in lots. */
  readonly queueAheadAtFillLots: number;
}

/** Inventory of one market over the samples. */
export interface InventoryStatistics {
  /** Symbol of the market. */
  readonly symbol: MarketSymbol;
  /** Position at the end, in lots. */
  readonly finalLots: number;
  /** Largest long position, in lots. */
  readonly maxLongLots: number;
  /** Largest short position, in lots. */
  readonly maxShortLots: number;
  /** Mean absolute position, in lots. */
  readonly meanAbsoluteLots: number;
  /** Fraction of the samples without a position. */
  readonly flatFraction: number;
}

/** Statistics of the fills of one market, or of all where none is named. */
export function fillStatistics(record: RunRecord, symbol?: MarketSymbol): FillStatistics {
  const markets = new Map(record.markets.map((market) => [market.symbol, market]));
  const fills = symbol === undefined ? record.fills : record.fills.filter((fill) => fill.symbol === symbol);
  const roleOf = (role: RecordedFill['role']) =>
    roleStatistics(
      fills.filter((fill) => fill.role === role),
      markets,
    );
  return { maker: roleOf('maker'), taker: roleOf('taker'), queue: queueStatistics(fills) };
}

function roleStatistics(
  fills: readonly RecordedFill[],
  markets: ReadonlyMap<MarketSymbol, RunMarket>,
): RoleStatistics {
  let turnover = 0n;
  let fees = 0n;
  let fillsWithoutFee = 0;
  let twiceCapture = 0n;
  let fillsWithoutMid = 0;
  let capturing = 0n;
  for (const fill of fills) {
    const perTickLot = markets.get(fill.symbol)?.quantumsPerTickLot ?? 0n;
    const size = BigInt(fill.sizeLots) * perTickLot;
    const notional = BigInt(fill.priceTicks) * size;
    turnover += notional;
    if (fill.fee === null) fillsWithoutFee++;
    else fees += fill.fee;
    if (Number.isNaN(fill.midTicks)) fillsWithoutMid++;
    else {
      // The mid of two integer prices is an integer number of halves.
      const twice = BigInt(Math.round(2 * fill.midTicks)) - 2n * BigInt(fill.priceTicks);
      twiceCapture += (fill.side === 'buy' ? twice : -twice) * size;
      capturing += notional;
    }
  }
  const spreadCapture = twiceCapture / 2n;
  return {
    fills: fills.length,
    turnover,
    fees,
    fillsWithoutFee,
    spreadCapture,
    spreadCaptureBps: bpsOf(spreadCapture, capturing),
    fillsWithoutMid,
    markouts: MARKOUT_HORIZONS_MS.map((horizonMs, place) => ({
      horizonMs,
      ...markoutAt(fills, place, markets),
    })),
  };
}

function markoutAt(
  fills: readonly RecordedFill[],
  place: number,
  markets: ReadonlyMap<MarketSymbol, RunMarket>,
): Omit<Markout, 'horizonMs'> {
  let count = 0;
  let weight = 0;
  let fromPrice = 0;
  let fromMid = 0;
  for (const { side, symbol, priceTicks, sizeLots, midTicks, laterMidTicks } of fills) {
    const later = laterMidTicks[place] ?? Number.NaN;
    if (Number.isNaN(later) || Number.isNaN(midTicks)) continue;
    const sign = side === 'buy' ? 1 : -1;
    const notional = priceTicks * sizeLots * Number(markets.get(symbol)?.quantumsPerTickLot ?? 0n);
    count++;
    weight += notional;
    fromPrice += (sign * (later - priceTicks) * notional) / priceTicks;
    fromMid += (sign * (later - midTicks) * notional) / midTicks;
  }
  const scale = weight === 0 ? Number.NaN : 10_000 / weight;
  return { fills: count, bps: fromPrice * scale, midMarkoutBps: fromMid * scale };
}

function queueStatistics(fills: readonly RecordedFill[]): QueueStatistics | undefined {
  const known = fills.filter(
    ({ role, queueAtRestLots }) => role === 'maker' && !Number.isNaN(queueAtRestLots),
  );
  if (known.length === 0) return undefined;
  const ahead = known.filter(({ queueAheadLots }) => !Number.isNaN(queueAheadLots));
  return {
    fills: known.length,
    queueAheadAtEntryLots: mean(known.map(({ queueAtRestLots }) => queueAtRestLots)),
    queueAheadAtFillLots: mean(ahead.map(({ queueAheadLots }) => queueAheadLots)),
  };
}

/** Inventory of each market. */
export function inventoryStatistics(record: RunRecord): readonly InventoryStatistics[] {
  return record.markets.map(({ symbol }, place) => {
    const lots = record.samples.inventoryLots[place] ?? new Float64Array();
    let maxLongLots = 0;
    let maxShortLots = 0;
    let sum = 0;
    let flat = 0;
    for (const value of lots) {
      if (value > maxLongLots) maxLongLots = value;
      if (value < maxShortLots) maxShortLots = value;
      sum += Math.abs(value);
      if (value === 0) flat++;
    }
    return {
      symbol,
      finalLots: lots.at(-1) ?? 0,
      maxLongLots,
      maxShortLots,
      meanAbsoluteLots: lots.length === 0 ? 0 : sum / lots.length,
      flatFraction: lots.length === 0 ? Number.NaN : flat / lots.length,
    };
  });
}

/** `part` of `whole` in basis points; NaN of nothing. */
export function bpsOf(part: bigint, whole: bigint): number {
  return whole === 0n ? Number.NaN : (Number(part) / Number(whole)) * 10_000;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}
