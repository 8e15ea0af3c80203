/**
 * Runs the bundled strategies and execution plans through the markets of the papers they come from, and holds what comes
 * out against the figures that the papers print (docs/contributing.md).
 *
 * Usage: npm run prove -- papers [--paths 1000] [--seed 4] [--json]
 *
 * The standard deviation of 1,000 paths moves by about 4 % from seed to seed; more paths make it sharper. The last line
 * of standard output with `--json` is {rows: [{paper, row, figure, expected, band, holds}]}. Exit code 1: a figure lies
 * outside of its band.
 */

import { jsonOption } from '../../src/cli/terminal/options.ts';
import { readOptions, whole } from '../options.ts';
import { almgrenChrissRows } from './papers/almgren-chriss.ts';
import { stoikovRows } from './papers/avellaneda-stoikov.ts';
import { glftRows } from './papers/glft.ts';

const values = readOptions({
  paths: whole('Paths of each market', { min: 2, otherwise: 1000 }),
  seed: whole('Of the paths', { otherwise: 4 }),
  json: jsonOption,
});
const { paths, seed } = values;

const rows = [...stoikovRows({ paths, seed }), ...glftRows(), ...almgrenChrissRows()];
for (const { paper, row, figure, expected, band, holds } of rows) {
  const text = `${holds ? 'holds' : 'FAILS'}  ${paper}: ${row}: ${figure}, expected ${expected} ± ${band}\n`;
  (values.json ? process.stderr : process.stdout).write(text);
}
if (values.json) process.stdout.write(`${JSON.stringify({ rows })}\n`);
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
