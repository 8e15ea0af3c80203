/**
 * @module
 * Where writes have a short way beside the general one: both must say the same of everything, to the letter.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { must, ProtocolError, parseJson, toHex } from '../../src/core/index.ts';
import type { Address, CanonicalCommand, Market } from '../../src/domain/index.ts';
import { itemsJson } from '../../src/exchange/api/json/item-json.ts';
import { vaultEffectJson } from '../../src/exchange/api/json/vault-json.ts';
import { writeAnswerText } from '../../src/exchange/api/json/write-answer.ts';
import { AccountState } from '../../src/exchange/engine/accounts/account.ts';
import { valueAt } from '../../src/exchange/engine/accounts/position.ts';
import { millionthsUp } from '../../src/exchange/engine/amounts.ts';
import { initialMarginOf, maintenanceMarginAt } from '../../src/exchange/engine/margin.ts';
import { MarketState } from '../../src/exchange/engine/prices/market-state.ts';
import { defaultMarkets } from '../../src/exchange/state/default-markets.ts';
import type { ExchangeState } from '../../src/exchange/state/exchange-state.ts';
import type { Receipt } from '../../src/exchange/state/request.ts';
import { nobleKeccak } from '../../src/wire/crypto/keccak.ts';
import { readOrders } from '../../src/wire/protocol/commands/order-fields.ts';
import { plainOrderOf } from '../../src/wire/protocol/commands/plain-order.ts';
import { encodeCommand, hashCommand, type WriteContext } from '../../src/wire/protocol/index.ts';

const markets: readonly Market[] = defaultMarkets().map(({ market }, at) => ({
  ...market,
  tickStep: (2 * at + 1) as Market['tickStep'],
  lotStep: (at + 1) as Market['lotStep'],
}));
const context: WriteContext = {
  signingAccountId: 7,
  market: (symbol) => markets.find((market) => market.symbol === symbol),
  marketById: (id) => markets.find((market) => market.signingMarketId === id),
};

/** Mostly what it should be, now and then what it should not. */
const often = <T>(good: fc.Arbitrary<T>, ...bad: readonly unknown[]) =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: fc.constantFrom<unknown>(...bad) });
const decimal = fc
  .tuple(fc.nat({ max: 999_999 }), fc.option(fc.stringMatching(/^[0-9]{1,3}$/), { nil: undefined, freq: 1 }))
  .map(([whole, part]) => (part === undefined ? String(whole) : `${whole}.${part}`));
const price = often(decimal, 7, '', '-1', '1e3', '007', '1.', '4294967296', '99999999999999999999', null);
const more = fc.record(
  {
    clientOrderId: often(fc.string({ minLength: 1, maxLength: 40 }), '', 'x'.repeat(200), 7, null),
    trigger: fc.constantFrom<unknown>({ price: '100', above: true }, { price: '0' }, 'now', null),
    strange: fc.constant(1),
  },
  { requiredKeys: [] },
);
const item = fc
  .record(
    {
      symbol: often(fc.constantFrom(...markets.map(({ symbol }) => symbol)), 'NO-SUCH', '', 7, null),
      side: often(fc.constantFrom('buy', 'sell'), 'BUY', '', null),
      price,
      size: price,
      timeInForce: often(fc.constantFrom('gtc', 'ioc', 'fok', 'postOnly'), 'day', null),
      reduceOnly: often(fc.boolean(), 'true', null, 0),
    },
    { requiredKeys: ['symbol', 'side', 'price', 'size', 'timeInForce', 'reduceOnly'] },
  )
  .chain((order) =>
    // Most orders have nothing more.
    fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, more).map((rest) => ({ ...order, ...rest })),
  );

/** Orders or the refusal. */
function readingOf(items: readonly unknown[]): unknown {
  try {
    return readOrders(context, { orders: items });
  } catch (thrown) {
    if (thrown instanceof ProtocolError) return thrown.message;
    throw thrown;
  }
}

describe('orders of a body', () => {
  test('are read alike the short way and the long one', () => {
    let plain = 0;
    fc.assert(
      fc.property(
        fc.array(fc.oneof(item, fc.constantFrom(null, 7, 'order', [])), { maxLength: 4 }),
        (items) => {
          if (items.some((one) => plainOrderOf(context, one) !== undefined)) plain++;
          // A trigger that is there and absent changes nothing, and the short way does not take it.
          const longer = items.map((one) =>
            typeof one === 'object' && one !== null && !Array.isArray(one) && !('trigger' in one)
              ? { ...one, trigger: undefined }
              : one,
          );
          for (const one of longer) expect(plainOrderOf(context, one)).toBeUndefined();
          expect(readingOf(items)).toEqual(readingOf(longer));
        },
      ),
      { numRuns: 2_000 },
    );
    expect(plain).toBeGreaterThan(200);
  });
});

const text = fc.string({ maxLength: 12 });
const count = fc.nat({ max: 2 ** 40 });
const receiptItem = fc.record(
  {
    inputIndex: fc.nat({ max: 300 }),
    kind: fc.constantFrom('place', 'cancel'),
    market: fc.constantFrom(...markets.map(({ signingMarketId }) => signingMarketId)),
    state: fc.constantFrom('accepted', 'canceled', 'rejected'),
    recordSub: fc.nat({ max: 300 }),
    orderSeq: fc.bigInt({ min: 0n, max: 2n ** 48n - 1n }),
    reason: text,
    lots: count,
    filledLots: count,
    isResting: fc.boolean(),
    canceledLots: count,
  },
  { requiredKeys: ['inputIndex', 'kind', 'market', 'state', 'recordSub'] },
);
const receipt: fc.Arbitrary<Receipt> = fc.record({
  request: fc.record({
    requestId: fc.stringMatching(/^0x[0-9a-f]{64}$/),
    signer: fc.constant(`0x${'11'.repeat(20)}` as Address),
    isAgent: fc.boolean(),
    nonce: fc.bigInt({ min: 0n, max: 99n }),
    operation: fc.constant({ kind: 'CancelAll', account: 1 } as const),
    clientOrderIds: fc.array(fc.option(text, { nil: undefined }), { maxLength: 300 }),
  }),
  scope: text,
  seq: count,
  sub: fc.nat({ max: 65_535 }),
  status: fc.constantFrom('executed', 'rejected'),
  nonceConsumed: fc.boolean(),
  reason: fc.option(text, { nil: undefined }),
  batchStatus: fc.constantFrom('ok', 'partial', 'none', undefined),
  items: fc.array(receiptItem, { maxLength: 6 }),
  vault: fc.option(fc.record({ vault: fc.nat({ max: 99 }), shares: fc.bigInt({ min: 1n, max: 99_999n }) }), {
    nil: undefined,
  }),
});

test('the answer of a write is the JSON of its parts', () => {
  const byId = (id: number) => markets.find(({ signingMarketId }) => signingMarketId === id);
  fc.assert(
    fc.property(receipt, text, fc.boolean(), (one, epoch, isDuplicate) => {
      const state = { epoch, venue: { market: byId } } as unknown as ExchangeState;
      const expected = JSON.stringify({
        requestId: one.request.requestId,
        status: one.status,
        epoch,
        seq: one.seq,
        sub: one.sub,
        nonceConsumed: one.nonceConsumed,
        batchStatus: one.batchStatus,
        reason: one.reason,
        duplicate: isDuplicate ? true : undefined,
        items: itemsJson(one, state),
        vault: one.vault === undefined ? undefined : vaultEffectJson(one.vault),
      });
      expect(writeAnswerText(one, state, isDuplicate)).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('the hash of a command is that of its bytes, whatever was encoded before', () => {
  const hasher = nobleKeccak();
  const cancels = fc.array(
    fc.record({ market: fc.nat({ max: 65_535 }), orderSeq: fc.bigInt({ min: 0n, max: 99n }) }),
    {
      maxLength: 200,
    },
  );
  fc.assert(
    fc.property(cancels, fc.nat({ max: 99 }), (orderIds, account) => {
      const command: CanonicalCommand = { kind: 'BatchCancel', account, orderIds };
      encodeCommand({ kind: 'CancelAll', account });
      expect(toHex(hashCommand(hasher, command))).toBe(toHex(hasher.keccak256(encodeCommand(command))));
    }),
  );
});

test('long integers keep their digits wherever they stand in a text (obligations O7)', () => {
  const integer = fc.bigInt({ min: 10n ** 14n, max: 10n ** 22n });
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.array(integer, { maxLength: 5 }), (before, integers) => {
      const told = `{"${'x'.repeat(before.length)}":${JSON.stringify(before)},"list":[${integers.join(',')}]}`;
      const { list } = parseJson(told) as { list: readonly (number | bigint)[] };
      expect(list.map(BigInt)).toEqual(integers);
    }),
  );
});

describe('money in numbers is money in bigints', () => {
  const [market] = defaultMarkets();
  const count = fc.oneof(fc.nat({ max: 1_000_000 }), fc.nat({ max: Number.MAX_SAFE_INTEGER }));
  const quantumsPerTickLot = fc.oneof(
    fc.bigInt({ min: 1n, max: 10_000n }),
    fc.bigInt({ min: 1n, max: 10n ** 20n }),
  );

  test('a millionth, rounded up', () => {
    fc.assert(
      fc.property(count, (value) => {
        const up = millionthsUp(value);
        if (up !== undefined) expect(up).toBe((BigInt(value) + 999_999n) / 1_000_000n);
        else expect(value).toBeGreaterThan(Number.MAX_SAFE_INTEGER - 1_000_000);
      }),
    );
  });

  test('the initial margin of an exposure', () => {
    fc.assert(
      fc.property(count, count, quantumsPerTickLot, (lots, markTicks, perTickLot) => {
        const state = new MarketState(marketWith({ quantumsPerTickLot: perTickLot }), 0);
        state.markTicks = markTicks;
        const holding = new AccountState(1).holding(state);
        const exact = BigInt(lots) * BigInt(markTicks) * perTickLot * BigInt(holding.initialMarginPpm);
        expect(initialMarginOf(holding, lots)).toBe((exact + 999_999n) / 1_000_000n);
      }),
    );
  });

  test('the maintenance margin and the value of a position', () => {
    const ppm = fc.oneof(fc.nat({ max: 1_000_000 }), fc.constantFrom(20_000, 50_000, 500_000, 600_000));
    fc.assert(
      fc.property(
        count,
        count,
        quantumsPerTickLot,
        ppm,
        ppm,
        (lots, priceTicks, perTickLot, initial, part) => {
          const margins = { initialMarginPpm: initial, maintenanceFractionPpm: part } as Partial<Market>;
          const state = new MarketState(marketWith({ ...margins, quantumsPerTickLot: perTickLot }), 0);
          const holding = new AccountState(1).holding(state);
          const notional = BigInt(lots) * BigInt(priceTicks) * perTickLot;
          const trillionths = notional * BigInt(initial) * BigInt(part);
          expect(maintenanceMarginAt(holding, lots, priceTicks)).toBe(
            (trillionths + 10n ** 12n - 1n) / 10n ** 12n,
          );
          for (const side of [1, -1]) {
            holding.lots = side * lots;
            expect(valueAt(holding, priceTicks)).toBe(BigInt(side) * notional);
          }
        },
      ),
    );
  });

  test('the least notional of an order', () => {
    fc.assert(
      fc.property(
        count,
        count,
        quantumsPerTickLot,
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        (price, lots, perTickLot, drawn) => {
          const notional = BigInt(price) * BigInt(lots) * perTickLot;
          for (const minNotional of [0n, notional, notional + 1n, drawn]) {
            const state = new MarketState(marketWith({ quantumsPerTickLot: perTickLot, minNotional }), 0);
            expect(state.isBelowMinimum(price, lots)).toBe(minNotional > 0n && notional < minNotional);
          }
        },
      ),
    );
  });

  function marketWith(
    changes: { readonly quantumsPerTickLot: bigint; readonly minNotional?: bigint } & object,
  ) {
    const told = must(market, 'a market');
    return { ...told, market: { ...told.market, ...changes } as Market };
  }
});
