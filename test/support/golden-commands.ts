/**
 * @module
 * The 20 canonical encoding vectors that exchange.md#command-bytes prints (facts of the exchange, proven there): name,
 * command, bytes.
 */
import type { CanonicalCommand } from '../../src/domain/index.ts';

/** One vector. */
export interface GoldenCommand {
  readonly name: string;
  readonly command: CanonicalCommand;
  readonly hex: string;
}

const order = (
  market: number,
  side: 'buy' | 'sell',
  price: number,
  rest: { lots: bigint; tif: 'gtc' | 'ioc' | 'fok' | 'postOnly'; reduceOnly?: boolean },
) => ({ market, side, price, lots: rest.lots, tif: rest.tif, reduceOnly: rest.reduceOnly ?? false });

/** All vectors, in the order of exchange.md#command-bytes. */
export const GOLDEN_COMMANDS: readonly GoldenCommand[] = [
  {
    name: 'cancel_order',
    command: { kind: 'CancelOrder', account: 7, orderId: { market: 3, orderSeq: 42n } },
    hex: '0106070000002a00000000000300',
  },
  {
    name: 'batch_cancel_empty',
    command: { kind: 'BatchCancel', account: 0, orderIds: [] },
    hex: '010f0000000000000000',
  },
  {
    name: 'batch_cancel_three',
    command: {
      kind: 'BatchCancel',
      account: 4294967295,
      orderIds: [
        { market: 0, orderSeq: 1n },
        { market: 65535, orderSeq: 2n ** 48n - 1n },
        { market: 7, orderSeq: 42n },
      ],
    },
    hex: '010fffffffff030000000100000000000000ffffffffffffffff2a00000000000700',
  },
  {
    name: 'batch_place_empty',
    command: { kind: 'BatchPlace', account: 1, nowMs: 0, orders: [] },
    hex: '013101000000000000000000000000000000',
  },
  {
    name: 'batch_place_two',
    command: {
      kind: 'BatchPlace',
      account: 3,
      nowMs: 1700000000000,
      orders: [
        order(0, 'buy', 49500, { lots: 10n, tif: 'gtc' }),
        order(65535, 'sell', 2 ** 32 - 1, { lots: 2n ** 64n - 1n, tif: 'postOnly', reduceOnly: true }),
      ],
    },
    hex: '0131030000000068e5cf8b010000020000000000005cc100000a000000000000000000ffff01ffffffffffffffffffffffff0201',
  },
  {
    name: 'batch_replace_empty_empty',
    command: { kind: 'BatchReplace', account: 0, nowMs: 0, cancels: [], orders: [] },
    hex: '013e0000000000000000000000000000000000000000',
  },
  {
    name: 'batch_replace_mixed',
    command: {
      kind: 'BatchReplace',
      account: 9,
      nowMs: 1700000000123,
      cancels: [
        { market: 0, orderSeq: 1n },
        { market: 0, orderSeq: 2n },
      ],
      orders: [
        order(0, 'buy', 49900, { lots: 5n, tif: 'gtc' }),
        order(0, 'sell', 50100, { lots: 5n, tif: 'ioc' }),
        order(0, 'buy', 49800, { lots: 7n, tif: 'fok', reduceOnly: true }),
      ],
    },
    hex: '013e090000007b68e5cf8b010000020000000100000000000000020000000000000003000000000000ecc2000005000000000000000000000001b4c300000500000000000000010000000088c2000007000000000000000301',
  },
  {
    name: 'batch_replace_cancels_only',
    command: {
      kind: 'BatchReplace',
      account: 2,
      nowMs: 5,
      cancels: [{ market: 1, orderSeq: 8n }],
      orders: [],
    },
    hex: '013e02000000050000000000000001000000080000000000010000000000',
  },
  {
    name: 'batch_replace_orders_only',
    command: {
      kind: 'BatchReplace',
      account: 2,
      nowMs: 5,
      cancels: [],
      orders: [order(1, 'sell', 100, { lots: 1n, tif: 'gtc' })],
    },
    hex: '013e02000000050000000000000000000000010000000100016400000001000000000000000000',
  },
  {
    name: 'schedule_cancel',
    command: { kind: 'ScheduleCancel', account: 5, triggerMs: 1700000060000, nowMs: 1700000000000 },
    hex: '0116050000006052e6cf8b0100000068e5cf8b010000',
  },
  {
    name: 'schedule_cancel_clear',
    command: { kind: 'ScheduleCancel', account: 5, triggerMs: 0, nowMs: 1 },
    hex: '01160500000000000000000000000100000000000000',
  },
  {
    name: 'set_leverage',
    command: { kind: 'SetLeverage', account: 6, market: 2, customImfPpm: 200000 },
    hex: '010a060000000200400d0300',
  },
  {
    name: 'place_order',
    command: {
      kind: 'PlaceOrder',
      account: 3,
      ...order(0, 'sell', 50100, { lots: 7n, tif: 'ioc', reduceOnly: true }),
      goodTilMs: 1700000099000,
      nowMs: 1700000000000,
      router: 9,
      routerFeePpm: 250,
    },
    hex: '010503000000000001b4c3000007000000000000000101b8eae6cf8b0100000068e5cf8b01000009000000fa000000',
  },
  {
    name: 'modify_order',
    command: {
      kind: 'ModifyOrder',
      account: 3,
      orderId: { market: 0, orderSeq: 11n },
      price: 49950,
      lots: 4n,
      tif: 'gtc',
      reduceOnly: false,
      goodTilMs: 1700000500000,
      nowMs: 1700000000001,
    },
    hex: '0115030000000b000000000000001ec30000040000000000000000002009edcf8b0100000168e5cf8b010000',
  },
  {
    name: 'cancel_conditional',
    command: { kind: 'CancelConditional', account: 3, orderId: { market: 1, orderSeq: 77n } },
    hex: '0112030000004d00000000000100',
  },
  {
    name: 'cancel_twap',
    command: { kind: 'CancelTwap', account: 3, orderId: { market: 1, orderSeq: 78n } },
    hex: '0114030000004e00000000000100',
  },
  {
    name: 'place_conditional',
    command: {
      kind: 'PlaceConditional',
      account: 3,
      ...order(1, 'sell', 48000, { lots: 12n, tif: 'ioc', reduceOnly: true }),
      goodTilMs: 1700000900000,
      triggerPrice: 48500,
      triggerAbove: false,
      nowMs: 1700000000002,
    },
    hex: '01110300000001000180bb00000c000000000000000101a023f3cf8b01000074bd0000000268e5cf8b010000',
  },
  {
    name: 'place_twap',
    command: {
      kind: 'PlaceTwap',
      account: 3,
      market: 0,
      side: 'buy',
      totalLots: 1000n,
      slices: 20,
      intervalMs: 30000,
      priceTolerancePpm: 5000,
      reduceOnly: false,
      nowMs: 1700000000003,
    },
    hex: '011303000000000000e80300000000000014000000307500000000000088130000000368e5cf8b010000',
  },
  {
    name: 'place_tpsl_pair',
    command: {
      kind: 'PlaceTpslPair',
      account: 3,
      market: 0,
      closeSide: 'sell',
      lots: 10n,
      tpTrigger: 52000,
      tpPrice: 51900,
      slTrigger: 48000,
      slPrice: 0,
      positionTpsl: true,
      parentOrderId: undefined,
      nowMs: 1700000000004,
    },
    hex: '0117030000000000010a0000000000000020cb0000bcca000080bb00000000000001ffffffffffffffff0468e5cf8b010000',
  },
  {
    name: 'place_tpsl_pair_with_parent',
    command: {
      kind: 'PlaceTpslPair',
      account: 3,
      market: 2,
      closeSide: 'buy',
      lots: 1n,
      tpTrigger: 100,
      tpPrice: 101,
      slTrigger: 200,
      slPrice: 199,
      positionTpsl: false,
      parentOrderId: { market: 2, orderSeq: 77n },
      nowMs: 5,
    },
    hex: '01170300000002000001000000000000006400000065000000c8000000c7000000004d000000000002000500000000000000',
  },
];
