import { describe, expect, test } from 'vitest';
import { fromHex, ProtocolError, toHex } from '../../../../src/core/index.ts';
import type { CanonicalCommand } from '../../../../src/domain/index.ts';
import {
  canonicalOrderId,
  packOrderId,
  unpackOrderId,
} from '../../../../src/wire/protocol/codec/order-id.ts';
import { encodeCommand } from '../../../../src/wire/protocol/index.ts';
import { decodeCommand } from '../../../support/decode-command.ts';

describe('encodeCommand', () => {
  test('a cancel of everything has the assumed tag 0xF0 and the account alone', () => {
    expect(toHex(encodeCommand({ kind: 'CancelAll', account: 7 }))).toBe('0x01f007000000');
  });

  test('the result is not touched by the next command', () => {
    const first = encodeCommand({ kind: 'CancelAll', account: 7 });
    encodeCommand({ kind: 'CancelAll', account: 8 });
    expect(toHex(first)).toBe('0x01f007000000');
  });

  test('a batch larger than the buffer is encoded whole', () => {
    const orderIds = Array.from({ length: 500 }, (_, index) => ({ market: 1, orderSeq: BigInt(index) }));
    const command: CanonicalCommand = { kind: 'BatchCancel', account: 1, orderIds };
    expect(encodeCommand(command)).toHaveLength(2 + 4 + 4 + 8 * 500);
    expect(decodeCommand(encodeCommand(command))).toEqual(command);
  });

  const cancel = (orderSeq: bigint, market = 0): CanonicalCommand => ({
    kind: 'CancelOrder',
    account: 1,
    orderId: { market, orderSeq },
  });
  const place = (changes: object): CanonicalCommand => ({
    kind: 'BatchPlace',
    account: 1,
    nowMs: 0,
    orders: [{ market: 0, side: 'buy', price: 1, lots: 1n, tif: 'gtc', reduceOnly: false, ...changes }],
  });
  test.each<[string, CanonicalCommand]>([
    ['an orderSeq of 2^48', cancel(2n ** 48n)],
    ['a negative orderSeq', cancel(-1n)],
    ['a market of 17 bits in an order number', cancel(1n, 65536)],
    ['an account of 33 bits', { kind: 'CancelAll', account: 2 ** 32 }],
    ['a negative account', { kind: 'CancelAll', account: -1 }],
    ['a market of 17 bits', place({ market: 65536 })],
    ['a price of 33 bits', place({ price: 2 ** 32 })],
    ['a broken price', place({ price: 1.5 })],
    ['lots of 65 bits', place({ lots: 2n ** 64n })],
    ['negative lots', place({ lots: -1n })],
    ['a time that is no integer', { kind: 'ScheduleCancel', account: 1, triggerMs: 0.5, nowMs: 0 }],
    ['a time beyond 2^53', { kind: 'ScheduleCancel', account: 1, triggerMs: 2 ** 53, nowMs: 0 }],
  ])('error: %s is refused, never truncated', (_name, command) => {
    expect(() => encodeCommand(command)).toThrow(ProtocolError);
  });
});

describe('decodeCommand', () => {
  const valid =
    '010503000000000001b4c3000007000000000000000101b8eae6cf8b0100000068e5cf8b01000009000000fa000000';
  test.each([
    ['no bytes', '0x'],
    ['another codec version', `0x02${valid.slice(2)}`],
    ['an unknown tag', '0x01ee07000000'],
    ['a byte missing', `0x${valid.slice(0, -2)}`],
    ['a byte too many', `0x${valid}00`],
    ['a side of 2', `0x${valid.slice(0, 16)}02${valid.slice(18)}`],
    ['a time in force of 4', '0x0131030000000068e5cf8b0100000100000000000000010000000a000000000000000400'],
    ['a flag of 2', '0x0131030000000068e5cf8b0100000100000000000000010000000a000000000000000002'],
    ['a count beyond the bytes', '0x010f00000000ffffffff'],
    ['a time beyond 2^53', '0x011605000000ffffffffffffffff0000000000000000'],
  ])('error: %s is refused', (_name, hex) => {
    expect(() => decodeCommand(fromHex(hex))).toThrow(RangeError);
  });
});

describe('order numbers', () => {
  test('pack and unpack keep market and orderSeq', () => {
    expect(packOrderId({ market: 3, orderSeq: 42n })).toBe((3n << 48n) | 42n);
    expect(unpackOrderId((65535n << 48n) | 4259841n)).toEqual({ market: 65535, orderSeq: 4259841n });
  });

  test('decimal text of an orderSeq, or of a packed id of the same market, is an order number', () => {
    expect(canonicalOrderId(3, '4259841')).toEqual({ market: 3, orderSeq: 4259841n });
    expect(canonicalOrderId(3, ((3n << 48n) | 7n).toString())).toEqual({ market: 3, orderSeq: 7n });
  });

  test.each(['', '-1', '1.0', '0x10', '007', (4n << 48n).toString(), (2n ** 64n).toString(), '9'.repeat(21)])(
    '%j is no order number of market 3',
    (text) => {
      expect(canonicalOrderId(3, text)).toBeUndefined();
    },
  );
});
