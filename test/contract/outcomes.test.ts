/** Write outcomes and receipts: what is asked, what decides, what never does. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { SystemClock, seededRandom, silentLog, silentMeter } from '../../src/core/index.ts';
import { approve, ticks } from '../../src/domain/index.ts';
import { createGateway } from '../../src/wire/gateway/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, TRADER as BENCH_TRADER, type Bench, refusal } from '../unit/bot/execution/support.ts';
import { readTime } from '../unit/wire/gateway/support.ts';
import { type Client, startClient } from './client.ts';
import { bodyOf, type Disturbance, madeError, type Reply, replyOf } from './wire.ts';

async function opened(): Promise<Bench> {
  const bench = aBench();
  await bench.start();
  bench.facts.length = 0;
  bench.gateway.posts.length = 0;
  return bench;
}

const place = (bench: Bench) =>
  bench.executor.submit(approve({ lane: BENCH_TRADER, command: { kind: 'place', orders: [aSpec()] } }));
const ordersSent = (bench: Bench) => bench.gateway.posts.filter((post) => post.kind === 'PlaceOrder');
/** Facts that end an intent. */
const ends = (bench: Bench) =>
  bench.facts.filter(({ type }) => ['OrderAccepted', 'OrderRejected', 'OrderNotExecuted'].includes(type));

describe('an acknowledgement without a result', () => {
  test('is followed by the receipt, and by no second post (obligations O57, O59)', async () => {
    const client = await startClient({ settings: { durabilityLagMs: 3_000 } });
    for (let n = 0; n < 3; n++) {
      client.place({ priceTicks: ticks(900_000 + n) });
      await client.settled();
    }
    const orders = client.wire.posts().filter((post) => bodyOf(post).orders !== undefined);
    const sequenced = orders.filter((post) => replyOf(post)?.status === 'sequenced');
    expect(sequenced).toHaveLength(3);
    for (const post of sequenced) {
      const { requestId } = replyOf(post);
      const receipts = client.wire.reads(`/v1/requests/${requestId}?scope=`);
      expect(receipts.length).toBeGreaterThan(0);
      expect(receipts.every(({ atMs }) => atMs > post.atMs)).toBe(true);
      expect(receipts.map((receipt) => replyOf(receipt)?.status).at(-1)).toBe('executed');
    }
    const bodies = client.wire.posts().map(({ request }) => request.body);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(client.of('OrderAccepted')).toHaveLength(3);
  });

  test('that stays pending is waited for, however long (obligations O60)', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'sequenced', pendingMs: 600_000 });
    place(bench);
    await bench.run(599_000);
    expect(ends(bench)).toEqual([]);
    expect(bench.executor.unresolved()).toBe(1);
    expect(bench.of('LaneHalted')).toMatchObject([{ code: 'EXECUTION_LANE_BLOCKED' }]);
    await bench.run(5_000);
    expect(ends(bench)).toMatchObject([{ type: 'OrderAccepted', proof: { by: 'receipt' } }]);
    expect(ordersSent(bench)).toHaveLength(1);
  });
});

describe('a receipt', () => {
  test('that is not found closes nothing, not after minutes (obligations O63)', async () => {
    const bench = await opened();
    const { post } = bench.gateway;
    bench.gateway.fates.push({ kind: 'held' });
    place(bench);
    // Fences are lost as well: the write that was held is all that can ever come.
    bench.gateway.post = async (write) => {
      await post.call(bench.gateway, write);
      return { kind: 'lost', why: 'timeout' };
    };
    bench.gateway.fates.push(...Array.from({ length: 500 }, () => ({ kind: 'requestLost' }) as const));
    await bench.run(180_000);
    expect(bench.gateway.receiptsAsked).toBeGreaterThan(50);
    expect(ends(bench)).toEqual([]);
    bench.gateway.deliverHeld();
    await bench.run(10_000);
    expect(ends(bench)).toMatchObject([{ type: 'OrderAccepted', proof: { by: 'receipt' } }]);
  });

  test('of conflict proves that a request never executes, and the one that did has its outcome (obligations O64)', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'requestLost' });
    place(bench);
    await bench.run(5_000);
    const fence = bench.gateway.posts.find((post) => post.kind === 'ScheduleCancel' && post.nonce === 0n);
    expect(ends(bench)).toMatchObject([
      { type: 'OrderNotExecuted', proof: { by: 'conflict', id: fence?.requestId } },
    ]);
    expect(bench.gateway.executed.map((post) => post.kind)).not.toContain('PlaceOrder');
    expect(bench.executor.lanes()[0]).toMatchObject({ state: 'idle', nonce: 1n });
  });

  test('that is history_unavailable for a minute blocks the lane, and the switch is not renewed (obligations O65)', async () => {
    const bench = await opened();
    const { receipt } = bench.gateway;
    const gap = refusal(503, 'history_unavailable', { status: 'history_unavailable', epoch: 'epoch-1' });
    bench.gateway.receipt = async () => gap;
    bench.gateway.fates.push({ kind: 'answerLost' });
    place(bench);
    await bench.run(6_000);
    const trigger = bench.journal.lastTriggerAtMs();
    await bench.run(50_000);
    expect(bench.executor.isReady(BENCH_TRADER)).toBe(false);
    expect(bench.of('SwitchHeld').length).toBeGreaterThan(0);
    expect(bench.journal.lastTriggerAtMs()).toBe(trigger);
    expect(ordersSent(bench)).toHaveLength(1);
    expect(ends(bench)).toEqual([]);
    bench.gateway.receipt = receipt;
    await bench.run(5_000);
    expect(ends(bench)).toMatchObject([{ type: 'OrderAccepted' }]);
  });
});

describe('what decides', () => {
  /** What a client does and tells in a session full of refusals, told by nothing that is chance. */
  async function session(change: (reply: Reply) => Reply): Promise<unknown> {
    const troubles: (() => Reply)[] = [
      () => madeError(400, 'InvalidPrecision'),
      () => madeError(412, 'ReplicaBehind'),
      () => ({ ...madeError(429, 'RateLimited', { bucket: 'ip' }), headers: { 'retry-after': '1' } }),
      () => madeError(503, 'Unavailable'),
      () => madeError(422, 'InsufficientMargin', { nonceConsumed: false, reason: 'InsufficientMargin' }),
    ];
    const disturb: Disturbance = async (request, pass) => {
      const isOrder = request.method === 'POST' && request.path.split('?')[0] === '/v1/orders';
      const trouble = isOrder ? troubles.shift() : undefined;
      return change(trouble === undefined ? await pass() : trouble());
    };
    const client = await startClient({
      prepare: (wire) => {
        wire.disturb = disturb;
      },
    });
    for (let n = 0; n < 8; n++) {
      client.place({ priceTicks: ticks(900_000 + n) });
      await client.settled();
    }
    client.lanes.executor.submitSafety({
      kind: 'cancel',
      orders: [{ symbol: 'BTC-USD', orderId: '77' }] as never,
    });
    await client.run(1_000);
    expect([troubles, client.bugs]).toEqual([[], []]);
    return traceOf(client);
  }

  const traceOf = ({ wire, facts }: Client) => ({
    requests: wire.passed.map(({ request }) => `${request.method} ${request.path.split('?')[0]}`),
    nonces: wire.posts().map((post) => bodyOf(post).nonce),
    facts: facts.map((fact) => ({
      ...fact,
      spec: undefined,
      places: undefined,
      proof: undefined,
      requestId: undefined,
    })),
  });

  test('are codes and fields: messages and numbers of errors may say anything (obligations O72)', async () => {
    const random = seededRandom(72);
    const words = [
      'executed',
      'pending',
      'rejected',
      'UnknownAgent',
      'nonce too low',
      '',
      '🙂',
      'status 200',
    ];
    const plain = await session((reply) => reply);
    for (let n = 0; n < 3; n++) {
      const scrambled = await session((reply) => {
        if (reply.kind !== 'answer' || reply.status < 400) return reply;
        const body = JSON.parse(reply.body);
        body.error.message = words[random.integer(0, words.length - 1)];
        body.error.num = random.integer(-5, 99_999);
        return { ...reply, body: JSON.stringify(body) };
      });
      expect(scrambled).toEqual(plain);
    }
  });

  test('are the fields that are known: others may come, in any order (obligations O14)', async () => {
    const grown = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(grown);
      if (typeof value !== 'object' || value === null) return value;
      const fields = Object.entries(value).map(([name, field]) => [name, grown(field)] as const);
      return Object.fromEntries([
        ['aFieldOfTomorrow', { status: 'rejected', nonce: 7 }],
        ...fields.reverse(),
      ]);
    };
    const plain = await session((reply) => reply);
    const changed = await session((reply) =>
      reply.kind === 'answer' ? { ...reply, body: JSON.stringify(grown(JSON.parse(reply.body))) } : reply,
    );
    expect(changed).toEqual(plain);
  });

  test('is the answer of the environment, so that a 421 leads back to it and never to a node it names (obligations O69)', async () => {
    const decoy = await listen((_request, response) => response.end('{}'));
    const calls: string[] = [];
    const base = await listen((request, response) => {
      calls.push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      if (calls.length % 2 === 1) {
        response.writeHead(421, { location: `http://127.0.0.1:${decoy.port}/v1/time` });
        const details = { node: `http://127.0.0.1:${decoy.port}` };
        response.end(JSON.stringify({ error: { code: 'WrongNode', num: 1, message: 'go there', details } }));
      } else response.end('{"serverTime":5}');
    });
    const clock = new SystemClock();
    const gateway = createGateway({
      ...{ clock, random: seededRandom(1), log: silentLog, meter: silentMeter },
      baseUrl: `http://127.0.0.1:${base.port}`,
    });
    endings.push(() => gateway.close());
    expect(await readTime(gateway.reader)).toBe(5);
    expect(calls).toEqual(['/v1/time', '/v1/time']);
    const write = { path: '/v1/orders?ack=result', body: '{"a":1}', timeoutMs: 2_000 };
    const pipe = gateway.writePipe({ address: `0x${'ab'.repeat(20)}` as never, subaccount: 0 });
    expect(await pipe.post(write)).toMatchObject({ kind: 'answer', status: 421 });
    expect(calls).toHaveLength(3);
    expect(decoy.count()).toBe(0);
  });

  test('sends the very same bytes to the same place after a 421 on a write (obligations O69)', async () => {
    const bench = await opened();
    const node = refusal(421, 'WrongNode', { node: 'http://node-7.example' });
    bench.gateway.fates.push({ kind: 'answer', answer: node }, { kind: 'answer', answer: node });
    place(bench);
    await bench.run(2_500);
    expect(new Set(ordersSent(bench).map(({ path, body }) => path + body)).size).toBe(1);
    expect(ordersSent(bench)).toHaveLength(3);
    expect(bench.of('OrderAccepted')).toHaveLength(1);
  });
});

const endings: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function listen(serve: (request: IncomingMessage, response: ServerResponse) => void) {
  let count = 0;
  const server = createServer((request, response) => {
    count++;
    request.resume();
    serve(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  endings.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return { port: (server.address() as AddressInfo).port, count: () => count };
}
