import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, toHex } from '../../src/core/index.ts';
import {
  type Address,
  type CanonicalCommand,
  type CanonicalOrder,
  type Command,
  lots,
  type Market,
  type OrderSpec,
  ticks,
} from '../../src/domain/index.ts';
import { decodeBookInto } from '../../src/wire/protocol/decode/book.ts';
import {
  allocateBookLevels,
  composeWrite,
  decodeFrame,
  encodeCommand,
  openEnvelope,
  planWrite,
  readWrite,
} from '../../src/wire/protocol/index.ts';
import { decodeAnswer } from '../../src/wire/protocol/schema/schema.ts';
import { OUTCOME } from '../../src/wire/protocol/schema/write.ts';
import { decodeCommand } from '../support/decode-command.ts';
import { AGENT, ANSWERS, OWNER, SERVER_FRAMES, WRITE_ANSWERS } from '../support/wire-samples.ts';
import { marketOf } from '../unit/wire/protocol/support.ts';

const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const ms = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const side = fc.constantFrom('buy', 'sell');
const tif = fc.constantFrom('gtc', 'ioc', 'postOnly', 'fok');
const orderId = fc.record({ market: u16, orderSeq: fc.bigInt({ min: 0n, max: 2n ** 48n - 1n }) });
const order: fc.Arbitrary<CanonicalOrder> = fc.record({
  market: u16,
  side,
  price: u32,
  lots: u64,
  tif,
  reduceOnly: fc.boolean(),
});
const kind = <K extends string>(name: K) => fc.constant(name);
const orderFields = { market: u16, side, price: u32, lots: u64, tif, reduceOnly: fc.boolean() };

const command: fc.Arbitrary<CanonicalCommand> = fc.oneof(
  fc.record({
    kind: kind('PlaceOrder'),
    account: u32,
    ...orderFields,
    goodTilMs: ms,
    nowMs: ms,
    router: u32,
    routerFeePpm: u32,
  }),
  fc.record({
    kind: fc.constantFrom('CancelOrder', 'CancelConditional', 'CancelTwap'),
    account: u32,
    orderId,
  }),
  fc.record({ kind: kind('SetLeverage'), account: u32, market: u16, customImfPpm: u32 }),
  fc.record({ kind: kind('BatchCancel'), account: u32, orderIds: fc.array(orderId) }),
  fc.record({
    kind: kind('PlaceConditional'),
    account: u32,
    ...orderFields,
    goodTilMs: ms,
    triggerPrice: u32,
    triggerAbove: fc.boolean(),
    nowMs: ms,
  }),
  fc.record({
    kind: kind('PlaceTwap'),
    account: u32,
    market: u16,
    side,
    totalLots: u64,
    slices: u32,
    intervalMs: ms,
    priceTolerancePpm: u32,
    reduceOnly: fc.boolean(),
    nowMs: ms,
  }),
  fc.record({
    kind: kind('ModifyOrder'),
    account: u32,
    orderId,
    price: u32,
    lots: u64,
    tif,
    reduceOnly: fc.boolean(),
    goodTilMs: ms,
    nowMs: ms,
  }),
  fc.record({ kind: kind('ScheduleCancel'), account: u32, triggerMs: ms, nowMs: ms }),
  fc.record({
    kind: kind('PlaceTpslPair'),
    account: u32,
    market: u16,
    closeSide: side,
    lots: u64,
    tpTrigger: u32,
    tpPrice: u32,
    slTrigger: u32,
    slPrice: u32,
    positionTpsl: fc.boolean(),
    // The highest number of the highest market has the bytes of "no parent" (exchange.md#command-bytes).
    parentOrderId: fc.option(
      orderId.filter(({ market }) => market < 0xffff),
      { nil: undefined },
    ),
    nowMs: ms,
  }),
  fc.record({ kind: kind('BatchPlace'), account: u32, nowMs: ms, orders: fc.array(order) }),
  fc.record({
    kind: kind('BatchReplace'),
    account: u32,
    nowMs: ms,
    cancels: fc.array(orderId),
    orders: fc.array(order),
  }),
  fc.record({ kind: kind('CancelAll'), account: u32 }),
);

/** What a command says: records that are drawn differ in their prototypes too, which say nothing. */
const textOf = (value: CanonicalCommand): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));

describe('codec', () => {
  test('any command comes back from its bytes', () => {
    fc.assert(
      fc.property(command, (value) => {
        expect(decodeCommand(encodeCommand(value))).toEqual(value);
      }),
    );
  });

  test('two commands have the same bytes only when they are the same', () => {
    fc.assert(
      fc.property(command, command, (a, b) => {
        const isSame = toHex(encodeCommand(a)) === toHex(encodeCommand(b));
        expect(isSame).toBe(textOf(a) === textOf(b));
      }),
    );
  });

  test('bytes that are accepted are the bytes of what they mean', () => {
    fc.assert(
      fc.property(command, fc.nat(), fc.nat({ max: 255 }), (value, at, byte) => {
        const bytes = encodeCommand(value);
        bytes[at % bytes.length] = byte;
        let changed: CanonicalCommand;
        try {
          changed = decodeCommand(bytes);
        } catch {
          return;
        }
        expect(toHex(encodeCommand(changed))).toBe(toHex(bytes));
      }),
    );
  });
});

/** A market of any precision. */
const market: fc.Arbitrary<Market> = fc
  .record({ price: fc.nat({ max: 3 }), size: fc.nat({ max: 3 }), tick: fc.constantFrom(1, 2, 5), id: u16 })
  .map(({ price, size, tick, id }) => {
    const wire = {
      ...ANSWERS.market,
      signingMarketId: id,
      priceDecimals: price,
      sizeDecimals: size,
      tickSize: price === 0 ? String(tick) : `0.${'0'.repeat(price - 1)}${tick}`,
      lotSize: size === 0 ? '1' : `0.${'0'.repeat(size - 1)}1`,
    };
    return marketOf(wire);
  });

const spec = (of: Market): fc.Arbitrary<OrderSpec> =>
  fc
    .record({
      side,
      steps: fc.integer({ min: 1, max: Math.floor(0xffff_ffff / of.tickStep) }),
      size: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      timeInForce: tif,
      reduceOnly: fc.boolean(),
      label: fc.string({ minLength: 1, maxLength: 64 }),
    })
    .map(({ steps, size, label, ...rest }) => ({
      intentId: 'i' as OrderSpec['intentId'],
      strategyId: 's' as OrderSpec['strategyId'],
      symbol: of.symbol,
      priceTicks: ticks(steps * of.tickStep),
      sizeLots: lots(size),
      clientOrderId: label as OrderSpec['clientOrderId'],
      expiresAtMs: 0,
      ...rest,
    }));

describe('writes', () => {
  test('what the server reads from the JSON has the bytes that the client signed (O6, O43)', () => {
    const round = market.chain((of) =>
      fc.record({
        of: fc.constant(of),
        orders: fc.array(spec(of), { maxLength: 5 }),
        seqs: fc.array(fc.nat()),
        nonce: u64,
        ms,
        isReplace: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(round, ({ of, orders, seqs, nonce, ms: nowMs, isReplace }) => {
        const context = { signingAccountId: 9, market: () => of, marketById: () => of };
        const cancels = seqs.map((seq) => ({ symbol: of.symbol, orderId: String(seq) as never }));
        const command: Command = isReplace
          ? { kind: 'replace', symbol: of.symbol, cancels, orders }
          : { kind: 'place', orders };
        const planned = planWrite(command, context, nowMs);
        const envelope = {
          account: OWNER as Address,
          signer: AGENT as Address,
          nonce,
          signature: `0x${'11'.repeat(65)}`,
        } as const;
        const opened = openEnvelope(parseJson(composeWrite(planned.body, envelope)));
        if (!('envelope' in opened)) throw new Error(opened.problem.message);
        expect(opened.envelope.nonce).toBe(nonce);
        const read = readWrite(planned.path, opened.business, context);
        if ('problem' in read) throw new Error(read.problem.message);
        expect(read.clientOrderIds).toEqual(orders.map(({ clientOrderId }) => clientOrderId));
        expect(toHex(encodeCommand(read.canonical as CanonicalCommand))).toBe(
          toHex(encodeCommand(planned.canonical)),
        );
      }),
    );
  });

  test('no JSON makes readWrite throw', () => {
    const paths = fc.constantFrom(
      '/v1/orders',
      '/v1/orders/cancel',
      '/v1/orders/replace',
      '/v1/account/leverage',
    );
    fc.assert(
      fc.property(paths, fc.jsonValue(), fc.jsonValue(), market, (path, body, item, of) => {
        const context = { signingAccountId: 9, market: () => of, marketById: () => of };
        for (const value of [
          body,
          { orders: [item], cancels: [item], nowMs: 1, symbol: item, leverage: item },
        ]) {
          const read = readWrite(path, value, context);
          expect('problem' in read || 'canonical' in read).toBe(true);
        }
      }),
    );
  });
});

/** The paths of all values inside a JSON value. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

/** `value` with what stands at `path` replaced, or removed. */
function mutate(value: unknown, [key, ...rest]: readonly string[], change: unknown): unknown {
  if (key === undefined) return change;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = mutate(copy[key], rest, change);
  return copy;
}

describe('decoders', () => {
  const btc = marketOf(ANSWERS.market);
  const context = {
    collateralDecimals: 6,
    market: (symbol: string) => (symbol === 'BTC-USD' ? btc : undefined),
  };
  const mutation = (samples: readonly unknown[]) =>
    fc
      .constantFrom(...samples)
      .chain((sample) => fc.tuple(fc.constant(sample), fc.constantFrom(...pathsOf(sample)), fc.jsonValue()))
      .map(([sample, path, change]) => JSON.stringify(mutate(sample, path, change)) ?? 'null');

  const levels = allocateBookLevels();

  test('no broken frame makes decodeFrame throw, and no number in it is unsafe', () => {
    fc.assert(
      fc.property(mutation(SERVER_FRAMES), (text) => {
        const decoded = decodeFrame(text, context, { book: () => levels });
        if (!decoded.ok) {
          expect(decoded.error.name).toBe('ProtocolError');
          return;
        }
        const frame = decoded.value;
        if (frame.channel === 'fills') {
          expect(
            Number.isSafeInteger(frame.fill.priceTicks) && Number.isSafeInteger(frame.fill.sizeLots),
          ).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('no text at all makes decodeFrame throw', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.json());
    fc.assert(
      fc.property(anyText, (text) => {
        expect(typeof decodeFrame(text, context, { book: () => levels }).ok).toBe('boolean');
      }),
    );
  });

  test('no broken answer of a write makes its decoder throw', () => {
    fc.assert(
      fc.property(mutation([WRITE_ANSWERS.result, WRITE_ANSWERS.sequenced]), (text) => {
        const decoded = decodeAnswer(OUTCOME, text);
        if (!decoded.ok) expect(decoded.error.name).toBe('ProtocolError');
        else expect(['sequenced', 'executed', 'rejected']).toContain(decoded.value.status);
      }),
      { numRuns: 500 },
    );
  });

  test('levels of any book keep every digit', () => {
    const level = fc.tuple(fc.integer({ min: 1, max: 400_000_000 }), fc.integer({ min: 1, max: 2 ** 40 }));
    fc.assert(
      fc.property(fc.uniqueArray(level, { maxLength: 100, selector: ([price]) => price }), (pairs) => {
        const asks = [...pairs].sort((a, b) => a[0] - b[0]);
        const wire = asks.map(([price, size]) => [
          `${Math.floor(price / 10)}.${price % 10}`,
          `${Math.floor(size / 1000)}.${String(size % 1000).padStart(3, '0')}`,
        ]);
        const levels = allocateBookLevels();
        expect(decodeBookInto({ bids: [], asks: wire }, btc, levels)).toBeUndefined();
        expect([...levels.askTicks.subarray(0, levels.askCount)]).toEqual(asks.map(([price]) => price));
        expect([...levels.askLots.subarray(0, levels.askCount)]).toEqual(asks.map(([, size]) => size));
      }),
    );
  });
});
