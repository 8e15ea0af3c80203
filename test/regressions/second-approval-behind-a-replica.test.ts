import { expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import { Exchange, inProcessTransport } from '../../src/exchange/index.ts';
import { loadCrypto, makeDomain } from '../../src/wire/crypto/index.ts';
import {
  createAccountSigner,
  createGateway,
  createMainWallet,
  readExchange,
} from '../../src/wire/gateway/index.ts';

test('two approvals in a row use two nonces where reads come from a replica that is behind (O18, O27)', async () => {
  const clock = new VirtualClock(1_767_700_020_000);
  const crypto = await loadCrypto();
  const exchange = new Exchange({
    clock,
    random: seededRandom(4),
    crypto,
    settings: { replicaLagMs: 400, readTimeoutMs: 1_000 },
  });
  exchange.start();
  const account = exchange.control.createFundedAccount({ apiWallets: 0 });
  const others = exchange.control.seedAccounts(2);
  await clock.advanceAsync(1_000);
  const ports = { clock, random: seededRandom(5), log: silentLog, meter: silentMeter };
  const gateway = createGateway({
    ...ports,
    baseUrl: 'http://in.process',
    transport: inProcessTransport(exchange, { clock, requestLatencyMs: 3, answerLatencyMs: 3 }),
  });
  const approved = (async () => {
    const info = await readExchange(gateway.reader);
    const { client, reader } = gateway;
    const domain = makeDomain(crypto, info.domain);
    const main = createMainWallet({
      client,
      reader,
      signer: createAccountSigner({ crypto, key: account.key, domain }),
      clock,
    });
    const seqs: bigint[] = [];
    for (const { address } of others)
      seqs.push((await main.change({ kind: 'ApproveAgent', agent: address, validUntilMs: 0 }, 0)).seq);
    return seqs;
  })();
  approved.catch(() => undefined);
  await clock.advanceAsync(10_000);
  const [first = 0n, second = 0n] = await approved;
  expect(first).toBeGreaterThan(0n);
  expect(second).toBeGreaterThan(first);
  await gateway.close();
  exchange.stop();
});
