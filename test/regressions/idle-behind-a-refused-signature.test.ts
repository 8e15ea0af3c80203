/** @module Nobody looked at the signing domain while it was another one: the bot idled on without its trading lane. */
import { expect, test } from 'vitest';
import { isRunLost } from '../../src/bot/live/start/fatal-halts.ts';
import type { LaneId } from '../../src/domain/index.ts';
import { aCalmWorld, haltsIn } from '../support/calm-world.ts';
import { aBench, refusal, SAFETY, TRADER } from '../unit/bot/execution/support.ts';

test('a bot whose signature was refused ends by name, and quotes when it is started again (F40, O5, O48)', async () => {
  const { world, pass, open } = await aCalmWorld();
  const body = JSON.stringify({
    error: { code: 'GatewayBadSignature', num: 1100, message: 'not the signer' },
  });
  const headers = { 'content-type': 'application/json' };
  let refused = 0;
  const halts = haltsIn(world);
  world.bot.start();
  await pass(60_000, () => open() > 0);
  world.network.onRequest(({ path }) => {
    if (!['/v1/orders', '/v1/orders/replace'].includes(path.replace(/^.*(?=\/v1\/)/, '')) || refused > 0)
      return undefined;
    refused++;
    return { kind: 'answerInstead', answer: { status: 401, headers, body } };
  });
  await pass(120_000, () => world.bot.life.state === 'over');
  expect(halts).toEqual(['EXECUTION_SIGNATURE_REFUSED']);
  expect(world.bot.life).toMatchObject({ number: 1, state: 'over' });
  expect(open()).toBe(0);
  world.bot.start();
  await pass(60_000, () => open() > 0);
  expect(open()).toBeGreaterThan(0);
});

test('a safety lane whose fence is refused so ends the run too: nothing closes its nonce any more (F40, O28)', async () => {
  const bench = aBench();
  await bench.start();
  const { gateway } = bench;
  const post = gateway.post.bind(gateway);
  let isLost = false;
  gateway.post = async (write) => {
    if (!write.body.includes(bench.safety.address)) return await post(write);
    if (isLost) return refusal(401, 'GatewayBadSignature');
    isLost = true;
    return { kind: 'lost', why: 'timeout' };
  };
  bench.executor.submitSafety({ kind: 'cancelAll' });
  await bench.run(10_000);
  expect(bench.of('LaneHalted')).toMatchObject([{ lane: SAFETY, code: 'EXECUTION_SIGNATURE_REFUSED' }]);
  const trading = new Set<LaneId | undefined>([TRADER]);
  expect(isRunLost('EXECUTION_SIGNATURE_REFUSED', bench.executor.lanes(), trading)).toBe(true);
  bench.executor.dispose();
});
