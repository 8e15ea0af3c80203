import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CutCount, cutReads, cutWrites, READS } from '../support/byte-cuts.ts';
import { CutScene } from '../support/cut-scene.ts';
import { WRITES } from '../support/cut-writes.ts';
import { cutClientFrames, cutServerFrames, cutUpgrades, FRAME_TEXTS } from '../support/frame-cuts.ts';

/**
 * A sample of `npm run prove -- cuts`, which cuts at every byte. Steps are prime, and each section begins at another
 * byte, so that heads, lengths and bodies are met.
 */
let scene: CutScene;

beforeAll(async () => {
  scene = await CutScene.open();
});

afterAll(() => scene.close());

const count = (): CutCount => ({ cases: 0, wrong: [] });

describe('a write that is cut on its way', () => {
  test.each(WRITES.map((name, at) => [name, at] as const))(
    '%s: what the client says is what happened, with one POST and a receipt (O67, O71)',
    async (name, at) => {
      const seen = count();
      await cutWrites(scene, name, { first: at, step: 113 }, seen);
      expect(seen.wrong).toEqual([]);
      expect(seen.cases).toBeGreaterThan(12);
    },
  );
});

describe('a read that is cut on its way', () => {
  test('is lost, asked once, and whole when its last byte came (O67)', async () => {
    const seen = count();
    let first = 0;
    for (const name of READS.keys()) await cutReads(scene, name, { first: first++, step: 397 }, seen);
    expect(seen.wrong).toEqual([]);
    expect(seen.cases).toBeGreaterThan(50);
  });
});

describe('a socket that is cut (F16)', () => {
  test('at its upgrade: it opens when the whole answer came, and ends once', async () => {
    const seen = count();
    await cutUpgrades(scene, { first: 0, step: 61 }, seen);
    expect(seen.wrong).toEqual([]);
    expect(seen.cases).toBeGreaterThan(10);
  });

  test('inside of what the client sends: the exchange takes whole frames alone', async () => {
    const seen = count();
    await cutClientFrames(scene, { first: 1, step: 17 }, seen);
    expect(seen.wrong).toEqual([]);
    expect(seen.cases).toBeGreaterThan(20);
  });

  test('inside of each kind of frame: the client hears whole frames alone', async () => {
    const seen = count();
    let first = 0;
    for (const name of FRAME_TEXTS.keys())
      await cutServerFrames(scene, name, { first: first++, step: 73 }, seen);
    expect(seen.wrong).toEqual([]);
    expect(seen.cases).toBeGreaterThan(100);
  });
});
