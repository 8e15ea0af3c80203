/** @module A whole backtest over a small tape: the same bytes twice, books that agree, time that passes for everybody. */
import { describe, expect, test } from 'vitest';
import { type BacktestOptions, type BacktestRun, runBacktest } from '../../../src/backtest/index.ts';
import { seededRandom, silentLog } from '../../../src/core/index.ts';
import { type LaneId, lots, ppm, quantums, type StrategyId, ticks } from '../../../src/domain/index.ts';
import { riskLimits } from '../../../src/risk/index.ts';
import type { StrategyContext, StrategyHandlers } from '../../../src/strategy/index.ts';
import { EVENT, type EventKind, type EventRow, FLAG_END, memoryTape } from '../../../src/tape/index.ts';
import { strategyOf } from '../../support/bot-rig.ts';
import { aMarket, usd } from '../../support/trading-builders.ts';

const FROM_US = 1_800_000_000_000_000;
const MARKET = aMarket({ minNotional: quantums(0n) });

/** Two levels a side around a middle that wanders, and trades at the best prices, for `seconds`. */
function* marketRows(seconds: number): Generator<EventRow> {
  const random = seededRandom('market');
  let middle = 1_000_000;
  for (let step = 0; step < seconds * 10; step++) {
    const exchangeUs = FROM_US + step * 100_000;
    const row = (kind: EventKind, price: number, size: number, flags = 0): EventRow => ({
      ...{ kind, flags, market: 0, exchangeUs, receivedUs: exchangeUs + 2_000, price, size, id: step },
    });
    middle += random.integer(-2, 2);
    yield row(EVENT.bookReset, 0, 0);
    yield row(EVENT.bidLevel, middle - 1, 40);
    yield row(EVENT.bidLevel, middle - 2, 90);
    yield row(EVENT.askLevel, middle + 1, 40);
    yield row(EVENT.askLevel, middle + 2, 90, FLAG_END);
    if (step % 50 === 7) yield row(EVENT.mark, middle, 0, FLAG_END);
    const isBuy = random.chance(0.5);
    if (random.chance(0.4))
      yield row(isBuy ? EVENT.buyTrade : EVENT.sellTrade, middle + (isBuy ? 1 : -1), 60, FLAG_END);
    if (step % 300 === 299) yield row(EVENT.fundingSettled, middle, 50_000, FLAG_END);
  }
}

function run(
  make: (context: StrategyContext) => StrategyHandlers,
  changes: Partial<BacktestOptions> = {},
  seconds = 60,
): BacktestRun {
  const { symbol, priceDecimals, sizeDecimals } = MARKET;
  const market = { symbol, priceDecimals, sizeDecimals, tickStep: 1, lotStep: 1, depth: 'levels' as const };
  const tape = memoryTape([market], marketRows(seconds));
  const { name, hash, rows, fromUs, toUs } = tape;
  const constant = { kind: 'constant', us: 3_000 } as const;
  return runBacktest({
    tape: { name, hash, rows, fromUs, toUs, markets: [MARKET], batches: () => tape.batches() },
    strategies: [
      {
        id: 'one' as StrategyId,
        definition: strategyOf(make),
        parameters: {},
        symbols: [symbol],
        lane: 'lane' as LaneId,
      },
    ],
    limits: { ...riskLimits({ capital: usd(100_000), symbols: [symbol] }), isSwitchRequired: false },
    monitor: undefined,
    seed: 3,
    fillModel: { name: 'queue-power' },
    feed: { kind: 'in-data', shiftUs: 0 },
    latency: { entry: constant, response: constant },
    venue: { fees: { makerPpm: ppm(100), takerPpm: ppm(400) }, collateral: usd(100_000) },
    collateralDecimals: 6,
    identity: { runId: 'r', configHash: 'c', codeHash: 'd' },
    log: silentLog,
    ...changes,
  });
}

/** Quotes at the best prices each half second. */
function maker(context: StrategyContext): StrategyHandlers {
  const [symbol] = context.symbols;
  return {
    onStart: () => context.startInterval('round', 500),
    onTimer: () => {
      if (symbol === undefined) return;
      const { bestBidTicks: bid, bestAskTicks: ask } = context.market(symbol);
      if (bid === undefined || ask === undefined) return;
      context.quote(symbol, {
        bids: [{ priceTicks: bid, sizeLots: lots(10) }],
        asks: [{ priceTicks: ask, sizeLots: lots(10) }],
      });
    },
  };
}

const bytesOf = ({ record, rows, decisionHash }: BacktestRun): string =>
  JSON.stringify({ record, rows, decisionHash }, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );

describe('runBacktest', () => {
  test('gives the same bytes for the same tape, seed and code', () => {
    const first = run(maker);
    expect(first.record.fills.length).toBeGreaterThan(10);
    expect(bytesOf(run(maker))).toBe(bytesOf(first));
  });

  test('ties every unit to the ledger of the venue, funding and fees included', () => {
    const { record } = run(maker);
    expect(record.residual).toBe(0n);
    expect(record.pnl.fees).toBeGreaterThan(0n);
    expect(record.pnl.funding).not.toBe(0n);
    expect(record.assumptions.join(' ')).toContain('queue-power (exponent 3)');
  });

  test('shows the market to the bot when it was delivered, and timers at their own time', () => {
    const seen: { readonly what: string; readonly atMs: number }[] = [];
    run(
      (context) => ({
        onStart: () => context.startTimer('one', 1_250),
        onBook: (view) =>
          void seen.push({ what: 'book', atMs: (view.book?.receivedAtMs ?? 0) - context.now() }),
        onTimer: ({ atMs }) => void seen.push({ what: 'timer', atMs: atMs - FROM_US / 1_000 }),
      }),
      {},
      3,
    );
    expect(seen.filter(({ what }) => what === 'book').every(({ atMs }) => atMs === 0)).toBe(true);
    // The account is known, and strategies start, before the first frame is delivered.
    expect(seen.find(({ what }) => what === 'timer')).toEqual({ what: 'timer', atMs: 1_250 });
  });

  test('covers a part of the tape alone', () => {
    const whole = run(maker);
    const part = run(maker, { fromUs: FROM_US + 20_000_000, toUs: FROM_US + 40_000_000 });
    expect(part.record.fromMs).toBe((FROM_US + 20_000_000) / 1_000);
    expect(part.record.fills.length).toBeLessThan(whole.record.fills.length);
    expect(part.rows).toBeLessThan(whole.rows);
  });

  test('goes on when the write budget asks for a fraction of a microsecond (a timer that was due for ever)', () => {
    const limits = riskLimits({
      capital: usd(100_000),
      symbols: [MARKET.symbol],
      overrides: {
        isSwitchRequired: false,
        laneWritesPerS: 900_000,
        laneWriteBurst: 1,
        accountWritesPerS: 900_000,
      },
      isUnsafeAllowed: true,
    });
    const eager = (context: StrategyContext): StrategyHandlers => ({
      onBook: (view) => {
        const bid = view.bestBidTicks;
        if (bid === undefined) return;
        for (const away of [3, 4, 5]) {
          const level = { priceTicks: ticks(bid - away), sizeLots: lots(1) };
          context.place({
            ...level,
            symbol: view.symbol,
            side: 'buy',
            timeInForce: 'ioc',
            reduceOnly: false,
          });
        }
      },
    });
    expect(
      run(
        eager,
        { limits: { ...limits, strategyDefaults: { ...limits.strategyDefaults, isPostOnly: false } } },
        5,
      ).record.residual,
    ).toBe(0n);
  });

  test('goes on to its end when the strategy stops itself', () => {
    const leaving = (context: StrategyContext): StrategyHandlers => ({
      onBook: () => context.stop('enough'),
    });
    expect(run(leaving, {}, 2).record.counts.intents).toBe(0);
  });
});
