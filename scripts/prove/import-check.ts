/**
 * Imports every recorded set beside the project into a tape and holds all figures of its expected.json against the
 * import and, where a figure is about what a tape holds, against the rows of the tape (docs/guides/import-recordings.md).
 *
 * Usage: npm run prove -- import-check [--only standx-btcusd-20260106] [--json]
 *
 * Exit code 1: a figure differs, or no recorded set is there.
 */
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { checkImport, RECORDED_SETS } from '../../test/support/import-check.ts';
import { hasShared } from '../../test/support/shared.ts';
import { readOptions, someOf } from '../options.ts';

const values = readOptions({
  only: someOf(
    'Only these',
    RECORDED_SETS.map(({ folder }) => folder),
  ),
  json: jsonOption,
});

const checks: object[] = [];
let differing = 0;
for (const set of RECORDED_SETS) {
  if (!values.only.includes(set.folder) || !hasShared('data', set.folder)) continue;
  const begun = process.hrtime.bigint();
  const { folder, result, differences, fromTape } = await checkImport(set);
  const ms = Number((process.hrtime.bigint() - begun) / 1_000_000n);
  differing += differences.length;
  checks.push({ folder, rows: result.rows, counts: result.counts, fromTape, differences, ms });
  if (values.json) continue;
  process.stdout.write(
    `${folder}: ${result.rows} rows, ${fromTape} figures from the tape, ${differences.length} differences, ${ms} ms\n`,
  );
  for (const difference of differences) process.stdout.write(`  ${difference}\n`);
}
if (values.json) process.stdout.write(`${JSON.stringify({ schema: 1, checks })}\n`);
if (checks.length === 0) process.stderr.write('expected recorded sets in ../shared/data, got none\n');
process.exit(differing === 0 && checks.length > 0 ? 0 : 1);
