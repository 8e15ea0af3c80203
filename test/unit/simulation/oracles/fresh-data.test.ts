/**
 * @module
 * The oracle of fresh data and blocks that are long: a frame is stamped with its block, so one of the block that runs was
 * taken for held back, and an order after it for placed on old data (I25, seed 7079 of the swarm).
 */
import { expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/fresh-data.ts';
import type { Oracle } from '../../../simulation/types.ts';
import { MadeRun, START_MS } from './made-run.ts';

/** The oracles over an exchange with blocks of this length, whose first one has just begun. */
function overBlocksOf(blockMs: number): readonly Oracle[] {
  return ORACLES.map((oracle) => ({
    ...oracle,
    begin: (world) => {
      Object.assign(world.exchange.settings, { blockMs });
      Object.assign(world.exchange, { blockAtMs: START_MS });
      return oracle.begin(world);
    },
  }));
}

test.each([
  ['of the block that runs is new where blocks are long', 2_075, 1_771, []],
  ['of a block before it was held back', 2_075, 2_500, ['I25']],
  ['of the same age was held back where blocks are short', 200, 1_771, ['I25']],
  ['that is a little late is new', 200, 900, []],
] as const)('a frame %s', (_what, blockMs, ageMs, broken) => {
  const one = new MadeRun(overBlocksOf(blockMs), {}).live();
  // The oracle reads here by how much the exchange's time is ahead of that of the world.
  one.block().pass(ageMs);
  const data = { symbol: 'BTC-USD', ts: START_MS };
  one.tell({ kind: 'frame', socket: 1, life: 1, text: JSON.stringify({ channel: 'bbo', seq: 1, data }) });
  one.pass(1_860).record({ nonce: 0n });
  expect(one.broken).toEqual(broken);
});
