/** @module What a strategy asks for with `placeTpsl`: read leg by leg, for the position that is its own, sent as one write. */
import { describe, expect, test } from 'vitest';
import { approvedText } from '../../../../src/bot/replay/decision-text.ts';
import { order, type StrategyContext, type TpslDraft } from '../../../../src/bot/strategy/index.ts';
import { lots, type OrderId, type StrategyId, ticks } from '../../../../src/domain/index.ts';
import { aRig, setupOf, strategyOf } from '../../../support/bot-rig.ts';
import { aFill, BTC, MAKER, somePrices, usd } from '../../../support/trading-builders.ts';

const draft: TpslDraft = {
  ...{ symbol: BTC, side: 'sell' },
  takeProfit: { triggerPrice: '105000', price: '104500' },
  stopLoss: { triggerTicks: ticks(950_000), priceTicks: ticks(945_000) },
};

const LOOSE = {
  ...{ ordersMax: 20, openNotionalMax: usd(1_000_000), positionNotionalMax: usd(1_000_000) },
  ...{ lossMax: usd(1_000), isPostOnly: false },
};

/** Buys 30 lots, then asks. */
function ask(
  of: (context: StrategyContext) => unknown,
  { limits = {}, side = 'buy', others = [] as string[], fills = 1 } = {},
) {
  const denials: (readonly [string, string])[] = [];
  const updates: string[] = [];
  let filled = 0;
  let asked: unknown;
  const strategy = strategyOf((context) => ({
    onStart: () => void context.startTimer('enter', 1),
    onTimer: ({ name }) => {
      if (name === 'ask') asked = of(context);
      else if (side !== 'none') {
        const priceTicks = ticks(side === 'buy' ? 1_000_010 : 999_990);
        const entry = { symbol: BTC, side: side as 'buy' | 'sell', priceTicks, sizeLots: lots(30) };
        context.place(order.ioc(entry));
      }
    },
    onFill: () => {
      filled++;
      context.startTimer(filled < fills ? 'enter' : 'ask', 1_001);
    },
    onOrder: ({ intentId, status }) => void updates.push(`${intentId} ${status}`),
    onDenied: ({ intentId, code }) => void denials.push([intentId, code]),
  }));
  const setups = [
    setupOf(strategy),
    ...others.map((id) =>
      setupOf(
        strategyOf(() => ({}), id),
        { id: id as StrategyId },
      ),
    ),
  ];
  const strategyDefaults = LOOSE;
  const rig = aRig(setups, { limits: { strategyDefaults, ...limits } });
  rig.feed({ type: 'PricesUpdated', prices: somePrices(1_000_000) });
  rig.book(999_990, 1_000_010);
  rig.clock.advance(1);
  for (let count = 0; count < fills; count++) {
    const [entry] = rig.bot.account.workingOrders(BTC);
    if (entry !== undefined) rig.fill(entry.orderId);
    rig.book(999_990, 1_000_010);
    rig.clock.advance(1_001);
  }
  const pairs = rig.venue.submitted.flatMap(({ command }) =>
    command.kind === 'place' && command.orders.some(({ trigger }) => trigger !== undefined) ? [command] : [],
  );
  return { denials, updates, pairs, asked: asked as { takeProfit: string; stopLoss: string }, rig };
}

describe('placeTpsl', () => {
  test('sends both legs in one write, as large as the position, each an order with an id of its own', () => {
    const { denials, updates, pairs, asked, rig } = ask((context) => context.placeTpsl(draft));
    expect(denials).toEqual([]);
    expect(pairs).toHaveLength(1);
    const terms = { side: 'sell', sizeLots: 30, timeInForce: 'gtc', reduceOnly: true, expiresAtMs: 0 };
    expect(pairs[0]?.orders).toMatchObject([
      {
        ...terms,
        intentId: asked.takeProfit,
        priceTicks: 1_045_000,
        trigger: { priceTicks: 1_050_000, isAbove: true, leg: 'takeProfit' },
      },
      {
        ...terms,
        intentId: asked.stopLoss,
        priceTicks: 945_000,
        trigger: { priceTicks: 950_000, isAbove: false, leg: 'stopLoss' },
      },
    ]);
    expect(updates.slice(-2)).toEqual([`${asked.takeProfit} working`, `${asked.stopLoss} working`]);
    const shown = rig.bot.status().markets.find(({ symbol }) => symbol === BTC)?.orders;
    expect(shown?.map(({ waitsFor }) => waitsFor)).toEqual([
      'index at or above 105000.0, take-profit of the position',
      'index at or below 95000.0, stop-loss of the position',
    ]);
    expect(approvedText({ lane: 'main', command: pairs[0] } as never)).toContain(
      'gtc reduceOnly once the index is at or below 950000, stopLoss of the position]',
    );
    // They close what is held: nothing is added to what may become a position.
    expect(rig.bot.account.exposure(BTC)).toMatchObject({ positionLots: 30, sellLots: 0 });
  });

  test('closes a short position with buys, by one leg alone where one is asked for', () => {
    const stopLoss = { triggerPrice: '105000', price: '105500' };
    const { denials, pairs, asked } = ask(
      (context) => context.placeTpsl({ symbol: BTC, side: 'buy', stopLoss }),
      { side: 'sell' },
    );
    expect(denials).toEqual([]);
    expect(pairs[0]?.orders).toMatchObject([
      { intentId: asked.stopLoss, side: 'buy', sizeLots: 30, trigger: { isAbove: true, leg: 'stopLoss' } },
    ]);
  });

  test.each([
    ['nothing at all', undefined, 'INTENT_MARKET_UNKNOWN', 2],
    ['no leg', { symbol: BTC, side: 'sell' }, 'INTENT_MALFORMED', 2],
    ['no side', { ...draft, side: 'close' }, 'INTENT_MALFORMED', 2],
    ['a leg that is none', { ...draft, takeProfit: 5 }, 'INTENT_MALFORMED', 2],
    [
      'a trigger off its tick',
      { ...draft, takeProfit: { triggerPrice: '105000.05', price: '1' } },
      'INTENT_PRICE_OFF_TICK',
      2,
    ],
    ['a leg without a limit', { ...draft, stopLoss: { triggerPrice: '95000' } }, 'INTENT_PRICE_OFF_TICK', 2],
    [
      'a profit that is taken behind the stop',
      { ...draft, takeProfit: draft.stopLoss, stopLoss: draft.takeProfit },
      'INTENT_MALFORMED',
      2,
    ],
    ['the side that would open', { ...draft, side: 'buy' }, 'INTENT_POSITION_MISSING', 2],
    ['a market of others', { ...draft, symbol: 'XRP-USD' }, 'INTENT_MARKET_UNKNOWN', 2],
    [
      'one leg of the side that would open',
      { ...draft, side: 'buy', takeProfit: undefined },
      'INTENT_POSITION_MISSING',
      1,
    ],
    [
      'a limit too far from its trigger',
      { ...draft, stopLoss: { triggerPrice: '95000', price: '50000' } },
      'RISK_PRICE_OUTSIDE_COLLAR',
      1,
    ],
  ])('denies %s, each leg by its id', (_what, given, code, count) => {
    const { denials, pairs, asked } = ask((context) => context.placeTpsl(given as never));
    expect(denials.map(([, one]) => one)).toEqual(Array.from({ length: count }, () => code));
    const ids = [asked.takeProfit, asked.stopLoss];
    expect(denials.map(([id]) => id)).toEqual(ids.slice(-count));
    // A leg that nothing is wrong with is there all the same: half a protection is more than none.
    expect(pairs.flatMap(({ orders }) => orders)).toHaveLength(code.startsWith('RISK') ? 1 : 0);
  });

  test('is denied without a position, and for a vault', () => {
    const flat = ask((context) => context.placeTpsl(draft), { side: 'none' });
    expect(flat.pairs).toEqual([]);
    const vault = ask((context) => context.placeTpsl(draft), { limits: { isOfVault: true } });
    expect(vault.denials.map(([, code]) => code)).toEqual([
      'RISK_TPSL_NOT_OF_VAULT',
      'RISK_TPSL_NOT_OF_VAULT',
    ]);
    expect(vault.pairs).toEqual([]);
  });

  test('is denied where more would be closed than what is its own', () => {
    const shared = ask((context) => context.placeTpsl(draft), { others: ['other'] });
    expect(shared.denials.map(([, code]) => code)).toEqual([
      'INTENT_POSITION_SHARED',
      'INTENT_POSITION_SHARED',
    ]);
    const unowned = ask((context) => context.placeTpsl(draft), { side: 'none' });
    unowned.rig.feed({
      type: 'FillRecorded',
      fill: aFill({ orderId: '7' as OrderId, side: 'buy', sizeLots: 5 }),
    });
    expect(unowned.rig.bot.account.positionLots(BTC)).toBe(5);
    expect(unowned.rig.bot.account.positionLots(BTC, MAKER)).toBe(0);
    expect(shared.pairs).toEqual([]);
  });

  test('a position larger than the largest order keeps its exits', () => {
    // The position is of two orders.
    const limits = { orderNotionalMax: usd(4_000), positionNotionalMax: usd(20_000) };
    const { denials, pairs } = ask((context) => void context.placeTpsl(draft), { limits, fills: 2 });
    expect(denials).toEqual([]);
    expect(pairs[0]?.orders).toMatchObject([{ sizeLots: 60 }, { sizeLots: 60 }]);
    const plain = ask(
      (context) => {
        const half = order.limit({
          symbol: BTC,
          side: 'sell',
          priceTicks: ticks(1_000_100),
          sizeLots: lots(60),
        });
        context.place(order.reduceOnly(half));
      },
      { limits, fills: 2 },
    );
    expect(plain.denials.map(([, code]) => code)).toEqual(['RISK_ORDER_NOTIONAL_ABOVE_LIMIT']);
  });
});
