/**
 * @module
 * G8: the way of one write through our gateway, beside a bare undici `Client.request` of the same body to the same
 * server, and the guard against clients that wait for a timer on every reused socket.
 */
import { connect } from 'node:net';
import { Client } from 'undici';
import { SystemClock, seededRandom, silentLog, silentMeter } from '../../src/core/index.ts';
import type { Address } from '../../src/domain/index.ts';
import { createGateway } from '../../src/wire/gateway/index.ts';
import { Child } from '../child.ts';
import { type GroupResult, type Limit, reached } from '../goal.ts';
import { type Effort, inTurn, quantile, rounded, Samples } from '../measure.ts';
import { showTable } from '../show.ts';

const REQUESTS = 1500;
const WARM_UP = 300;
const PATH = '/v1/orders';
const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };
const BARE = 'undici Client.request';
const OURS = 'ballast, write pipe of the gateway';
const RAW = 'raw socket';
const GUARD_MS = 0.8;
const RATIO_LIMIT: Limit = {
  id: 'G8',
  what: 'POST p50, to bare undici Client.request',
  limit: 1.1,
  better: 'lower',
};
const GUARD_LIMIT: Limit = {
  id: 'G8.guard',
  what: `POST p50 on loopback, as a share of ${GUARD_MS} ms`,
  limit: 1,
  better: 'lower',
};

/** As long as a signed order with its envelope. */
const BODY = JSON.stringify({
  account: `0x${'1'.repeat(40)}`,
  nonce: 1_234_567,
  signature: `0x${'a'.repeat(130)}`,
  signer: `0x${'2'.repeat(40)}`,
  orders: [
    {
      symbol: 'BTC-USD',
      side: 'buy',
      price: '67123.5',
      size: '0.0100',
      timeInForce: 'postOnly',
      reduceOnly: false,
      clientOrderId: 'bot-000000000001',
    },
  ],
  nowMs: 1_790_000_000_000,
});

type Post = () => Promise<unknown>;

/** Measures G8. */
export async function post({ rounds }: Effort): Promise<GroupResult> {
  const server = new Child(new URL('../servers/answer-server.ts', import.meta.url));
  const origin = `http://127.0.0.1:${await server.next<number>()}`;
  const client = new Client(origin, { keepAliveTimeout: 60_000 });
  const gateway = createGateway({
    baseUrl: origin,
    clock: new SystemClock(),
    random: seededRandom('post'),
    log: silentLog,
    meter: silentMeter,
  });
  const pipe = gateway.writePipe({ address: `0x${'1'.repeat(40)}` as Address, subaccount: 0 });
  const raw = await openRaw(origin);
  const cases: Readonly<Record<string, Post>> = {
    [BARE]: async () => {
      const { body } = await client.request({ method: 'POST', path: PATH, headers: HEADERS, body: BODY });
      return body.json();
    },
    [OURS]: async () => {
      const answer = await pipe.post({ path: PATH, body: BODY, timeoutMs: 5000 });
      if (answer.kind !== 'answer') throw new Error(answer.why);
      return JSON.parse(answer.body);
    },
    [RAW]: raw.post,
  };
  const p50 = new Samples();
  const p99 = new Samples();
  for (let round = 0; round < rounds; round++) {
    for (const [name, send] of inTurn(Object.entries(cases), round)) {
      const tookUs = await timesOf(send);
      p50.add(name, quantile(tookUs, 0.5));
      p99.add(name, quantile(tookUs, 0.99));
    }
  }
  raw.close();
  await Promise.all([client.destroy(), gateway.close()]);
  server.stop();
  showTable(
    `G8 POST of ${BODY.length} bytes on loopback, ${REQUESTS} a round`,
    p50.rows(BARE).map((row) => ({ ...row, 'p99 us': rounded(p99.median(row.case)) })),
  );
  const oursMs = p50.median(OURS) / 1000;
  return {
    goals: [reached(RATIO_LIMIT, p50.ratio(OURS, BARE)), reached(GUARD_LIMIT, oursMs / GUARD_MS)],
    figures: {
      ...Object.fromEntries(p50.names().map((name) => [`G8 ${name}, p50 us`, rounded(p50.median(name))])),
      ...Object.fromEntries(p99.names().map((name) => [`G8 ${name}, p99 us`, rounded(p99.median(name))])),
    },
  };
}

/** Microseconds of each request after the warm-up, one after the other. */
async function timesOf(send: Post): Promise<number[]> {
  const tookUs: number[] = [];
  for (let index = 0; index < WARM_UP + REQUESTS; index++) {
    const startedAtMs = performance.now();
    await send();
    if (index >= WARM_UP) tookUs.push((performance.now() - startedAtMs) * 1000);
  }
  return tookUs;
}

/** The floor: a request written by hand into a socket. */
async function openRaw(origin: string): Promise<{ readonly post: Post; readonly close: () => void }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let onAnswer: (data: Buffer) => void = () => undefined;
  socket.on('data', (data) => onAnswer(data));
  await new Promise((resolve) => socket.once('connect', resolve));
  const request = `POST ${PATH} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;
  return {
    post: () =>
      new Promise((resolve) => {
        onAnswer = (data) => resolve(JSON.parse(data.toString('latin1', data.indexOf('{'))));
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
