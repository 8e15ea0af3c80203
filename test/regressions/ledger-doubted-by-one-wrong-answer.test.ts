/**
 * Symptom: one answer with a wrong balance, while nothing was amiss, was taken for cash that the exchange's own ledger does not
 * explain: it was said so, and the right balance of all later answers differed from the ledger for ten minutes.
 */
import { describe, expect, test } from 'vitest';
import { observedLog, silentLog } from '../../src/core/index.ts';
import { accountFrame, aScene, type Scene, statesAt } from '../unit/wire/stream/scripted.ts';

const SAID = 'the ledger of the exchange does not add up to its cash';

interface Audited {
  readonly said: string[];
  readonly scene: Scene;
  /** Lets time pass on a connection that answers. */
  advance(ms: number): Promise<void>;
}

/** A synced account whose balance is what `collateralOf` gives for each answer, from the first one on. */
async function audited(collateralOf: (answer: number) => string): Promise<Audited> {
  const said: string[] = [];
  const scene = aScene({ log: observedLog(silentLog, (_level, message) => said.push(message)) });
  let answers = 0;
  scene.history.body = (name) =>
    statesAt(10, { collateral: collateralOf(name === 'account' ? ++answers : 0) })(name);
  await scene.sync();
  const advance = async (ms: number): Promise<void> => {
    for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
      scene.socket().frame({ channel: 'pong', data: { ts: scene.clock.nowMs() } });
      scene.socket().acknowledge(undefined, 'orders');
      scene.socket().frame(accountFrame('orders', 10, { orders: [] }, { isSnapshot: true }));
      await scene.advance(1_000);
    }
  };
  return { said, scene, advance };
}

describe('cash that the ledger does not explain', () => {
  test('is not the word of one answer', async () => {
    const { scene, said, advance } = await audited((answer) => (answer === 1 ? '5.000000' : '0.000000'));
    await advance(20_000);
    expect(said).toContain('what was booked differs from the exchange: the history is read again in full');
    expect(said).not.toContain(SAID);
    // The wrong answer, and the one that is right: nothing is amiss any more.
    expect(scene.history.bodies.filter((name) => name === 'account')).toHaveLength(2);
  });

  test('is named once where answers say the same for as long as a page may lack an entry', async () => {
    const { said, advance } = await audited(() => '5.000000');
    await advance(50_000);
    expect(said).not.toContain(SAID);
    await advance(70_000);
    expect(said.filter((message) => message === SAID)).toHaveLength(1);
  });

  test('is looked for again ever more rarely', async () => {
    const { said, advance } = await audited(() => '5.000000');
    const readings = (): number => said.filter((message) => message.includes('read again in full')).length;
    await advance(120_000);
    expect(readings()).toBe(2);
    await advance(650_000);
    expect(readings()).toBe(3);
    await advance(650_000);
    expect(readings()).toBe(3);
    await advance(600_000);
    expect(readings()).toBe(4);
  });

  test('changes with each answer: is not the word of any', async () => {
    const { said, advance } = await audited((answer) => `${answer}.000000`);
    await advance(400_000);
    expect(said).not.toContain(SAID);
  });
});
