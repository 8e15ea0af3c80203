/** @module Quotes that could not be used were denied, and the ones before them stayed in the book at old prices. */
import { expect, test } from 'vitest';
import { lots, type Ticks } from '../../src/domain/index.ts';
import { aRig, strategyOf } from '../support/bot-rig.ts';
import { BTC } from '../support/trading-builders.ts';

test('a target with a price that is no number takes the quotes before it off', () => {
  let price = 999_980;
  const denials: string[] = [];
  const rig = aRig(
    strategyOf((context) => ({
      onBook: () =>
        context.quote(BTC, { bids: [{ priceTicks: price as Ticks, sizeLots: lots(10) }], asks: [] }),
      onDenied: ({ code }) => {
        denials.push(code);
      },
    })),
  );
  rig.book(999_990, 1_000_010);
  expect(rig.bot.account.workingOrders(BTC)).toHaveLength(1);
  price = Number.NaN;
  rig.book(999_990, 1_000_010);
  expect(denials).toHaveLength(1);
  expect(rig.bot.account.workingOrders(BTC)).toEqual([]);
  price = 999_970;
  rig.book(999_990, 1_000_010);
  expect(rig.bot.account.workingOrders(BTC)).toHaveLength(1);
});
