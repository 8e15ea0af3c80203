/**
 * Symptom: a bot that wanted more than its budget gives warned of each write that had to wait for room, as of one whose
 * outcome is not known: an alarm with nothing wrong.
 */
import { expect, test } from 'vitest';
import type { NoAnswer } from '../../src/bot/execution/index.ts';
import { type Log, silentLog } from '../../src/core/index.ts';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, TRADER } from '../unit/bot/execution/support.ts';

test.each<{ what: string; once: NoAnswer; warned: boolean }>([
  { what: 'waits for room', once: { kind: 'notSent', why: 'no room', isHeldBack: true }, warned: false },
  { what: 'found nobody', once: { kind: 'notSent', why: 'connection refused' }, warned: true },
])('a write that $what is sent again (I28, O116)', async ({ once, warned }) => {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };
  const bench = aBench({ log });
  await bench.start();
  const { gateway, trader } = bench;
  const post = gateway.post.bind(gateway);
  const answers = [once];
  gateway.post = async (write) =>
    (write.body.includes(trader.address) ? answers.shift() : undefined) ?? (await post(write));
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  await bench.run(3_000);
  expect(bench.of('OrderAccepted')).toHaveLength(1);
  expect(warnings).toEqual(warned ? ['write unresolved: response inconclusive'] : []);
  bench.executor.dispose();
});
