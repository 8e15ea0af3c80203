/** @module Refused connections were charged to our own count of a budget: nothing was asked for a minute (seed 9808 of the swarm). */
import { expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import { RestClient } from '../../src/wire/gateway/rest/client.ts';
import { RequestBudget } from '../../src/wire/gateway/rest/request-budget.ts';
import type { HttpAnswer, NoAnswer } from '../../src/wire/gateway/transport.ts';

const WINDOW_MS = 60_000;
const TIME: HttpAnswer = {
  kind: 'answer',
  status: 200,
  headers: { ratelimit: '"ip";r=19;t=60', 'ratelimit-policy': '"ip";q=21;w=60' },
  body: '{"serverTime":1}',
};

/** How many of 30 questions go out in a window of 21 when they end like this. */
async function askedIn(result: NoAnswer): Promise<number> {
  const clock = new VirtualClock(1_767_700_020_000);
  const parts = { clock, log: silentLog, meter: silentMeter, serverNowMs: () => clock.nowMs() };
  let next: HttpAnswer | NoAnswer = TIME;
  let asked = 0;
  const budget = new RequestBudget({ ...parts, random: seededRandom('never left') });
  const client = new RestClient({
    ...parts,
    budget,
    transport: {
      request: async () => {
        asked++;
        return next;
      },
      open: () => {
        throw new Error('no socket is opened');
      },
    },
  });
  const all = [client.get({ endpoint: 'time' })];
  await clock.advanceAsync(WINDOW_MS);
  next = result;
  asked = 0;
  for (let i = 0; i < 30; i++) {
    all.push(client.get({ endpoint: 'time' }));
    await clock.advanceAsync(100);
  }
  budget.close();
  await Promise.all(all);
  return asked;
}

test('requests that never left are charged to no budget (O112, O114)', async () => {
  expect(await askedIn({ kind: 'notSent', why: 'ECONNREFUSED' })).toBe(30);
});

test('those that may have arrived are, and leave the reserve alone (O112, O116)', async () => {
  expect(await askedIn({ kind: 'lost', why: 'ECONNRESET' })).toBe(17);
});
