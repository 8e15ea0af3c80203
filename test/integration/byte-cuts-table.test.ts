/** What is cut is the product's table of endpoints: a write or a read without a scene would be cut by nobody. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { READS } from '../support/byte-cuts.ts';
import { CutScene } from '../support/cut-scene.ts';
import { PLANS, WRITES } from '../support/cut-writes.ts';

/** Of a default exchange: it has no builder dex. */
const NOT_THERE = new Set(['dex']);
let scene: CutScene;

beforeAll(async () => {
  scene = await CutScene.open();
});

afterAll(() => scene.close());

test('every write of the interface has its plan', () => {
  expect(Object.keys(PLANS).sort()).toEqual([...WRITES].sort());
  expect(WRITES.length).toBeGreaterThan(20);
});

test.each(WRITES)('%s is executed when nobody cuts it', async (name) => {
  await scene.tidy();
  const write = scene.ready(name);
  await scene.run(write);
  expect(scene.sequenced.get(write.query.requestId)).toBe(1);
});

test.each([...READS.keys()])('%s answers when nobody cuts it', async (name) => {
  await scene.run(scene.ready('PlaceOrder'));
  const call = READS.get(name)?.(scene);
  const isThere = !NOT_THERE.has(name) && name !== 'receipt';
  expect(call && (await scene.gateway.client.get(call))).toMatchObject({ status: isThere ? 200 : 404 });
});
