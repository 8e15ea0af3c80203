/** @module What a strategy asks for with `placeTwap`: read field by field, counted whole at its limit, sent alone. */
import { describe, expect, test } from 'vitest';
import type { StrategyContext, TwapDraft } from '../../../../src/bot/strategy/index.ts';
import { twapLimitTicks } from '../../../../src/domain/index.ts';
import { aRig, strategyOf } from '../../../support/bot-rig.ts';
import { aMarket, BTC, somePrices, usd } from '../../../support/trading-builders.ts';

const draft: TwapDraft = {
  ...{ symbol: BTC, side: 'buy', size: '0.03', slices: 3, intervalMs: 5_000, priceTolerancePpm: 2_000 },
};

function ask(of: (context: StrategyContext) => unknown, limits = {}) {
  const denials: string[] = [];
  const strategy = strategyOf((context) => ({
    onStart: () => void context.startTimer('ask', 1),
    onTimer: () => void of(context),
    onDenied: ({ code, message }) => void denials.push(`${code}: ${message}`),
  }));
  const strategyDefaults = {
    ...{ ordersMax: 20, openNotionalMax: usd(1_000_000), positionNotionalMax: usd(1_000_000) },
    ...{ lossMax: usd(1_000), isPostOnly: false },
  };
  const rig = aRig(strategy, {
    limits: { positionNotionalMax: usd(20_000), strategyDefaults, ...limits },
  });
  rig.feed({ type: 'PricesUpdated', prices: somePrices(1_000_000) });
  rig.clock.advance(1);
  const orders = rig.venue.submitted.flatMap(({ command }) =>
    command.kind === 'place' ? [command.orders] : [],
  );
  return { denials, orders, rig };
}

describe('placeTwap', () => {
  test('sends the order alone with its plan, at the limit that a slice would have now', () => {
    const { denials, orders, rig } = ask((context) => {
      context.placeTwap(draft);
      context.placeTwap({ ...draft, side: 'sell', size: '0.02', slices: 2 });
    });
    expect(denials).toEqual([]);
    const shown = rig.bot.status().markets.flatMap((market) => market.orders);
    expect(shown.map(({ waitsFor }) => waitsFor)).toEqual(['slice 1 of 3', 'slice 1 of 2']);
    const plan = { intervalMs: 5_000, priceTolerancePpm: 2_000 };
    expect(orders).toMatchObject([
      [{ twap: { ...plan, slices: 3 }, timeInForce: 'ioc', priceTicks: 1_002_000, expiresAtMs: 0 }],
      [{ twap: { ...plan, slices: 2 }, side: 'sell', priceTicks: 998_000 }],
    ]);
  });

  test.each([
    ['nothing at all', undefined, 'INTENT_M'],
    ['no slices', { ...draft, slices: 0 }, 'INTENT_MALFORMED'],
    ['half a slice', { ...draft, slices: 1.5 }, 'INTENT_MALFORMED'],
    ['no interval', { ...draft, intervalMs: 0 }, 'INTENT_MALFORMED'],
    ['a tolerance of everything', { ...draft, priceTolerancePpm: 1_000_000 }, 'INTENT_MALFORMED'],
    ['no side', { ...draft, side: 'hold' }, 'INTENT_MALFORMED'],
    ['a size off its lot', { ...draft, size: '0.0000000001' }, 'INTENT_SIZE_OFF_LOT'],
    ['more slices than steps of size', { ...draft, slices: 4_000_000 }, 'INTENT_SLICES_TOO_MANY'],
    ['a market of others', { ...draft, symbol: 'XRP-USD' }, 'INTENT_MARKET_UNKNOWN'],
  ])('denies %s', (_what, given, code) => {
    const { denials, orders } = ask((context) => context.placeTwap(given as never));
    expect(denials).toHaveLength(1);
    expect(denials[0]).toContain(code);
    expect(orders).toEqual([]);
  });

  test('counts the whole size against the limits of a position, now and while it is worked', () => {
    const large = ask((context) => context.placeTwap({ ...draft, size: '0.25', slices: 100 }), {
      orderNotionalMax: usd(50_000),
    });
    expect(large.denials[0]).toMatch(/^RISK_POSITION_ABOVE_LIMIT/);
    const twice = ask((context) => {
      context.placeTwap({ ...draft, size: '0.09' });
      context.placeTwap({ ...draft, size: '0.08' });
      context.placeTwap({ ...draft, size: '0.07' });
    });
    expect(twice.denials.map((text) => text.split(':')[0])).toEqual(['RISK_POSITION_ABOVE_LIMIT']);
    expect(twice.rig.bot.account.exposure(BTC).buyLots).toBeGreaterThan(0);
  });

  test('is kept within the bounds of prices, and out of vaults and makers', () => {
    const far = ask((context) => context.placeTwap({ ...draft, priceTolerancePpm: 100_000 }));
    expect(far.denials[0]).toMatch(/^RISK_PRICE_OUTSIDE_COLLAR/);
    const vault = ask((context) => context.placeTwap(draft), { isOfVault: true });
    expect(vault.denials[0]).toMatch(/^RISK_TWAP_NOT_OF_VAULT/);
    expect([...far.orders, ...vault.orders]).toEqual([]);
  });
});

test('the limit of a slice is on the tick that is inside, and never beyond a price', () => {
  const market = aMarket({ tickStep: 10 as never });
  const at = (side: 'buy' | 'sell', indexTicks: number, priceTolerancePpm: number) =>
    twapLimitTicks(market, side, { indexTicks, priceTolerancePpm });
  expect([at('buy', 10_003, 1_000), at('sell', 10_003, 1_000)]).toEqual([10_010, 10_000]);
  expect(at('sell', 10, 999_999)).toBe(10);
  expect(at('buy', 0xffff_ffff, 999_999) % 10).toBe(0);
});
