/**
 * Feeds every door of the product with malformed input: frames, bodies, requests, configurations, intents, decimals,
 * rows of the journal (docs/contributing.md).
 *
 * Usage: npm run prove -- fuzz [--count 100000] [--only frames,decimals] [--seed n] [--json]
 *
 * `--count` inputs for each target. What goes wrong is printed and kept in test/fuzz/corpus, and fed with every test from
 * then on. The last line of standard output with `--json` is the summary. Exit code 1: something went wrong.
 */
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { freshSeed } from '../../src/core/index.ts';
import { emptyCount, feedCorpus, feedFresh, fuzzTargets, keep } from '../../test/fuzz/fuzz.ts';
import { maybeWhole, readOptions, someOf, whole } from '../options.ts';

const SHOWN_CHARACTERS = 300;

const targets = await fuzzTargets();
const values = readOptions({
  count: whole('Inputs for each target', { min: 1, otherwise: 100_000 }),
  only: someOf(
    'Only these',
    targets.map(({ name }) => name),
  ),
  seed: maybeWhole('Of the inputs; a fresh one where it is left out'),
  json: jsonOption,
});

/** What people read goes where it does not disturb the document. */
function say(line: string): void {
  (values.json ? process.stderr : process.stdout).write(`${line}\n`);
}

const { count, seed = freshSeed() } = values;
say(`seed ${seed}`);
const total = emptyCount();
for (const target of targets.filter(({ name }) => values.only.includes(name))) {
  const before = { ...total, wrong: total.wrong.length };
  const fromMs = performance.now();
  await feedCorpus(target, total);
  await feedFresh(target, { seed, count }, total);
  const seconds = ((performance.now() - fromMs) / 1000).toFixed(1);
  say(
    `${target.name}: ${total.refused - before.refused} refused, ${total.accepted - before.accepted} accepted, ${total.wrong.length - before.wrong} wrong in ${seconds} s`,
  );
}
for (const { target, why, text } of total.wrong.slice(0, 20))
  say(`${target}: ${why}\n  ${JSON.stringify(text).slice(0, SHOWN_CHARACTERS)}`);
keep(total.wrong);
const slowestMs = Math.round(total.slowestMs);
const isWrong = total.wrong.length > 0 || total.inputs === 0;
if (values.json) process.stdout.write(`${JSON.stringify({ seed, ...total, slowestMs })}\n`);
else
  say(
    `${total.inputs} inputs, ${total.wrong.length} wrong, the slowest took ${slowestMs} ms (${total.slowest})`,
  );
process.exitCode = isWrong ? 1 : 0;
