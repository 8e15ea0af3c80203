/**
 * Symptom: the log of a strategy that takes said "run is quoting: orders are out" and "run is armed: ready, no orders are
 * out" for each of its orders, although none of them ever rested.
 */
import { expect, test } from 'vitest';
import { riskLimits } from '../../src/bot/risk/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { BTC, ETH, usd } from '../support/trading-builders.ts';

const { strategyDefaults } = riskLimits({ capital: usd(100_000), symbols: [BTC, ETH] });

const rigOf = (timeInForce: 'ioc' | 'fok' | 'gtc', isInstant: boolean) => {
  const rig = aRig(
    strategyOf((context) => ({
      onBook: () => {
        const order = { symbol: BTC, side: 'buy', priceTicks: ticks(1_000_010), sizeLots: lots(10) } as const;
        context.place({ ...order, timeInForce, reduceOnly: false });
      },
    })),
    { limits: { strategyDefaults: { ...strategyDefaults, isPostOnly: false } } },
  );
  rig.venue.isInstant = isInstant;
  rig.venue.areTakersKept = false;
  for (let i = 0; i < 3; i++) rig.book(999_990, 1_000_010);
  return rig;
};
const waysOf = (rig: ReturnType<typeof rigOf>) =>
  rig.audit.typesOf('LifecycleChanged').map(({ fields }) => fields['to']);

test.each(['ioc', 'fok'] as const)(
  'an order that takes (%s) changes nothing about the run',
  (timeInForce) => {
    const done = rigOf(timeInForce, true);
    expect(done.venue.submitted.length).toBeGreaterThanOrEqual(3);
    expect(waysOf(done)).toEqual(['reconciling', 'armed']);
    const onItsWay = rigOf(timeInForce, false);
    expect(onItsWay.bot.account.hasOpenOrders).toBe(true);
    expect(waysOf(onItsWay)).toEqual(['reconciling', 'armed']);
  },
);

test('one that may rest makes it quote, also while it is on its way', () => {
  expect(waysOf(rigOf('gtc', true))).toEqual(['reconciling', 'armed', 'quoting']);
  expect(waysOf(rigOf('gtc', false))).toEqual(['reconciling', 'armed', 'quoting']);
});
