/**
 * Symptom: a person had paused a bot, or a control had halted it until a person resumes it (M1, M2, M10, M12), and the service
 * manager started it again after a crash: it traded. Only halts by losses were kept.
 */
import { describe, expect, test } from 'vitest';
import { inMemoryStrategyStore, type StrategyStore, UNREADABLE } from '../../src/bot/kernel/index.ts';
import { monitorLimits } from '../../src/bot/risk/index.ts';
import { lots, type OrderId, type StrategyId, ticks } from '../../src/domain/index.ts';
import { aRig, type Rig, setupOf, strategyOf } from '../support/bot-rig.ts';
import { BTC, LANE, MAKER, usd } from '../support/trading-builders.ts';

const WHO = { actor: 'a person', reason: 'looks at it' };
const ACCOUNT = { kind: 'account' } as const;

const bidder = strategyOf((context) => {
  const bid = () =>
    context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(100) }], asks: [] });
  return { onStart: bid, onBook: bid };
});

function start(store: StrategyStore, options: { readonly fillsPerSideMax?: number } = {}): Rig {
  const limits = monitorLimits(usd(100_000), 6);
  const rig = aRig([setupOf(bidder, { symbols: [BTC] })], {
    store,
    operatorLane: LANE,
    monitor: { ...limits, ...options },
  });
  rig.book(999_990, 1_000_010);
  rig.clock.advance(1_000);
  rig.book(999_990, 1_000_010);
  return rig;
}

const sent = (rig: Rig): number => rig.venue.submitted.length;

describe.each([
  ['the account, paused by a person', ACCOUNT, (rig: Rig) => rig.bot.setTrading(ACCOUNT, 'halted', WHO)],
  [
    'a market, paused by a person',
    { kind: 'market', symbol: BTC } as const,
    (rig: Rig) => rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'halted', WHO),
  ],
  [
    'a strategy, paused by a person',
    { kind: 'strategy', strategyId: MAKER } as const,
    (rig: Rig) => rig.bot.setTrading({ kind: 'strategy', strategyId: MAKER }, 'halted', WHO),
  ],
  ['the account, reduced by a person', ACCOUNT, (rig: Rig) => rig.bot.setTrading(ACCOUNT, 'reducing', WHO)],
  ['the account, flattened by a person', ACCOUNT, (rig: Rig) => rig.bot.flatten(WHO)],
  [
    'a market, halted by a fill too many (M1)',
    { kind: 'market', symbol: BTC } as const,
    (rig: Rig) => {
      rig.fill('101' as OrderId);
      rig.clock.advance(500);
    },
  ],
] as const)('%s', (_name, scope, hold) => {
  test('stays held after a death, until a person resumes it', () => {
    const store = inMemoryStrategyStore();
    const first = start(store, { fillsPerSideMax: 0 });
    expect(sent(first)).toBeGreaterThan(0);
    hold(first);

    // It died here: nothing more is saved.
    const second = start(store);
    expect(sent(second)).toBe(0);
    expect(second.audit.typesOf('TradingStateChanged').length).toBeGreaterThan(0);

    // Nor does a third start give it back.
    const third = start(store);
    expect(sent(third)).toBe(0);
    third.bot.setTrading(scope, 'active', WHO);
    third.book(999_990, 1_000_010);
    third.clock.advance(1_000);
    expect(sent(third)).toBeGreaterThan(0);

    expect(sent(start(store))).toBeGreaterThan(0);
  });
});

test('a stop that closes positions first holds the run that ends, and no other', () => {
  const store = inMemoryStrategyStore();
  start(store).bot.flatten({ ...WHO, isOfStop: true });
  expect(sent(start(store))).toBeGreaterThan(0);
});

test('a halt of a strategy that a run does not have is kept for the run that has it again', () => {
  const store = inMemoryStrategyStore();
  const gone = { kind: 'strategy', strategyId: 'gone' as StrategyId } as const;
  const held = JSON.stringify([
    { scope: gone, holder: 'operator', state: 'halted', reason: 'a person: why' },
  ]);
  store.save('_halts' as StrategyId, held);
  const run = start(store);
  expect(sent(run)).toBeGreaterThan(0);
  run.bot.setTrading(ACCOUNT, 'halted', WHO);
  run.bot.setTrading(ACCOUNT, 'active', WHO);
  expect(JSON.parse(store.load('_halts' as StrategyId) ?? '')).toEqual(JSON.parse(held));
});

test.each([
  ['_halts', UNREADABLE],
  ['_losses', UNREADABLE],
  ['_halts', '{}'],
  ['_halts', '[1]'],
  ['_halts', '[{"scope":{"kind":"account"},"holder":"M99","state":"halted","reason":""}]'],
])(
  'what was kept and cannot be read (%s: %j) halts the account by name, until a person resumes it',
  (key, json) => {
    const store = inMemoryStrategyStore();
    store.save(key as StrategyId, json);
    const run = start(store);
    expect(sent(run)).toBe(0);
    expect(run.bot.status().halts).toMatchObject([
      { control: 'operator', scope: 'account', reason: expect.stringMatching(/cannot be read/) },
    ]);
    run.bot.setTrading(ACCOUNT, 'active', WHO);
    expect(sent(start(store))).toBeGreaterThan(0);
  },
);
