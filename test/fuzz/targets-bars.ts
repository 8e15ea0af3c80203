/** @module Files of bars: what is wrong has its line, what passes is what a run may go over. */

import { BotError, messageOf } from '../../src/core/index.ts';
import { type BarFile, barsOfRows } from '../../src/research/bars/bar-file.ts';
import type { BarColumns } from '../../src/research/bars/index.ts';
import { CsvText } from '../../src/tape/importers/csv-table.ts';
import { type Outcome, REFUSED, type Target, taken, wrong } from './target.ts';

const HEAD = 'time,open,high,low,close,volume';
const PLACED = /\bfuzz\.csv:[1-9][0-9]*\b/;
const CODE = /^(?:BARS_|TAPE_LINE_MALFORMED$)/;

/** Files of bars. */
export const bars: Target = {
  name: 'bars',
  tokens: ['NaN', '1e-5', '1E400', '-1', '4294967296', '1767657600', '9999999999999', '2026-13-01', ','],
  samples: () => [
    `${HEAD}\n1767657600,60000,60100,59900,60050.5,1.5\n1767661200,60050.5,60100,59900,60000,2.25\n`,
    `${HEAD}\n1767657600000,0.1,0.2,0.05,0.15,1e3\n1767657660000,0.15,0.15,0.15,0.15,0\n`,
    'volume,date,close,low,high,open\r\n1,2026-01-06T00:00:00Z,5,4,6,5\r\n1,2026-01-06 01:00:00Z,5,4,6,5\r\n',
  ],
  feed: async (text) => {
    let read: Pick<BarFile, 'bars'>;
    try {
      const csv = new CsvText('fuzz.csv', ',', true);
      const [first, ...rows] = [...csv.rows({ line: 1, text }), ...csv.end()];
      if (first === undefined) return REFUSED;
      read = await barsOfRows(first, () => rows, { isGapAllowed: true });
    } catch (thrown) {
      return refusalOf(thrown);
    }
    return taken(flawOf(read.bars));
  },
};

function refusalOf(thrown: unknown): Outcome {
  if (!(thrown instanceof BotError) || !CODE.test(thrown.code)) return wrong(`thrown: ${messageOf(thrown)}`);
  return PLACED.test(thrown.message) ? REFUSED : wrong(`an error without its line: ${thrown.message}`);
}

function flawOf({ rows, barUs, openUs, open, high, low, close, volume }: BarColumns): string | undefined {
  for (let at = 0; at < rows; at++) {
    const values = [open[at], high[at], low[at], close[at]];
    const isPriced = values.every((one = 0) => Number.isInteger(one) && one > 0 && one < 2 ** 32);
    const [lowest = 0, highest = 0] = [low[at], high[at]];
    const isInside = values.every((one = 0) => one >= lowest && one <= highest);
    const isTimed = Number.isSafeInteger(openUs[at]) && (openUs[at] ?? 0) % 1_000 === 0;
    const isLater = at === 0 || (openUs[at] ?? 0) >= (openUs[at - 1] ?? 0) + barUs;
    const isSized = Number.isSafeInteger(volume[at]) && (volume[at] ?? 0) >= 0;
    if (!(isPriced && isInside && isTimed && isLater && isSized)) return `row ${at} of ${rows}`;
  }
  return rows > 0 ? undefined : 'no rows';
}
