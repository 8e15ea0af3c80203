/**
 * @module
 * The embedded exchange with many markets, whose book frames come from here: one of each subscribed market in every block.
 * Twice a second a frame of each quoted market asks for an order, and so do those after it until the order is here.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { must, SystemClock, seededRandom } from '../../src/core/index.ts';
import { Exchange, perpetual } from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { bookFrame, MARKET, MIDDLE_TICKS } from '../book-frames.ts';
import {
  MARK_LOTS,
  type ManyMarketsOrder,
  type ManyMarketsReady,
  type ManyMarketsTook,
  QUIET,
  QUOTED,
  symbolAt,
} from '../goals/many-markets/wire.ts';

const FRAMES = 16;
const LEVELS = 20;
const BOOK = '{"channel":"book"';
const ASK_EVERY_MS = 500;
const BUDGET = 1_000_000_000;

const clock = new SystemClock();
const crypto = await loadCrypto();
const texts = Array.from({ length: FRAMES }, (_, index) =>
  bookFrame(LEVELS, index, { seq: 1, isSnapshot: false }),
);
const marked = texts.map((text) =>
  text.replace(/("bids":\[\["[0-9.]+",")[0-9.]+/, `$1${MARK_LOTS / 10 ** MARKET.sizeDecimals}`),
);
const clients = new Set<{ readonly socket: WebSocket; readonly markets: Set<number> }>();
const wanted = new Set<number>();
/** Since when a frame asks for an order, by market, ms. */
const askedAtMs = new Map<number, number>();
let seq = 1_000_000;
let block = 0;
let frames = 0;
let tookMs: number[] = [];

process.once('message', ({ markets, blockMs }: ManyMarketsOrder) => open(markets, blockMs));
process.on('disconnect', () => process.exit(0));

function open(markets: number, blockMs: number): void {
  const { priceDecimals, sizeDecimals } = MARKET;
  const exchange = new Exchange({
    clock,
    random: seededRandom('many markets'),
    crypto,
    settings: {
      markets: Array.from({ length: markets }, (_, index) =>
        perpetual({
          ...{ symbol: symbolAt(index), signingMarketId: index, priceDecimals, sizeDecimals },
          indexTicks: MIDDLE_TICKS,
        }),
      ),
      blockMs: 1_000,
      checksSignatures: false,
      ...{ ipWeightLimit: BUDGET, accountWeightLimit: BUDGET },
    },
  });
  exchange.start();
  const account = exchange.control.createFundedAccount({ apiWallets: 2 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      if (request.method === 'POST') arrived(body);
      void serve(exchange, request, { response, body });
    });
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (request: IncomingMessage, raw, head) => {
    sockets.handleUpgrade(request, raw, head, (socket) => join(exchange, socket));
  });
  const blocks = setInterval(sendBlock, blockMs);
  setInterval(() => {
    for (let index = 0; index < Math.min(QUOTED, markets); index++) wanted.add(index);
  }, ASK_EVERY_MS);
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ port, account } satisfies ManyMarketsReady);
    process.on('message', (asked) => {
      if (asked === QUIET) clearInterval(blocks);
      process.send?.({ tookMs, frames } satisfies ManyMarketsTook);
      tookMs = [];
      frames = 0;
    });
  });
}

/** A client whose books are ours. */
function join(exchange: Exchange, socket: WebSocket): void {
  const client = { socket, markets: new Set<number>() };
  const opened = exchange.openStream('127.0.0.1', {
    send: (text) => {
      if (!text.startsWith(BOOK)) socket.send(text);
      else if (text.includes('"isSnapshot":true')) {
        const index = indexIn(text);
        socket.send(made(must(texts[0], 'a frame'), index, true));
        client.markets.add(index);
      }
    },
    isReady: () => true,
    close: () => socket.terminate(),
  });
  if ('status' in opened) {
    socket.terminate();
    return;
  }
  clients.add(client);
  socket.on('message', (data) => opened.session.receive(data.toString()));
  socket.on('close', () => {
    clients.delete(client);
    opened.session.closed();
  });
}

function sendBlock(): void {
  block++;
  for (const { socket, markets } of clients)
    for (const index of markets) {
      const isAsking = wanted.has(index);
      const text = must((isAsking ? marked : texts)[(block + index) % FRAMES], 'a frame');
      socket.send(made(text, index, false));
      frames++;
      if (isAsking && !askedAtMs.has(index)) askedAtMs.set(index, performance.now());
    }
}

/** The frame of a market, now. */
function made(text: string, index: number, isSnapshot: boolean): string {
  seq++;
  return text
    .replace(MARKET.symbol, symbolAt(index))
    .replace('"isSnapshot":false', `"isSnapshot":${isSnapshot}`)
    .replaceAll('"seq":1,', `"seq":${seq},`)
    .replace(/"ts":\d+/, `"ts":${clock.nowMs()}`);
}

function arrived(body: string): void {
  const index = indexIn(body);
  const asked = askedAtMs.get(index);
  if (asked === undefined) return;
  tookMs.push(performance.now() - asked);
  askedAtMs.delete(index);
  wanted.delete(index);
}

function indexIn(text: string): number {
  return Number(/"M(\d+)-USD"/.exec(text)?.[1] ?? -1);
}

async function serve(
  exchange: Exchange,
  request: IncomingMessage,
  { response, body }: { readonly response: ServerResponse; readonly body: string },
): Promise<void> {
  const { method = '', url = '' } = request;
  // The positions of our frames are ahead of those of the exchange, whose reads would wait for them.
  const { 'x-svc-min-seq': _ahead, ...headers } = request.headers;
  const answer = await exchange.handle({ method, path: url, headers, body, ip: '127.0.0.1' });
  if (answer === 'lost') {
    response.destroy();
    return;
  }
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}
