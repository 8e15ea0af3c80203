/**
 * @module
 * A stop fires while its frames are lost, is cut to the position and filled; a snapshot does not show it any more. Its
 * strategy was told that it was canceled, as if somebody had said so (I30).
 */
import { describe, expect, test } from 'vitest';
import { AccountState, type Fact, lots, type OrderSpec, ticks } from '../../src/domain/index.ts';
import { takeChanges } from '../support/changes.ts';
import { accepted, aFill, aMarket, aSpec, sent, seq } from '../support/trading-builders.ts';

const trigger = { priceTicks: ticks(999_900), isAbove: false };

/** What is told of the end of an order that is filled by so many lots and is gone. */
function told(spec: OrderSpec, filledLots: number): unknown {
  const state = new AccountState();
  const fills: readonly Fact[] = [
    {
      type: 'FillRecorded',
      fill: aFill({ orderId: '7', side: spec.side, priceTicks: spec.priceTicks, sizeLots: filledLots }),
    },
  ];
  const facts: readonly Fact[] = [
    { type: 'MarketChanged', market: aMarket() },
    { type: 'AccountSynced', seq: seq(9), epoch: 'k1' },
    sent('r1', [spec]),
    accepted(spec, '7', { seq: 10 }),
    ...(filledLots > 0 ? fills : []),
    // The first may be older than the order, whose place in the log its answer did not give.
    { type: 'OrdersReplaced', orders: [], seq: seq(20), isComplete: true },
    { type: 'OrdersReplaced', orders: [], seq: seq(21), isComplete: true },
  ];
  for (const fact of facts) state.fold(fact);
  const change = takeChanges(state)
    .filter(({ type }) => type === 'OrderChanged')
    .at(-1);
  return change?.type === 'OrderChanged' ? [change.status, change.reason] : undefined;
}

const stop = (changes: Partial<OrderSpec> = {}): OrderSpec => ({
  ...aSpec({ side: 'sell', sizeLots: 5, timeInForce: 'ioc', reduceOnly: true, trigger }),
  ...changes,
});

describe('a stop of which a snapshot shows nothing any more', () => {
  test('is told as gone, and that it may have been cut and filled', () => {
    expect(told(stop(), 2)).toEqual(['canceled', expect.stringContaining('cut it to the position')]);
  });

  test.each([
    ['was filled to its size', stop(), 5, 'filled'],
    ['was not filled at all', stop(), 0, 'canceled'],
    ['may open a position', stop({ reduceOnly: false }), 2, 'canceled'],
  ] as const)('is told without that where it %s', (_what, spec, filledLots, status) => {
    expect(told(spec, filledLots)).toEqual([status, undefined]);
  });

  test('nor is an order that has never waited', () => {
    const { trigger: _none, ...plain } = stop();
    expect(told({ ...plain, sizeLots: lots(5) }, 2)).toEqual(['canceled', undefined]);
  });
});
