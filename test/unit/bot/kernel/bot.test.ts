/** @module The way of a fact through the bot: state first, strategies, intents, differ, risk, venue, all in one call. */
import { describe, expect, test } from 'vitest';
import { order, type StrategyContext, type TargetQuotes } from '../../../../src/bot/strategy/index.ts';
import { type LaneId, lots, type OrderId, ticks } from '../../../../src/domain/index.ts';
import { aRig, keepArmed, OTHER, setupOf, strategyOf } from '../../../support/bot-rig.ts';
import { aBook, aFill, aSummary, BTC, ETH, LANE, MAKER, seq } from '../../../support/trading-builders.ts';

const target = (bidTicks: number, askTicks: number, sizeLots = 10): TargetQuotes => ({
  bids: [{ priceTicks: ticks(bidTicks), sizeLots: lots(sizeLots) }],
  asks: [{ priceTicks: ticks(askTicks), sizeLots: lots(sizeLots) }],
});
const quoter = (make: () => TargetQuotes) =>
  strategyOf((context) => ({
    onBook: (view) => {
      if (view.symbol === BTC) context.quote(BTC, make());
    },
  }));

describe('a book update', () => {
  test('becomes a command at the venue within the call that brought it', () => {
    const rig = aRig(quoter(() => target(999_980, 1_000_020)));
    rig.venue.isInstant = false;
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toMatchObject([
      {
        lane: LANE,
        command: {
          kind: 'place',
          orders: [
            {
              side: 'buy',
              priceTicks: 999_980,
              timeInForce: 'postOnly',
              strategyId: MAKER,
              intentId: 'run-1-2',
            },
            { side: 'sell', priceTicks: 1_000_020 },
          ],
        },
      },
    ]);
    expect(rig.bot.account.exposure(BTC)).toMatchObject({ buyLots: 10, sellLots: 10 });
  });

  test('writes nothing while the target is what is there already', () => {
    const rig = aRig(quoter(() => target(999_980, 1_000_020)));
    for (let i = 0; i < 1_000; i++) rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toHaveLength(1);
  });

  test('shows in the views before the handler runs', () => {
    const seen: unknown[] = [];
    const rig = aRig(
      strategyOf(() => ({
        onBook: (view, book) => {
          if (view.symbol === BTC)
            seen.push([view.bestBidTicks, view.midTicks, book.bidTicks[0], view.isFresh]);
        },
      })),
    );
    rig.book(999_000, 999_010);
    expect(seen.at(-1)).toEqual([999_000, 999_005, 999_000, true]);
  });

  test('moves quotes with one replace that cancels first', () => {
    let spread = 20;
    const rig = aRig(quoter(() => target(1_000_000 - spread, 1_000_000 + spread)));
    rig.book(999_990, 1_000_010);
    spread = 30;
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted[1]?.command).toMatchObject({
      kind: 'replace',
      cancels: [{ orderId: '101' }, { orderId: '102' }],
      orders: [{ priceTicks: 999_970 }, { priceTicks: 1_000_030 }],
    });
  });
});

describe('a busy lane', () => {
  test('gets the newest target when it is free, and only that', () => {
    let spread = 20;
    const rig = aRig(quoter(() => target(1_000_000 - spread, 1_000_000 + spread)));
    rig.venue.isInstant = false;
    rig.book(999_990, 1_000_010);
    for (spread = 21; spread < 40; spread++) rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toHaveLength(1);
    rig.venue.answer();
    expect(rig.venue.submitted).toHaveLength(2);
    expect(rig.venue.submitted[1]?.command).toMatchObject({
      orders: [{ priceTicks: 999_961 }, { priceTicks: 1_000_039 }],
    });
  });

  test('is shared fairly: each strategy gets its turn', () => {
    let price = 999_980;
    const makers = (['a', 'b', 'c'] as const).map((id, index) =>
      setupOf(
        strategyOf((context) => ({
          onBook: (view) => {
            if (view.symbol !== BTC) return;
            const level = { priceTicks: ticks(price - 10 * index), sizeLots: lots(10) };
            context.quote(BTC, { bids: [level], asks: [] });
          },
        })),
        { id: id as typeof MAKER },
      ),
    );
    const rig = aRig(makers);
    rig.venue.isInstant = false;
    for (let round = 0; round < 6; round++) {
      price -= 1;
      rig.book(999_990, 1_000_010);
      rig.venue.answer();
    }
    const writers = rig.venue.submitted.map(({ command }) =>
      command.kind === 'setLeverage' ? '' : command.orders[0]?.strategyId,
    );
    expect(writers.slice(0, 6)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  describe('single orders that wait for their lane', () => {
    /** A strategy whose timers place a bid at the price that they name; what it was denied. */
    function waiting() {
      const denied: string[] = [];
      const rig = aRig(
        strategyOf((context) => ({
          onTimer: ({ name }) => {
            if (name === 'cancel all') return void context.cancelAll();
            const priceTicks = ticks(Number(name));
            context.place(order.postOnly({ symbol: BTC, side: 'buy', priceTicks, sizeLots: lots(10) }));
          },
          onDenied: ({ code, message }) => {
            denied.push(`${code}: ${message}`);
          },
        })),
      );
      const ask = (name: number | string) =>
        rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: `${name}`, atMs: rig.clock.nowMs() });
      rig.venue.isInstant = false;
      return { rig, ask, denied };
    }

    test('are sent in their order, and denied once they waited too long', () => {
      const { rig, ask, denied } = waiting();
      ask(999_980);
      ask(999_970);
      rig.venue.answer();
      expect(rig.venue.submitted).toHaveLength(2);
      ask(999_960);
      rig.clock.advance(1_500);
      rig.venue.answer();
      expect(denied).toEqual(['INTENT_EXPIRED: expected to be sent within 1000 ms, got 1001 ms old']);
      expect(rig.venue.submitted).toHaveLength(2);
    });

    test('are denied where nothing else happens and their lane gets no answer', () => {
      const { rig, ask, denied } = waiting();
      ask(999_980);
      ask(999_970);
      rig.clock.advance(400);
      ask(999_960);
      rig.clock.advance(700);
      expect(denied).toHaveLength(1);
      rig.clock.advance(400);
      expect(denied).toHaveLength(2);
      expect(rig.venue.submitted).toHaveLength(1);
    });

    test('are denied when their strategy cancels all, also within the turn that asked', () => {
      const { rig, ask, denied } = waiting();
      ask(999_980);
      ask(999_970);
      ask('cancel all');
      expect(denied).toEqual([expect.stringMatching(/^INTENT_WITHDRAWN: /)]);
      rig.venue.answer();
      expect(rig.venue.submitted).toHaveLength(1);
    });

    test('are denied at once while their lane is halted, with its reason, and sent after that', () => {
      const { rig, ask, denied } = waiting();
      ask(999_980);
      ask(999_970);
      rig.feed({ type: 'LaneHalted', lane: LANE, code: 'EXECUTION_LANE_BLOCKED', reason: 'no answer' });
      expect(denied).toEqual([expect.stringMatching(/^INTENT_WITHDRAWN: /)]);
      ask(999_960);
      expect(denied.slice(1)).toEqual([
        expect.stringMatching(/^INTENT_LANE_HALTED: .*EXECUTION_LANE_BLOCKED: no answer$/),
      ]);
    });
  });
});

describe('own orders', () => {
  test('come to onOrder, onFill and onPosition once each, with the state already changed', () => {
    const calls: unknown[] = [];
    const rig = aRig(
      strategyOf((context) => ({
        onBook: (view) => {
          if (view.symbol === BTC && calls.length === 0) context.quote(BTC, target(999_980, 1_000_020));
        },
        onOrder: ({ status, orderId }) => {
          calls.push([status, orderId]);
        },
        onFill: (fill, view) => {
          calls.push(['fill', fill.sizeLots, view.inventoryLots]);
        },
        onPosition: ({ inventoryLots }) => {
          calls.push(['position', inventoryLots]);
        },
      })),
    );
    rig.book(999_990, 1_000_010);
    rig.fill('101' as OrderId);
    expect(calls).toEqual([
      ['working', '101'],
      ['working', '102'],
      ['fill', 10, 10],
      ['position', 10],
      ['filled', '101'],
    ]);
  });

  test('a filled level is not placed again before the strategy asks for it', () => {
    let isAsking = true;
    const rig = aRig(
      strategyOf((context) => ({
        onBook: (view) => {
          if (view.symbol === BTC && isAsking) context.quote(BTC, target(999_980, 1_000_020));
        },
      })),
    );
    rig.book(999_990, 1_000_010);
    isAsking = false;
    rig.fill('101' as OrderId);
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toHaveLength(1);
  });

  test('cancel-all of one strategy leaves the orders of another alone (P10)', () => {
    const contexts = new Map<string, StrategyContext>();
    const maker = (name: string, offset: number) =>
      strategyOf((context) => ({
        onStart: () => {
          contexts.set(name, context);
        },
        onBook: (view) => {
          if (view.symbol === BTC) context.quote(BTC, target(999_980 - offset, 1_000_020 + offset));
        },
        onTimer: () => context.cancelAll(),
      }));
    const rig = aRig([
      setupOf(maker('a', 0)),
      setupOf(maker('b', 5), { id: OTHER, lane: 'lane-2' as LaneId }),
    ]);
    rig.book(999_990, 1_000_010);
    expect(rig.bot.account.workingOrders(BTC)).toHaveLength(4);
    rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'x', atMs: rig.clock.nowMs() });
    expect(rig.bot.account.workingOrders(BTC, MAKER)).toEqual([]);
    expect(rig.bot.account.workingOrders(BTC, OTHER)).toHaveLength(2);
  });

  test('asked to be canceled while on their way are canceled as soon as they are known', () => {
    const rig = aRig(
      strategyOf((context) => ({
        onBook: (view) => {
          if (view.symbol === BTC) context.quote(BTC, target(999_980, 1_000_020));
        },
        onTimer: () => context.pullQuotes('enough'),
      })),
    );
    rig.venue.isInstant = false;
    rig.book(999_990, 1_000_010);
    rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'x', atMs: rig.clock.nowMs() });
    expect(rig.venue.safety).toEqual([]);
    rig.venue.answer();
    const ordersOf = rig.venue.safety.flatMap((command) => (command.kind === 'cancel' ? command.orders : []));
    expect(ordersOf.map((ref) => ref.orderId)).toEqual(['101', '102']);
    for (const command of rig.venue.safety) rig.venue.runSafety(command);
    expect(rig.bot.status().markets[0]?.noQuoteReasons).toMatchObject([
      { strategy: MAKER, side: 'bid', code: 'notWanted', reason: 'enough' },
      { strategy: MAKER, side: 'ask', code: 'notWanted', reason: 'enough' },
    ]);
  });

  test('are canceled by a safety command when their replacement is denied', () => {
    let price = 999_980;
    const rig = aRig(quoter(() => ({ bids: target(price, 1).bids, asks: [] })));
    rig.book(999_990, 1_000_010);
    price = 900_000;
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toHaveLength(1);
    expect(rig.venue.safety).toEqual([{ kind: 'cancel', orders: [{ symbol: BTC, orderId: '101' }] }]);
  });
});

describe('the write budget', () => {
  test('holds quotes back and sends the newest when it allows (P11)', () => {
    let step = 0;
    const rig = aRig(
      quoter(() => target(999_980 - step, 1_000_020 + step)),
      {
        limits: { laneWriteBurst: 1, laneWritesPerS: 10 },
      },
    );
    for (step = 0; step < 5; step++) rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toHaveLength(1);
    rig.clock.advance(101);
    expect(rig.venue.submitted).toHaveLength(2);
    expect(rig.venue.submitted[1]?.command).toMatchObject({ orders: [{ priceTicks: 999_976 }, {}] });
    expect(rig.audit.typesOf('IntentDenied')).toEqual([]);
  });
});

describe('handlers', () => {
  test('of every channel are called with their event', () => {
    const names = new Set<string>();
    const note = (name: string) => () => {
      names.add(name);
    };
    const rig = aRig(
      strategyOf((context) => ({
        onStart: () => {
          names.add('onStart');
          context.startTimer('once', 10);
        },
        ...Object.fromEntries(
          [
            ...['onBook', 'onBbo', 'onTrade', 'onPrices', 'onCandle', 'onFunding', 'onAccount', 'onLedger'],
            ...['onTimer', 'onDegraded', 'onResumed', 'onStop'],
          ].map((name) => [name, note(name)]),
        ),
      })),
    );
    const at = rig.clock.nowMs();
    rig.book(999_990, 1_000_010);
    rig.feed(
      {
        type: 'BboUpdated',
        bbo: {
          symbol: BTC,
          bidTicks: ticks(1),
          bidLots: lots(1),
          askTicks: ticks(2),
          askLots: lots(1),
          receivedAtMs: at,
        },
      },
      {
        type: 'TradePrinted',
        trade: {
          id: '1-0-0' as never,
          symbol: BTC,
          aggressor: 'buy',
          priceTicks: ticks(1),
          sizeLots: lots(1),
          atMs: at,
        },
      },
      {
        type: 'PricesUpdated',
        prices: {
          symbol: BTC,
          markTicks: ticks(1),
          indexTicks: undefined,
          lastTicks: undefined,
          fundingRatePpm: undefined,
          nextFundingAtMs: undefined,
          openInterestLots: undefined,
        },
      },
      {
        type: 'CandleUpdated',
        isHistory: false,
        candle: {
          symbol: BTC,
          interval: '1m',
          startAtMs: at,
          openTicks: ticks(1),
          highTicks: ticks(1),
          lowTicks: ticks(1),
          closeTicks: ticks(1),
          volumeLots: lots(0),
          tradeCount: 0,
        },
      },
      {
        type: 'FundingSettled',
        funding: { symbol: BTC, ratePpm: 1 as never, indexTicks: undefined, atMs: at },
      },
      { type: 'AccountUpdated', account: aSummary(5), seq: seq(9) },
      {
        type: 'LedgerRecorded',
        entry: {
          id: '1-1-1' as never,
          kind: 'deposit',
          amount: 1n as never,
          symbol: null,
          orderId: null,
          atMs: null,
        },
      },
      { type: 'AccountDegraded', reason: 'lagged' },
      { type: 'AccountSynced', seq: seq(9) },
    );
    rig.clock.advance(11);
    void rig.bot.stop('test over');
    expect([...names].sort()).toEqual(
      [
        'onStart',
        'onBook',
        'onBbo',
        'onTrade',
        'onPrices',
        'onCandle',
        'onFunding',
        'onAccount',
        'onLedger',
        'onTimer',
        'onDegraded',
        'onResumed',
        'onStop',
      ].sort(),
    );
  });

  test('nothing is called before onStart, and onStart comes when account and switch are ready', () => {
    const calls: string[] = [];
    const rig = aRig(
      strategyOf(() => ({
        onStart: () => {
          calls.push('start');
        },
        onBook: () => {
          calls.push('book');
        },
      })),
      { isFed: false },
    );
    rig.book(999_990, 1_000_010);
    expect([rig.bot.status().state, calls]).toEqual(['reconciling', []]);
    keepArmed(rig);
    expect([rig.bot.status().state, calls]).toEqual(['armed', ['start']]);
  });
});

describe('determinism', () => {
  test('the same facts give the same commands and the same audit, to the byte (I19)', () => {
    const runOnce = () => {
      const rig = aRig(
        strategyOf((context) => ({
          onBook: (view) => {
            const mid = view.externalMidTicks;
            if (mid === undefined || view.symbol !== BTC) return;
            const offset = 10 + context.random.integer(0, 20);
            context.quote(BTC, target(view.floorTicks(mid - offset), view.ceilTicks(mid + offset)));
          },
        })),
      );
      for (let i = 0; i < 200; i++) {
        rig.clock.advance(7);
        rig.book(999_990 - (i % 13), 1_000_010 + (i % 7));
      }
      return JSON.stringify([rig.venue.submitted, rig.audit.events]);
    };
    expect(runOnce()).toBe(runOnce());
  });
});

describe('facts that come while a turn runs', () => {
  test('wait for it, and are all handled', () => {
    const order: string[] = [];
    const rig = aRig(
      strategyOf(() => ({
        onBook: (view) => {
          if (view.symbol !== ETH) return;
          order.push('book');
          rig.feed({ type: 'FillRecorded', fill: aFill({ orderId: '9' }) });
          rig.feed({ type: 'BookUpdated', book: aBook({ symbol: BTC }) });
          order.push('book is over');
        },
        onPrices: () => undefined,
        onAccount: () => {
          order.push('account');
        },
      })),
    );
    rig.book(999_990, 1_000_010, ETH);
    expect(order).toEqual(['book', 'book is over']);
    expect(rig.bot.account.positionLots(BTC)).toBe(10);
  });

  test('a deferred bot handles a burst in one go and keeps only the newest book', () => {
    let books = 0;
    const rig = aRig(
      strategyOf(() => ({
        onBook: (view) => {
          if (view.symbol === BTC) books++;
        },
      })),
      { isDeferred: true },
    );
    rig.clock.advance(0);
    books = 0;
    for (let i = 0; i < 50; i++) rig.book(999_990, 1_000_010 + i);
    rig.feed({ type: 'FillRecorded', fill: aFill() }, { type: 'FillRecorded', fill: aFill() });
    rig.clock.advance(0);
    expect(books).toBe(1);
    expect(rig.bot.account.positionLots(BTC)).toBe(20);
    expect(rig.bot.markets.get(BTC)?.book?.askTicks[0]).toBe(1_000_059);
  });
});

test('an order that ends unproven keeps its exposure and is told as unresolved', () => {
  const statuses: string[] = [];
  const rig = aRig(
    strategyOf((context) => ({
      onBook: (view) => {
        if (view.symbol === BTC) context.quote(BTC, target(999_980, 1_000_020));
      },
      onOrder: ({ status }) => {
        statuses.push(status);
      },
    })),
  );
  rig.venue.isInstant = false;
  rig.book(999_990, 1_000_010);
  rig.feed({ type: 'WriteUnresolved', lane: LANE, requestId: '0x0001' as never, why: 'timeout' });
  expect(statuses).toEqual(['unresolved', 'unresolved']);
  expect(rig.bot.account.exposure(BTC).buyLots).toBe(10);
  expect(rig.bot.status()).toMatchObject({ unresolved: 1, inFlight: 0 });
});
