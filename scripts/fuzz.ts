/**
 * Feeds every door of the product with malformed input: frames, bodies, requests, configurations, intents, decimals,
 * rows of the journal (docs/contributing.md).
 *
 * Usage: npm run fuzz -- [--count 100000] [--only frames] [--seed n] [--json]
 *
 * `--count` inputs for each target. What goes wrong is printed and kept in test/fuzz/corpus, and fed with every test from
 * then on. The last line of standard output with `--json` is the summary. Exit code 1: something went wrong.
 */
import { parseArgs } from 'node:util';
import { freshSeed } from '../src/core/index.ts';
import { emptyCount, feedCorpus, feedFresh, fuzzTargets, keep } from '../test/fuzz/fuzz.ts';

const SHOWN_CHARACTERS = 300;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    only: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

/** What people read goes where it does not disturb the document. */
function say(line: string): void {
  (values.json ? process.stderr : process.stdout).write(`${line}\n`);
}

const seed = values.seed === undefined ? freshSeed() : Number(values.seed);
const count = Number(values.count);
say(`seed ${seed}`);
const total = emptyCount();
const targets = await fuzzTargets();
for (const target of targets.filter(({ name }) => values.only === undefined || values.only === name)) {
  const before = { ...total, wrong: total.wrong.length };
  const fromMs = performance.now();
  feedCorpus(target, total);
  feedFresh(target, { seed, count }, total);
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
