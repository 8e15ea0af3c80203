import { describe, expect, test } from 'vitest';
import { boundedJson } from '../../../../src/cli/agents/bounded.ts';

describe('an answer for an agent', () => {
  test('is given whole where it fits', () => {
    expect(boundedJson({ fills: [1, 2, 3] }, 1_000)).toBe('{"fills":[1,2,3]}');
  });

  test('keeps the first entries of long lists, and says how many of which list are not there', () => {
    const fills = Array.from({ length: 3_000 }, (_one, at) => ({ id: `${at}`, legs: [at, at] }));
    const text = boundedJson({ name: 'a', fills }, 4_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
    const read = JSON.parse(text);
    expect(read.name).toBe('a');
    expect(read.fills[0]).toEqual(fills[0]);
    expect(read.leftOut.fills).toBe(3_000 - read.fills.length);
  });

  test('counts what is missing in lists of lists', () => {
    const books = Array.from({ length: 4 }, () => ({ rows: Array.from({ length: 900 }, (_one, at) => at) }));
    const { leftOut, books: kept } = JSON.parse(boundedJson({ books }, 3_000));
    const shown = kept.reduce((sum: number, { rows }: { rows: readonly number[] }) => sum + rows.length, 0);
    expect(shown + leftOut['books.*.rows']).toBe(4 * 900);
  });

  test('cuts long texts, and gives the keys of what fits in no way', () => {
    expect(JSON.parse(boundedJson({ text: 'x'.repeat(9_000) }, 4_000)).text).toMatch(/^x{2000} \(cut\)$/);
    const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_one, at) => [`key${at}`, at]));
    const text = boundedJson(wide, 4_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
    expect(JSON.parse(text).keys).toContain('key0');
  });
});
