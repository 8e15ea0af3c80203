/** Shapes: exact values out, and errors that name their place. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  choice,
  decimal,
  decodeBy,
  flag,
  id,
  integer,
  list,
  nullable,
  optional,
  pair,
  position,
  record,
} from '../../../src/client/shape.ts';

const SHAPE = record({
  price: decimal,
  seq: position,
  levels: list(pair(decimal, decimal)),
  note: nullable(id),
});

describe('shapes', () => {
  test('decimal text keeps every digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.nat({ max: 30 }), (digits, scale) => {
        const padded = digits.toString().padStart(scale + 1, '0');
        const cut = padded.length - scale;
        const text = scale === 0 ? padded : `${padded.slice(0, cut)}.${padded.slice(cut)}`;
        expect(decimal.read(text, 'x').toFixed(scale)).toBe(text);
      }),
    );
  });

  test('unknown fields are passed over, absent ones are null or undefined (obligations O14)', () => {
    const shape = record({ note: nullable(id), more: optional(integer) });
    expect(shape.read({ note: null, extra: 1 }, 'x')).toEqual({ note: null, more: undefined });
  });

  test('integers beyond 2^53 stay exact (obligations O7)', () => {
    const json = '{"price":"1.50","seq":18446744073709551615,"levels":[["1","2"]],"note":7}';
    expect(decodeBy(SHAPE, json)).toMatchObject({
      ok: true,
      value: { seq: 18446744073709551615n, note: '7' },
    });
  });

  test.each([
    ['a price as a number', { price: 1.5 }, 'answer.price to be decimal text, was 1.5'],
    ['a price with an exponent', { price: '1e5' }, 'answer.price to be decimal text, was "1e5"'],
    ['a negative position', { seq: -1 }, 'answer.seq to be an integer of 0 or more, was -1'],
    ['a level of three', { levels: [['1', '2', '3']] }, 'answer.levels[0] to be a pair, was ["1","2","3"]'],
    ['no list', { levels: null }, 'answer.levels to be a list, was null'],
    ['an absent price', { price: undefined }, 'answer.price to be decimal text, was absent'],
  ])('error: %s is named with its place', (_what, change, message) => {
    const answer = { price: '1', seq: 1, levels: [], note: null, ...change };
    const decoded = decodeBy(SHAPE, JSON.stringify(answer));
    expect(decoded).toMatchObject({
      ok: false,
      error: { code: 'CLIENT_RESPONSE_MALFORMED', effect: 'unknown' },
    });
    expect(decoded.ok ? '' : decoded.error.message).toBe(`expected ${message}`);
  });

  test('flags come as booleans, numbers and text (obligations O61)', () => {
    expect([true, 'true', 1].map((value) => flag.read(value, 'x'))).toEqual([true, true, true]);
    expect([false, 'false', 0].map((value) => flag.read(value, 'x'))).toEqual([false, false, false]);
    expect(() => flag.read('yes', 'x')).toThrow('true or false');
  });

  test('words are those of the interface', () => {
    expect(choice('buy', 'sell').read('buy', 'x')).toBe('buy');
    expect(() => choice('buy', 'sell').read('BUY', 'x')).toThrow('one of buy, sell');
  });
});
