/** @module How much of each limit is used, as `ballast status` shows it: with the worst cases that the checks of orders see. */
import { describe, expect, test } from 'vitest';
import { configKeys } from '../../../../scripts/reference.ts';
import type { TargetQuotes } from '../../../../src/bot/strategy/index.ts';
import { lots, ticks } from '../../../../src/domain/index.ts';
import { aRig, type Rig, strategyOf } from '../../../support/bot-rig.ts';
import { BTC, MAKER } from '../../../support/trading-builders.ts';

const target = (sizeLots: number): TargetQuotes => ({
  bids: [{ priceTicks: ticks(999_980), sizeLots: lots(sizeLots) }],
  asks: [{ priceTicks: ticks(1_000_020), sizeLots: lots(sizeLots) }],
});

function quoting(limits = {}): Rig {
  return aRig(
    strategyOf((context) => ({
      onBook: (view) => {
        if (view.symbol === BTC) context.quote(BTC, target(10));
      },
    })),
    { limits },
  );
}

const usesOf = ({ bot }: Rig) =>
  new Map(bot.status().limits.map((one) => [`${one.scope} ${one.key}`, one] as const));

describe('limits in the status', () => {
  test('are unused before the first order, and each names a key of the configuration', () => {
    const limits = quoting().bot.status().limits;
    const keys = new Set(configKeys().map(({ path }) => path));
    expect(limits.length).toBeGreaterThan(10);
    for (const { key, scope, share, used } of limits) {
      expect(keys, `${scope} ${key}`).toContain(key);
      expect({ share, used: Number(used) }, `${scope} ${key}`).toEqual({ share: 0, used: 0 });
    }
  });

  test('count orders on their way, as the checks do, and not only what the exchange shows', () => {
    const rig = quoting();
    rig.venue.isInstant = false;
    rig.book(999_990, 1_000_010);
    const uses = usesOf(rig);
    expect(uses.get('account risk.maxOpenOrders')?.used).toBe('2');
    expect(uses.get(`${BTC} risk.maxOpenOrdersPerSide`)?.used).toBe('1');
    expect(uses.get(`${MAKER} strategies[].limits.maxOpenOrders`)?.used).toBe('2');
    const open = Number(uses.get('account risk.maxOpenNotional')?.used);
    expect(open).toBeGreaterThan(0);
    expect(Number(uses.get(`${BTC} risk.maxOpenNotionalPerMarket`)?.used)).toBe(open);
    expect(Number(uses.get(`${MAKER} strategies[].limits.maxOpenNotional`)?.used)).toBe(open);
    // One side at most is filled: half of what is open, about, in the worst case.
    const worst = Number(uses.get(`${BTC} risk.maxPositionNotional`)?.used);
    expect(worst / open).toBeCloseTo(0.5, 3);
    for (const { used, limit, share } of uses.values())
      expect(share).toBeCloseTo(Number(used) / Number(limit), 3);
  });

  test('count what was filled, also after its order is gone', () => {
    const rig = quoting();
    rig.book(999_990, 1_000_010);
    const [bid] = rig.bot.account.workingOrders(BTC).filter(({ side }) => side === 'buy');
    if (bid === undefined) throw new Error('expected a bid');
    const before = Number(usesOf(rig).get('account risk.maxGrossExposure')?.used);
    rig.fill(bid.orderId);
    const uses = usesOf(rig);
    expect(Number(uses.get('account risk.maxGrossExposure')?.used)).toBeGreaterThanOrEqual(before * 0.99);
    expect(Number(uses.get('account risk.maxNetExposure')?.used)).toBeGreaterThan(0);
    expect(Number(uses.get('account risk.maxLeverage')?.used)).toBeGreaterThan(0);
  });

  test('reach their whole where the next order is denied', () => {
    const rig = quoting({ openOrdersMax: 2 });
    rig.book(999_990, 1_000_010);
    expect(usesOf(rig).get('account risk.maxOpenOrders')).toMatchObject({ used: '2', limit: '2', share: 1 });
  });
});
