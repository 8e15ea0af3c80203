import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom, VirtualClock } from '../../src/core/index.ts';
import { ticks } from '../../src/domain/index.ts';
import { createSyntheticParticipants, Exchange, inProcessTransport } from '../../src/exchange/index.ts';
import { type Crypto, loadCrypto } from '../../src/wire/crypto/index.ts';
import { START_MS, startTestExchange, TestExchange, type TestStream } from '../support/test-exchange.ts';

interface Step {
  readonly who: 0 | 1;
  readonly what: 'place' | 'replace' | 'cancelAll' | 'stale' | 'block' | 'switch' | 'price';
  readonly side: 'buy' | 'sell';
  readonly offset: number;
  readonly size: number;
  readonly tif: 'gtc' | 'ioc' | 'fok' | 'postOnly';
}

const steps = fc.array(
  fc.record<Step>({
    who: fc.constantFrom(0, 1),
    what: fc.constantFrom(
      'place',
      'place',
      'place',
      'replace',
      'cancelAll',
      'stale',
      'block',
      'switch',
      'price',
    ),
    side: fc.constantFrom('buy', 'sell'),
    offset: fc.integer({ min: -20, max: 20 }),
    size: fc.integer({ min: 1, max: 500 }),
    tif: fc.constantFrom('gtc', 'ioc', 'fok', 'postOnly'),
  }),
  { minLength: 5, maxLength: 60 },
);

function orderOf({ side, offset, size, tif }: Step): object {
  const price = `${100_000 + (side === 'buy' ? -offset : offset)}.0`;
  return { side, price, size: (size / 1_000).toFixed(4), timeInForce: tif };
}

/** Does one step and gives the answer of a write. */
function take(venue: TestExchange, step: Step) {
  const { nowMs } = venue;
  switch (step.what) {
    case 'place':
      return venue.place([orderOf(step)]);
    case 'replace': {
      const open = venue.get(`/v1/account/orders?address=${venue.address}`).json.orders;
      const cancels = open
        .slice(0, 2)
        .map(({ orderId }: { orderId: string }) => ({ symbol: 'BTC-USD', orderId }));
      const order = { symbol: 'BTC-USD', reduceOnly: step.size % 5 === 0, ...orderOf(step) };
      return venue.write('/v1/orders/replace', { cancels, orders: [order, order], nowMs });
    }
    case 'cancelAll':
      return venue.write('/v1/orders/cancel-all', {});
    case 'stale':
      return venue.place([orderOf(step)], { nonce: BigInt(step.size) + 10_000n });
    case 'switch':
      return venue.write('/v1/orders/schedule-cancel', { triggerMs: nowMs + 150 + step.size, nowMs });
    case 'price':
      venue.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_000_000 + step.offset * 100) });
      return undefined;
    case 'block':
      venue.blocks(1);
      return undefined;
  }
}

/** What a client knows of its open orders from the stream alone. */
function openOrdersOf(stream: TestStream): ReadonlyMap<string, string> {
  const open = new Map<string, string>();
  for (const frame of stream.of('orders')) {
    if (frame.isSnapshot) {
      open.clear();
      for (const order of frame.data.orders) open.set(order.orderId, order.remaining);
    } else if (frame.data.status === 'open') open.set(frame.data.orderId, frame.data.remaining);
    else open.delete(frame.data.orderId);
  }
  return open;
}

const inQuantums = (text: string) => BigInt(text.replace('.', ''));

describe('the embedded exchange', () => {
  test('keeps its books whatever is traded: stream, pages, balances, positions and nonces agree (I1 to I4, I7)', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (path) => {
        const one = await startTestExchange();
        const wallets = [one, one.another()] as const;
        const streams = wallets.map((venue) => {
          const stream = venue.stream();
          for (const channel of ['orders', 'fills', 'ledger'])
            stream.subscribe({ channel, address: venue.address });
          return stream;
        });
        const consumed = [0, 0];
        for (const step of path) {
          const answer = take(wallets[step.who], step);
          if (answer === undefined) continue;
          const nonceConsumed = answer.json.nonceConsumed ?? answer.json.error?.details?.nonceConsumed;
          if (nonceConsumed === true) consumed[step.who] = (consumed[step.who] ?? 0) + 1;
        }
        one.blocks(1);
        for (const [index, venue] of wallets.entries()) {
          const stream = streams[index] as TestStream;
          const read = (path_: string) => venue.get(`${path_}?address=${venue.address}`).json;
          const orders = read('/v1/account/orders').orders.map((order: Record<string, string>) => [
            order['orderId'],
            order['remaining'],
          ]);
          expect(new Map(orders)).toEqual(openOrdersOf(stream));
          const fills = read('/v1/account/fills').data;
          expect(stream.of('fills').map((frame) => frame.data)).toEqual(fills);
          const ledger = read('/v1/account/ledger').data;
          expect(stream.of('ledger').map((frame) => frame.data)).toEqual(ledger.slice(1));
          const sum = ledger.reduce(
            (total: bigint, entry: { amount: string }) => total + inQuantums(entry.amount),
            0n,
          );
          expect(sum).toBe(inQuantums(read('/v1/account').collateral));
          const size = fills.reduce(
            (total: bigint, fill: { side: string; size: string }) =>
              total + (fill.side === 'buy' ? 1n : -1n) * inQuantums(fill.size),
            0n,
          );
          const [position] = read('/v1/account/positions').positions;
          expect(size).toBe(position === undefined ? 0n : inQuantums(position.size));
          const nonce = venue.get(`/v1/account/nonce?address=${venue.address}&signer=${venue.agent}`).json
            .nonce;
          expect(nonce).toBe(consumed[index]);
        }
        one.exchange.stop();
      }),
      { numRuns: 40 },
    );
  });

  test('the same seed and inputs give the same bytes, another seed gives others (I19)', async () => {
    const crypto = await loadCrypto();
    const first = await hashOfRun(crypto, 5);
    expect(await hashOfRun(crypto, 5)).toBe(first);
    expect(await hashOfRun(crypto, 6)).not.toBe(first);
  });

  test('answers every text with an error body and never breaks', async () => {
    const venue = await startTestExchange();
    fc.assert(
      fc.property(
        fc.constantFrom(
          '/v1/orders',
          '/v1/orders/cancel',
          '/v1/orders/replace',
          '/v1/account/agents/approve',
          '/v1/positions/tpsl',
        ),
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.object().map((value) => JSON.stringify(value)),
        ),
        (path, body) => {
          const answer = venue.post(path, body);
          expect([400, 429]).toContain(answer.status);
          expect(answer.json.error.code.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 300 },
    );
    const stream = venue.stream();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        stream.send(text);
        expect(stream.frames.at(-1)).toMatchObject({ channel: 'error' });
      }),
      { numRuns: 300 },
    );
  });
});

/** Half a minute of two traders and a synthetic market over the in-process transport: every answer and frame, hashed. */
async function hashOfRun(crypto: Crypto, seed: number): Promise<string> {
  const clock = new VirtualClock(START_MS);
  const random = seededRandom(seed);
  const exchange = new Exchange({ clock, random, crypto });
  exchange.attachParticipants(createSyntheticParticipants());
  const account = exchange.control.createFundedAccount();
  exchange.start();
  const venue = new TestExchange({ clock, exchange, account, crypto });
  const transport = inProcessTransport(exchange, { clock, answerLatencyMs: 3, frameLatencyMs: 2 });
  const hash = createHash('sha256');
  let frames = 0;
  const stream = transport.open({
    onOpen: () => undefined,
    onFrame: (text, receivedAtMs) => {
      frames++;
      hash.update(`${receivedAtMs} ${text}\n`);
    },
    onClose: (why) => hash.update(why),
  });
  await clock.advanceAsync(10);
  for (const [id, params] of [
    { channel: 'prices' },
    { channel: 'book', symbol: 'BTC-USD' },
    { channel: 'trades', symbol: 'ETH-USD' },
    { channel: 'orders', address: account.address },
    { channel: 'fills', address: account.address },
    { channel: 'account', address: account.address },
    { channel: 'events' },
  ].entries())
    stream.send(JSON.stringify({ method: 'subscribe', params, id }));
  const trader = random.fork('trader');
  for (let round = 0; round < 100; round++) {
    const nowMs = clock.nowMs();
    const price = `${trader.integer(99_800, 100_200)}.0`;
    const order = {
      symbol: 'BTC-USD',
      side: 'buy',
      price,
      size: '0.0100',
      timeInForce: 'gtc',
      reduceOnly: false,
    };
    const { text } = venue.signed('/v1/orders', { orders: [order], nowMs });
    const asked = transport.request({
      method: 'POST',
      path: '/v1/orders',
      headers: {},
      body: text,
      timeoutMs: 1_000,
    });
    await clock.advanceAsync(trader.integer(50, 400));
    hash.update(JSON.stringify(await asked));
  }
  expect(frames).toBeGreaterThan(500);
  exchange.stop();
  return hash.digest('hex');
}
