/**
 * @module
 * The least that an exchange over HTTP must do: parse, hash, recover the signer natively, match, answer. No accounts,
 * no nonces, no receipts (the bare server of the yardstick). A cancel-all takes back what its sender has in the book
 * and tells each order, so that both servers match in a book of the same depth and answer as many items.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BUY, OrderBook, SELL } from '../../src/exchange/engine/index.ts';
import { loadCrypto, makeAgentExecDigest } from '../../src/wire/crypto/index.ts';
import { sampleDomain } from '../wallet.ts';

interface Body {
  readonly account: string;
  readonly nonce: number;
  readonly signature: string;
  readonly orders?: readonly Order[];
}

interface Order {
  readonly side: string;
  readonly price: string;
  readonly size: string;
}

interface Item {
  readonly orderId: string;
  readonly status: 'filled' | 'open' | 'canceled';
}

const crypto = await loadCrypto();
const digest = makeAgentExecDigest(crypto, sampleDomain(crypto));
const book = new OrderBook();
/** Slot and number of each order that may still rest, by sender. */
const resting = new Map<string, [number, number][]>();
let seq = 0;
let next = 0;

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('latin1');
  request.on('data', (part: string) => {
    text += part;
  });
  request.on('end', () => {
    const { account, orders, nonce, signature } = JSON.parse(text) as Body;
    const hash = crypto.keccak256(Buffer.from(JSON.stringify(orders ?? [])));
    // No matter who that is: the bytes of the bench are signed over another digest, the work is the same.
    crypto.recoverAddress(digest(hash, BigInt(nonce)), signature);
    const items = orders === undefined ? cancelAll(account) : place(account, orders);
    const answer = JSON.stringify({ requestId: `r${++seq}`, status: 'executed', nonceConsumed: true, items });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
      'x-svc-seq': String(seq),
    });
    response.end(answer);
  });
});

function place(account: string, orders: readonly Order[]): readonly Item[] {
  let own = resting.get(account);
  if (own === undefined) {
    own = [];
    resting.set(account, own);
  }
  const items: Item[] = [];
  for (const { side, price, size } of orders) {
    const before = book.tradeCount;
    const slot = book.limit(next, side === 'buy' ? BUY : SELL, Number(price), lotsOf(size));
    if (slot >= 0) own.push([slot, next]);
    items.push({ orderId: String(next++), status: book.tradeCount > before ? 'filled' : 'open' });
  }
  return items;
}

function cancelAll(account: string): readonly Item[] {
  const items: Item[] = [];
  for (const [slot, id] of resting.get(account) ?? [])
    if (book.cancel(slot, id) > 0) items.push({ orderId: String(id), status: 'canceled' });
  resting.delete(account);
  return items;
}

function lotsOf(size: string): number {
  return Number(size.slice(2));
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
