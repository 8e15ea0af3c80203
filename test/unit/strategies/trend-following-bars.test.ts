/** @module The trend follower over bars, and beside itself through the whole runtime: one rule, the same decisions. */
import { describe, expect, test } from 'vitest';
import { riskLimits } from '../../../src/bot/risk/index.ts';
import { seededRandom, silentLog } from '../../../src/core/index.ts';
import { type LaneId, lots, ppm, quantums, type StrategyId } from '../../../src/domain/index.ts';
import { runBacktest } from '../../../src/research/backtest/index.ts';
import { type BarColumns, type BarRun, runBars } from '../../../src/research/bars/index.ts';
import { FILL_REASONS } from '../../../src/research/bars/trades.ts';
import type { EventKind } from '../../../src/tape/format/events.ts';
import { EVENT, type EventRow, FLAG_END } from '../../../src/tape/format/index.ts';
import trendFollowing from '../../../strategies/trend-following/index.ts';
import { BAR_MS, BAR_US, barsOf, START_US, termsOf } from '../../support/bars.ts';
import { memoryTape } from '../../support/memory-tape.ts';
import { aMarket, usd } from '../../support/trading-builders.ts';

const MARKET = aMarket({ minNotional: quantums(0n) });
const BASE = { position: '0.030', slice: '0.060', bar: '1m', fastBars: '3', slowBars: '8' };
type Parameters = Readonly<Record<string, string>>;

/** Bars of a price that wanders with a drift that turns now and then. */
function wanderingBars(seed: string, rows: number): BarColumns {
  const random = seededRandom(seed);
  let close = 1_000_000;
  let drift = 0;
  return barsOf(
    Array.from({ length: rows }, () => {
      const open = close;
      if (random.chance(0.05)) drift = random.integer(-300, 300);
      close += drift + random.integer(-500, 500);
      return [open, Math.max(open, close), Math.min(open, close), close] as const;
    }),
  );
}

function overBars(bars: BarColumns, parameters: Parameters): BarRun {
  const market = { market: MARKET, barMs: BAR_MS, lotsOf: () => lots(30), ticksOf: () => MARKET.tickStep };
  const rule = trendFollowing.bars?.(market, { ...BASE, ...parameters });
  if (rule === undefined) throw new Error('expected a rule');
  return runBars({ market: MARKET, bars, rule, terms: termsOf({ collateral: usd(1_000_000) }) });
}

/** A book whose middle is the close just before each bar ends, and a second later trades that fill what rests. */
function* rowsOf({ rows, close }: BarColumns): Generator<EventRow> {
  const row = (kind: EventKind, exchangeUs: number, price: number, size: number, flags = 0): EventRow => ({
    ...{ kind, flags, market: 0, exchangeUs, receivedUs: exchangeUs, price, size, id: exchangeUs },
  });
  for (let at = 0; at < rows; at++) {
    const endUs = START_US + (at + 1) * BAR_US;
    const price = close[at] ?? 0;
    yield row(EVENT.bookReset, endUs - 1_000, 0, 0);
    yield row(EVENT.bidLevel, endUs - 1_000, price - 1, 500);
    yield row(EVENT.askLevel, endUs - 1_000, price + 1, 500, FLAG_END);
    yield row(EVENT.mark, endUs - 1_000, price, 0, FLAG_END);
    yield row(EVENT.sellTrade, endUs + 1_000_000, price - 20, 1_000_000, FLAG_END);
    yield row(EVENT.buyTrade, endUs + 1_000_000, price + 20, 1_000_000, FLAG_END);
  }
}

function throughTheRuntime(bars: BarColumns, parameters: Parameters) {
  const { symbol, priceDecimals, sizeDecimals } = MARKET;
  const tapeMarket = {
    symbol,
    priceDecimals,
    sizeDecimals,
    tickStep: 1,
    lotStep: 1,
    depth: 'levels' as const,
  };
  const { name, hash, rows, fromUs, toUs, ...tape } = memoryTape([tapeMarket], rowsOf(bars));
  const atOnce = { kind: 'constant', us: 0 } as const;
  const limits = riskLimits({ capital: usd(1_000_000), symbols: [symbol] });
  return runBacktest({
    tape: { name, hash, rows, fromUs, toUs, markets: [MARKET], batches: () => tape.batches() },
    strategies: [
      {
        id: 'trend' as StrategyId,
        definition: trendFollowing,
        parameters: { ...BASE, ...parameters },
        symbols: [symbol],
        lane: 'lane' as LaneId,
      },
    ],
    limits: { ...limits, isSwitchRequired: false },
    monitor: undefined,
    seed: 3,
    fillModel: { name: 'trade-through' },
    feed: atOnce,
    latency: { entry: atOnce, response: atOnce },
    venue: { fees: { makerPpm: ppm(0), takerPpm: ppm(0) }, collateral: usd(1_000_000) },
    collateralDecimals: 6,
    identity: { runId: 'r', configHash: 'c', codeHash: 'd' },
    samplePeriodMs: BAR_MS,
    log: silentLog,
  }).record.samples;
}

describe('one rule', () => {
  test.each<[string, Parameters]>([
    ['long and short', {}],
    ['long or flat', { shorts: 'false' }],
    ['with a band', { bandPpm: '300' }],
  ])('holds the same through the runtime and over bars, bar by bar: %s', (_title, parameters) => {
    for (const seed of ['one', 'two', 'three']) {
      const bars = wanderingBars(seed, 250);
      const run = overBars(bars, parameters);
      const { atMs, inventoryLots } = throughTheRuntime(bars, parameters);
      const live = new Map(Array.from(atMs, (ms, at) => [ms * 1_000, inventoryLots[0]?.[at]]));
      const held = Array.from(bars.openUs, (us) => live.get(us + BAR_US));
      expect(held, `seed ${seed}`).toEqual([...run.heldLots]);
      expect(run.trades.openBar.length, `seed ${seed}`).toBeGreaterThan(1);
    }
  });

  test('gives up what lost too much, and comes back when the trend has turned', () => {
    const rise = Array.from({ length: 14 }, (_none, at) => 1_000_000 + at * 1_000);
    const fall = Array.from({ length: 8 }, (_none, at) => 1_005_000 - at * 5_000);
    const closes = [...rise, ...fall];
    const bars = barsOf(
      closes.map((close, at) => {
        const open = closes[at - 1] ?? close;
        // A dip in bar 10, though the means of the closes still point up.
        return [open, Math.max(open, close), at === 10 ? 1_001_000 : Math.min(open, close), close];
      }),
    );
    const { fills } = overBars(bars, { stopPpm: '5000' });
    const shown = Array.from(fills.lots, (size, at) => [
      ...[fills.bar[at], size, fills.priceTicks[at]],
      FILL_REASONS[fills.reason[at] ?? 0],
    ]);
    // Bought at 1,007,000: out 5,035 below it, and short when the means have turned, not long again before.
    expect(shown).toEqual([
      [8, 30, 1_007_000, 'rule'],
      [10, -30, 1_001_965, 'stop'],
      [15, -30, 1_005_000, 'rule'],
    ]);
  });

  test('error: over bars of another length than its parameter says it is refused', () => {
    const run = () => overBars({ ...barsOf([[1, 1, 1, 1]]) }, { bar: '5m' });
    expect(run).toThrow('expected bars of 300000 ms as the parameter bar says, got bars of 60000 ms');
  });
});
