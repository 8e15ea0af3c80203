import { expect, test } from 'vitest';
import { ERROR_CODES, errorCodeOf, isPreNonceReason } from '../../../../src/wire/protocol/index.ts';

test('numbers are unique', () => {
  const numbers = Object.values(ERROR_CODES).map(({ num }) => num);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('the nonce is spent by business rejections and by nothing else', () => {
  for (const code of Object.values(ERROR_CODES)) expect(code.consumesNonce).toBe(code.httpStatus === 422);
});

test('the nine reasons before the nonce are those of exchange.md#nonces', () => {
  const refused = Object.keys(ERROR_CODES).filter(isPreNonceReason);
  expect(refused.map((reason) => errorCodeOf(reason)?.consumesNonce)).toEqual(Array(9).fill(false));
  expect(isPreNonceReason('NonceMismatch')).toBe(true);
  expect(isPreNonceReason('PostOnlyWouldCross')).toBe(false);
});

test('a code that is not in the table is not known, and no property of objects is a code', () => {
  expect(errorCodeOf('BrandNewReason')).toBeUndefined();
  expect(errorCodeOf('constructor')).toBeUndefined();
  expect(isPreNonceReason('BrandNewReason')).toBe(false);
});
