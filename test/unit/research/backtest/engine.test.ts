/** @module A whole backtest over a small tape: the same bytes twice, books that agree, time that passes for everybody. */
import { describe, expect, test } from 'vitest';
import { createBot } from '../../../../src/bot/kernel/index.ts';
import { riskLimits } from '../../../../src/bot/risk/index.ts';
import type { StrategyContext, StrategyHandlers } from '../../../../src/bot/strategy/index.ts';
import { seededRandom, silentLog } from '../../../../src/core/index.ts';
import { type LaneId, lots, ppm, quantums, type StrategyId, ticks } from '../../../../src/domain/index.ts';
import {
  type BacktestOptions,
  type BacktestRun,
  runBacktest,
  TapeWorld,
} from '../../../../src/research/backtest/index.ts';
import type { EventKind } from '../../../../src/tape/format/events.ts';
import { EVENT, type EventBatch, type EventRow, FLAG_END } from '../../../../src/tape/format/index.ts';
import { strategyOf } from '../../../support/bot-rig.ts';
import { memoryTape } from '../../../support/memory-tape.ts';
import { aMarket, usd } from '../../../support/trading-builders.ts';

const FROM_US = 1_800_000_000_000_000;
const BLOCK_ROWS = 37;
const MARKET = aMarket({ minNotional: quantums(0n) });

/** Two levels a side around a middle that wanders, and trades at the best prices, for `seconds`, each tenth of one. */
function* marketRows(seconds: number, stepUs = 100_000): Generator<EventRow> {
  const random = seededRandom('market');
  let middle = 1_000_000;
  for (let step = 0; step < (seconds * 1_000_000) / stepUs; step++) {
    const exchangeUs = FROM_US + step * stepUs;
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
    if (step % 277 === 276) yield row(EVENT.fundingSettled, middle, 50_000, FLAG_END);
  }
}

/** Blocks of a few frames, so that a run has many. */
function* inBlocks(batches: Iterable<EventBatch>): Generator<EventBatch> {
  for (const batch of batches) {
    for (let from = 0; from < batch.rows; from += BLOCK_ROWS) {
      const to = Math.min(batch.rows, from + BLOCK_ROWS);
      const { kind, flags, market, exchangeUs, receivedUs, price, size, id } = batch;
      yield {
        rows: to - from,
        ...{ kind: kind.subarray(from, to), flags: flags.subarray(from, to) },
        ...{ market: market.subarray(from, to), id: id.subarray(from, to) },
        ...{ exchangeUs: exchangeUs.subarray(from, to), receivedUs: receivedUs.subarray(from, to) },
        ...{ price: price.subarray(from, to), size: size.subarray(from, to) },
      };
    }
  }
}

function optionsOf(
  make: (context: StrategyContext) => StrategyHandlers,
  changes: Partial<BacktestOptions> = {},
  seconds = 60,
  stepUs?: number,
): BacktestOptions {
  const { symbol, priceDecimals, sizeDecimals } = MARKET;
  const market = { symbol, priceDecimals, sizeDecimals, tickStep: 1, lotStep: 1, depth: 'levels' as const };
  const tape = memoryTape([market], marketRows(seconds, stepUs));
  const { name, hash, rows, fromUs, toUs } = tape;
  const constant = { kind: 'constant', us: 3_000 } as const;
  return {
    tape: { name, hash, rows, fromUs, toUs, markets: [MARKET], batches: () => inBlocks(tape.batches()) },
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
  };
}

function run(...of: Parameters<typeof optionsOf>): BacktestRun {
  return runBacktest(optionsOf(...of));
}

/** The same one thing after the other: nobody ever goes ahead of anybody. */
function runInStep(options: BacktestOptions): BacktestRun {
  const onCrash = (thrown: unknown): never => {
    throw thrown;
  };
  const world = new TapeWorld(options, { mode: 'backtest', makeBot: createBot, onCrash });
  const { replay, venue } = world;
  world.start();
  while (replay.venueAtUs < Infinity || replay.botAtUs < Infinity) {
    const { venueAtUs, botAtUs } = replay;
    const firstUs = Math.min(venueAtUs, venue.dueUs, botAtUs, world.timerUs);
    if (firstUs === venueAtUs) replay.feedVenue(firstUs);
    else if (firstUs === venue.dueUs) world.advanceVenue(firstUs);
    else if (firstUs === botAtUs) world.feedBot(firstUs);
    else world.fireTimer(firstUs);
  }
  world.close();
  while (!world.isSettled && venue.dueUs < Infinity) world.advanceVenue(venue.dueUs);
  return { record: world.finish(), rows: replay.rowCount, decisionHash: world.decisionHash };
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

/** Takes, rests, cancels and goes flat at random, with pauses: the venue has something of it now and then. */
function visitor(context: StrategyContext, seed: string, heard: string[] = []): StrategyHandlers {
  const random = seededRandom(seed);
  return {
    onLedger: ({ kind }) => void heard.push(`${kind} at ${context.now()}`),
    onBook: ({ symbol, bestBidTicks: bid, bestAskTicks: ask, inventoryLots }) => {
      if (bid === undefined || ask === undefined || !random.chance(0.02)) return;
      const held = Math.abs(inventoryLots);
      const isBuy = held === 0 ? random.chance(0.5) : inventoryLots < 0;
      context.cancelAll(symbol);
      context.place({
        ...{ symbol, side: isBuy ? 'buy' : 'sell', reduceOnly: false },
        ...(random.chance(0.7)
          ? { timeInForce: 'ioc', priceTicks: ticks(isBuy ? ask + 5 : bid - 5) }
          : { timeInForce: 'gtc', priceTicks: isBuy ? bid : ask, expiresInMs: random.integer(100, 3_000) }),
        sizeLots: lots(held === 0 ? 10 : held),
      });
      if (random.chance(0.3)) context.startTimer('pause', random.integer(1, 900));
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

  test.each([
    [undefined, 'feed as recorded'],
    [[MARKET.symbol], 'feed unknown (one time for each event; shown without delay)'],
    [['ANOTHER'], 'feed as recorded, of ANOTHER unknown'],
  ])('says what is known of the feed of a tape on which %s has one time', (undelayed, expected) => {
    const { tape, ...options } = optionsOf(maker, {}, 5);
    const markets =
      undelayed?.[0] === 'ANOTHER' ? [MARKET, { ...MARKET, symbol: 'ANOTHER' as never }] : [MARKET];
    const { record } = runBacktest({
      ...options,
      tape: { ...tape, markets, ...(undelayed && { undelayed }) },
    });
    expect(record.assumptions[1]).toContain(expected);
  });

  test('tells how many orders stood between the prices that the book shows', () => {
    const { tape, ...options } = optionsOf(maker, {}, 20);
    const coarse = { ...tape, markets: [{ ...MARKET, bookStep: ticks(50) }] };
    const { ordersBetweenLevels = 0 } = runBacktest({ ...options, tape: coarse }).record.counts;
    expect(ordersBetweenLevels).toBeGreaterThan(0);
    expect(runBacktest({ ...options, tape }).record.counts).not.toHaveProperty('ordersBetweenLevels');
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

  test.each(Array.from({ length: 12 }, (_none, at) => `visitor ${at}`))(
    'gives the same bytes as one thing after the other, though the bot goes ahead (%s)',
    (seed) => {
      const limits = riskLimits({ capital: usd(100_000), symbols: [MARKET.symbol] });
      const taking = {
        limits: {
          ...{ ...limits, isSwitchRequired: false },
          strategyDefaults: { ...limits.strategyDefaults, isPostOnly: false },
        },
      };
      // So many frames between two timers of the bot that it gets far ahead.
      const optionsFor = (told: string[]) =>
        optionsOf((context) => visitor(context, seed, told), taking, 20, 5_000);
      const heard: string[] = [];
      const ahead = runBacktest(optionsFor(heard));
      const heardInStep: string[] = [];
      const inStep = runInStep(optionsFor(heardInStep));
      expect(bytesOf(inStep)).toBe(bytesOf(ahead));
      expect(heardInStep).toEqual(heard);
      expect(heard.join()).toContain('funding');
      expect(ahead.record.fills.length).toBeGreaterThan(5);
    },
  );

  test('covers a part of the tape alone', () => {
    const whole = run(maker);
    const part = run(maker, { fromUs: FROM_US + 20_000_000, toUs: FROM_US + 40_000_000 });
    expect(part.record.fromMs).toBe((FROM_US + 20_000_000) / 1_000);
    expect(part.record.fills.length).toBeLessThan(whole.record.fills.length);
    expect(part.rows).toBeLessThan(whole.rows);
  });

  test('goes on when the write budget asks for a fraction of a microsecond (a timer that was due forever)', () => {
    const limits = riskLimits({
      capital: usd(100_000),
      symbols: [MARKET.symbol],
      overrides: {
        isSwitchRequired: false,
        laneWritesPerS: 900_000,
        laneWriteBurst: 1,
        accountWritesPerS: 900_000,
      },
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
