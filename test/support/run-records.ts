/**
 * @module
 * Records of runs for tests of reports: a small one whose figures can be worked out by hand, and a seeded one of any
 * length that looks like a maker's day.
 */
import { seededRandom, unixMs } from '../../src/core/index.ts';
import {
  type IntentId,
  type Lots,
  MARKOUT_HORIZONS_MS,
  type MarketSymbol,
  type OrderId,
  type Quantums,
  quantums,
  type RecordedFill,
  type RecordedQuote,
  type RunRecord,
  type RunRobustness,
  type Side,
  type StrategyId,
  type Ticks,
} from '../../src/domain/index.ts';
import { BTC, MAKER, START_MS } from './trading-builders.ts';

/** A fill of 10 lots at 1,000,000 ticks with the middle a little better and no later price. */
export function aRecordedFill(changes: Partial<RecordedFill> = {}): RecordedFill {
  return {
    atMs: unixMs(START_MS + 1_000),
    strategyId: MAKER,
    intentId: 'run-1-1' as IntentId,
    orderId: '101' as OrderId,
    symbol: BTC,
    side: 'buy',
    role: 'maker',
    priceTicks: 1_000_000 as Ticks,
    sizeLots: 10 as Lots,
    fee: quantums(-1_000n),
    midTicks: 1_000_010,
    laterMidTicks: MARKOUT_HORIZONS_MS.map(() => Number.NaN),
    queueAheadLots: Number.NaN,
    queueAtRestLots: Number.NaN,
    ...changes,
  };
}

/** A run of ten seconds that did nothing. */
export function aRunRecord(changes: Partial<RunRecord> = {}): RunRecord {
  const zero = quantums(0n);
  const rows = 11;
  return {
    mode: 'backtest',
    runId: 'run-1',
    configHash: 'c'.repeat(64),
    codeHash: 'd'.repeat(64),
    parameters: {},
    ...{ tallies: [], outcomes: [], log: [], logDropped: 0 },
    tapes: [{ name: 'hour', hash: 'e'.repeat(64) }],
    seed: 7,
    fromMs: START_MS,
    toMs: unixMs(START_MS + 10_000),
    collateralDecimals: 6,
    assumptions: [],
    markets: [{ symbol: BTC, priceDecimals: 1, sizeDecimals: 3, quantumsPerTickLot: 100n }],
    strategies: [MAKER],
    equityStart: quantums(1_000_000_000n),
    equityEnd: quantums(1_000_000_000n),
    transfers: zero,
    pnl: { realized: zero, unrealized: zero, fees: zero, funding: zero },
    residual: zero,
    ledger: [],
    byStrategy: [],
    quoting: [],
    counts: {
      ...{ intents: 0, denied: 0, ordersPlaced: 0, ordersRejected: 0, ordersCanceled: 0 },
      ...{ ordersFilled: 0, writes: 0, makerFills: 0, takerFills: 0 },
    },
    samples: {
      periodMs: 1_000,
      atMs: Float64Array.from({ length: rows }, (_, at) => START_MS + at * 1_000),
      equity: new Float64Array(rows).fill(1_000_000_000),
      midTicks: [new Float64Array(rows).fill(1_000_000)],
      inventoryLots: [new Float64Array(rows)],
    },
    fills: [],
    quotes: [],
    quoteSampling: 1,
    ...changes,
  };
}

/** A study of robustness: twenty runs of each kind, of which the last kind did not run. */
export function aStudy(): RunRobustness {
  const numbers = Array.from({ length: 20 }, (_, at) => at);
  const runs = (isThere: boolean) =>
    numbers.map((at) => ({
      parameters: { 'maker.size': `0.0${at + 1}` },
      // A unit below whole ones, so that rounding would show.
      profit: isThere ? quantums(at === 4 ? 0n : BigInt(at - 4) * 1_000_000n - 1n) : null,
      drawdown: isThere ? (at + 1) / 1_000 : null,
      fills: isThere ? 10 : 0,
      failure: isThere ? null : 'no market',
      decisionHash: isThere ? 'a'.repeat(64) : null,
    }));
  return {
    seed: 7,
    kinds: [
      { kind: 'parameters', assumption: 'each number moved', runs: runs(true) },
      { kind: 'delays', assumption: 'each answer later', runs: runs(true).toReversed() },
      { kind: 'missedFills', assumption: 'some fills missed', runs: runs(false) },
    ],
    unmoved: [
      { parameter: 'maker.levels', why: 'a tenth of 2 is less than one step' },
      { parameter: 'maker.<b>', why: 'it is 0' },
    ],
  };
}

/** What a seeded run is like. */
export interface DayOptions {
  readonly seed?: number;
  readonly hours?: number;
  /** Seconds between two fills, and between two quotes of a side, on average. */
  readonly fillS?: number;
  readonly quoteS?: number;
  readonly symbols?: readonly string[];
}

const DAY_MS = 86_400_000;

/** Three hundred days with a sample each day: equity that is no trade's, beside the price of the market. */
export function aYear(): RunRecord {
  const rows = 301;
  const random = seededRandom('days');
  const steps = (from: number, step: number) => {
    let value = from;
    return Float64Array.from({ length: rows }, () => {
      value += random.integer(-step, step);
      return value;
    });
  };
  const fromMs = Date.UTC(2025, 0, 1);
  const [mids, noise] = [steps(1_000_000, 20_000), steps(0, 5_000_000)];
  return {
    ...aRunRecord(),
    fromMs: unixMs(fromMs),
    toMs: unixMs(fromMs + (rows - 1) * DAY_MS),
    samples: {
      periodMs: DAY_MS,
      atMs: Float64Array.from({ length: rows }, (_, at) => fromMs + at * DAY_MS),
      equity: noise.map((value, at) => 1_000_000_000 + value + ((mids[at] ?? 0) - 1_000_000) * 300),
      midTicks: [mids],
      inventoryLots: [new Float64Array(rows)],
    },
  };
}

/** A maker's run with a moving price, quotes on both sides, fills, funding and a hole in the data. */
export function aDay(options: DayOptions = {}): RunRecord {
  const { seed = 7, hours = 10, fillS = 20, quoteS = 5, symbols = [BTC] } = options;
  const rows = hours * 3_600 + 1;
  const base = aRunRecord();
  const atMs = Float64Array.from({ length: rows }, (_, at) => START_MS + at * 1_000);
  const equity = new Float64Array(rows).fill(Number(base.equityStart));
  const fills: RecordedFill[] = [];
  const quotes: RecordedQuote[] = [];
  const mids: Float64Array[] = [];
  const inventories: Float64Array[] = [];
  const byStrategy: RunRecord['byStrategy'][number][] = [];
  for (const symbol of symbols as readonly MarketSymbol[]) {
    const random = seededRandom(`${seed} ${symbol}`);
    const mid = walk(rows, random);
    const day = quoteAndFill({ symbol, mid, random, fillS, quoteS, ordinal: quotes.length });
    for (const fill of day.fills) fills.push(fill);
    for (const quote of day.quotes) quotes.push(quote);
    mids.push(mid);
    inventories.push(day.inventory);
    for (let at = 0; at < rows; at++) equity[at] = (equity[at] ?? 0) + (day.profit[at] ?? 0);
    const total = BigInt(Math.round(day.profit.at(-1) ?? 0));
    byStrategy.push({
      strategyId: MAKER,
      symbol,
      realized: quantums(total - day.fees),
      unrealized: quantums(0n),
      fees: quantums(-day.fees),
      funding: quantums(0n),
      turnover: quantums(day.turnover),
      finalLots: (day.inventory.at(-1) ?? 0) as Lots,
    });
  }
  const sum = (field: 'realized' | 'fees') =>
    quantums(byStrategy.reduce((total, row) => total + row[field], 0n));
  const equityEnd = quantums(BigInt(Math.round(equity.at(-1) ?? 0)));
  const byTime = (a: { readonly atMs: number }, b: { readonly atMs: number }) => a.atMs - b.atMs;
  return {
    ...base,
    toMs: unixMs(atMs.at(-1) ?? START_MS),
    assumptions: [
      'fill model queue-power with n = 3: own orders wait behind what stood there',
      'latency: feed as recorded, entry 25 ms, response 25 ms',
      'fees: maker -0.01 %, taker 0.04 %; funding as recorded',
    ],
    markets: symbols.map((symbol) => ({ ...base.markets[0]!, symbol: symbol as MarketSymbol })),
    equityEnd,
    pnl: {
      realized: sum('realized'),
      unrealized: quantums(0n),
      fees: sum('fees'),
      funding: quantums(0n),
    },
    ledger: [
      { kind: 'maker_rebate', amount: quantums(-sum('fees')) },
      { kind: 'trade', amount: sum('realized') },
    ],
    byStrategy,
    quoting: symbols.map((symbol) => ({
      strategyId: MAKER,
      symbol: symbol as MarketSymbol,
      bidMs: hours * 3_000_000,
      askMs: hours * 3_100_000,
      bothMs: hours * 2_800_000,
    })),
    counts: {
      ...{ intents: quotes.length, denied: 12, ordersPlaced: quotes.length / 2, ordersRejected: 3 },
      ...{ ordersCanceled: quotes.length / 2 - fills.length, ordersFilled: fills.length },
      ...{ writes: Math.round(quotes.length / 3), makerFills: fills.length, takerFills: 0 },
    },
    samples: { periodMs: 1_000, atMs, equity, midTicks: mids, inventoryLots: inventories },
    fills: fills.sort(byTime),
    quotes: quotes.sort(byTime),
  };
}

type Chance = ReturnType<typeof seededRandom>;

/** A price that wanders, with ten minutes of which nothing is known. */
function walk(rows: number, random: Chance): Float64Array {
  const mid = new Float64Array(rows);
  let price = 1_000_000;
  for (let at = 0; at < rows; at++) {
    price += random.normal() * 8;
    const isHole = at > rows / 3 && at < rows / 3 + 600;
    mid[at] = isHole ? Number.NaN : Math.round(2 * price) / 2;
  }
  return mid;
}

function quoteAndFill(day: {
  readonly symbol: MarketSymbol;
  readonly mid: Float64Array;
  readonly random: Chance;
  readonly fillS: number;
  readonly quoteS: number;
  readonly ordinal: number;
}) {
  const { symbol, mid, random, fillS, quoteS } = day;
  const fills: RecordedFill[] = [];
  const quotes: RecordedQuote[] = [];
  const inventory = new Float64Array(mid.length);
  const profit = new Float64Array(mid.length);
  let held = 0;
  let fees = 0n;
  let turnover = 0n;
  let count = day.ordinal;
  for (let at = 1; at < mid.length; at++) {
    const middle = mid[at] ?? Number.NaN;
    const before = mid[at - 1] ?? Number.NaN;
    const moved = Number.isNaN(middle - before) ? 0 : middle - before;
    profit[at] = (profit[at - 1] ?? 0) + held * moved * 100;
    inventory[at] = held;
    if (Number.isNaN(middle) || !random.chance(1 / quoteS)) continue;
    const side: Side = random.chance(0.5 - held / 400) ? 'buy' : 'sell';
    const sign = side === 'buy' ? 1 : -1;
    const priceTicks = Math.round(middle - sign * (10 + random.integer(0, 20))) as Ticks;
    const sizeLots = 10 as Lots;
    const isFilled = random.chance(quoteS / fillS);
    const restMs = isFilled ? 900 : quoteS * 1_000;
    const endMs = START_MS + at * 1_000 + random.integer(1, restMs);
    const orderId = `${1_000 + count++}` as OrderId;
    const of = { strategyId: MAKER as StrategyId, orderId, symbol, side, priceTicks, sizeLots };
    quotes.push({ ...of, atMs: unixMs(START_MS + at * 1_000), event: 'rested' });
    quotes.push({ ...of, atMs: unixMs(endMs), event: isFilled ? 'filled' : 'canceled' });
    if (!isFilled) continue;
    held += sign * sizeLots;
    const fee: Quantums = quantums(-BigInt(priceTicks * sizeLots) / 100n);
    fees -= fee;
    turnover += BigInt(priceTicks) * BigInt(sizeLots) * 100n;
    profit[at] = (profit[at] ?? 0) + sign * (middle - priceTicks) * sizeLots * 100 - Number(fee);
    const later = (ms: number) => mid[at + Math.round(ms / 1_000)] ?? Number.NaN;
    fills.push(
      aRecordedFill({
        ...of,
        atMs: unixMs(endMs),
        fee,
        midTicks: middle,
        laterMidTicks: MARKOUT_HORIZONS_MS.map(later),
        queueAheadLots: 0,
        queueAtRestLots: random.integer(0, 300),
      }),
    );
  }
  return { fills, quotes, inventory, profit, fees, turnover };
}
