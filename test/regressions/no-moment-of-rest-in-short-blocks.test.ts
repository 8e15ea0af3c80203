/**
 * Symptom: where frames took 25 ms and blocks 508, the simulation waited for a rest that was longer than a block, found none,
 * and told of a bot that knew everything: seed 5590 of the swarm.
 */
import { expect, test } from 'vitest';
import { Quiet } from '../simulation/quiet.ts';
import { aCalmWorld } from '../support/calm-world.ts';

const FAR = { requestMs: 46, answerMs: 25, frameMs: 25, journalMs: 37 };

test.each([400, 508, 2_300])(
  'blocks of %i ms behind a far gateway leave moments of rest',
  async (blockMs) => {
    const { world, pass } = await aCalmWorld({ latency: FAR, settings: { blockMs } });
    const quiet = new Quiet(world);
    world.bot.start();
    await pass(10_000);
    let rests = 0;
    for (let looks = 0; looks < 2_000; looks++) {
      await world.clock.advanceAsync(10);
      if (quiet.isNow()) rests++;
    }
    expect(world.bot.life.view()).toMatchObject({ account: 'synced' });
    expect(rests).toBeGreaterThan(2);
  },
);
