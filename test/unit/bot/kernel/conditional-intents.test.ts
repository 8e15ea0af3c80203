/** @module What a strategy asks for with `placeConditional`: read field by field, checked as if it had fired, sent alone. */
import { describe, expect, test } from 'vitest';
import { order, type StrategyContext } from '../../../../src/bot/strategy/index.ts';
import { aRig, strategyOf } from '../../../support/bot-rig.ts';
import { BTC, usd } from '../../../support/trading-builders.ts';

type Rig = ReturnType<typeof aRig>;
const by = { actor: 'ann', reason: 'drill' };
const level = { symbol: BTC, side: 'sell', price: '95000.0', size: '0.01' } as const;
const trigger = { triggerPrice: '96000.0', when: 'atOrBelow' } as const;

function ask(of: (context: StrategyContext) => unknown) {
  const denials: string[] = [];
  const strategy = strategyOf((context) => ({
    onStart: () => void of(context),
    onDenied: ({ code, message }) => void denials.push(`${code}: ${message}`),
  }));
  const rig = aRig(strategy, { limits: { positionNotionalMax: usd(20_000) } });
  const orders = rig.venue.submitted.flatMap(({ command }) =>
    command.kind === 'place' ? [command.orders] : [],
  );
  return { denials, orders, rig };
}

describe('placeConditional', () => {
  test('sends the order alone with its trigger, far from the market and without a position', () => {
    const { denials, orders } = ask((context) => {
      context.placeConditional(order.reduceOnlyIoc(level), trigger);
      context.placeConditional(order.reduceOnlyIoc({ ...level, price: '94000.0' }), {
        triggerTicks: context.market(BTC).ticksOf('94500.0'),
        when: 'atOrBelow',
      });
    });
    expect(denials).toEqual([]);
    expect(orders.map((write) => write.map((spec) => spec.trigger))).toEqual([
      [{ priceTicks: 960_000, isAbove: false }],
      [{ priceTicks: 945_000, isAbove: false }],
    ]);
  });

  test.each([
    ['no trigger', undefined, 'INTENT_MALFORMED'],
    ['a trigger without a side', { triggerPrice: '96000.0' }, 'INTENT_MALFORMED'],
    ['a trigger off its tick', { ...trigger, triggerPrice: '96000.03' }, 'INTENT_PRICE_OFF_TICK'],
    ['a trigger of no price', { when: 'atOrBelow' }, 'INTENT_PRICE_OFF_TICK'],
    ['a trigger of zero', { triggerTicks: 0, when: 'atOrBelow' }, 'INTENT_PRICE_OFF_TICK'],
  ])('denies %s', (_what, given, code) => {
    const { denials, orders } = ask((context) =>
      context.placeConditional(order.reduceOnlyIoc(level), given as never),
    );
    expect(denials).toHaveLength(1);
    expect(denials[0]).toMatch(new RegExp(`^${code}: `));
    expect(orders).toEqual([]);
  });

  test('denies a limit that is far from its trigger, and a position that would be too large if it fired', () => {
    const far = ask((context) =>
      context.placeConditional(order.reduceOnlyIoc({ ...level, price: '80000.0' }), trigger),
    );
    expect(far.denials[0]).toMatch(/^RISK_PRICE_OUTSIDE_COLLAR/);
    const large = ask((context) => {
      for (let count = 0; count < 4; count++)
        context.placeConditional(order.postOnly({ ...level, size: `0.09${count}` }), trigger);
    });
    expect(large.denials.map((text) => text.split(':')[0])).toContain('RISK_POSITION_ABOVE_LIMIT');
    expect(large.orders.length).toBeGreaterThan(0);
    const closing = ask((context) => {
      for (let count = 0; count < 4; count++)
        context.placeConditional(
          order.reduceOnly(order.postOnly({ ...level, size: `0.09${count}` })),
          trigger,
        );
    });
    expect(closing.denials).toEqual([]);
  });

  test('is canceled like any order, and an own quote at its price is no trade with itself', () => {
    const { denials, orders, rig } = ask((context) => {
      context.placeConditional(order.reduceOnlyIoc({ ...level, price: '99000.0' }), {
        ...trigger,
        triggerPrice: '99500.0',
      });
      context.place(order.postOnly({ symbol: BTC, side: 'buy', price: '99500.0', size: '0.01' }));
    });
    expect(denials).toEqual([]);
    expect(orders).toHaveLength(2);
    const waiting = rig.bot.account.workingOrders(BTC).find((one) => one.trigger !== undefined);
    expect(waiting?.remainingLots).toBe(orders[0]?.[0]?.sizeLots);
    const shown = rig.bot.status().markets.flatMap((market) => market.orders);
    expect(shown.map(({ waitsFor }) => waitsFor)).toEqual(['index at or below 99500.0', undefined]);
  });

  test.each([
    ['a halt', (rig: Rig) => rig.bot.halt(by)],
    ['cancel-all', (rig: Rig) => rig.bot.cancelAll(by)],
    ['a halt at a gateway that takes it with cancel-all', (rig: Rig) => rig.bot.halt(by), false],
  ])('goes with %s, although cancel-all may spare what waits', (_what, end, spares = true) => {
    const { rig } = ask((context) => {
      context.placeConditional(order.reduceOnlyIoc(level), trigger);
      context.placeConditional(order.postOnly({ ...level, price: '96000.0' }), trigger);
    });
    rig.venue.sparesWaiting = spares;
    const waiting = rig.bot.account.workingOrders(BTC).map(({ orderId }) => orderId);
    expect(waiting).toHaveLength(2);
    end(rig);
    expect(rig.bot.account.workingOrders(BTC)).toEqual([]);
    expect(rig.venue.safety[0]).toEqual({ kind: 'cancelAll' });
    const named = rig.venue.safety.flatMap((one) => (one.kind === 'cancel' ? one.orders : []));
    expect(named.map(({ orderId }) => orderId)).toEqual(spares ? waiting : []);
  });
});
