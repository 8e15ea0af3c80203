/**
 * Symptom: one answer with a wrong balance, while nothing was amiss, was taken for cash that the exchange's own ledger does not
 * explain: it was said so, and the right balance of all later answers differed from the ledger for ten minutes.
 */
import { describe, expect, test } from 'vitest';
import { observedLog, silentLog } from '../../src/core/index.ts';
import { aScene, type Scene, statesAt } from '../unit/wire/stream/scripted.ts';

const SAID = 'the ledger of the exchange does not add up to its cash';

/** A synced account whose balance is what `collateralOf` gives for each answer, from the first one on. */
async function audited(collateralOf: (answer: number) => string): Promise<{ scene: Scene; said: string[] }> {
  const said: string[] = [];
  const scene = aScene({ log: observedLog(silentLog, (_level, message) => said.push(message)) });
  let answers = 0;
  scene.history.body = (name) =>
    statesAt(10, { collateral: collateralOf(name === 'account' ? ++answers : 0) })(name);
  await scene.sync();
  return { scene, said };
}

describe('cash that the ledger does not explain', () => {
  test('is not the word of one answer', async () => {
    const { scene, said } = await audited((answer) => (answer === 1 ? '5.000000' : '0.000000'));
    await scene.advance(20_000);
    expect(said).toContain('what was booked differs from the exchange: the history is read again in full');
    expect(said).not.toContain(SAID);
    // The wrong answer, and the one that is right: nothing is amiss any more.
    expect(scene.history.bodies.filter((name) => name === 'account')).toHaveLength(2);
  });

  test('is named once where two answers say the same', async () => {
    const { scene, said } = await audited(() => '5.000000');
    await scene.advance(20_000);
    expect(said.filter((message) => message === SAID)).toHaveLength(1);
  });
});
