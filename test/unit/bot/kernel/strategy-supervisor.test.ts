/** @module Strategies that fail: they are stopped, their orders go, the others go on (I17). */
import { describe, expect, test } from 'vitest';
import { inMemoryStrategyStore } from '../../../../src/bot/kernel/index.ts';
import {
  defineStrategy,
  order,
  param,
  type StrategyContext,
  type StrategyHandlers,
} from '../../../../src/bot/strategy/index.ts';
import { Decimal } from '../../../../src/core/index.ts';
import { lots, type OrderId, ticks } from '../../../../src/domain/index.ts';
import { aRig, OTHER, setupOf, strategyOf } from '../../../support/bot-rig.ts';
import { BTC, MAKER, START_MS } from '../../../support/trading-builders.ts';

const bid = (priceTicks: number) => ({
  bids: [{ priceTicks: ticks(priceTicks), sizeLots: lots(10) }],
  asks: [],
});

/** Quotes until it is told to break, then does what `fault` does. */
function breaking(fault: (context: StrategyContext) => unknown) {
  return strategyOf((context) => ({
    onBook: (view) => {
      if (view.symbol === BTC) context.quote(BTC, bid(999_980));
    },
    onTimer: (() => fault(context)) as StrategyHandlers['onTimer'] & object,
  }));
}
const quiet = strategyOf((context) => ({
  onBook: (view) => {
    if (view.symbol === BTC) context.quote(BTC, bid(999_970));
  },
}));

function aRigOfTwo(fault: (context: StrategyContext) => unknown) {
  const rig = aRig([setupOf(breaking(fault)), setupOf(quiet, { id: OTHER, lane: 'lane-2' as never })], {
    restartDelaysMs: [],
  });
  rig.book(999_990, 1_000_010);
  expect(rig.bot.account.workingOrders(BTC)).toHaveLength(2);
  rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'break', atMs: START_MS });
  return rig;
}

const stateOf = (rig: ReturnType<typeof aRig>, index = 0) => rig.bot.status().strategies[index];

describe('a strategy that', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
      'onTimer threw: boom',
    ],
    [
      'throws what is no error',
      () => {
        throw 'text';
      },
      'onTimer threw: text',
    ],
    ['returns a promise', () => Promise.resolve(), 'onTimer returned a promise'],
    ['returns a promise that rejects', () => Promise.reject(new Error('late')), 'onTimer returned a promise'],
    ['returns a value', () => 5, 'onTimer returned a number'],
    [
      'asks for a market it does not have',
      (context: StrategyContext) => context.market('DOGE'),
      'STRATEGY_MARKET_UNKNOWN',
    ],
    [
      'starts a timer of no length',
      (context: StrategyContext) => context.startTimer('x', Number.NaN),
      'a time of a timer from 0',
    ],
  ])('%s is stopped, its orders are canceled, the other goes on', (_what, fault, reason) => {
    const rig = aRigOfTwo(fault);
    expect(stateOf(rig)).toMatchObject({ state: 'failed', reason: expect.stringContaining(reason) });
    expect(rig.bot.account.workingOrders(BTC, MAKER)).toEqual([]);
    expect(rig.bot.account.workingOrders(BTC, OTHER)).toHaveLength(1);
    expect(rig.audit.typesOf('StrategyFailed')).toMatchObject([{ fields: { strategy: MAKER } }]);
    const before = rig.venue.submitted.length;
    rig.fill(rig.bot.account.workingOrders(BTC, OTHER)[0]?.orderId as OrderId);
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted.length).toBe(before + 1);
  });

  test('asks to be stopped is stopped after its handler', () => {
    const rig = aRigOfTwo((context) => context.stop('enough'));
    expect(stateOf(rig)).toMatchObject({ state: 'stopped', reason: 'enough' });
    expect(rig.bot.account.workingOrders(BTC, MAKER)).toEqual([]);
  });

  test('acts through the context of an ended instance is denied', () => {
    let kept: StrategyContext | undefined;
    const rig = aRigOfTwo((context) => {
      kept = context;
      throw new Error('boom');
    });
    kept?.quote(BTC, bid(999_980));
    rig.book(999_990, 1_000_010);
    expect(rig.audit.typesOf('IntentDenied')).toMatchObject([
      { fields: { code: 'INTENT_STRATEGY_NOT_RUNNING' } },
    ]);
    expect(rig.bot.account.workingOrders(BTC, MAKER)).toEqual([]);
  });

  test('is dead has orders that were still on their way canceled when they arrive', () => {
    const rig = aRig(
      [
        setupOf(
          breaking(() => {
            throw new Error('boom');
          }),
        ),
        setupOf(quiet, { id: OTHER, lane: 'lane-2' as never }),
      ],
      { restartDelaysMs: [] },
    );
    rig.venue.isInstant = false;
    rig.book(999_990, 1_000_010);
    rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'break', atMs: START_MS });
    rig.venue.answer();
    expect(rig.venue.safety).toMatchObject([{ kind: 'cancel', orders: [{ orderId: '101' }] }]);
    expect(rig.bot.health().items[3]).toMatchObject({ id: 'H4', isHealthy: false });
    rig.venue.runSafety({ kind: 'cancelAll' });
    expect(rig.bot.health().items[3]).toMatchObject({ isHealthy: true });
  });
});

describe('a failed strategy', () => {
  test('lives again after a pause, with what it saved, and stays stopped after the last pause', () => {
    const lives: unknown[] = [];
    const store = inMemoryStrategyStore();
    const definition = strategyOf((context) => {
      let count = 0;
      return {
        onLoad: (saved) => {
          count = (saved as { count: number }).count;
        },
        onStart: () => {
          lives.push(count);
          context.startTimer('fail', 5_600);
        },
        onSave: () => ({ count: count + 1 }),
        onTimer: () => {
          throw new Error('boom');
        },
      };
    });
    const rig = aRig([setupOf(definition)], { store, restartDelaysMs: [1_000, 2_000] });
    rig.clock.advance(60_000);
    expect(lives).toEqual([0, 1, 2]);
    expect(stateOf(rig)?.state).toBe('failed');
  });

  test('does not start again while an order of its last instance is unresolved', () => {
    let starts = 0;
    const rig = aRig(
      [
        setupOf(
          strategyOf((context) => ({
            onStart: () => {
              starts++;
            },
            onBook: (view) => {
              if (view.symbol === BTC) context.quote(BTC, bid(999_980));
            },
            onTimer: () => {
              throw new Error('boom');
            },
          })),
        ),
      ],
      { restartDelaysMs: [100], limits: { isSwitchRequired: false } },
    );
    rig.venue.isInstant = false;
    rig.book(999_990, 1_000_010);
    rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'x', atMs: START_MS });
    rig.clock.advance(2_000);
    expect(starts).toBe(1);
    rig.venue.isInstant = true;
    rig.venue.answer();
    rig.clock.advance(2_000);
    expect(starts).toBe(2);
  });
});

describe('context.save', () => {
  test('stores at once, says when it is not stored, and is refused within onSave', () => {
    const stored: string[] = [];
    const answers: boolean[] = [];
    let isFull = true;
    const definition = strategyOf((context) => ({
      onTimer: ({ name }) => {
        answers.push(context.save());
        if (name === 'stop') throw new Error('boom');
      },
      onSave: () => ({ isWithin: context.save() }),
    }));
    const store = {
      load: () => undefined,
      save: (_id: string, json: string) => !isFull && stored.push(json) > 0,
    };
    const rig = aRig([setupOf(definition)], { store, restartDelaysMs: [] });
    const ask = (name: string) => rig.feed({ type: 'TimerFired', intentOwner: MAKER, name, atMs: START_MS });
    ask('full');
    isFull = false;
    ask('stored');
    ask('stop');
    expect(answers).toEqual([false, true, true]);
    expect(stored).toEqual(['{"isWithin":false}']);
  });

  test('fails the strategy with what onSave throws, once', () => {
    const definition = strategyOf((context) => ({
      onTimer: () => void context.save(),
      onSave: () => {
        throw new Error('boom');
      },
    }));
    const rig = aRig([setupOf(definition)], { restartDelaysMs: [] });
    rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'x', atMs: START_MS });
    expect(stateOf(rig)).toMatchObject({ state: 'failed', reason: 'onTimer threw: boom' });
  });
});

describe('nonsense', () => {
  const nonsense: readonly (readonly [string, (context: StrategyContext) => unknown, string])[] = [
    ['a target without sides', (c) => c.quote(BTC, {} as never), 'INTENT_MALFORMED'],
    ['no target', (c) => c.quote(BTC, undefined as never), 'INTENT_MALFORMED'],
    [
      'levels that are no list',
      (c) => c.quote(BTC, { bids: { length: 1 }, asks: [] } as never),
      'INTENT_MALFORMED',
    ],
    ['a level that is null', (c) => c.quote(BTC, { bids: [null], asks: [] } as never), 'INTENT_MALFORMED'],
    [
      'too many levels',
      (c) => c.quote(BTC, { bids: Array(101).fill({}), asks: [] } as never),
      'INTENT_LEVELS_TOO_MANY',
    ],
    ['an unknown market', (c) => c.quote('DOGE' as never, bid(1)), 'INTENT_MARKET_UNKNOWN'],
    ['a prototype key as market', (c) => c.quote('__proto__' as never, bid(1)), 'INTENT_MARKET_UNKNOWN'],
    [
      'a negative tolerance',
      (c) => c.quote(BTC, bid(999_980), { priceToleranceTicks: -1 }),
      'INTENT_MALFORMED',
    ],
    [
      'quotes that take',
      (c) => c.quote(BTC, bid(999_980), { timeInForce: 'ioc' as never }),
      'INTENT_MALFORMED',
    ],
    ['no order', (c) => c.place(undefined as never), 'INTENT_MARKET_UNKNOWN'],
    ['an order without a side', (c) => c.place({ symbol: BTC } as never), 'INTENT_MALFORMED'],
    [
      'a made-up time in force',
      (c) => c.place({ symbol: BTC, side: 'buy', timeInForce: 'gtd', reduceOnly: false } as never),
      'INTENT_MALFORMED',
    ],
    [
      'an expiry of no length',
      (c) => c.place(order.limit({ symbol: BTC, side: 'buy', price: '1', size: '1', expiresInMs: 0 })),
      'INTENT_MALFORMED',
    ],
    ['a cancel of nothing', (c) => c.cancel(undefined as never), 'INTENT_ORDER_UNKNOWN'],
    ...[undefined, null, 7, {}, ['7'], { toString: null }].map(
      (orderId) =>
        [
          `a cancel of the number ${JSON.stringify(orderId)}`,
          (c: StrategyContext) => c.cancel({ symbol: BTC, orderId } as never),
          'INTENT_ORDER_UNKNOWN',
        ] as const,
    ),
    [
      'a cancel of an unknown order',
      (c) => c.cancel({ symbol: BTC, orderId: '999' as never }),
      'INTENT_ORDER_UNKNOWN',
    ],
    ['an impossible leverage', (c) => c.setLeverage(BTC, 1e9), 'RISK_LEVERAGE_SETTING_INVALID'],
    ...['1e3', '100.55', '-1', '0', 'NaN', 'Infinity', ' 1', '0x10', '1_000', '', '9'.repeat(50)].map(
      (price) =>
        [
          `the price ${JSON.stringify(price).slice(0, 20)}`,
          (c: StrategyContext) => c.place(order.postOnly({ symbol: BTC, side: 'buy', price, size: '0.01' })),
          'INTENT_PRICE_OFF_TICK',
        ] as const,
    ),
    ...[100.5, Number.NaN, -0, Number.POSITIVE_INFINITY, null, {}, [], true, new Decimal('100.55')].map(
      (price) =>
        [
          `a price of type ${typeof price}: ${String(price)}`,
          (c: StrategyContext) => c.quote(BTC, { bids: [{ price, size: '0.01' }], asks: [] } as never),
          'INTENT_PRICE_OFF_TICK',
        ] as const,
    ),
    ...['0.0001', '0', '-1', '1e-3', new Decimal('0.0005'), 0.01].map(
      (size) =>
        [
          `the size ${String(size)}`,
          (c: StrategyContext) => c.quote(BTC, { bids: [{ price: '99998.0', size }], asks: [] } as never),
          'INTENT_SIZE_OFF_LOT',
        ] as const,
    ),
    ...[1.5, Number.NaN, 0, -5, 2 ** 40, '999980', 999_980n].map(
      (priceTicks) =>
        [
          `${String(priceTicks)} ticks`,
          (c: StrategyContext) => c.quote(BTC, { bids: [{ priceTicks, sizeLots: 1 }], asks: [] } as never),
          'INTENT_PRICE_OFF_TICK',
        ] as const,
    ),
  ];

  test.each(nonsense)('%s is denied, and the strategy lives on (F64)', (_what, ask, code) => {
    const codes: string[] = [];
    const rig = aRig(
      strategyOf((context) => ({
        onTimer: () => {
          ask(context);
        },
        onDenied: (denial) => {
          codes.push(denial.code);
          expect(denial.message).toMatch(/^expected /);
          expect(denial.remedy).not.toBe('');
        },
      })),
    );
    rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'x', atMs: START_MS });
    expect(codes).toEqual([code]);
    expect(stateOf(rig)?.state).toBe('running');
    expect(rig.venue.submitted).toEqual([]);
  });

  test('a strategy that answers each denial with the same intent does not spin', () => {
    let count = 0;
    const rig = aRig(
      strategyOf((context) => ({
        onTimer: () => context.quote(BTC, bid(900_000)),
        onDenied: () => {
          count++;
          context.quote(BTC, bid(900_000));
        },
      })),
    );
    rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'x', atMs: START_MS });
    expect(count).toBe(1);
    rig.book(999_990, 1_000_010);
    expect(count).toBe(2);
  });

  test('decimals that fit are taken exactly', () => {
    const rig = aRig(
      strategyOf((context) => ({
        onTimer: () =>
          context.quote(BTC, {
            bids: [{ price: new Decimal('99998'), size: '0.010' }],
            asks: [{ price: '100002.0', size: new Decimal('0.01') }],
          }),
      })),
    );
    rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'x', atMs: START_MS });
    expect(rig.venue.submitted[0]?.command).toMatchObject({
      orders: [
        { priceTicks: 999_980, sizeLots: 10 },
        { priceTicks: 1_000_020, sizeLots: 10 },
      ],
    });
  });
});

describe('parameters', () => {
  const definition = defineStrategy({
    name: 'with-parameters',
    parameters: param.object({ width: param.integer({ min: 1 }) }),
    create: (context, parameters) => {
      let { width } = parameters;
      return {
        onBook: (view) => {
          if (view.symbol === BTC) context.quote(BTC, bid(1_000_000 - width));
        },
        onParameters: (next) => {
          width = next.width;
        },
      };
    },
  });
  const instruction = { actor: 'test', reason: 'to see' };

  test('error: an instance with invalid parameters is not made', () => {
    expect(() => aRig([setupOf(definition, { parameters: { width: '0' } })])).toThrow(
      'parameters.width: expected an integer of at least 1',
    );
  });

  test('change while it runs, the instance is kept, and both values are recorded', () => {
    const rig = aRig([setupOf(definition, { parameters: { width: '20' } })]);
    rig.book(999_990, 1_000_010);
    expect(rig.bot.setParameters(MAKER, { width: 30 }, instruction)).toEqual([]);
    rig.book(999_990, 1_000_010);
    expect(rig.bot.account.workingOrders(BTC)).toMatchObject([{ priceTicks: 999_970 }]);
    expect(rig.bot.setParameters(MAKER, { width: 'x' }, instruction)).toEqual([
      'width: expected an integer of at least 1',
    ]);
    expect(rig.bot.setParameters(OTHER, {}, instruction)).toEqual(['no strategy other']);
    expect(rig.audit.typesOf('ParametersChanged')[0]).toMatchObject({
      fields: { actor: 'test', before: { width: '20' }, after: { width: 30 } },
    });
  });

  test('cannot change for a strategy that does not take them', () => {
    const rig = aRig(quiet);
    expect(rig.bot.setParameters(MAKER, {}, instruction)).toEqual([
      'parameters: expected strategy test-strategy to take new parameters while it runs',
    ]);
  });
});
