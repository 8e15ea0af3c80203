/** Envelopes, signatures, keys and refusals, judged where they arrive. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fromHex, type Log, type UnixMs } from '../../src/core/index.ts';
import { approve, lots, type OrderId, ticks } from '../../src/domain/index.ts';
import { NO_RESPONSE } from '../../src/exchange/index.ts';
import { AGENT_EXEC_TYPE } from '../../src/wire/crypto/index.ts';
import { validateRequest } from '../support/openapi.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, TRADER as BENCH_TRADER, type Bench, refusal } from '../unit/bot/execution/support.ts';
import { anOrder, BTC, type Client, startClient } from './client.ts';
import { bodyOf, madeError, type Passed, replyOf } from './wire.ts';

/** A client that has used every kind of write an API wallet has. */
async function afterEveryWrite(log?: Log): Promise<Client> {
  const client = await startClient(log === undefined ? {} : { log });
  client.place({ expiresAtMs: (client.venue.clock.nowMs() + 60_000) as UnixMs });
  await client.settled();
  const orders = [anOrder({ priceTicks: ticks(890_000) }), anOrder({ priceTicks: ticks(880_000) })];
  client.submit({ kind: 'place', orders });
  await client.settled();
  const [first, second, third] = client.openOrders().map(({ orderId }) => orderId as OrderId);
  const refOf = (orderId: OrderId | undefined) => ({ symbol: BTC, orderId: orderId as OrderId });
  client.submit({ kind: 'replace', symbol: BTC, cancels: [refOf(first)], orders: [anOrder()] });
  await client.settled();
  client.submit({ kind: 'setLeverage', symbol: BTC, leverage: 3 });
  await client.settled();
  client.lanes.executor.submitSafety({ kind: 'cancel', orders: [refOf(second)] });
  await client.run(500);
  client.lanes.executor.submitSafety({ kind: 'cancel', orders: [refOf(third), refOf('9' as OrderId)] });
  await client.run(500);
  client.lanes.executor.submitSafety({ kind: 'cancelAll' });
  await client.run(500);
  return client;
}

const ok = (posts: readonly Passed[]) =>
  posts.filter(({ reply }) => reply?.kind === 'answer' && reply.status === 200);

describe('every kind of write', () => {
  test('has account, nonce, signature and its signer, and nothing that the document does not know (obligations O36, O37, O38)', async () => {
    const client = await afterEveryWrite();
    const posts = client.wire.posts();
    expect(new Set(posts.map(({ request }) => request.path.split('?')[0]))).toEqual(
      new Set([
        '/v1/orders',
        '/v1/orders/replace',
        '/v1/orders/cancel',
        '/v1/orders/cancel-all',
        '/v1/orders/schedule-cancel',
        '/v1/account/leverage',
      ]),
    );
    for (const post of posts) {
      const body = bodyOf(post);
      expect(validateRequest(post.request.path, 'POST', body)).toEqual([]);
      expect(body).toMatchObject({ account: client.venue.address, nonce: expect.any(Number) });
      expect(body.signature).toMatch(/^0x[0-9a-f]{130}$/);
      expect(client.venue.account.apiWallets.map(({ address }) => address)).toContain(body.signer);
      expect(body).not.toHaveProperty('subaccount');
    }
    expect(ok(posts)).toHaveLength(posts.length);
  });

  test('is signed over the struct and the bytes of its command, as another implementation has them (obligations O42, O43)', async () => {
    const client = await afterEveryWrite();
    const { domain } = client.venue.exchange.settings;
    const { hashTypedData, recoverAddress } = await import('viem');
    const writes = client.journal
      .rows()
      .map(({ body }) => body)
      .filter((body) => body.includes('"bytes"'));
    const posts = client.wire.posts().map(bodyOf);
    expect(writes).toHaveLength(posts.length);
    const hashes = new Map(
      writes.map((body) => {
        const bytes = fromHex(/"bytes":"(0x[0-9a-f]+)"/.exec(body)?.[1] ?? '');
        const requestId = /"requestId":"(0x[0-9a-f]+)"/.exec(body)?.[1];
        return [requestId, client.venue.crypto.keccak256(bytes)] as const;
      }),
    );
    for (const post of client.wire.posts()) {
      const { nonce, signature, signer } = bodyOf(post);
      const commandHash = hashes.get(replyOf(post).requestId);
      const hash = hashTypedData({
        domain: { ...domain, verifyingContract: domain.verifyingContract as `0x${string}` },
        types: {
          AgentExec: [
            { name: 'commandHash', type: 'bytes32' },
            { name: 'nonce', type: 'uint64' },
          ],
        },
        primaryType: 'AgentExec',
        message: {
          commandHash: `0x${Buffer.from(commandHash ?? []).toString('hex')}`,
          nonce: BigInt(nonce),
        },
      });
      expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(signer);
    }
    expect(AGENT_EXEC_TYPE).toBe('AgentExec(bytes32 commandHash,uint64 nonce)');
  });

  test('is the same command whatever the order of its JSON keys (obligations O43)', async () => {
    const client = await startClient({
      prepare: (wire, { exchange }) => {
        wire.disturb = async (request, pass) => {
          if (request.method === 'GET') return await pass();
          const shuffled = Object.fromEntries(Object.entries(JSON.parse(request.body ?? '{}')).reverse());
          const { method, path, headers } = request;
          const reply = await exchange.handle({
            ...{ method, path, headers, ip: '10.0.0.1' },
            body: JSON.stringify(shuffled),
          });
          return reply === NO_RESPONSE ? { kind: 'lost', why: 'cut' } : { kind: 'answer', ...reply };
        };
      },
    });
    client.place();
    await client.settled();
    expect(ok(client.wire.posts())).toHaveLength(client.wire.posts().length);
    expect(client.openOrders()).toHaveLength(1);
  });

  test.each([600_000, -600_000, 0])(
    'names the time of the exchange with a clock off by %i ms (obligations O47)',
    async (offMs) => {
      const base = aBench();
      const serverNowMs = () => (base.clock.nowMs() + offMs) as UnixMs;
      const bench = aBench({ clock: base.clock, gateway: base.gateway, serverNowMs });
      await bench.start();
      const submit = (command: Parameters<typeof approve>[0]) =>
        bench.executor.submit(approve({ lane: BENCH_TRADER, command }) as never);
      submit({ kind: 'place', orders: [aSpec(), aSpec({ priceTicks: 999_000 })] });
      await bench.run(50);
      submit({ kind: 'replace', symbol: aSpec().symbol, cancels: [], orders: [aSpec()] });
      await bench.run(50);
      for (const { path, body, atMs } of bench.gateway.posts) {
        const { nowMs, triggerMs } = JSON.parse(body);
        const arrivedMs = bench.clock.nowMs() - bench.clock.monotonicMs() + atMs + offMs;
        expect([path, Math.abs(nowMs - arrivedMs) <= 500]).toEqual([path, true]);
        if (triggerMs !== undefined) expect(triggerMs - arrivedMs).toBeLessThanOrEqual(20_000);
      }
      expect(bench.gateway.posts.length).toBeGreaterThanOrEqual(3);
    },
  );
});

describe('a private key (obligations O45)', () => {
  test('is in nothing that a client sends, logs, keeps or throws, whatever goes wrong', async () => {
    const lines: string[] = [];
    const log: Log = {
      debug: (message, fields) => lines.push(message, inspect(fields, { depth: 9 })),
      info: (message, fields) => lines.push(message, inspect(fields, { depth: 9 })),
      warn: (message, fields) => lines.push(message, inspect(fields, { depth: 9 })),
      error: (message, fields) => lines.push(message, inspect(fields, { depth: 9 })),
      child: () => log,
    };
    const client = await afterEveryWrite(log);
    const { wire } = client;
    const troubles = [
      () => madeError(500, 'InternalError'),
      () => ({ kind: 'lost', why: 'cut' }) as const,
      () => madeError(403, 'Forbidden'),
      () => madeError(401, 'GatewayBadSignature'),
    ];
    wire.disturb = (request, pass) =>
      request.method === 'POST' && !request.path.includes('schedule')
        ? Promise.resolve(troubles.shift()?.() ?? madeError(401, 'GatewayBadSignature'))
        : pass();
    for (let n = 0; n < 3; n++) {
      client.place({ sizeLots: lots(100 + n) });
      await client.settled();
    }
    client.place();
    await client.run(5_000);
    expect(client.of('LaneHalted')).toMatchObject([{ code: 'EXECUTION_SIGNATURE_REFUSED' }]);
    const produced = [
      wire.outgoing(),
      lines.join('\n'),
      inspect(client.facts, { depth: 9 }),
      ...client.journal.rows().map(({ body }) => body),
      inspect(client.journal.auditEvents(), { depth: 9 }),
      inspect(client.lanes, { depth: 12, showHidden: true }),
      inspect(client.environment, { depth: 6 }),
    ].join('\n');
    expect(lines.length).toBeGreaterThan(5);
    for (const { key } of client.venue.account.apiWallets) {
      const bytes = Buffer.from(key.exposeBytes());
      for (const text of [bytes.toString('hex'), bytes.toString('base64'), bytes.join(','), bytes.join(', ')])
        expect(produced.toLowerCase().includes(text.toLowerCase())).toBe(false);
    }
  });
});

describe('a refusal', () => {
  async function opened(): Promise<Bench> {
    const bench = aBench();
    await bench.start();
    bench.gateway.posts.length = 0;
    return bench;
  }
  const place = (bench: Bench) =>
    bench.executor.submit(approve({ lane: BENCH_TRADER, command: { kind: 'place', orders: [aSpec()] } }));

  test.each([
    [400, 'InvalidPrecision'],
    [401, 'GatewayBadSignature'],
    [403, 'Forbidden'],
    [403, 'UnknownAgent'],
    [404, 'UnknownMarket'],
  ])(
    '%i %s is told with its code and its bytes are not sent again (obligations O48, O56, O68)',
    async (status, code) => {
      const bench = await opened();
      bench.gateway.fates.push({ kind: 'answer', answer: refusal(status, code) });
      place(bench);
      await bench.run(20_000);
      const own = bench.gateway.posts.filter((post) => post.signer === bench.trader.address);
      expect(own.filter((post) => post.kind === 'PlaceOrder')).toHaveLength(1);
      expect(bench.of('OrderRejected')).toMatchObject([{ reason: code, proof: { by: 'refusal', id: code } }]);
      const isOver = bench.of('LaneHalted').length === 1;
      expect(isOver).toBe(code === 'GatewayBadSignature' || code === 'UnknownAgent');
      if (code === 'GatewayBadSignature')
        expect(bench.of('LaneHalted')[0]?.reason).toMatch(
          /domain, signer, scope, .*scaling, .*order, command hash/,
        );
    },
  );
});
