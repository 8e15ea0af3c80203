import { describe, expect, test } from 'vitest';
import {
  formatJson,
  fromHex,
  isHex,
  isRecord,
  ProtocolError,
  parseJson,
  toHex,
} from '../../../src/core/index.ts';

describe('parseJson', () => {
  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['{"seq":18446744073709551615}', { seq: 18446744073709551615n }],
    ['[-9007199254740993, 1.5]', [-9007199254740993n, 1.5]],
    ['{"text":"12345678901234567890"}', { text: '12345678901234567890' }],
  ])('keeps every digit of %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test('drops a __proto__ key', () => {
    const value = parseJson('{"__proto__":{"polluted":true},"a":1}') as Record<string, unknown>;
    expect(value).toEqual({ a: 1 });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('error: what is no JSON is a ProtocolError with the beginning of the text', () => {
    expect(() => parseJson('<html>502</html>')).toThrow(ProtocolError);
    expect(() => parseJson('<html>502</html>')).toThrow(/<html>/);
  });
});

describe('formatJson', () => {
  test('writes bigints as text', () => {
    expect(formatJson({ seq: 18446744073709551615n })).toBe('{"seq":"18446744073709551615"}');
  });
});

describe('isRecord', () => {
  test.each([
    [{}, true],
    [[], false],
    [null, false],
    ['', false],
  ])('of %j is %s', (value, expected) => {
    expect(isRecord(value)).toBe(expected);
  });
});

describe('hex', () => {
  test('goes there and back', () => {
    expect(toHex(fromHex('0x00Ff10'))).toBe('0x00ff10');
  });

  test.each(['', '00', '0x0', '0xzz', '0X00'])('refuses %j', (text) => {
    expect(isHex(text)).toBe(false);
    expect(() => fromHex(text)).toThrow(ProtocolError);
  });

  test('checks the length that was asked for', () => {
    expect(isHex('0x0011', 2)).toBe(true);
    expect(() => fromHex('0x0011', 3)).toThrow(/0x and 6 hexadecimal digits/);
  });
});
