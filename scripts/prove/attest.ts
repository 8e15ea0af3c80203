/**
 * Lets many days pass for a bot with three strategies on one netted market (test/support/attested-month.ts), attests each of
 * its runs and the whole time, and verifies every document by public reads (docs/guides/attest.md).
 *
 * Usage: npm run prove -- attest [--seeds 4] [--seed 1] [--days 60] [--json]
 *
 * Exit code 1: a unit is not explained, a statement differs from what a bot holds, or a lot is nobody's.
 */
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { attestedDays } from '../../test/support/attested-month.ts';
import { readOptions, whole } from '../options.ts';

const values = readOptions({
  seeds: whole('How many seeds', { min: 1, otherwise: 4 }),
  seed: whole('The first of them', { otherwise: 1 }),
  days: whole('Simulated days of each', { min: 2, otherwise: 60 }),
  json: jsonOption,
});
const write = (text: string) => void (values.json ? process.stderr : process.stdout).write(`${text}\n`);

const found: object[] = [];
let isProven = true;
for (let seed = values.seed; seed < values.seed + values.seeds; seed++) {
  const { whole, kinds, ...days } = await attestedDays({ seed, days: values.days });
  const { residual, equityChange } = whole.statement;
  isProven &&= days.problems.length === 0 && residual === '0';
  found.push({ seed, residual, equityChange, kinds: [...kinds], ...days });
  write(
    `seed ${seed}: residual ${residual}, ${days.fills} fills, ${days.liquidations} liquidations, ${days.attested} runs attested, ${days.crashed} crashed`,
  );
  for (const problem of days.problems) write(`  wrong: ${problem}`);
}
if (values.json) process.stdout.write(`${JSON.stringify({ schema: 1, seeds: found })}\n`);
process.exit(isProven ? 0 : 1);
