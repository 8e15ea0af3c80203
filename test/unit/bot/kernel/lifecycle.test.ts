/** @module The states of a run, and what a run does when it may not trade. */
import { describe, expect, test } from 'vitest';
import { inMemoryStrategyStore } from '../../../../src/bot/kernel/index.ts';
import { monitorLimits } from '../../../../src/bot/risk/index.ts';
import type { StrategyHandlers } from '../../../../src/bot/strategy/index.ts';
import { unixMs } from '../../../../src/core/index.ts';
import { lots, type OrderId, quantums, ticks } from '../../../../src/domain/index.ts';
import { aRig, keepArmed, OTHER, setupOf, strategyOf } from '../../../support/bot-rig.ts';
import {
  aFill,
  atMs,
  BTC,
  ETH,
  LANE,
  MAKER,
  START_MS,
  seq,
  somePrices,
  usd,
} from '../../../support/trading-builders.ts';

/** Quotes one bid in BTC on each book, and notes what it is told. */
function aMaker(notes: string[] = [], more: StrategyHandlers = {}) {
  return strategyOf((context) => ({
    onBook: (view) => {
      if (view.symbol === BTC)
        context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] });
    },
    onDegraded: ({ symbol, reason }) => {
      notes.push(`degraded ${symbol ?? 'all'}: ${reason}`);
    },
    onResumed: (symbol) => {
      notes.push(`resumed ${symbol ?? 'all'}`);
    },
    onDenied: ({ code }) => {
      notes.push(code);
    },
    onStop: (reason) => {
      notes.push(`stop: ${reason}`);
    },
    ...more,
  }));
}
const stateOf = (rig: ReturnType<typeof aRig>) => rig.bot.status().state;
const working = (rig: ReturnType<typeof aRig>) => rig.bot.account.workingOrders(BTC).length;
const by = { actor: 'ann', reason: 'drill' };

describe('a run', () => {
  test('goes from starting to quoting, and back to armed when its orders are gone', async () => {
    const rig = aRig(aMaker(), { isFed: false });
    expect(stateOf(rig)).toBe('reconciling');
    rig.feed({ type: 'AccountSynced', seq: seq(1) });
    expect(rig.bot.status().reasons).toEqual(['the switch is not armed']);
    keepArmed(rig);
    expect(stateOf(rig)).toBe('armed');
    const fed = aRig(aMaker());
    fed.book(999_990, 1_000_010);
    expect(stateOf(fed)).toBe('quoting');
    fed.fill('101' as OrderId);
    expect(stateOf(fed)).toBe('armed');
    await expect(fed.bot.stop('done')).resolves.toEqual({ isEmpty: true, workingOrders: 0, openIntents: 0 });
    expect(stateOf(fed)).toBe('stopped');
    const ways = fed.audit
      .typesOf('LifecycleChanged')
      .map(({ fields }) => `${fields['from']} ${fields['to']}`);
    expect(ways).toEqual([
      'starting reconciling',
      'reconciling armed',
      'armed quoting',
      'quoting armed',
      'armed stopping',
      'stopping stopped',
    ]);
  });

  test('pulls its quotes when the account has a gap, and says when it is whole again', () => {
    const notes: string[] = [];
    const rig = aRig(aMaker(notes));
    rig.book(999_990, 1_000_010);
    rig.feed({ type: 'AccountDegraded', reason: 'lagged' });
    expect([stateOf(rig), working(rig)]).toEqual(['degraded', 0]);
    rig.book(999_990, 1_000_010);
    rig.feed({ type: 'AccountSynced', seq: seq(9) });
    expect(notes).toEqual(['degraded all: account: lagged', 'RISK_ACCOUNT_NOT_SYNCED', 'resumed all']);
    rig.book(999_990, 1_000_010);
    expect([stateOf(rig), working(rig)]).toEqual(['quoting', 1]);
  });

  test('pulls the quotes of a market whose data is not trusted, and no others', () => {
    const notes: string[] = [];
    const other = strategyOf((context) => ({
      onBook: (view) => {
        if (view.symbol === ETH)
          context.quote(ETH, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] });
      },
    }));
    const rig = aRig([setupOf(aMaker(notes)), setupOf(other, { id: OTHER, lane: 'lane-2' as never })]);
    rig.book(999_990, 1_000_010);
    rig.book(999_990, 1_000_010, ETH);
    rig.feed({ type: 'MarketStale', symbol: BTC, reason: 'gap in the book' });
    expect([working(rig), rig.bot.account.workingOrders(ETH).length]).toEqual([0, 1]);
    rig.book(999_990, 1_000_010);
    expect(notes).toEqual([`degraded ${BTC}: gap in the book`, `resumed ${BTC}`]);
    expect(working(rig)).toBe(1);
  });

  test('pulls quotes when books stop coming, and cancels all when they stay away with orders out (P16)', () => {
    const notes: string[] = [];
    const rig = aRig(aMaker(notes));
    rig.book(999_990, 1_000_010);
    rig.venue.isInstant = false;
    rig.clock.advance(2_400);
    expect(rig.venue.safety).toEqual([]);
    rig.clock.advance(200);
    expect(rig.venue.safety).toMatchObject([{ kind: 'cancel', orders: [{ orderId: '101' }] }]);
    expect(notes).toEqual([`degraded ${BTC}: data of BTC-PERP is 2500 ms old`]);
    keepArmed(rig, 60_000);
    rig.clock.advance(5_100);
    expect(rig.venue.safety.map((command) => command.kind)).toEqual(['cancel', 'cancelAll']);
  });

  test('stops quoting when the switch runs out, is held back or fires, and goes on when it is armed again (O79)', () => {
    for (const spoil of [
      (rig: ReturnType<typeof aRig>) => rig.clock.advance(16_000),
      (rig: ReturnType<typeof aRig>) => rig.feed({ type: 'SwitchHeld', reasons: ['H2: silent'] }),
      (rig: ReturnType<typeof aRig>) => rig.feed({ type: 'SwitchFired', atMs: atMs(1) }),
    ]) {
      const rig = aRig(aMaker());
      rig.book(999_990, 1_000_010);
      spoil(rig);
      rig.book(999_990, 1_000_010);
      expect([stateOf(rig), working(rig)]).toEqual(['degraded', 0]);
      keepArmed(rig);
      rig.book(999_990, 1_000_010);
      expect([stateOf(rig), working(rig)]).toEqual(['quoting', 1]);
    }
  });

  test('keeps a strategy off a halted lane until the lane is ready', () => {
    const notes: string[] = [];
    const rig = aRig(aMaker(notes));
    rig.book(999_990, 1_000_010);
    rig.feed({ type: 'LaneHalted', lane: LANE, code: 'FOREIGN_NONCE', reason: 'another writer' });
    rig.book(999_990, 1_000_010);
    expect(working(rig)).toBe(0);
    expect(notes).toEqual([
      'degraded all: lane lane-1: FOREIGN_NONCE: another writer',
      'degraded all: no trading lane is left: lane-1: FOREIGN_NONCE: another writer',
      'RISK_TRADING_HALTED',
    ]);
    rig.feed({ type: 'LaneReady', lane: LANE });
    rig.book(999_990, 1_000_010);
    expect(working(rig)).toBe(1);
  });

  test('that cannot keep up with its own fills loses none, stops quoting, and goes on when it has caught up (I15)', () => {
    const rig = aRig(aMaker(), { isDeferred: true, inboxFactsMax: 20 });
    rig.clock.advance(0);
    rig.book(999_990, 1_000_010);
    rig.clock.advance(0);
    expect(stateOf(rig)).toBe('quoting');
    for (let i = 0; i < 50; i++) rig.feed({ type: 'FillRecorded', fill: aFill({ sizeLots: 1 }) });
    rig.clock.advance(0);
    expect([stateOf(rig), rig.bot.account.positionLots(BTC)]).toEqual(['degraded', 50]);
    expect(rig.audit.typesOf('InboxOverflowed')).toHaveLength(1);
    rig.clock.advance(500);
    expect(['armed', 'quoting']).toContain(stateOf(rig));
  });

  test('stops for a bug of ours: cancels all, reports it once, takes nothing more', () => {
    const crashes: unknown[] = [];
    const rig = aRig(aMaker(), { onCrash: (thrown) => crashes.push(thrown) });
    rig.book(999_990, 1_000_010);
    rig.feed({ type: 'FillRecorded', fill: aFill({ symbol: 'NEVER-SEEN' as never }) });
    expect(crashes).toMatchObject([{ code: 'CORE_ASSERTION_FAILED' }]);
    expect([stateOf(rig), working(rig), rig.venue.safety.at(-1)?.kind]).toEqual(['stopping', 1, 'cancelAll']);
    rig.book(999_990, 1_000_010);
    expect(crashes).toHaveLength(1);
  });
});

describe('stopping', () => {
  test('tells strategies, sends nothing new, cancels everything and waits for what is on its way', async () => {
    const notes: string[] = [];
    const rig = aRig(aMaker(notes));
    rig.venue.isInstant = false;
    rig.book(999_990, 1_000_010);
    const stopped = rig.bot.stop('operator');
    expect(notes).toEqual(['stop: operator']);
    rig.book(999_990, 1_000_010);
    rig.venue.answer();
    expect(rig.venue.submitted).toHaveLength(1);
    // The order came in after the cancel-all: it is canceled by its number.
    expect(rig.venue.safety).toMatchObject([
      { kind: 'cancelAll' },
      { kind: 'cancel', orders: [{ orderId: '101' }] },
    ]);
    rig.venue.runSafety({ kind: 'cancelAll' });
    await expect(stopped).resolves.toMatchObject({ isEmpty: true });
  });

  test('says what is still out when its time is over (I27)', async () => {
    const rig = aRig(aMaker());
    rig.venue.isInstant = false;
    rig.book(999_990, 1_000_010);
    rig.venue.answer();
    const stopped = rig.bot.stop('operator', 3_000);
    rig.clock.advance(3_000);
    await expect(stopped).resolves.toEqual({ isEmpty: false, workingOrders: 1, openIntents: 0 });
    expect(rig.venue.safety.filter((command) => command.kind === 'cancelAll').length).toBe(3);
  });

  test('a strategy that fails while it is stopped does not live again', async () => {
    const rig = aRig(
      aMaker([], {
        onStop: () => {
          throw new Error('boom');
        },
      }),
    );
    await rig.bot.stop('operator');
    rig.clock.advance(60_000);
    expect(rig.bot.status().strategies[0]).toMatchObject({
      state: 'failed',
      reason: 'onStop threw: boom',
    });
    expect(rig.audit.typesOf('StrategyFailed', 'StrategyStarted')).toHaveLength(2);
  });
});

describe('people', () => {
  test('pause and resume a market, a strategy, the account; each is recorded with who did it', () => {
    for (const scope of [
      { kind: 'market', symbol: BTC },
      { kind: 'strategy', strategyId: MAKER },
      { kind: 'account' },
    ] as const) {
      const rig = aRig(aMaker());
      rig.book(999_990, 1_000_010);
      rig.bot.setTrading(scope, 'reducing', by);
      rig.book(999_990, 1_000_010);
      expect(working(rig)).toBe(0);
      rig.bot.setTrading(scope, 'active', by);
      rig.book(999_990, 1_000_010);
      expect(working(rig)).toBe(1);
      expect(rig.audit.typesOf('TradingStateChanged')).toMatchObject([
        { fields: { actor: 'ann', state: 'reducing' } },
        { fields: { actor: 'ann', state: 'active' } },
      ]);
    }
  });

  test('K1 stops one strategy, K2 halts and cancels all; nothing is placed afterwards (I23)', () => {
    const rig = aRig(aMaker());
    rig.book(999_990, 1_000_010);
    expect(rig.bot.stopStrategy(OTHER, by)).toBe(false);
    expect(rig.bot.stopStrategy(MAKER, by)).toBe(true);
    expect([working(rig), rig.bot.status().strategies[0]?.state]).toEqual([0, 'stopped']);
    const halted = aRig(aMaker());
    halted.book(999_990, 1_000_010);
    halted.bot.halt(by);
    const before = halted.venue.submitted.length;
    halted.book(999_990, 1_000_010);
    expect([working(halted), halted.venue.submitted.length]).toEqual([0, before]);
    expect(halted.venue.safety.at(-1)).toEqual({ kind: 'cancelAll' });
    const { strategies, markets } = halted.bot.status();
    for (const one of [strategies[0], markets.find(({ symbol }) => symbol === BTC)])
      expect([one?.trading, one?.inEffect]).toEqual(['active', 'halted with the account']);
  });

  test('K3 closes all positions in pieces that risk allows, and leaves off when all is flat', () => {
    const rig = aRig(aMaker(), { operatorLane: LANE });
    rig.feed({ type: 'FillRecorded', fill: aFill({ sizeLots: 150 }) });
    expect(rig.bot.flatten(by)).toBe(true);
    for (let i = 0; i < 6 && rig.bot.account.positionLots(BTC) !== 0; i++) {
      rig.book(999_990, 1_000_010);
      rig.clock.advance(500);
      for (const order of rig.bot.account.workingOrders(BTC)) rig.fill(order.orderId);
    }
    const pieces = rig.venue.submitted.map(({ command }) => command);
    expect(pieces).toMatchObject([
      {
        orders: [
          {
            side: 'sell',
            strategyId: 'operator',
            timeInForce: 'ioc',
            reduceOnly: true,
            priceTicks: 994_991,
            sizeLots: 100,
          },
        ],
      },
      { orders: [{ sizeLots: 50 }] },
    ]);
    expect(rig.bot.account.positionLots(BTC)).toBe(0);
    expect(aRig(aMaker()).bot.flatten(by)).toBe(false);
  });

  test('close the position of one market, and stop closing when the market is resumed', () => {
    const rig = aRig(aMaker(), { operatorLane: LANE });
    const market = { kind: 'market', symbol: BTC } as const;
    rig.feed({ type: 'FillRecorded', fill: aFill({ sizeLots: 150 }) });
    rig.bot.flatten(by, market);
    expect(rig.bot.status().halts).toEqual([{ control: 'operator', scope: BTC, reason: 'ann: drill' }]);
    rig.book(999_990, 1_000_010);
    rig.clock.advance(500);
    expect(rig.venue.submitted.length).toBe(1);
    for (const order of rig.bot.account.workingOrders(BTC)) rig.fill(order.orderId);
    rig.bot.setTrading(market, 'active', by);
    rig.bot.setTrading(market, 'halted', by);
    const sent = rig.venue.submitted.length;
    rig.clock.advance(2_000);
    expect(rig.bot.account.positionLots(BTC)).not.toBe(0);
    expect(rig.venue.submitted.length).toBe(sent);
  });

  test('cannot give a strategy a lane back that has halted: it stays halted, and says so', () => {
    const rig = aRig(aMaker());
    rig.feed({ type: 'LaneHalted', lane: LANE, code: 'EXECUTION_LANE_BLOCKED', reason: 'no answer' });
    rig.bot.setTrading({ kind: 'strategy', strategyId: MAKER }, 'halted', by);
    rig.bot.setTrading({ kind: 'strategy', strategyId: MAKER }, 'active', by);
    expect(rig.bot.status().halts.map(({ control }) => control)).toEqual([`lane ${LANE}`]);
    rig.feed({ type: 'LaneReady', lane: LANE });
    expect(rig.bot.status().halts).toEqual([]);
  });

  test.each([
    ['the market', { kind: 'market', symbol: BTC } as const],
    ['the strategy', { kind: 'strategy', strategyId: MAKER } as const],
  ])('cancel all of %s, and the strategy may quote again', (_what, scope) => {
    const rig = aRig(aMaker());
    rig.book(999_990, 1_000_010);
    rig.bot.cancelAll(by, scope);
    expect(working(rig)).toBe(0);
    expect(rig.audit.typesOf('CancelAllAsked')).toMatchObject([{ fields: { scope, actor: 'ann' } }]);
    rig.book(999_990, 1_000_010);
    expect(working(rig)).toBe(1);
  });

  test('cancel all, and the strategy may quote again', () => {
    const rig = aRig(aMaker());
    rig.book(999_990, 1_000_010);
    rig.bot.cancelAll(by);
    expect(working(rig)).toBe(0);
    rig.book(999_990, 1_000_010);
    expect(working(rig)).toBe(1);
  });
});

describe('continuous controls', () => {
  const monitor = monitorLimits(usd(100_000), 6);

  test('M10: an order that is not one of ours halts the account', () => {
    const rig = aRig(aMaker(), { monitor });
    rig.feed({
      type: 'OrderOpened',
      order: {
        ...{ orderId: '7' as OrderId, symbol: BTC, side: 'sell', timeInForce: 'gtc', reduceOnly: false },
        priceTicks: ticks(1),
        sizeLots: lots(1),
        remainingLots: lots(1),
      },
      seq: seq(5),
    });
    expect(rig.bot.status().trading).toMatchObject({
      state: 'halted',
      reason: 'M10: order 7 is not one of ours',
    });
    expect(rig.venue.safety.at(-1)).toEqual({ kind: 'cancelAll' });
  });

  test('M1: too many fills on one side within ten seconds halt the market', () => {
    const rig = aRig(aMaker(), { monitor });
    for (let i = 0; i < 21; i++) {
      rig.clock.advance(100);
      rig.book(999_990, 1_000_010);
      rig.fill(rig.bot.account.workingOrders(BTC)[0]?.orderId as OrderId);
    }
    rig.book(999_990, 1_000_010);
    expect(working(rig)).toBe(0);
    expect(rig.audit.typesOf('TradingStateChanged')).toMatchObject([
      { fields: { control: 'M1', state: 'halted' } },
    ]);
  });

  test('M3: a position that differs from the published one for two seconds halts the market until it agrees', () => {
    const rig = aRig(aMaker(), { monitor, limits: { isSwitchRequired: false } });
    const publish = (sizeLots: number, at: number) =>
      rig.feed({
        type: 'PositionUpdated',
        position: {
          symbol: BTC,
          sizeLots: lots(sizeLots),
          costBasis: usd(0),
          unrealizedPnl: usd(0),
          accruedFunding: usd(0),
        },
        seq: seq(at),
      });
    publish(5, 10);
    rig.clock.advance(1_900);
    expect(rig.bot.health().items[6]).toMatchObject({ id: 'H7', isHealthy: true });
    rig.clock.advance(1_100);
    expect(rig.bot.health().items[6]).toMatchObject({ isHealthy: false });
    rig.book(999_990, 1_000_010);
    expect(working(rig)).toBe(0);
    publish(0, 11);
    rig.clock.advance(500);
    rig.book(999_990, 1_000_010);
    expect(working(rig)).toBe(1);
  });

  test('M3: a fill that no published position covers for ten seconds halts the market until one does', () => {
    const rig = aRig(aMaker(), { monitor, limits: { isSwitchRequired: false } });
    const isRight = () => rig.bot.health().items[6]?.isHealthy;
    rig.book(999_990, 1_000_010);
    rig.fill(rig.bot.account.workingOrders(BTC)[0]?.orderId as OrderId);
    rig.clock.advance(9_900);
    expect(isRight()).toBe(true);
    rig.clock.advance(1_500);
    expect(isRight()).toBe(false);
    rig.feed({ type: 'PositionsReplaced', positions: [], seq: seq(1_000_000) });
    rig.feed({
      type: 'PositionUpdated',
      position: {
        symbol: BTC,
        sizeLots: rig.bot.account.positionLots(BTC),
        costBasis: usd(0),
        unrealizedPnl: usd(0),
        accruedFunding: usd(0),
      },
      seq: seq(1_000_001),
    });
    rig.clock.advance(500);
    expect(isRight()).toBe(true);
  });

  test('M4: a loss beyond the limit leaves only what reduces, until a person resumes', () => {
    const buyer = strategyOf((context) => ({
      onStart: () =>
        context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(100) }], asks: [] }),
    }));
    const rig = aRig(buyer, { monitor, limits: { isSwitchRequired: false } });
    rig.fill('101' as OrderId);
    rig.clock.advance(500);
    rig.book(899_990, 900_010);
    rig.feed({ type: 'PricesUpdated', prices: somePrices(880_000) });
    rig.clock.advance(500);
    expect(rig.bot.status().trading.state).toBe('reducing');
    expect(rig.bot.status().trading.reason).toContain('loss within a minute');
    rig.clock.advance(1_000);
    expect(rig.audit.typesOf('TradingStateChanged').map(({ fields }) => fields['control'])).toEqual(['M4']);
    rig.bot.setTrading({ kind: 'account' }, 'active', by);
    rig.clock.advance(5_000);
    expect(rig.bot.status().trading.state).toBe('active');
  });

  test('M4: a restart keeps what was lost, and a person ends it for good', () => {
    const buyer = strategyOf((context) => ({
      onStart: () =>
        context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(100) }], asks: [] }),
    }));
    const store = inMemoryStrategyStore();
    const limits = { monitor, store, limits: { isSwitchRequired: false } };
    const first = aRig(buyer, limits);
    first.fill('101' as OrderId);
    first.clock.advance(500);
    first.book(899_990, 900_010);
    first.feed({ type: 'PricesUpdated', prices: somePrices(880_000) });
    first.clock.advance(6_000);
    expect(first.bot.status().trading.state).toBe('reducing');
    // It starts flat: what it lost before counts all the same.
    const second = aRig(buyer, limits);
    second.clock.advance(1_000);
    expect(second.bot.status().trading).toMatchObject({
      state: 'reducing',
      reason: expect.stringContaining('loss within a minute'),
    });
    expect(second.bot.status().losses[0]).toMatchObject({
      scope: 'account',
      minute: expect.stringMatching(/^0(\.0+)?$/),
    });
    second.bot.setTrading({ kind: 'account' }, 'active', by);
    second.clock.advance(6_000);
    const third = aRig(buyer, limits);
    third.clock.advance(1_000);
    expect(third.bot.status().trading.state).toBe('active');
  });

  test('M4: a market and a strategy are held alone', () => {
    const buyer = strategyOf((context) => ({
      onStart: () =>
        context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(100) }], asks: [] }),
    }));
    const little = { dailyMax: quantums(1n), drawdownMax: undefined, minuteMax: undefined };
    for (const [part, scope] of [
      [{ marketLosses: little }, { kind: 'market', symbol: BTC }],
      [{ strategyLosses: new Map([[MAKER, little]]) }, { kind: 'strategy', strategyId: MAKER }],
    ] as const) {
      const wide = { dailyMax: undefined, drawdownMax: undefined, minuteMax: undefined };
      const limits = { ...monitor, accountLosses: wide, ...part };
      const rig = aRig(buyer, { monitor: limits, limits: { isSwitchRequired: false } });
      rig.clock.advance(500);
      rig.fill('101' as OrderId);
      rig.clock.advance(500);
      rig.feed({ type: 'PricesUpdated', prices: somePrices(999_000) });
      rig.book(998_990, 999_010);
      rig.clock.advance(500);
      expect(rig.audit.typesOf('TradingStateChanged').map(({ fields }) => fields['scope'])).toEqual([scope]);
      expect(rig.bot.status().trading.state).toBe('active');
      rig.bot.setTrading(scope, 'active', by);
      rig.clock.advance(2_000);
      expect(rig.audit.typesOf('TradingStateChanged').length).toBe(2);
    }
  });

  test('M5: five rejections within ten seconds pause the strategy for a minute', () => {
    let price = 999_980;
    const rejected = strategyOf((context) => ({
      onBook: (view) => {
        price--;
        if (view.symbol === BTC)
          context.quote(BTC, { bids: [{ priceTicks: ticks(price), sizeLots: lots(10) }], asks: [] });
      },
    }));
    const rig = aRig(rejected, { monitor, limits: { isSwitchRequired: false } });
    rig.venue.isInstant = false;
    for (let i = 0; i < 5; i++) {
      rig.book(999_990, 1_000_010);
      rig.venue.reject('PostOnlyWouldCross');
    }
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toHaveLength(5);
    rig.clock.advance(60_500);
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toHaveLength(6);
  });
});

test('a status is plain data with amounts as decimal text', () => {
  const rig = aRig(aMaker());
  rig.book(999_990, 1_000_010);
  rig.fill('101' as OrderId);
  rig.book(999_990, 1_000_010);
  const status = rig.bot.status();
  expect(JSON.parse(JSON.stringify(status))).toMatchObject({
    runId: 'run-1',
    state: 'quoting',
    equity: '100000.000000',
    switch: { armedForMs: 20_000 },
    pnl: { total: '0.020000', realized: '0.000000' },
    strategies: [
      {
        id: 'maker',
        name: 'test-strategy',
        state: 'running',
        fills: 1,
        makerFills: 1,
        inventory: { [BTC]: '0.010' },
      },
    ],
    markets: [
      {
        symbol: BTC,
        bid: '99999.0',
        ask: '100001.0',
        position: '0.010',
        averagePrice: '99998.0',
        orders: [{ orderId: '102', side: 'buy', price: '99998.0', remaining: '0.010' }],
      },
      {
        symbol: ETH,
        noQuoteReasons: [
          { strategy: 'maker', side: 'bid', code: 'notAsked' },
          { strategy: 'maker', side: 'ask', code: 'notAsked' },
        ],
      },
    ],
    fills: [{ strategy: 'maker', side: 'buy', price: '99998.0', size: '0.010' }],
  });
  expect(unixMs(status.atMs)).toBe(START_MS);
});
