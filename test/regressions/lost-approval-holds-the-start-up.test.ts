/**
 * @module
 * The request of an approval was lost on its way. A start waited for its receipt for half a minute, all the time being
 * told that nothing had come, before it gave up and the next one could approve (I13, obligation O63).
 */
import { expect, test } from 'vitest';
import { messageOf, must, seededRandom, silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import { loadCrypto, makeDomain } from '../../src/crypto/index.ts';
import { createGateway, createMainWallet, readExchange } from '../../src/gateway/index.ts';
import { Exchange, type InProcessTransport, inProcessTransport } from '../../src/simulator/index.ts';

type Request = InProcessTransport['request'];

/** An approval through `meddle`, and when it came to its end. */
async function approval(meddle: (request: Request, clock: VirtualClock) => Request) {
  const clock = new VirtualClock(1_767_700_020_000);
  const crypto = await loadCrypto();
  const exchange = new Exchange({ clock, random: seededRandom(4), crypto, settings: {} });
  exchange.start();
  const account = exchange.control.createFundedAccount({ apiWallets: 0 });
  const [other] = exchange.control.seedAccounts(1);
  await clock.advanceAsync(1_000);
  const through = inProcessTransport(exchange, { clock, requestLatencyMs: 3, answerLatencyMs: 3 });
  const ports = { clock, random: seededRandom(5), log: silentLog, meter: silentMeter };
  const gateway = createGateway({
    ...ports,
    baseUrl: 'http://in.process',
    transport: { ...through, request: meddle((request) => through.request(request), clock) },
  });
  const { client, reader } = gateway;
  const domain = makeDomain(crypto, (await within(clock, readExchange(reader))).domain);
  const main = createMainWallet({ client, reader, crypto, key: account.key, domain, clock });
  const agent = must(other, 'another account').address;
  const sinceMs = clock.monotonicMs();
  const outcome = await within(
    clock,
    main.approve({ agent, validUntilMs: 0, subaccount: 0 }).then(
      () => 'executed',
      (error: unknown) => messageOf(error),
    ),
  );
  const afterMs = clock.monotonicMs() - sinceMs;
  await gateway.close();
  exchange.stop();
  return { outcome, afterMs };
}

/** The end of `work`, as virtual time passes. */
async function within<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = work.finally(() => {
    isOver = true;
  });
  for (let i = 0; i < 600 && !isOver; i++) await clock.advanceAsync(100);
  return await end;
}

test('an approval that does not come is given up by name ten seconds after its answer failed', async () => {
  const { outcome, afterMs } = await approval((request) => async (asked) => {
    if (asked.method === 'POST') return { kind: 'lost', why: 'timeout' };
    return await request(asked);
  });
  expect(outcome).toMatch(
    /^GATEWAY_WRITE_UNRESOLVED: expected a receipt of 0x[0-9a-f]+, was none within \d+ ms$/,
  );
  expect(afterMs).toBeGreaterThanOrEqual(10_000);
  expect(afterMs).toBeLessThan(11_000);
});

test('one that comes late is waited for, and so is one that is pending', async () => {
  let postedAtMs = 0;
  const { outcome, afterMs } = await approval((request, clock) => async (asked) => {
    if (asked.method === 'POST') {
      postedAtMs = clock.monotonicMs();
      clock.after(8_000, () => void request(asked));
      return { kind: 'lost', why: 'timeout' };
    }
    const answer = await request(asked);
    const isReceipt =
      asked.path.includes('/v1/requests/') && answer.kind === 'answer' && answer.status === 200;
    if (!isReceipt || clock.monotonicMs() - postedAtMs > 22_000) return answer;
    return { ...answer, body: answer.body.replace('"status":"executed"', '"status":"pending"') };
  });
  expect(outcome).toBe('executed');
  expect(afterMs).toBeGreaterThan(22_000);
});
