/** @module Codes of texts that end in a number: each comes back as it was, and two are the same only for the same text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_CODE, NumberedTexts } from '../../../src/core/index.ts';

const text = fc.oneof(
  fc.nat().map(String),
  fc.bigInt(0n, 2n ** 80n).map(String),
  fc
    .tuple(fc.constantFrom('run-', 'run-0', 'a', '0', '-'), fc.nat(200))
    .map(([head, number]) => head + number),
  fc.constantFrom('', '0', '00', '000', '007', '7', 'run', 'run-', '٣', '1e3', '-1', '999999999999999'),
  fc.string(),
);

test('a text comes back from its code, whatever else has one', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
      const codes = new NumberedTexts();
      const coded = texts.map((one) => codes.codeOf(one));
      texts.forEach((one, at) => {
        const code = coded[at] as number;
        expect(codes.codeOf(one)).toBe(code);
        if (code === NO_CODE) return;
        expect(Number.isSafeInteger(code)).toBe(true);
        expect(codes.textOf(code)).toBe(one);
      });
    }),
  );
});

test('a larger number has a larger code, and what does not end in one has none', () => {
  const codes = new NumberedTexts();
  expect(codes.codeOf('100')).toBeGreaterThan(codes.codeOf('99'));
  expect(codes.codeOf('run-100')).toBeGreaterThan(codes.codeOf('99'));
  expect(codes.codeOf('run-100')).toBeGreaterThan(codes.codeOf('run-99'));
  for (const one of ['', 'run', '12a']) expect(codes.codeOf(one)).toBe(NO_CODE);
});
