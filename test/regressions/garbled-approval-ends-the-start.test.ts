import { expect, test } from 'vitest';
import {
  GatewayError,
  messageOf,
  must,
  seededRandom,
  silentLog,
  silentMeter,
  VirtualClock,
} from '../../src/core/index.ts';
import { loadCrypto, makeDomain } from '../../src/crypto/index.ts';
import { createGateway, createMainWallet, readExchange } from '../../src/gateway/index.ts';
import { Exchange, inProcessTransport } from '../../src/simulator/index.ts';

const NO_TEXT = '{"toString":null,"valueOf":null}';

/**
 * An intermediary had garbled the position in the answer to an approval: the start of a bot ended by a TypeError without
 * a name, although the grant stood and its receipt would have said where.
 */
test.each([
  ['position', (body: string) => body.replace(/"seq":\d+/, '"seq":{"was":"another kind"}')],
  ['position without a text', (body: string) => body.replace(/"seq":\d+/, `"seq":${NO_TEXT}`)],
  ['end', (body: string) => body.slice(0, 40)],
])('a garbled %s in the answer to an approval is read in its receipt (O67)', async (_what, garble) => {
  const clock = new VirtualClock(1_767_700_020_000);
  const crypto = await loadCrypto();
  const exchange = new Exchange({ clock, random: seededRandom(4), crypto, settings: {} });
  exchange.start();
  const account = exchange.control.createFundedAccount({ apiWallets: 0 });
  const [other] = exchange.control.seedAccounts(1);
  await clock.advanceAsync(1_000);
  const through = inProcessTransport(exchange, { clock, requestLatencyMs: 3, answerLatencyMs: 3 });
  const posted: string[] = [];
  const ports = { clock, random: seededRandom(5), log: silentLog, meter: silentMeter };
  const gateway = createGateway({
    ...ports,
    baseUrl: 'http://in.process',
    transport: {
      ...through,
      request: async (request) => {
        const reply = await through.request(request);
        if (request.method !== 'POST' || reply.kind !== 'answer') return reply;
        posted.push(request.path);
        return { ...reply, body: garble(reply.body) };
      },
    },
  });
  const approved = (async () => {
    const { client, reader } = gateway;
    const domain = makeDomain(crypto, (await readExchange(reader)).domain);
    const main = createMainWallet({ client, reader, crypto, key: account.key, domain, clock });
    const agent = must(other, 'another account').address;
    return await main.approve({ agent, validUntilMs: 0, subaccount: 0 });
  })();
  approved.catch(() => undefined);
  await clock.advanceAsync(10_000);
  expect((await approved).seq).toBeGreaterThan(0n);
  expect(posted).toEqual(['/v1/account/agents/approve']);
  await gateway.close();
  exchange.stop();
});

test('an error whose details no text can be made of is described all the same (O74)', () => {
  const details = { named: JSON.parse(NO_TEXT) as unknown };
  const error = new GatewayError({ code: 'A_CODE', message: 'a message', remedy: 'a remedy', details });
  expect(error.describe()).toBe('A_CODE: a message\n  named: an object\n  remedy: a remedy');
  expect(messageOf(details.named)).toBe('an object');
});
