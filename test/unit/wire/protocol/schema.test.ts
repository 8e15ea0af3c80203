/** Schemas: exact values out in both forms, and errors that name their place. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldError } from '../../../../src/core/index.ts';
import {
  type AnySchema,
  assumed,
  decodeAnswer,
  exactly,
  list,
  nullable,
  pair,
  readForPeople,
  record,
} from '../../../../src/wire/protocol/schema/schema.ts';
import {
  amount,
  choice,
  cursor,
  flag,
  id,
  integer,
  orderId,
  position,
  price,
  signedSize,
  size,
  word,
} from '../../../../src/wire/protocol/schema/values.ts';

const SCHEMA = record({
  price,
  seq: position,
  levels: list(pair(price, size)),
  note: nullable(id),
});
const SCALE = { priceDecimals: 1, sizeDecimals: 3, collateralDecimals: 6 };
const read = (schema: AnySchema, value: unknown) => readForPeople(schema, value, 'x');
const exact = (schema: AnySchema, value: unknown) =>
  exactly(record({ value: schema })).value({ value }, SCALE);

describe('the form for people', () => {
  test('decimal text keeps every digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.nat({ max: 30 }), (digits, scale) => {
        const padded = digits.toString().padStart(scale + 1, '0');
        const cut = padded.length - scale;
        const text = scale === 0 ? padded : `${padded.slice(0, cut)}.${padded.slice(cut)}`;
        expect(readForPeople(amount, text, 'x').toFixed(scale)).toBe(text);
      }),
    );
  });

  test('unknown fields are passed over, absent ones are null or undefined (obligation O14)', () => {
    const schema = record({ note: nullable(id), more: assumed(integer) });
    expect(read(schema, { note: null, extra: 1 })).toEqual({ note: null, more: undefined });
  });

  test('integers beyond 2^53 stay exact (obligation O7)', () => {
    const json = '{"price":"1.50","seq":18446744073709551615,"levels":[["1","2"]],"note":7}';
    expect(decodeAnswer(SCHEMA, json)).toMatchObject({
      ok: true,
      value: { seq: 18446744073709551615n, note: '7' },
    });
  });

  test.each([
    ['a price as a number', { price: 1.5 }, 'answer.price as decimal text, got 1.5'],
    ['a price with an exponent', { price: '1e5' }, 'answer.price as decimal text, got "1e5"'],
    ['a negative position', { seq: -1 }, 'answer.seq as an integer of 0 or more, got -1'],
    ['a level of three', { levels: [['1', '2', '3']] }, 'answer.levels[0] as a pair, got a list of 3'],
    ['no list', { levels: null }, 'answer.levels as a list, got null'],
    ['an absent price', { price: undefined }, 'answer.price as decimal text, got nothing'],
  ])('error: %s is named with its place', (_what, change, message) => {
    const answer = { price: '1', seq: 1, levels: [], note: null, ...change };
    const decoded = decodeAnswer(SCHEMA, JSON.stringify(answer));
    expect(decoded).toMatchObject({
      ok: false,
      error: { code: 'PROTOCOL_WIRE_MALFORMED', effect: 'unknown' },
    });
    expect(decoded.ok ? '' : decoded.error.message).toBe(`expected ${message}`);
  });

  test('error: what is no object at all is named as the answer', () => {
    expect(decodeAnswer(SCHEMA, '[]')).toMatchObject({
      ok: false,
      error: { message: 'expected answer as an object, got a list of 0' },
    });
  });

  test('flags come as booleans, numbers and text (obligation O61)', () => {
    expect([true, 'true', 1].map((value) => read(flag, value))).toEqual([true, true, true]);
    expect([false, 'false', 0].map((value) => read(flag, value))).toEqual([false, false, false]);
    expect(() => read(flag, 'yes')).toThrow('true or false');
  });

  test('words are those of the interface where the list is closed, any where it is open', () => {
    expect(read(choice('buy', 'sell'), 'buy')).toBe('buy');
    expect(() => read(choice('buy', 'sell'), 'BUY')).toThrow('one of buy, sell');
    expect(read(word('gtc'), 'gtd')).toBe('gtd');
  });
});

describe('the exact form', () => {
  test('prices are ticks, sizes lots, amounts quantums', () => {
    expect(exact(price, '118000.5')).toBe(1_180_005);
    expect(exact(size, '0.005')).toBe(5);
    expect([exact(signedSize, '-0.005'), exact(signedSize, '-0')]).toEqual([-5, 0]);
    expect(exact(amount, '-0.002001')).toBe(-2001n);
  });

  test.each([
    ['a price finer than its market', price, '0.05'],
    ['a price of 33 bits', price, '429496729.6'],
    ['a negative size', size, '-1'],
    ['an amount finer than collateral', amount, '0.0000001'],
    ['a number in place of text', amount, 1],
    ['a cursor of another form', cursor, '7'],
    ['an order number of another form', orderId, '0x7'],
  ])('error: %s is refused', (_what, schema, value) => {
    expect(() => exact(schema, value)).toThrow(/expected value as /);
  });

  test('only the fields that are asked for are looked at', () => {
    const exactEntry = exactly(record({ price, seq: position }));
    expect(exactEntry.price({ price: '1.5', seq: 'none' }, SCALE)).toBe(15);
  });

  test('empty text is nothing, and never a value', () => {
    expect([exact(nullable(orderId), ''), exact(assumed(integer), '')]).toEqual([null, undefined]);
    expect(() => exact(orderId, '')).toThrow(expect.objectContaining({ place: 'value' }) as FieldError);
  });
});
