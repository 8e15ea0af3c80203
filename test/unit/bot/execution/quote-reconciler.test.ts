import { describe, expect, test } from 'vitest';
import { diffQuotes } from '../../../../src/bot/execution/index.ts';
import type { DesiredQuotes, QuotedOrders } from '../../../../src/bot/execution/quote-reconciler.ts';
import { LEVELS_MAX } from '../../../../src/bot/kernel/levels.ts';
import { lots, type OrderSpec, ticks, type WorkingOrder } from '../../../../src/domain/index.ts';
import { BATCH_ITEMS_MAX } from '../../../../src/wire/protocol/index.ts';
import { aSpec, aWorkingOrder, BTC, ETH } from '../../../support/trading-builders.ts';

const level = (priceTicks: number, sizeLots: number) =>
  ({ priceTicks, sizeLots }) as DesiredQuotes['bids'][number];
const order = (orderId: string, priceTicks: number, remainingLots: number, side: 'buy' | 'sell' = 'buy') =>
  aWorkingOrder(orderId, { side, priceTicks: ticks(priceTicks), sizeLots: lots(remainingLots) });

function present(working: WorkingOrder[], inFlight: OrderSpec[] = [], pending: string[] = []): QuotedOrders {
  return { working, inFlight, isCancelPending: (orderId) => pending.includes(orderId) };
}

const wanted = (bids: [number, number][], asks: [number, number][] = []): DesiredQuotes => ({
  symbol: BTC,
  bids: bids.map(([price, size]) => level(price, size)),
  asks: asks.map(([price, size]) => level(price, size)),
});

describe('the difference of quotes', () => {
  test('orders that already are what is wanted stay', () => {
    const diff = diffQuotes(
      wanted([[100, 5]], [[110, 5]]),
      present([order('1', 100, 5), order('2', 110, 5, 'sell')]),
    );
    expect(diff).toEqual({ cancels: [], places: [], unwantedInFlight: [] });
  });

  test('a moved level is one cancel and one placement', () => {
    const diff = diffQuotes(wanted([[101, 5]]), present([order('1', 100, 5)]));
    expect(diff.cancels).toEqual([{ symbol: BTC, orderId: '1' }]);
    expect(diff.places).toEqual([{ side: 'buy', priceTicks: 101, sizeLots: 5 }]);
  });

  test('a level that is wanted twice needs two orders', () => {
    const diff = diffQuotes(
      wanted([
        [100, 5],
        [100, 5],
      ]),
      present([order('1', 100, 5)]),
    );
    expect(diff).toMatchObject({ cancels: [], places: [{ priceTicks: 100 }] });
  });

  test('within the tolerance an order keeps its place in the queue, the nearest first', () => {
    const there = present([order('1', 97, 5), order('2', 99, 5)]);
    const diff = diffQuotes(wanted([[100, 5]]), there, { priceTicks: 3 });
    expect(diff.places).toEqual([]);
    expect(diff.cancels).toEqual([{ symbol: BTC, orderId: '1' }]);
  });

  test('a partly filled order stays within the tolerance of sizes', () => {
    const there = present([order('1', 100, 3)]);
    expect(diffQuotes(wanted([[100, 5]]), there, { sizeLots: 2 }).cancels).toEqual([]);
    expect(diffQuotes(wanted([[100, 5]]), there, { sizeLots: 1 }).cancels).toHaveLength(1);
  });

  test('what is in flight counts as there; what is not wanted of it cannot be canceled yet', () => {
    const flying = aSpec({ priceTicks: 100, sizeLots: 5 });
    const astray = aSpec({ priceTicks: 90, sizeLots: 5 });
    const diff = diffQuotes(wanted([[100, 5]]), present([order('1', 100, 5)], [flying, astray]));
    expect(diff).toEqual({
      places: [],
      cancels: [{ symbol: BTC, orderId: '1' }],
      unwantedInFlight: [astray],
    });
  });

  test('an order with a cancel on its way counts as gone', () => {
    const diff = diffQuotes(wanted([[100, 5]]), present([order('1', 100, 5)], [], ['1']));
    expect(diff).toMatchObject({ cancels: [], places: [{ priceTicks: 100 }] });
  });

  test('other markets and empty levels are left alone', () => {
    const elsewhere = { ...order('1', 100, 5), symbol: ETH };
    expect(diffQuotes(wanted([[100, 0]]), present([elsewhere]))).toMatchObject({ cancels: [], places: [] });
  });
});

test('the most levels a strategy can state, moved all at once, fit into one write', () => {
  expect(2 * LEVELS_MAX).toBeLessThanOrEqual(BATCH_ITEMS_MAX);
});
