import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventLog } from '../../bench/goals/backtest/event-log.ts';
import { benchMarkets, sourceOf } from '../../bench/goals/backtest/whole-runtime.ts';
import { type Bot, createBot } from '../../src/bot/kernel/index.ts';
import { riskLimits } from '../../src/bot/risk/index.ts';
import { defineStrategy, param } from '../../src/bot/strategy/index.ts';
import { type Log, seededRandom, silentLog } from '../../src/core/index.ts';
import {
  type Fact,
  factsSinkOf,
  type LaneId,
  lots,
  marketSinkOf,
  ppm,
  quantums,
  type RunRecord,
  type StrategyId,
  ticks,
} from '../../src/domain/index.ts';
import { TapeWorld } from '../../src/research/backtest/index.ts';

const CAPITAL = quantums(10n ** 15n);

/** A bot that looks at everything behind each fact, asked for or not, and takes each fact alone. */
function inFull(bot: Bot): Bot {
  const nobody = 'nobody' as StrategyId;
  const sink = (fact: Fact): void => {
    bot.sink(fact);
    bot.stopStrategy(nobody, { actor: 'test', reason: 'a task that does nothing' });
  };
  return { ...bot, sink, sinkAll: factsSinkOf(sink), marketSink: marketSinkOf(sink) };
}

/** What a strategy sees over a log of two markets, and what is left of its run; the short way or the long one. */
function seenOf(
  seed: number,
  isShort: boolean,
): { readonly seen: readonly unknown[]; readonly left: unknown } {
  const tape = sourceOf(eventLog({ rows: 4_000, seed: `rows ${seed}`, markets: 2 }), benchMarkets(2));
  const symbols = tape.markets.map(({ symbol }) => symbol);
  const random = seededRandom(seed);
  const seen: unknown[] = [];
  const log: Log = { ...silentLog, info: (text) => void seen.push(text), child: () => silentLog };
  const definition = defineStrategy({
    name: 'seer',
    parameters: param.object({}),
    create: (context) => ({
      onBook(view, book) {
        const { bestBidTicks: bid, bestAskTicks: ask, isFresh } = view;
        seen.push([context.now(), view.symbol, bid, ask, isFresh, book.receivedAtMs, book.bidCount]);
        if (random.chance(0.005)) context.startTimer('t', random.integer(0, 40));
        if (random.chance(0.003)) context.cancelAll();
        if (!random.chance(0.01) || bid === undefined || ask === undefined) return;
        const bids = [{ priceTicks: ticks(bid - random.integer(0, 2)), sizeLots: lots(10) }];
        const asks = [{ priceTicks: ticks(ask + random.integer(0, 2)), sizeLots: lots(10) }];
        context.quote(view.symbol, { bids, asks });
      },
      onTrade(view, trade) {
        seen.push([context.now(), trade, view.lastTrade === trade]);
        if (random.chance(0.01)) context.pullQuotes('now and then');
        if (random.chance(0.001)) throw new Error('now and then');
      },
      onTimer: (timer) => void seen.push([context.now(), timer]),
      onOrder({ status, order }) {
        seen.push([context.now(), status]);
        if (status === 'working' && order !== undefined && random.chance(0.1)) context.cancel(order);
        if (status === 'canceled' && random.chance(0.05)) context.pullQuotes('one is gone');
      },
      onDenied: ({ code }) => void seen.push([context.now(), code]),
    }),
  });
  const world = new TapeWorld(
    {
      tape,
      strategies: [{ id: 's' as StrategyId, definition, parameters: {}, symbols, lane: 'lane' as LaneId }],
      limits: riskLimits({
        capital: CAPITAL,
        symbols,
        overrides: { isSwitchRequired: false },
      }),
      monitor: undefined,
      seed,
      fillModel: { name: 'queue-power' },
      feed: { kind: 'constant', us: 500 },
      latency: { entry: { kind: 'constant', us: 900 }, response: { kind: 'constant', us: 700 } },
      venue: {
        fees: { makerPpm: ppm(-20), takerPpm: ppm(400) },
        collateral: CAPITAL,
        fundingIntervalMs: 3_600_000,
      },
      collateralDecimals: 6,
      identity: { runId: 'run', configHash: '', codeHash: '' },
      log,
    },
    {
      mode: 'backtest',
      makeBot: (options) => {
        const bot = createBot({ ...options, restartDelaysMs: [5, 5, 5, 5, 5] });
        return isShort ? bot : inFull(bot);
      },
      onCrash: (thrown) => {
        throw thrown;
      },
    },
  );
  world.start();
  for (;;) {
    if (world.replay.feedAhead(world)) continue;
    const { venueAtUs, botAtUs } = world.replay;
    const { timerUs } = world;
    const { dueUs } = world.venue;
    const laterUs = Math.min(botAtUs, timerUs);
    if (venueAtUs === Number.POSITIVE_INFINITY && botAtUs === Number.POSITIVE_INFINITY) break;
    if (venueAtUs <= dueUs && venueAtUs <= laterUs) world.replay.feedVenue(Math.min(dueUs, laterUs));
    else if (dueUs <= laterUs) world.advanceVenue(dueUs);
    else if (botAtUs <= timerUs) world.feedBot(botAtUs);
    else world.fireTimer(timerUs);
  }
  const { facts } = world.bot.status() as unknown as { readonly facts: unknown };
  return { seen, left: { facts, hash: world.decisionHash, record: withoutGaps(world.finish()) } };
}

/** A record without the times without quotes: sides are looked at with each task, and to feed a bot in full takes more tasks. */
function withoutGaps({ tallies, ...rest }: RunRecord) {
  return { ...rest, tallies: tallies.filter(({ kind }) => kind !== 'noQuotes') };
}

describe('books and trades without a fact around each, facts that come together', () => {
  test('lead to what the facts lead to', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seed) => {
        expect(seenOf(seed, true)).toEqual(seenOf(seed, false));
      }),
      { numRuns: 25 },
    );
  });
});
