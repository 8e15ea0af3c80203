/**
 * A real bot and a real exchange with a hostile proxy between them: frames lost, late, doubled and forged, answers cut,
 * connections broken, clocks moved, processes killed. Each scenario says within how many seconds the bot quotes again once
 * the exchange serves truth, or what only a person can clear; after each the journal has what the exchange has.
 *
 * Usage: npm run prove -- hostile [--only lost-fills,epoch] [--seed 1] [--jobs 1] [--logs <folder>] [--write] [--json]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagOption, jsonOption, textOption } from '../../src/cli/terminal/options.ts';
import { runHostile } from '../../test/support/hostile/judge.ts';
import { pageOf, tableOf } from '../../test/support/hostile/page.ts';
import { SCENARIOS } from '../../test/support/hostile/scenarios.ts';
import { readOptions, someOf, whole } from '../options.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'hostile-gateway.md');

const values = readOptions({
  only: someOf(
    'Only these',
    SCENARIOS.map(({ name }) => name),
  ),
  seed: whole('Of the exchange', { otherwise: 1 }),
  jobs: whole('Bots at once', { min: 1, max: 8, otherwise: 1 }),
  logs: textOption('Keep what the bot said in each scenario in this folder'),
  write: flagOption('Write the table to docs/reference/hostile-gateway.md'),
  json: jsonOption,
});

if (values.logs !== undefined) mkdirSync(values.logs, { recursive: true });
const stop = new AbortController();
// Bots and exchanges are processes of their own, which must not outlive this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const chosen = SCENARIOS.filter(({ name }) => values.only.includes(name));
const size = Math.ceil(chosen.length / values.jobs);
/** Each job has an exchange, a proxy and a bot of its own. */
const run = (_: unknown, at: number) =>
  runHostile(chosen.slice(at * size, (at + 1) * size), {
    seed: values.seed + at,
    stop: stop.signal,
    say: ({ name, withoutS, healedS, verdict }, errors) => {
      process.stderr.write(
        `${name}: ${withoutS} s without quotes, healed after ${healedS ?? '-'} s: ${verdict}\n`,
      );
      if (values.logs !== undefined) writeFileSync(join(values.logs, `${name}.log`), errors);
    },
  });
const judged = (await Promise.all(Array.from({ length: values.jobs }, run))).flat();
const bad = judged.filter(({ isGood }) => !isGood);
if (values.json) process.stdout.write(`${JSON.stringify({ schema: 1, seed: values.seed, judged })}\n`);
else
  process.stdout.write(
    `${tableOf(judged)}\n\n${judged.length - bad.length} of ${judged.length} as they must be\n`,
  );
if (values.write === true) writeFileSync(PAGE, pageOf(judged));
process.exitCode = bad.length === 0 && judged.length > 0 ? 0 : 1;
