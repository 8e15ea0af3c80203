/**
 * Symptom: a market got a coarser lot for a minute. The maker whose size stood between two lots threw with every quote,
 * used up its restarts, and stayed stopped when the lot was as before (I13, F39).
 */
import { expect, test } from 'vitest';
import {
  defineStrategy,
  ParameterQuoter,
  param,
  perMarket,
  requoteParams,
} from '../../src/bot/strategy/index.ts';
import { lots, type MarketSymbol } from '../../src/domain/index.ts';
import { aRig, keepArmed, type Rig, setupOf } from '../support/bot-rig.ts';
import { aMarket, BTC, ETH } from '../support/trading-builders.ts';

const maker = defineStrategy({
  name: 'test-maker',
  parameters: param.object({ size: param.decimal({ above: '0' }), ...requoteParams() }),
  create: (context, initial) =>
    new ParameterQuoter(context, initial, ({ size }) => {
      const sizeIn = perMarket((view) => view.lotsOf(size));
      return (view, { bidTicks }) => ({
        bids: [{ priceTicks: bidTicks, sizeLots: sizeIn(view) }],
        asks: [],
      });
    }).handlers,
});

/** A maker of three lots. */
function aMaker(): Rig {
  const rig = aRig([setupOf(maker, { parameters: { size: '0.003' }, symbols: [BTC] })], {
    restartDelaysMs: [],
  });
  quote(rig);
  return rig;
}

/** Time for a quote, and a book for it. */
function quote(rig: Rig, symbol: MarketSymbol = BTC): void {
  rig.clock.advance(1_000);
  keepArmed(rig);
  rig.book(999_990, 1_000_010, symbol);
}

const sizesOf = ({ bot }: Rig): readonly number[] =>
  bot.account.workingOrders(BTC).map(({ sizeLots }) => sizeLots);

const silenceOf = (rig: Rig): unknown => rig.bot.status().markets[0]?.noQuoteReasons[0]?.reason;

test('a maker whose size does not fit a coarser lot pulls its quotes, and quotes again when it fits', () => {
  const rig = aMaker();
  expect(sizesOf(rig)).toEqual([3]);
  rig.feed({ type: 'MarketChanged', market: aMarket({ lotStep: lots(2) }) });
  quote(rig);
  expect(sizesOf(rig)).toEqual([]);
  expect(silenceOf(rig)).toBe('expected a size of BTC-PERP on its lot, got 0.003');
  rig.feed({ type: 'MarketChanged', market: aMarket() });
  quote(rig);
  expect(sizesOf(rig)).toEqual([3]);
  expect(rig.audit.typesOf('StrategyFailed')).toEqual([]);
});

test('error: a size that never fitted ends the strategy', () => {
  const rig = aRig([setupOf(maker, { parameters: { size: '0.0035' }, symbols: [BTC, ETH] })], {
    restartDelaysMs: [],
  });
  quote(rig);
  expect(rig.audit.typesOf('StrategyFailed')).toHaveLength(1);
});
