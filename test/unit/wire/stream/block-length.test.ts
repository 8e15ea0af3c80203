/** @module How long blocks are, as far as frames tell (I25, denials.md P16). */
import { expect, test } from 'vitest';
import { BlockLength } from '../../../../src/wire/stream/block-length.ts';

const seen = (...atMs: readonly number[]): BlockLength => {
  const blocks = new BlockLength();
  for (const tsMs of atMs) blocks.note(tsMs);
  return blocks;
};

test('is not known before a second block, and nothing waits for one', () => {
  for (const blocks of [seen(), seen(5_000), seen(5_000, 5_000)])
    expect([blocks.isKnown, blocks.ms, blocks.untilNextMs]).toEqual([false, 0, 0]);
});

test('is the shortest time between two that were seen, and the next one has a way to come', () => {
  const blocks = seen(0, 4_400, 6_600, 6_600, 4_400, 8_800);
  expect([blocks.isKnown, blocks.ms, blocks.untilNextMs]).toEqual([true, 2_200, 2_300]);
});

test('follows blocks that become longer, once twenty of them were seen', () => {
  const blocks = seen(0, 100);
  for (let block = 1; block <= 20; block++) {
    expect(blocks.ms).toBe(100);
    blocks.note(100 + block * 900);
  }
  expect(blocks.ms).toBe(900);
});
