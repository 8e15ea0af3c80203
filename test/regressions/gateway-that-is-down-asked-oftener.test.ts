/**
 * @module
 * A gateway that was down while a market took no orders was asked for its environment more than 120 times a minute: a read
 * has six attempts of its own, and the next look began as soon as it had failed (obligation O118; invariant I29, seed 7653
 * of the swarm).
 */
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/bot/live/connect/environment.ts';
import { watchEnvironment } from '../../src/bot/live/connect/environment-watch.ts';
import { seededRandom, silentLog, VirtualClock } from '../../src/core/index.ts';
import type { RestClient } from '../../src/wire/gateway/rest/client.ts';
import { Reader } from '../../src/wire/gateway/rest/read.ts';
import { aMarket } from '../support/trading-builders.ts';

const MINUTE_MS = 60_000;
/** As soon as it may, a look begins again: what is allowed by obligation O118, and the looks at the edges of a minute. */
const A_MINUTE_MAX = 66;

/** A watch over a gateway that does not answer. */
function aWatch(status: 'Active' | 'CancelOnly') {
  const clock = new VirtualClock(1_767_700_020_000);
  let requests = 0;
  const client = {
    get: async () => {
      requests++;
      return { kind: 'notSent', why: 'refused' };
    },
  } as unknown as RestClient;
  const reader = new Reader({ client, clock, random: seededRandom(7653), log: silentLog });
  const watch = watchEnvironment({
    environment: { gateway: { reader } } as unknown as Environment,
    markets: [aMarket({ status })],
    ...{ clock, log: silentLog, onMarket: () => undefined, onHalt: () => undefined },
  });
  const minute = async (each: () => void = () => undefined): Promise<number> => {
    requests = 0;
    for (let atMs = 0; atMs < MINUTE_MS; atMs += 250) {
      await clock.advanceAsync(250);
      each();
    }
    return requests;
  };
  return { watch, minute };
}

describe('the environment of a gateway that is down is asked for once a second at most', () => {
  test('while a market takes no orders', async () => {
    const { minute } = aWatch('CancelOnly');
    for (let at = 0; at < 3; at++) {
      const requests = await minute();
      expect(requests).toBeLessThanOrEqual(A_MINUTE_MAX);
      expect(requests).toBeGreaterThan(30);
    }
  });

  test('while orders are refused for what their market is', async () => {
    const { watch, minute } = aWatch('Active');
    for (let at = 0; at < 3; at++)
      expect(await minute(() => watch.suspect())).toBeLessThanOrEqual(A_MINUTE_MAX);
  });
});
