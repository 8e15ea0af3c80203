/**
 * A gateway's stream that only talks: books of many markets at a rate, each frame with a number. Its first line says the
 * port; when its input closes it stops, says how many frames it sent, and ends. It runs as a process of its own.
 *
 * Usage: node scripts/prove/record-load/server.ts <frames a second>
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

const TICK_MS = 5;
const LEVELS = 20;

const rate = Number(process.argv[2]);
const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
/** Who gets which market. */
const subscriptions: { readonly socket: WebSocket; readonly symbol: string }[] = [];
let sent = 0;

sockets.on('connection', (socket) => {
  socket.on('message', (bytes) => {
    const { method, params, id } = JSON.parse(String(bytes)) as {
      method: string;
      params: { symbol: string };
      id: number;
    };
    if (method === 'ping') socket.send(JSON.stringify({ channel: 'pong', data: { ts: Date.now() } }));
    if (method !== 'subscribe') return;
    socket.send(JSON.stringify({ channel: 'subscribed', data: params, epoch: '1', id }));
    send({ socket, symbol: params.symbol }, true);
    subscriptions.push({ socket, symbol: params.symbol });
  });
});

function send({ socket, symbol }: { socket: WebSocket; symbol: string }, isSnapshot: boolean): void {
  sent += 1;
  socket.send(`{"channel":"book","isSnapshot":${isSnapshot},"seq":${sent},"data":${bookOf(symbol, sent)}}`);
}

/** A book whose middle moves and of which some levels change from frame to frame. */
function bookOf(symbol: string, step: number): string {
  const middle = 930_000 + ((step >> 9) % 200);
  const side = (direction: 1 | -1): string[] =>
    Array.from({ length: LEVELS }, (_, level) => {
      const price = middle + direction * (level + 1);
      const size = 1_000 + ((price * 7_919 + (level < 4 ? step * 31 : step >> 8)) % 9_000);
      return `["${Math.floor(price / 10)}.${price % 10}","${(size / 10_000).toFixed(4)}"]`;
    });
  return `{"symbol":"${symbol}","bids":[${side(-1)}],"asks":[${side(1)}]}`;
}

let beganMs: number | undefined;
let done = 0;
const ticks = setInterval(() => {
  if (subscriptions.length === 0) return;
  beganMs ??= performance.now();
  const due = Math.floor(((performance.now() - beganMs) * rate) / 1_000);
  for (; done < due; done++) {
    const subscription = subscriptions[done % subscriptions.length];
    if (subscription !== undefined) send(subscription, false);
  }
}, TICK_MS);

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.resume();
process.stdin.on('end', () => {
  clearInterval(ticks);
  process.stdout.write(`${sent}\n`, () => {
    // What was sent last must arrive before the socket goes.
    for (const client of sockets.clients) client.close();
    server.close();
  });
});
