/**
 * Symptom: a loss halted the account (M4), and the bot was started again. The halt took hold with the first look of the
 * guard, half a second later; until then the strategies quoted and were filled. A market without a position was free until
 * its first fill. And a bot that died within five seconds of the halt had not kept it.
 */
import { describe, expect, test } from 'vitest';
import { inMemoryStrategyStore } from '../../src/bot/kernel/index.ts';
import { monitorLimits } from '../../src/bot/risk/index.ts';
import { lots, type OrderId, quantums, ticks } from '../../src/domain/index.ts';
import { aRig, keepArmed, type Rig, setupOf, strategyOf } from '../support/bot-rig.ts';
import { BTC, MAKER, somePrices, usd } from '../support/trading-builders.ts';

const bidder = strategyOf((context) => {
  const bid = () =>
    context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(100) }], asks: [] });
  return { onStart: bid, onBook: bid };
});

const WIDE = { dailyMax: undefined, drawdownMax: undefined, minuteMax: undefined };
const LITTLE = { ...WIDE, drawdownMax: quantums(1n) };
const LIMITS = monitorLimits(usd(100_000), 6);
const HALTING = { ...LIMITS, lossReaction: { ...LIMITS.lossReaction, haltRatioPpm: 1_000_000n } };

describe.each([
  ['the account', { accountLosses: LITTLE }, { kind: 'account' }],
  ['a market', { accountLosses: WIDE, marketLosses: LITTLE }, { kind: 'market', symbol: BTC }],
  [
    'a strategy',
    { accountLosses: WIDE, strategyLosses: new Map([[MAKER, LITTLE]]) },
    { kind: 'strategy', strategyId: MAKER },
  ],
] as const)('a halt of %s by a loss', (_name, losses, scope) => {
  test('stands from the first turn of the next run on, also after a death, until a person ends it', () => {
    const store = inMemoryStrategyStore();
    const start = (): Rig =>
      aRig([setupOf(bidder, { symbols: [BTC] })], { store, monitor: { ...HALTING, ...losses } });
    const first = start();
    first.book(999_990, 1_000_010);
    first.fill('101' as OrderId);
    first.clock.advance(500);
    first.feed({ type: 'PricesUpdated', prices: somePrices(999_000) });
    first.book(998_990, 999_010);
    first.clock.advance(500);
    expect(first.audit.typesOf('TradingStateChanged').map(({ fields }) => fields['state'])).toEqual([
      'halted',
    ]);

    // It died here. The next one starts flat, and with data at once.
    const second = start();
    second.book(999_990, 1_000_010);
    second.clock.advance(1_000);
    keepArmed(second);
    second.book(999_990, 1_000_010);
    expect(second.venue.submitted).toEqual([]);
    expect(second.bot.status().halts).toMatchObject([
      { control: 'M4', reason: expect.stringMatching(/halts$/) },
    ]);

    second.bot.setTrading(scope, 'active', { actor: 'a person', reason: 'looked at' });
    second.book(999_990, 1_000_010);
    second.clock.advance(1_000);
    expect(second.venue.submitted.length).toBeGreaterThan(0);

    // What a person has ended does not come back either.
    const third = start();
    third.book(999_990, 1_000_010);
    expect(third.venue.submitted.length).toBeGreaterThan(0);
  });
});
