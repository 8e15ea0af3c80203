import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inOrder, mergeByTime, startingAt } from '../../../../src/tape/importers/event-order.ts';
import { type RecordedEvent, zeroCounters } from '../../../../src/tape/importers/recorded-market.ts';
import { all, at, levelsEvent, streamOf, tradeEvent } from './recordings.ts';

const ordered = async (...events: readonly RecordedEvent[]) => {
  const counters = zeroCounters();
  return { events: await all(inOrder(streamOf(...events), counters)), counters };
};

describe('inOrder', () => {
  test('puts a stream that runs ahead behind one that lags', async () => {
    const { events } = await ordered(
      levelsEvent(1000),
      levelsEvent(3600),
      tradeEvent(1100),
      tradeEvent(3600),
    );
    expect(events.map(({ kind, atMs }) => [kind, atMs])).toEqual([
      ['levels', 1000],
      ['trade', 1100],
      ['trade', 3600],
      ['levels', 3600],
    ]);
  });

  test('moves an event later than the window to the time of the one before it and counts it', async () => {
    const late = [
      levelsEvent(1000),
      levelsEvent(2000),
      levelsEvent(7001),
      tradeEvent(1500),
      levelsEvent(7002),
    ];
    const { events, counters } = await ordered(...late);
    expect(events.filter(({ kind }) => kind !== 'hole').map(({ atMs }) => atMs)).toEqual([
      1000, 2000, 2000, 7001, 7002,
    ]);
    expect(counters.lateMoved).toBe(1);
  });

  test('drops what comes before the first levels and counts it', async () => {
    const { events, counters } = await ordered(tradeEvent(900), levelsEvent(1000));
    expect(events).toEqual([levelsEvent(1000)]);
    expect(counters).toMatchObject({ tradesDropped: 1, trades: 0, levels: 1 });
  });

  test('keeps the order of events of one kind and time, and loses none', async () => {
    const source = fc.array(fc.record({ late: fc.integer({ min: 0, max: 2000 }), isTrade: fc.boolean() }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(source, async (steps) => {
        const given = steps.map(({ late, isTrade }, index) =>
          isTrade
            ? tradeEvent(5000 + index * 100 - late, index + 1)
            : levelsEvent(5000 + index * 100 - late, index + 1, index + 2),
        );
        const { events, counters } = await ordered(levelsEvent(0), ...given);
        const seen = events.filter(({ kind }) => kind !== 'hole');
        expect(seen).toHaveLength(given.length + 1);
        expect(new Set(seen)).toEqual(new Set([levelsEvent(0), ...given]));
        expect(counters.lateMoved).toBe(0);
        const times = events.map(({ atMs }) => atMs);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
  });
});

describe('startingAt', () => {
  test('begins with the book and the rest of the hole that stand at the start', async () => {
    const hole: RecordedEvent = { kind: 'hole', atMs: at(1000), untilMs: at(9000) };
    const source = { [Symbol.asyncIterator]: () => streamOf(levelsEvent(1000), hole, levelsEvent(9000)) };
    expect(await all(startingAt(source, 4000))).toEqual([
      levelsEvent(4000),
      { kind: 'hole', atMs: 4000, untilMs: 9000 },
      levelsEvent(9000),
    ]);
  });

  test('adds nothing when the start is the first event', async () => {
    expect(await all(startingAt(streamOf(levelsEvent(1000)), 1000))).toEqual([levelsEvent(1000)]);
  });
});

describe('mergeByTime', () => {
  test('prefers the first stream at the same time and ends with the longer one', async () => {
    const merged = mergeByTime(
      streamOf({ atMs: 2, from: 'a' }, { atMs: 3, from: 'a' }),
      streamOf({ atMs: 1, from: 'b' }, { atMs: 2, from: 'b' }, { atMs: 9, from: 'b' }),
    );
    expect((await all(merged)).map(({ atMs, from }) => `${from}${atMs}`)).toEqual([
      'b1',
      'a2',
      'b2',
      'a3',
      'b9',
    ]);
  });
});
