/** @module When the bot sees what: the three kinds of feed latency. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../src/core/index.ts';
import { createDelivery } from '../../../../src/research/backtest/replay/delivery.ts';
import type { FeedLatency } from '../../../../src/research/backtest/types.ts';
import { FLAG_END } from '../../../../src/tape/format/index.ts';

type Row = readonly [exchangeUs: number, receivedUs: number, isEnd?: boolean];

function timesOf(feed: FeedLatency, ...batches: readonly (readonly Row[])[]): number[] {
  const delivery = createDelivery(feed, seededRandom(1));
  return batches.flatMap((rows) => {
    if ('delayUs' in delivery) return rows.map(([exchangeUs]) => exchangeUs + delivery.delayUs);
    const into = new Float64Array(rows.length);
    delivery.times(
      {
        flags: Uint8Array.from(rows, ([, , isEnd = true]) => (isEnd ? FLAG_END : 0)),
        exchangeUs: Float64Array.from(rows, ([exchangeUs]) => exchangeUs),
        receivedUs: Float64Array.from(rows, ([, receivedUs]) => receivedUs),
      },
      into,
    );
    return [...into];
  });
}

describe('createDelivery', () => {
  test('delivers as recorded, never before the row in front of it', () => {
    const feed = { kind: 'in-data', shiftUs: 0 } as const;
    expect(
      timesOf(
        feed,
        [[100, 150]],
        [
          [110, 140],
          [120, 190],
        ],
      ),
    ).toEqual([150, 150, 190]);
  });

  test('never delivers before it happened, whatever the recorder clock says', () => {
    expect(
      timesOf({ kind: 'in-data', shiftUs: 0 }, [
        [1_000, 10],
        [1_005, 12],
      ]),
    ).toEqual([1_000, 1_005]);
    expect(
      timesOf({ kind: 'in-data', shiftUs: 1_200 }, [
        [1_000, 10],
        [1_005, 12],
      ]),
    ).toEqual([1_210, 1_212]);
  });

  test('adds a constant to the time of the exchange', () => {
    expect(
      timesOf({ kind: 'constant', us: 7 }, [
        [1, 0],
        [5, 0],
      ]),
    ).toEqual([8, 12]);
  });

  test('draws one latency a frame, over the end of a batch, and keeps the order', () => {
    const us = Array.from({ length: 50 }, (_none, at) => at * 10);
    const feed = { kind: 'sampled', us } as const;
    const times = timesOf(
      feed,
      [
        [1_000, 0, false],
        [1_000, 0, false],
      ],
      [
        [1_000, 0],
        [1_001, 0],
        [1_002, 0],
      ],
    );
    expect(times[0]).toBe(times[1]);
    expect(times[1]).toBe(times[2]);
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(
      timesOf(feed, [
        [1_000, 0],
        [3_000, 0],
      ]),
    ).toEqual(
      timesOf(feed, [
        [1_000, 0],
        [3_000, 0],
      ]),
    );
  });

  test('takes the latency that was in force', () => {
    const feed = { kind: 'recorded', atUs: Float64Array.of(10, 20), us: Float64Array.of(3, 100) } as const;
    expect(
      timesOf(feed, [
        [5, 0],
        [19, 0],
        [20, 0],
      ]),
    ).toEqual([8, 22, 120]);
  });
});
