/** @module Values of custom feeds reach every strategy, after the state and within the turn, and are kept in a run's log. */
import { describe, expect, test } from 'vitest';
import { formatEntry, parseEntry } from '../../../../src/bot/replay/index.ts';
import { order } from '../../../../src/bot/strategy/index.ts';
import { unixMs } from '../../../../src/core/index.ts';
import type { FeedFact } from '../../../../src/domain/index.ts';
import { lots, ticks } from '../../../../src/domain/index.ts';
import { aRig, OTHER, setupOf, strategyOf } from '../../../support/bot-rig.ts';
import { BTC } from '../../../support/trading-builders.ts';

const value = (score: number): FeedFact => ({
  type: 'FeedReceived',
  feed: 'mood',
  value: { score },
  atMs: unixMs(5_000),
});

describe('a value of a feed', () => {
  test('is shown to every strategy with the name of its feed and its time', () => {
    const seen: unknown[] = [];
    const listener = (name: string) =>
      strategyOf(() => ({ onFeed: (got, feed) => void seen.push([name, got, feed]) }), name);
    const rig = aRig([setupOf(listener('first')), setupOf(listener('second'), { id: OTHER })]);
    rig.feed(value(1));
    const feed = { name: 'mood', atMs: 5_000 };
    expect(seen).toEqual([
      ['first', { score: 1 }, feed],
      ['second', { score: 1 }, feed],
    ]);
  });

  test('can be traded on within the turn', () => {
    const rig = aRig(
      strategyOf((context) => ({
        onFeed: () => {
          context.place(
            order.postOnly({ symbol: BTC, side: 'buy', priceTicks: ticks(999_900), sizeLots: lots(10) }),
          );
        },
      })),
    );
    rig.book(999_990, 1_000_010);
    rig.feed(value(1));
    expect(rig.venue.submitted).toMatchObject([{ command: { kind: 'place', orders: [{ side: 'buy' }] } }]);
  });

  test('stands in the log of a run without a loss', () => {
    const entry = { at: undefined, event: { kind: 'fact', fact: value(0.1) } } as const;
    expect(parseEntry(formatEntry(entry))).toEqual(entry);
  });
});
