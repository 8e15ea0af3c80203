import { describe, expect, test } from 'vitest';
import { checkBars } from '../../../../src/research/bars/check.ts';
import { BAR_US, type BarRow, barsOf, START_US } from '../../../support/bars.ts';

const GOOD: BarRow = [1_000, 1_010, 990, 1_005];
const placeOf = (at: number) => `bars.csv, line ${at + 2}`;
const check =
  (rows: readonly BarRow[], openUs?: readonly number[], isGapAllowed = false) =>
  () => {
    const bars = barsOf(rows);
    checkBars(openUs === undefined ? bars : { ...bars, openUs: Float64Array.from(openUs) }, {
      placeOf,
      isGapAllowed,
    });
  };

describe('bars', () => {
  test('that are whole and follow each other pass', () => {
    expect(check([GOOD, GOOD, GOOD])).not.toThrow();
  });

  test.each<[string, BarRow]>([
    ['a high below the low', [1_000, 980, 990, 985]],
    ['a close above the high', [1_000, 1_010, 990, 1_011]],
    ['an open below the low', [980, 1_010, 990, 1_005]],
    ['no number', [1_000, Number.NaN, 990, 1_005]],
    ['a price of 0', [1_000, 1_010, 0, 1_005]],
    ['half a tick', [1_000.5, 1_010, 990, 1_005]],
    ['a price above what the wire carries', [1_000, 2 ** 32, 990, 1_005]],
  ])('error: with %s are refused with the place', (_title, row) => {
    expect(check([GOOD, row])).toThrow(
      /^bars\.csv, line 3: expected prices above 0 in whole ticks .* got open /,
    );
  });

  test('error: without order, or twice, are refused with both times', () => {
    const text =
      'bars.csv, line 3: expected a bar that begins at 2027-01-15T08:01:00.000Z or later, got 2027-01-15T08:00:00.000Z';
    expect(check([GOOD, GOOD], [START_US, START_US])).toThrow(text);
    expect(check([GOOD, GOOD], [START_US, START_US + BAR_US - 1_000])).toThrow('or later, got');
  });

  test('error: with a gap are refused, unless gaps are allowed', () => {
    const gap = [START_US, START_US + 3 * BAR_US];
    const text =
      'bars.csv, line 3: expected the bar of 2027-01-15T08:01:00.000Z, got 2027-01-15T08:03:00.000Z';
    expect(check([GOOD, GOOD], gap)).toThrow(text);
    expect(check([GOOD, GOOD], gap, true)).not.toThrow();
  });

  test('error: none at all', () => {
    expect(check([])).toThrow('expected bars in bars.csv, line 2, got none');
  });
});
