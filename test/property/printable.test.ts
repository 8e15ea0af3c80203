import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, printableLine } from '../../src/core/index.ts';

/** Any characters, those that steer a terminal often among them, halves of characters too. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
      fc.constantFrom('\u001b[2J', '\u009b2J', '\u202e', '\u2066', '\u200f', '\ud800', '\u{e0041}', '\u2028'),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    ),
  )
  .map((parts) => parts.join(''));

const STEERING = /(?![\n\t])\p{Cc}|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

test('no text has a terminal do anything but show letters', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(printable(given)).not.toMatch(STEERING);
      expect(printable(given).isWellFormed()).toBe(true);
      expect(printableLine(given)).not.toMatch(/[\n\t]/);
    }),
  );
});

test('what is printable stays as it is, and is so once and for all', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(printable(printable(given))).toBe(printable(given));
    }),
  );
  for (const good of ['a\n\tb', 'Größe 5 µs, 東京, █░ …', '😀']) expect(printable(good)).toBe(good);
});

test('a document of JSON says the same', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (value) => {
      expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
