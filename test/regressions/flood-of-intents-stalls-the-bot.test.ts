/** @module A strategy that asked 100,000 times in one call held everything up until the switch fired (F64). */
import { expect, test } from 'vitest';
import type { StrategyContext } from '../../src/bot/strategy/index.ts';
import type { MarketSymbol } from '../../src/domain/index.ts';
import { lots, type StrategyId, ticks } from '../../src/domain/index.ts';
import { aRig, setupOf, strategyOf } from '../support/bot-rig.ts';
import { BTC, ETH } from '../support/trading-builders.ts';

const INTENTS_PER_CALL_MAX = 250;

const quote = (context: StrategyContext, symbol: MarketSymbol) =>
  context.quote(symbol, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] });

/** Asks once at the first book of ETH, which is there at the start, and `count` times at the next; `isStubborn`: catches what it is told. */
function aFlood(count: number, isStubborn: boolean) {
  let books = 0;
  return strategyOf((context) => ({
    onBook: ({ symbol }) => {
      if (symbol !== ETH) return;
      books++;
      for (let n = 0; n < (books > 1 ? count : 1); n++) {
        try {
          quote(context, ETH);
        } catch (thrown) {
          if (!isStubborn) throw thrown;
        }
      }
    },
  }));
}

test.each([false, true])(
  'is stopped, its orders go, the other strategy quotes on (catching: %s)',
  (isStubborn) => {
    const other = strategyOf((context) => ({
      onBook: ({ symbol }) => {
        if (symbol === BTC) quote(context, BTC);
      },
    }));
    const rig = aRig([
      setupOf(aFlood(100_000, isStubborn), { id: 'flood' as StrategyId, symbols: [ETH] }),
      setupOf(other, { symbols: [BTC] }),
    ]);
    rig.book(999_990, 1_000_010, ETH);
    expect(rig.bot.account.workingOrders(ETH)).toHaveLength(1);
    rig.book(999_990, 1_000_010, ETH);
    expect(rig.bot.status().strategies.find(({ id }) => id === 'flood')).toMatchObject({ state: 'failed' });
    expect(rig.bot.account.workingOrders(ETH)).toEqual([]);
    expect(rig.audit.typesOf('IntentDenied').length).toBeLessThanOrEqual(INTENTS_PER_CALL_MAX);
    rig.book(999_990, 1_000_010);
    expect(rig.bot.account.workingOrders(BTC)).toHaveLength(1);
  },
);

test('does not meet a strategy that asks as often as it may', () => {
  const rig = aRig([setupOf(aFlood(INTENTS_PER_CALL_MAX, false), { symbols: [ETH] })]);
  rig.book(999_990, 1_000_010, ETH);
  expect(rig.bot.status().strategies[0]).toMatchObject({ state: 'running' });
});
