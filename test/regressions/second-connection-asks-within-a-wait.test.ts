import { describe, expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import { Exchange, inProcessTransport } from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { createGateway, type Transport } from '../../src/wire/gateway/index.ts';
import { readTime } from '../unit/wire/gateway/support.ts';

const WAIT_S = 30;

describe('two connections of one run', () => {
  test('keep a wait that only one of them was told of (O115, I14)', async () => {
    const clock = new VirtualClock(1_767_700_020_000);
    const exchange = new Exchange({ clock, random: seededRandom(1), crypto: await loadCrypto() });
    const sentAtMs: number[] = [];
    const carried = (): Transport => {
      const inner = inProcessTransport(exchange, { clock });
      return {
        ...inner,
        request: (request) => {
          sentAtMs.push(clock.monotonicMs());
          return inner.request(request);
        },
      };
    };
    const common = { baseUrl: 'http://in.process', clock, log: silentLog, meter: silentMeter };
    const first = createGateway({ ...common, random: seededRandom(2), transport: carried() });
    const second = createGateway({
      ...common,
      random: seededRandom(3),
      transport: carried(),
      budget: first.budget,
    });
    exchange.control.disturb({
      fault: {
        kind: 'answer',
        answer: {
          status: 429,
          headers: { 'content-type': 'application/json', 'retry-after': String(WAIT_S) },
          body: JSON.stringify({
            error: { code: 'RateLimited', num: 1, message: '', details: { bucket: 'ip' } },
          }),
        },
      },
      matches: () => true,
    });
    const asked = [readTime(first.reader)];
    await clock.advanceAsync(100);
    asked.push(readTime(second.reader));
    await clock.advanceAsync(WAIT_S * 2_000);
    await Promise.all(asked);
    expect(sentAtMs.length).toBe(3);
    expect(sentAtMs.filter((atMs) => atMs > 0 && atMs < WAIT_S * 1_000)).toEqual([]);
    await second.close();
    await first.close();
  });
});
