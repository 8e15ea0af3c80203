/** @module Scenarios of runs: restarts, what was saved, what an operator and the streams of the account do. */
import type { TradingScope } from '../../bot/risk/index.ts';
import { ConfigError } from '../../core/index.ts';
import { notionalOf, type Position, quantums, ticks } from '../../domain/index.ts';
import { type Exam, type Scenario, scenesOf, WARM_MS } from './scenario.ts';
import type { Stage } from './stage.ts';
import { summaryOf } from './stage-account.ts';

const MINUTE_MS = 60_000;
const ORDER = { actor: 'examination', reason: 'part of a scenario' };
const ACCOUNT: TradingScope = { kind: 'account' };

const runs = scenesOf('run');

/** What a strategy may find that another version of it has saved, or nobody. */
const ODD_STATES: readonly (readonly [string, string])[] = [
  ['null', 'null'],
  ['a number', '7'],
  ['a text', '"x"'],
  ['a list', '[1,{"a":null},"x"]'],
  ['an empty object', '{}'],
  ['unknown fields', '{"version":99,"state":{"a":[1,2,3]},"BTC-USD":"x","orders":null}'],
  ['numbers that are none', '{"BTC-USD":"1e400","remainingLots":-1,"stance":9,"sigma":null}'],
];

/** See the module. */
export const RUN_SCENARIOS: readonly Scenario[] = [
  runs('restart', 'The process dies and starts again', (stage) => stage.restart()),
  runs('restart-in-mid-replace', 'The process dies while a write is under way', (stage) => {
    stage.venue.latencyMs = 2_000;
    for (let at = 0; at < 8 && stage.venue.isReady('examined' as never); at++)
      stage.calm(1_000, { stepPpm: 80 });
    stage.restart(500);
    stage.calm(10_000);
    stage.venue.latencyMs = 20;
  }),
  {
    ...{
      group: 'run',
      name: 'restart-with-inventory',
      summary: 'It holds something, dies and starts again',
    },
    run: restartWithInventory,
  },
  runs('restart-often', 'The process dies ten times in a minute', (stage) => {
    for (let at = 0; at < 10; at++) {
      stage.calm(3_000);
      stage.restart(3_000);
    }
  }),
  {
    ...{ group: 'run', name: 'odd-state', summary: 'What it saved is of another version' },
    run: (exam) => {
      for (const [what, saved] of ODD_STATES) {
        const stage = exam.stage({ saved });
        stage.do(`what was saved is ${what}`, () => undefined);
        stage.start().calm(WARM_MS / 3);
        if (stage.finding !== undefined) return stage.finding;
      }
      return undefined;
    },
  },
  runs('halt', 'An operator halts trading for a minute', (stage) => {
    stage.do('trading is halted', () => stage.bot.halt(ORDER));
    stage.calm(MINUTE_MS);
    stage.do('trading goes on', () => stage.bot.setTrading(ACCOUNT, 'active', ORDER));
  }),
  runs('reduce', 'Only orders that reduce may be sent', (stage) => {
    stage.do('all orders are filled', () => {
      for (const order of stage.ordersOf()) stage.venue.fill(order);
    });
    stage.do('trading reduces', () => stage.bot.setTrading(ACCOUNT, 'reducing', ORDER));
    stage.calm(MINUTE_MS);
    stage.do('trading goes on', () => stage.bot.setTrading(ACCOUNT, 'active', ORDER));
  }),
  runs('throttle', 'One write a second may be sent', (stage) => {
    stage.do('trading is throttled', () => stage.bot.setTrading(ACCOUNT, 'throttled', ORDER));
    stage.calm(MINUTE_MS);
    stage.do('trading goes on', () => stage.bot.setTrading(ACCOUNT, 'active', ORDER));
  }),
  runs('cancel-all', 'An operator cancels all orders', (stage) => {
    stage.do('all orders are canceled', () => stage.bot.cancelAll(ORDER));
  }),
  runs('account-gap', 'The streams of the account have a gap', (stage) => {
    stage.tell('the account has a gap', { type: 'AccountDegraded', reason: 'the stream was lost' });
    stage.calm(30_000);
    stage.tell('the account is joined again', stage.synced());
  }),
  runs('new-ledger', 'The exchange begins a new ledger', (stage) => {
    for (const order of stage.ordersOf()) stage.venue.resting.delete(order.orderId);
    stage.tell(
      'a new ledger begins',
      { type: 'EpochChanged', epoch: 'second' },
      { type: 'OrdersReplaced', orders: [], seq: stage.nextSeq(), isComplete: true },
      { type: 'PositionsReplaced', positions: positionsOf(stage), seq: stage.nextSeq() },
      { type: 'AccountUpdated', account: summaryOf(), seq: stage.nextSeq() },
      stage.synced('second'),
    );
  }),
  runs(
    'lane-halted',
    'The lane of its writes is halted',
    (stage) => {
      const lane = 'examined' as never;
      stage.tell('the lane is halted', {
        type: 'LaneHalted',
        lane,
        code: 'EXECUTION_EXAMINED',
        reason: 'part of a scenario',
      });
      stage.calm(30_000);
      stage.tell('the lane is ready', { type: 'LaneReady', lane });
    },
    { isLast: true },
  ),
  runs(
    'little-money',
    'Equity falls to almost nothing',
    (stage) => {
      stage.tell('equity is 1', { type: 'AccountUpdated', account: summaryOf(1n), seq: stage.nextSeq() });
      stage.calm(MINUTE_MS);
      stage.tell('equity is as before', {
        type: 'AccountUpdated',
        account: summaryOf(),
        seq: stage.nextSeq(),
      });
    },
    { stage: { areLimitsIgnored: true } },
  ),
  runs('odd-feeds', 'Feeds bring values of any form', (stage) => {
    for (const value of [null, 0, -1, 'x', [], {}, { price: 'x' }, [[1]], true, { value: { value: null } }])
      stage.tell(`a feed brings ${JSON.stringify(value)}`, {
        ...{ type: 'FeedReceived', feed: 'any', value, atMs: stage.clock.nowMs() },
      });
    stage.tell('a transfer', {
      type: 'LedgerRecorded',
      entry: {
        ...{ id: `${stage.nextSeq()}-0-0` as never, kind: 'transfer', amount: quantums(1_000_000n) },
        ...{ symbol: null, orderId: null, atMs: null },
      },
    });
  }),
  {
    ...{ group: 'run', name: 'many-markets', summary: 'It trades in twelve markets' },
    run: (exam) => {
      const symbols = Array.from({ length: 12 }, (_, at) => exam.subject.symbols[at] ?? `M${at}-USD`);
      return refusedOr(exam, (one) => one.stage({ symbols, areLimitsIgnored: true }));
    },
  },
  {
    ...{ group: 'run', name: 'no-market', summary: 'It is given no market' },
    run: (exam) => refusedOr(exam, (one) => one.stage({ symbols: [] })),
  },
];

/** What the account holds, as the exchange publishes it. */
function positionsOf(stage: Stage): readonly Position[] {
  const held = Array.from(stage.markets.values(), ({ symbol, midTicks, market }) => {
    const sizeLots = stage.bot.account.positionLots(symbol);
    const costBasis = notionalOf(market, ticks(Math.round(midTicks)), sizeLots);
    return { symbol, sizeLots, costBasis, unrealizedPnl: quantums(0n), accruedFunding: quantums(0n) };
  });
  return held.filter(({ sizeLots }) => sizeLots !== 0);
}

/** A strategy may refuse a number of markets, in words. */
function refusedOr(exam: Exam, open: (exam: Exam) => Stage): ReturnType<Scenario['run']> {
  const stage = open(exam);
  stage.do('the strategy is made', () => undefined);
  if (refuses(() => stage.start())) return undefined;
  stage.calm(WARM_MS, { frameMs: 1_000 });
  return stage.isRefused ? undefined : stage.finding;
}

/** True if making it was refused in words: by an error that its author wrote. @throws what it throws otherwise. */
export function refuses(make: () => unknown): boolean {
  try {
    make();
    return false;
  } catch (thrown) {
    const cause = thrown instanceof ConfigError ? (thrown.cause ?? thrown) : thrown;
    // These are what the language throws where code has a fault.
    const isFault = [TypeError, RangeError, ReferenceError, SyntaxError].some((one) => cause instanceof one);
    if (thrown instanceof ConfigError && cause instanceof Error && !isFault) return true;
    throw thrown;
  }
}

/** Against a run without a restart: what it holds is known to it, and it does not build the same position twice. */
function restartWithInventory(exam: Exam): ReturnType<Scenario['run']> {
  const [through, again] = [false, true].map((isRestarted) => {
    const stage = exam.stage().start();
    fillFor(stage, 30);
    if (isRestarted) stage.restart();
    else stage.silence(5_000);
    fillFor(stage, 90);
    return stage;
  });
  if (through === undefined || again === undefined || again.finding !== undefined) return again?.finding;
  for (const [symbol, held] of again.mostHeld) {
    const most = (through.mostHeld.get(symbol) ?? 0) + (again.record.largestOrder.get(symbol) ?? 0);
    if (held > most)
      again.fail(
        `at most ${most} lots of ${symbol} held, as without a restart and one order more`,
        `${held} lots`,
      );
  }
  return again.finding;
}

/** Bids are filled as they come, for so many seconds. */
function fillFor(stage: Stage, seconds: number): void {
  for (let at = 0; at < seconds && stage.finding === undefined; at++) {
    for (const order of stage.ordersOf('buy'))
      stage.do(`buy order ${order.orderId} is filled`, () => stage.venue.fill(order));
    stage.calm(1_000);
  }
}
