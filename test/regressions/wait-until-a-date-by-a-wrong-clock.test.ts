/** @module A wait until a date is held against the exchange's time: a step of the machine's own clock moved it. */
import { expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import { createGateway, type Transport } from '../../src/wire/gateway/index.ts';

const SERVER_MS = Date.parse('Tue, 06 Jan 2026 11:51:32 GMT');
const HOUR_MS = 3_600_000;

/** Tells the time, and refuses the list of markets until a date; its answers have no clock of their own. */
const TRANSPORT: Transport = {
  request: async ({ path }) => ({
    ...(path.includes('time')
      ? { status: 200, headers: {}, body: JSON.stringify({ serverTime: SERVER_MS }) }
      : {
          status: 429,
          headers: { 'retry-after': 'Tue, 06 Jan 2026 11:51:51 GMT' },
          body: '{"error":{"code":"RateLimited","message":"the budget is spent","details":{"bucket":"ip"}}}',
        }),
    kind: 'answer',
  }),
  open: () => {
    throw new Error('no socket is needed');
  },
  close: async () => undefined,
};

test.each([
  ['an hour ahead', HOUR_MS],
  ['an hour behind', -HOUR_MS],
])(
  'the machine is %s: a wait until a date is as long as it is at the exchange (O11, O117)',
  async (_which, wrongMs) => {
    const clock = new VirtualClock(SERVER_MS + wrongMs);
    const gateway = createGateway({
      ...{ clock, random: seededRandom('date'), log: silentLog, meter: silentMeter },
      baseUrl: 'http://127.0.0.1:1',
      transport: TRANSPORT,
    });
    await gateway.start();
    const answer = await gateway.client.get({ endpoint: 'markets' });
    expect(answer).toMatchObject({ status: 429, retryAfterMs: 19_000 });
    expect(
      gateway.budget.tryAcquire({ name: 'time', isWrite: false, isUrgent: true, weight: 1 }),
    ).toBeUndefined();
    await gateway.close();
  },
);
