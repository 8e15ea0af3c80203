/**
 * @module
 * The stacks that the framework is held against: naive (decimal.js, viem, fetch), bare (integers, cached digest, native
 * signature, undici) and the physical floor (a scan for the top of the book, a raw socket). Each takes a frame and ends
 * when its POST is answered. With a commit, the order is durable before it leaves.
 */
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { createKeccak } from 'hash-wasm';
import { Client } from 'undici';
import { hexToBytes, keccak256, toBytes } from 'viem';
import { Decimal } from '../../../src/core/index.ts';
import { loadCrypto } from '../../../src/wire/crypto/index.ts';
import { toInteger } from '../../to-integer.ts';
import { AGENT_EXEC_TYPES, DOMAIN, sampleDomain, viemAccount, viemSecret } from '../../wallet.ts';
import type { Commit } from './commit.ts';
import { BENCH_ORDERS } from './wire.ts';

/** Takes a frame; resolves when the order it caused is answered. */
export type Stack = (frame: Buffer) => Promise<void>;

/** The stacks on one connection each. */
export interface Stacks {
  readonly byName: Readonly<Record<string, Stack>>;
  /** The whole book of a frame in integers; the price of an order on it. */
  readonly bookOf: (frame: Buffer) => number;
  /** The parts of the bare stack without the network and the commit: book, command, digest, signature, body. */
  readonly partsOf: (frame: Buffer) => string;
  close(): Promise<void>;
}

const HEADERS = { 'content-type': 'application/json' };
const PRICE_DECIMALS = 1;
const SIZE_DECIMALS = 4;
const SIZE_LOTS = 100;
const DEPTH_MAX = 128;
/** As long as the canonical bytes of a placement with all its fields. */
const COMMAND_BYTES = 120;

const POINT = 46;
const QUOTE = 34;
const ZERO = 48;

/** Makes the stacks, with and without the commit. */
export async function openStacks(origin: string, commit: Commit): Promise<Stacks> {
  const tools = await openTools();
  const client = new Client(origin, { keepAliveTimeout: 60_000 });
  const raw = await openRaw(origin);
  let nonce = 0;

  const naive =
    (journal: Commit | undefined): Stack =>
    async (frame) => {
      const priceTicks = priceByDecimals(frame);
      const order = tools.orderOf(priceTicks, ++nonce);
      const signature = await viemAccount.signTypedData({
        domain: DOMAIN,
        types: AGENT_EXEC_TYPES,
        primaryType: 'AgentExec',
        message: { commandHash: keccak256(order.bytes), nonce: BigInt(nonce) },
      });
      await journal?.record(order);
      const body = bodyOf(priceTicks, nonce, signature);
      const answer = await fetch(origin + BENCH_ORDERS, { method: 'POST', headers: HEADERS, body });
      await answer.json();
      journal?.settle(order);
    };

  const bare =
    (journal: Commit | undefined): Stack =>
    async (frame) => {
      const priceTicks = tools.priceByIntegers(frame);
      const order = tools.orderOf(priceTicks, ++nonce);
      // Signed while the commit runs, as the framework does.
      const durable = journal?.record(order);
      const body = bodyOf(priceTicks, nonce, tools.sign(order.commandHash, nonce));
      if (durable !== undefined) await durable;
      const answer = await client.request({ method: 'POST', path: BENCH_ORDERS, headers: HEADERS, body });
      await answer.body.json();
      journal?.settle(order);
    };

  const floor =
    (journal: Commit | undefined): Stack =>
    async (frame) => {
      const priceTicks = priceByScan(frame);
      const order = tools.orderOf(priceTicks, ++nonce);
      const durable = journal?.record(order);
      const body = bodyOf(priceTicks, nonce, tools.sign(order.commandHash, nonce));
      if (durable !== undefined) await durable;
      await raw.post(body);
      journal?.settle(order);
    };

  return {
    byName: {
      naive: naive(commit),
      bare: bare(commit),
      floor: floor(commit),
      'naive, no journal': naive(undefined),
      'bare, no journal': bare(undefined),
      'floor, no journal': floor(undefined),
    },
    bookOf: tools.priceByIntegers,
    partsOf: (frame) => {
      const priceTicks = tools.priceByIntegers(frame);
      const { commandHash } = tools.orderOf(priceTicks, ++nonce);
      return bodyOf(priceTicks, nonce, tools.sign(commandHash, nonce));
    },
    close: async () => {
      raw.close();
      await client.destroy();
    },
  };
}

/** The part of the native library that signs. */
interface Native {
  ecdsaSign(
    digest: Uint8Array,
    secret: Uint8Array,
  ): { readonly signature: Uint8Array; readonly recid: number };
}

async function openTools() {
  const native: Native = createRequire(import.meta.url)('secp256k1/bindings');
  const hasher = await createKeccak(256);
  const keccak = (bytes: Uint8Array) => hasher.init().update(bytes).digest('binary');
  const secret = hexToBytes(viemSecret);

  const struct = new Uint8Array(96);
  const structView = new DataView(struct.buffer);
  struct.set(keccak(toBytes('AgentExec(bytes32 commandHash,uint64 nonce)')));
  const preimage = new Uint8Array(66);
  preimage.set([0x19, 0x01]);
  preimage.set(sampleDomain(await loadCrypto()).separator, 2);

  const bids = new Float64Array(DEPTH_MAX);
  const bidSizes = new Float64Array(DEPTH_MAX);
  const asks = new Float64Array(DEPTH_MAX);
  const askSizes = new Float64Array(DEPTH_MAX);

  return {
    /** The whole book in integers; the price is a tick below the middle. */
    priceByIntegers(frame: Buffer): number {
      const { data }: WireFrame = JSON.parse(frame.toString());
      for (let at = 0; at < data.bids.length; at++) {
        const [bid, ask] = [data.bids[at]!, data.asks[at]!];
        bids[at] = toInteger(bid[0]!, PRICE_DECIMALS);
        bidSizes[at] = toInteger(bid[1]!, SIZE_DECIMALS);
        asks[at] = toInteger(ask[0]!, PRICE_DECIMALS);
        askSizes[at] = toInteger(ask[1]!, SIZE_DECIMALS);
      }
      return Math.floor((bids[0]! + asks[0]!) / 2) - 1;
    },
    orderOf(priceTicks: number, nonce: number) {
      const bytes = new Uint8Array(COMMAND_BYTES);
      const view = new DataView(bytes.buffer);
      view.setFloat64(0, priceTicks);
      view.setFloat64(8, SIZE_LOTS);
      view.setFloat64(16, nonce);
      return { priceTicks, nonce, bytes, commandHash: keccak(bytes) };
    },
    sign(commandHash: Uint8Array, nonce: number): string {
      struct.set(commandHash, 32);
      structView.setBigUint64(88, BigInt(nonce));
      preimage.set(keccak(struct), 34);
      const { signature, recid } = native.ecdsaSign(keccak(preimage), secret);
      return `0x${Buffer.from(signature.buffer, signature.byteOffset, 64).toString('hex')}${recid === 0 ? '1b' : '1c'}`;
    },
  };
}

interface WireFrame {
  readonly data: { readonly bids: readonly string[][]; readonly asks: readonly string[][] };
}

function priceByDecimals(frame: Buffer): number {
  const { data }: WireFrame = JSON.parse(frame.toString());
  const side = (levels: readonly string[][]) =>
    levels.map(([price, size]) => ({ price: new Decimal(price!), size: new Decimal(size!) }));
  const bid = side(data.bids)[0]!;
  const ask = side(data.asks)[0]!;
  const middle = bid.price.add(ask.price).div(2);
  return middle
    .mul(10 ** PRICE_DECIMALS)
    .floor()
    .sub(1)
    .toNumber();
}

const FIRST_BID = Buffer.from('"bids":[["');
const FIRST_ASK = Buffer.from('"asks":[["');

function priceByScan(frame: Buffer): number {
  return Math.floor((firstPrice(frame, FIRST_BID) + firstPrice(frame, FIRST_ASK)) / 2) - 1;
}

/** The first price behind `mark`; frames of this bench have exactly one decimal. */
function firstPrice(frame: Buffer, mark: Buffer): number {
  let value = 0;
  for (let at = frame.indexOf(mark) + mark.length; frame[at] !== QUOTE; at++) {
    const byte = frame[at]!;
    if (byte !== POINT) value = value * 10 + (byte - ZERO);
  }
  return value;
}

function bodyOf(priceTicks: number, nonce: number, signature: string): string {
  const digits = String(priceTicks);
  return JSON.stringify({
    account: viemAccount.address,
    nonce,
    signature,
    signer: viemAccount.address,
    orders: [
      {
        symbol: 'BTC-USD',
        side: 'buy',
        price: `${digits.slice(0, -PRICE_DECIMALS)}.${digits.slice(-PRICE_DECIMALS)}`,
        size: '0.0100',
        timeInForce: 'ioc',
        reduceOnly: false,
        clientOrderId: `bench-${nonce}`,
      },
    ],
    nowMs: 1_790_000_000_000,
  });
}

async function openRaw(origin: string) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let onAnswer: () => void = () => undefined;
  let onClosed: (error: Error) => void = () => undefined;
  socket.on('data', () => onAnswer());
  socket.on('close', () =>
    onClosed(new Error('expected an answer to the floor, got the end of its connection')),
  );
  await new Promise((resolve) => socket.once('connect', resolve));
  const head = `POST ${BENCH_ORDERS} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: `;
  return {
    post: (body: string) =>
      new Promise<void>((resolve, reject) => {
        onAnswer = resolve;
        onClosed = reject;
        if (socket.destroyed) reject(new Error('expected a connection of the floor, got a closed one'));
        socket.write(`${head}${body.length}\r\n\r\n${body}`);
      }),
    close: () => socket.destroy(),
  };
}
