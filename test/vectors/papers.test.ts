/** What `npm run prove -- papers` runs, in short: fewer paths, and bands that are wider by as much. */
import { describe, expect, test } from 'vitest';
import { almgrenChrissRows } from '../../scripts/prove/papers/almgren-chriss.ts';
import { stoikovRows } from '../../scripts/prove/papers/avellaneda-stoikov.ts';
import { glftRows } from '../../scripts/prove/papers/glft.ts';

const PATHS = 100;
/** A hundred paths are three times as uncertain as a thousand. */
const WIDER = 3;

describe('figures of papers', () => {
  test('Avellaneda and Stoikov: the bundled strategy earns and risks what tables 1 to 3 print', () => {
    const rows = stoikovRows({ paths: PATHS, seed: 4 });
    expect(rows).toHaveLength(18);
    for (const { row, figure, expected, band } of rows)
      expect(Math.abs(figure - expected), row).toBeLessThanOrEqual(WIDER * band);
  });

  test.each([
    ['Guéant, Lehalle and Fernandez-Tapia', glftRows, 7],
    ['Almgren and Chriss', almgrenChrissRows, 12],
  ] as const)('%s: every figure holds to a millionth', (_title, rowsOf, countMin) => {
    const rows = rowsOf();
    expect(rows.length).toBeGreaterThanOrEqual(countMin);
    expect(rows.filter(({ holds }) => !holds)).toEqual([]);
  });
});
