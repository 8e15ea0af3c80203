import { describe, expect, test } from 'vitest';
import { mergeStreams } from '../../../../src/tape/importers/merge-streams.ts';
import { all, streamOf } from './recordings.ts';

describe('mergeStreams', () => {
  test('prefers the first stream at the same time and ends with the longer one', async () => {
    const streams = [
      streamOf({ atMs: 2, from: 'a' }, { atMs: 3, from: 'a' }),
      streamOf({ atMs: 1, from: 'b' }, { atMs: 2, from: 'b' }, { atMs: 9, from: 'b' }),
    ];
    const merged = mergeStreams(streams, ({ atMs }) => atMs);
    expect((await all(merged)).map(({ atMs, from }) => `${from}${atMs}`)).toEqual([
      'b1',
      'a2',
      'b2',
      'a3',
      'b9',
    ]);
  });
});
