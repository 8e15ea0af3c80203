/**
 * Makes valid recordings of each format, mutilates each in one of over thirty ways (order, ids, units, byte order marks,
 * gaps, duplicates, snapshots), and imports them: each tape is right, or the import refuses, or the quality of the tape
 * says what is different (docs/guides/import-recordings.md).
 *
 * Usage: npm run prove -- import-fuzz [--count 500] [--only gemini,lobster] [--seed n] [--json]
 *
 * `--count` recordings of each format. Exit code 1: a tape is wrong without a word.
 */
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { freshSeed } from '../../src/core/index.ts';
import { type FuzzTally, fuzzImports } from '../../test/support/import-fuzz/judge.ts';
import { SAMPLES, type SampleName } from '../../test/support/import-fuzz/sample.ts';
import { maybeWhole, readOptions, someOf, whole } from '../options.ts';

const NAMES = Object.keys(SAMPLES) as readonly SampleName[];
const values = readOptions({
  count: whole('Recordings of each format', { min: 1, otherwise: 500 }),
  only: someOf('Only these', NAMES),
  seed: maybeWhole('Of the recordings; a fresh one where it is left out'),
  json: jsonOption,
});
const { count, seed = freshSeed() } = values;

/** What people read goes where it does not disturb the document. */
function say(line: string): void {
  (values.json ? process.stderr : process.stdout).write(`${line}\n`);
}

say(`seed ${seed}`);
const tallies: Record<string, FuzzTally> = {};
let wrong = 0;
for (const name of NAMES.filter((one) => values.only.includes(one))) {
  const tally = await fuzzImports(name, seed, { count });
  tallies[name] = tally;
  wrong += tally.wrong.length;
  say(
    `${name}: ${tally.right} right, ${tally.refused} refused, ${tally.told} told, ${tally.wrong.length} wrong`,
  );
  for (const { way, seed: own, why } of tally.wrong.slice(0, 10)) say(`  ${way} (${own}): ${why}`);
}
if (values.json) process.stdout.write(`${JSON.stringify({ schema: 1, seed, count, tallies })}\n`);
process.exitCode = wrong > 0 || Object.keys(tallies).length === 0 ? 1 : 0;
