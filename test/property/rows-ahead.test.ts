/**
 * @module
 * A backtest goes ahead where nothing can come between, and passes rows over that can lead to nothing: bot ahead of venue,
 * venue ahead of bot, levels without own orders. What it comes to is what one thing after the other comes to.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { benchMarkets } from '../../bench/goals/backtest/whole-runtime.ts';
import { createBot } from '../../src/bot/kernel/index.ts';
import { type LimitOverrides, riskLimits } from '../../src/bot/risk/index.ts';
import { defineStrategy, param } from '../../src/bot/strategy/index.ts';
import { type Random, seededRandom, silentLog } from '../../src/core/index.ts';
import {
  type LaneId,
  lots,
  type Market,
  ppm,
  quantums,
  type StrategyId,
  ticks,
} from '../../src/domain/index.ts';
import { type BacktestOptions, runBacktest, TapeWorld } from '../../src/research/backtest/index.ts';
import { AccountCharges } from '../../src/research/venue/account-charges.ts';
import { EVENT, type EventRow, FLAG_END } from '../../src/tape/format/index.ts';
import { memoryTape } from '../support/memory-tape.ts';
import { rowByRow } from '../support/row-by-row.ts';

const START_US = 1_700_000_000_000_000;
const ROWS = 3_000;
const LIMITS: LimitOverrides = {
  ...{ laneWritesPerS: 1e6, laneWriteBurst: 1e6, accountWritesPerS: 1e6, strategySharePpm: ppm(1_000_000) },
  ...{ isSwitchRequired: false, duplicateWindowMs: 0, openOrdersPerSideMax: 100, openOrdersMax: 1_000 },
};
const LEVEL_MODELS = ['trade-through', 'queue-risk-averse', 'queue-power', 'queue-log'] as const;

/** Rows of two markets that wander: levels, also such that cross, and trades through them; now and then anything else. */
function* levelRows(random: Random): Generator<EventRow> {
  const mids = [1_000, 2_000];
  let us = START_US;
  const row = (kind: EventRow['kind'], market: number, at: Partial<EventRow> = {}): EventRow => {
    const rest = { flags: FLAG_END, exchangeUs: us, receivedUs: us + 300, price: 0, size: 0, id: 0 };
    return { kind, market, ...rest, ...at };
  };
  const level = (market: number): EventRow => {
    const isBid = random.chance(0.5);
    const away = random.chance(0.003) ? random.integer(-2, 0) : random.integer(1, 12);
    const price = (mids[market] ?? 0) + (isBid ? -away : away);
    const size = random.chance(0.35) ? 0 : random.integer(1, 40);
    const flags = random.chance(0.1) ? 0 : FLAG_END;
    return row(isBid ? EVENT.bidLevel : EVENT.askLevel, market, { price, size, flags });
  };
  for (let count = 0; count < ROWS; count++) {
    us += random.chance(0.2) ? 0 : random.integer(0, 600);
    const market = random.integer(0, 1);
    const price = (mids[market] ?? 0) + random.integer(-3, 3);
    if (random.chance(0.04)) mids[market] = (mids[market] ?? 0) + random.integer(-3, 3);
    const drawn = random.next();
    if (count < 2 || drawn < 0.006) {
      const place = count < 2 ? count : market;
      mids[place] = (mids[place] ?? 0) + random.integer(-30, 30);
      yield row(EVENT.bookReset, place, { flags: 0 });
      for (let more = 0; more < 8; more++) yield { ...level(place), flags: more === 7 ? FLAG_END : 0 };
    } else if (drawn < 0.007) yield row(EVENT.hole, market, { id: us + random.integer(1, 50_000) });
    else if (drawn < 0.008) yield row(EVENT.mark, market, { price });
    else if (drawn < 0.01) yield row(EVENT.fundingRate, market, { size: random.integer(-9e5, 9e5) });
    else if (drawn < 0.014) yield row(EVENT.bestBid, market, { price, size: random.integer(0, 9) });
    else if (drawn < 0.018) yield row(EVENT.bestAsk, market, { price, size: random.integer(0, 9) });
    else if (drawn < 0.019) yield row(EVENT.marketStatus, market, { size: random.integer(0, 1) });
    else if (drawn < 0.12) {
      const kind = random.chance(0.5) ? EVENT.buyTrade : EVENT.sellTrade;
      yield row(kind, market, { price, size: random.integer(1, 60), id: count });
    } else yield level(market);
  }
}

/** The same order by order. */
function* orderRows(random: Random): Generator<EventRow> {
  let us = START_US;
  for (const market of [0, 1])
    yield {
      ...{ kind: EVENT.bookReset, market, flags: FLAG_END, exchangeUs: us, receivedUs: us },
      price: 0,
      size: 0,
      id: 0,
    };
  for (let id = 1; id < ROWS; id++) {
    us += random.integer(0, 600);
    const market = random.integer(0, 1);
    const isBid = random.chance(0.5);
    const price = 1_000 * (market + 1) + (isBid ? -1 : 1) * random.integer(1, 8);
    const rest = { flags: FLAG_END, exchangeUs: us, receivedUs: us + 300, price, market };
    const old = Math.max(1, id - random.integer(1, 60));
    const size = random.integer(1, 30);
    if (random.chance(0.5)) yield { ...rest, kind: isBid ? EVENT.bidOrder : EVENT.askOrder, size, id };
    else if (random.chance(0.4)) yield { ...rest, kind: EVENT.orderExecuted, size, id: old };
    else if (random.chance(0.3)) yield { ...rest, kind: EVENT.orderReduced, size, id: old };
    else yield { ...rest, kind: EVENT.orderDeleted, size: 0, id: old };
  }
}

function waysOf(random: Random): Pick<BacktestOptions, 'feed' | 'latency'> {
  const us = (): number => (random.chance(0.2) ? 0 : random.integer(1, 4_000));
  const latency = () =>
    random.chance(0.5)
      ? ({ kind: 'constant', us: us() } as const)
      : ({ kind: 'sampled', us: [us(), us(), us()] } as const);
  const feed = random.chance(0.25)
    ? ({ kind: 'in-data', shiftUs: random.integer(-200, 900) } as const)
    : latency();
  return { feed, latency: { entry: latency(), response: latency() } };
}

function optionsOf(seed: number, isByOrders: boolean): BacktestOptions {
  const random = seededRandom(`options ${seed}`);
  const step = random.chance(0.25) ? 3 : 1;
  const depth = isByOrders ? ('orders' as const) : ('levels' as const);
  const markets: readonly Market[] = benchMarkets(2).map((market) =>
    step === 1 || isByOrders ? market : { ...market, bookStep: ticks(step) },
  );
  const rows = isByOrders ? orderRows(random) : levelRows(random);
  const tape = memoryTape(
    markets.map(({ symbol, priceDecimals, sizeDecimals }) => ({
      ...{ symbol, priceDecimals, sizeDecimals, tickStep: 1, lotStep: 1, depth },
    })),
    rows,
  );
  const symbols = markets.map(({ symbol }) => symbol);
  // A small account is closed out now and then.
  const capital = quantums(random.chance(0.5) ? 10n ** 12n : BigInt(random.integer(3_000, 30_000)));
  const isBusy = random.chance(0.5);
  const definition = defineStrategy({
    name: 'now-and-then',
    parameters: param.object({}),
    create: (context) => ({
      onBook(view) {
        const { bestBidTicks: bid, bestAskTicks: ask } = view;
        if (random.chance(0.003)) context.cancelAll();
        if (random.chance(0.004)) context.startTimer('t', random.integer(0, 40));
        if (!random.chance(isBusy ? 0.2 : 0.02) || bid === undefined || ask === undefined) return;
        const bids = [
          { priceTicks: ticks(bid - random.integer(-1, 4)), sizeLots: lots(random.integer(1, 30)) },
        ];
        const asks = [
          { priceTicks: ticks(ask + random.integer(-1, 4)), sizeLots: lots(random.integer(1, 30)) },
        ];
        context.quote(view.symbol, { bids, asks: random.chance(0.7) ? asks : [] });
      },
      onTimer() {
        context.pullQuotes('now and then');
      },
    }),
  });
  const limits = riskLimits({
    capital: quantums(10n ** 15n),
    symbols,
    overrides: LIMITS,
  });
  return {
    tape: { ...tape, markets, batches: () => tape.batches() },
    strategies: [{ id: 's' as StrategyId, definition, parameters: {}, symbols, lane: 'lane' as LaneId }],
    limits: {
      ...limits,
      strategyDefaults: { ...limits.strategyDefaults, isPostOnly: false, ordersMax: 1_000 },
    },
    monitor: undefined,
    seed,
    fillModel: { name: isByOrders ? 'fifo' : (LEVEL_MODELS[random.integer(0, 3)] ?? 'queue-power') },
    ...waysOf(random),
    venue: {
      fees: { makerPpm: ppm(-20), takerPpm: ppm(400) },
      collateral: capital,
      fundingIntervalMs: 3_600_000,
    },
    collateralDecimals: 6,
    identity: { runId: 'run', configHash: '', codeHash: '' },
    log: silentLog,
  };
}

/** One thing after the other, and each row on its own. */
function runInStep(options: BacktestOptions): ReturnType<typeof runBacktest> {
  const onCrash = (thrown: unknown): never => {
    throw thrown;
  };
  const world = new TapeWorld(options, { mode: 'backtest', makeBot: createBot, onCrash });
  const { replay, venue } = world;
  Object.assign(rowByRow(venue), { passRows: () => false });
  const judging = vi.spyOn(AccountCharges.prototype, 'revalue').mockImplementation(function (
    this: AccountCharges,
    us,
  ) {
    this.liquidate(us);
  });
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
  judging.mockRestore();
  return { record: world.finish(), rows: replay.rowCount, decisionHash: world.decisionHash };
}

describe.each([false, true])('rows that are gone ahead of (order by order: %s)', (isByOrders) => {
  test('lead to what they lead to one after the other', () => {
    let fills = 0;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => {
        const quick = runBacktest(optionsOf(seed, isByOrders));
        expect(quick, `seed ${seed}`).toEqual(runInStep(optionsOf(seed, isByOrders)));
        fills += quick.record.counts.makerFills;
      }),
      { numRuns: isByOrders ? 12 : 300, seed: 20261126 },
    );
    // The flow must reach what is to be shown.
    expect(fills).toBeGreaterThan(isByOrders ? 50 : 1_000);
  });
});
