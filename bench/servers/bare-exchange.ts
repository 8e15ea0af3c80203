/**
 * @module
 * The least that an exchange over HTTP must do: parse, hash, recover the signer natively, match, answer. No accounts, no
 * nonces, no receipts (performance B8, the bare server of the yardstick).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadCrypto, makeAgentExecDigest } from '../../src/crypto/index.ts';
import { BUY, OrderBook, SELL } from '../../src/venue/index.ts';
import { sampleDomain } from '../wallet.ts';

interface Body {
  readonly nonce: number;
  readonly signature: string;
  readonly orders?: readonly { readonly side: string; readonly price: string; readonly size: string }[];
}

const crypto = await loadCrypto();
const digest = makeAgentExecDigest(crypto, sampleDomain(crypto));
let book = new OrderBook();
let seq = 0;
let next = 0;

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('latin1');
  request.on('data', (part: string) => {
    text += part;
  });
  request.on('end', () => {
    const { orders = [], nonce, signature } = JSON.parse(text) as Body;
    const hash = crypto.keccak256(Buffer.from(JSON.stringify(orders)));
    // Whoever that is: the bytes of the bench are signed over another digest, the work is the same.
    crypto.recoverAddress(digest(hash, BigInt(nonce)), signature);
    if (orders.length === 0) book = new OrderBook();
    const items = orders.map(({ side, price, size }) => {
      const before = book.tradeCount;
      book.limit(next, side === 'buy' ? BUY : SELL, Number(price), lotsOf(size));
      return { orderId: String(next++), status: book.tradeCount > before ? 'filled' : 'open' };
    });
    const answer = JSON.stringify({ requestId: `r${++seq}`, status: 'executed', nonceConsumed: true, items });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
      'x-svc-seq': String(seq),
    });
    response.end(answer);
  });
});

function lotsOf(size: string): number {
  return Number(size.slice(2));
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
