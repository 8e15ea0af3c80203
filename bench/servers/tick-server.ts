/**
 * @module
 * The exchange of G5: the embedded exchange, but its book frames come from here, one for each tick its parent asks for,
 * and the time from a frame's leave to the arrival of the order it caused is taken here. Bare stacks use a path and a
 * stream of their own beside it, on the same server and with the same frames.
 *
 *   parent ── tick ──▶ frame ──▶ stack ──▶ POST ──▶ time taken ──▶ answer
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { must, SystemClock, seededRandom } from '../../src/core/index.ts';
import { Exchange, perpetual } from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { bookFrame, MARKET, MIDDLE_TICKS } from '../book-frames.ts';
import { emptyYoungGeneration } from '../child.ts';
import {
  BENCH_ORDERS,
  BENCH_STREAM,
  type TickOrder,
  type TickServerReady,
} from '../goals/tick-to-order/wire.ts';

const FRAMES = 64;
const LEVELS = 20;
const BOOK = '{"channel":"book"';
const ORDERS = '/v1/orders';
const BENCH_ANSWER = '{}';
/** What an hour of orders as fast as they can be sent does not exhaust. */
const BUDGET = 1_000_000_000;
/** States are told seldom: what is measured is the way of a book frame, not of what comes beside it. */
const BLOCK_MS = 1_000;

const clock = new SystemClock();
const { symbol, signingMarketId, priceDecimals, sizeDecimals } = MARKET;
const exchange = new Exchange({
  clock,
  random: seededRandom('tick server'),
  crypto: await loadCrypto(),
  settings: {
    markets: [perpetual({ symbol, signingMarketId, priceDecimals, sizeDecimals, indexTicks: MIDDLE_TICKS })],
    blockMs: BLOCK_MS,
    // The time is taken when an order arrives; what the exchange makes of it only keeps a core busy.
    checksSignatures: false,
    ipWeightLimit: BUDGET,
    accountWeightLimit: BUDGET,
  },
});
exchange.start();
const account = exchange.control.createFundedAccount({ apiWallets: 2 });

const frames = Array.from({ length: FRAMES }, (_, index) => Buffer.from(frameOf(index, false)));
const snapshot = Buffer.from(frameOf(0, true));
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const INSTANT = '"ts":';
/** Who gets the frames: the last one who subscribed to the book, and the bare stacks. */
let botSocket: WebSocket | undefined;
let benchSocket: WebSocket | undefined;
let leftAtMs: number | undefined;
let sent = 0;
let tookUs: number[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === BENCH_ORDERS) {
      arrived();
      send(response, { status: 200, headers: { 'content-type': 'application/json' }, body: BENCH_ANSWER });
      return;
    }
    if (request.url?.split('?', 1)[0] === ORDERS && request.method === 'POST') arrived();
    void serve(request, response, Buffer.concat(chunks).toString('utf8'));
  });
});
// Longer than a stack waits for its turn: the floor does not connect again.
server.keepAliveTimeout = 900_000;
server.on('upgrade', (request: IncomingMessage, raw, head) => {
  if (request.url === BENCH_STREAM) {
    sockets.handleUpgrade(request, raw, head, (made) => {
      benchSocket = made;
    });
    return;
  }
  let socket: WebSocket | undefined;
  const opened = exchange.openStream('127.0.0.1', {
    send: (text) => {
      if (!text.startsWith(BOOK)) {
        socket?.send(text);
        return;
      }
      // The book that everybody sees is ours.
      botSocket = socket;
      socket?.send(stamped(snapshot), { binary: false });
    },
    isReady: () => true,
    close: () => socket?.terminate(),
  });
  if ('status' in opened) {
    raw.destroy();
    return;
  }
  sockets.handleUpgrade(request, raw, head, (made) => {
    socket = made;
    made.on('message', (data) => opened.session.receive(data.toString()));
    made.on('close', () => opened.session.closed());
  });
});

process.on('message', (order: TickOrder) => {
  switch (order.kind) {
    case 'tick':
      leftAtMs = performance.now();
      sendFrame(order.to);
      return;
    case 'flood':
      flood(order.to, order.count);
      return;
    case 'take':
      process.send?.(tookUs);
      tookUs = [];
      emptyYoungGeneration();
      return;
  }
});
process.on('disconnect', () => process.exit(0));

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ port, account, epoch: exchange.epoch } satisfies TickServerReady);
});

function sendFrame(to: 'bench' | 'bot'): void {
  const socket = to === 'bot' ? botSocket : benchSocket;
  socket?.send(stamped(must(frames[sent++ % FRAMES], 'a frame')), { binary: false });
}

/** Frames that nobody orders on, one in each turn of the event loop; reports when the last has left. */
function flood(to: 'bench' | 'bot', left: number): void {
  if (left === 0) {
    process.send?.('flooded');
    return;
  }
  sendFrame(to);
  setImmediate(flood, to, left - 1);
}

/** The order of the tick under way is here. */
function arrived(): void {
  if (leftAtMs === undefined) return;
  tookUs.push((performance.now() - leftAtMs) * 1000);
  leftAtMs = undefined;
}

async function serve(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
  const { method = '', url = '', headers } = request;
  const reply = await exchange.handle({ method, path: url, headers, body, ip: '127.0.0.1' });
  if (reply === 'lost') response.destroy();
  else send(response, reply);
}

function send(
  response: ServerResponse,
  answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  },
): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) });
  response.end(answer.body);
}

/** The frame as of now: a bot does not trade on a book that the exchange made long ago. */
function stamped(frame: Buffer): Buffer {
  frame.write(String(Math.trunc(clock.nowMs())), frame.indexOf(INSTANT) + INSTANT.length, 'latin1');
  return frame;
}

function frameOf(index: number, isSnapshot: boolean): string {
  return bookFrame(LEVELS, index, { seq: 1_000_000 + index, isSnapshot });
}
