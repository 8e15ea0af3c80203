/**
 * Runs whole bots in the deterministic simulation, one world a seed, under every fault and every answer to what the
 * interface leaves open, and holds the invariants against what the exchange saw (docs/contributing.md).
 *
 * Usage: npm run prove -- swarm [--seeds 250] [--from 1] [--seed n] [--faults F4,F6|none] [--quirks A4=delta|none]
 *                         [--world calm|patient|company|fleet] [--minutes 5] [--twice] [--workers 2] [--minimize 3] [--json]
 *
 * `--twice` runs each seed twice and compares their traces. Of failing seeds the first few are made smaller and printed
 * as one line that runs them again. The last line of standard output with `--json` is the summary. Exit code 1: an
 * invariant was broken, or of 2,000 whole seeds or more a fault, an answer or a condition was never hit (`zeros`).
 */
import { flagOption, jsonOption, textOption } from '../../src/cli/terminal/options.ts';
import { WORLDS } from '../../test/simulation/plan.ts';
import { catalogueOf, quirksOf, replayLine } from '../../test/simulation/seed.ts';
import { Workers } from '../../test/simulation/seed-processes.ts';
import {
  type Failure,
  isPassed,
  minimizeFailure,
  runSwarm,
  type Spread,
  type SwarmSummary,
} from '../../test/simulation/swarm.ts';
import { maybeSomeOf, maybeWhole, readOptions, whole } from '../options.ts';

const SHOWN_VIOLATIONS = 3;
const SHOWN_CHARACTERS = 400;
/** A line of progress each so many seeds: four minutes. */
const PROGRESS_SEEDS = 500;

const catalogue = await catalogueOf();
const values = readOptions({
  seeds: whole('How many', { min: 1, otherwise: 250 }),
  from: whole('The first of them', { otherwise: 1 }),
  seed: maybeWhole('This one alone'),
  faults: maybeSomeOf('Of the faults that a seed draws only these, or none', catalogue.faults),
  quirks: maybeSomeOf('These answers to ambiguities in place of those drawn, or none', catalogue.ambiguities),
  world: { ...textOption('Worlds of this kind alone'), choices: WORLDS },
  minutes: maybeWhole('Virtual minutes with faults in place of those drawn', { min: 1 }),
  twice: flagOption('Run each seed twice and compare the traces'),
  workers: whole('Processes', { min: 1, otherwise: 2 }),
  minimize: whole('Failing seeds to make smaller', { otherwise: 3 }),
  json: jsonOption,
});

/** What people read goes where it does not disturb the document. */
function say(line: string): void {
  (values.json ? process.stderr : process.stdout).write(`${line}\n`);
}

function describe({ request, violations }: Failure): void {
  say(`seed ${request.seed}: ${violations.length} violations`);
  for (const { id, atMs, what } of violations.slice(0, SHOWN_VIOLATIONS))
    say(`  ${id} at ${atMs} ms: ${what.slice(0, SHOWN_CHARACTERS)}`);
  say(`  again: ${replayLine(request)}`);
}

function table(title: string, hits: Readonly<Record<string, number>>): void {
  say(`\n${title}`);
  for (const [name, count] of Object.entries(hits))
    say(`  ${String(count).padStart(8)}  ${name}${count === 0 ? '   never' : ''}`);
}

function show(summary: SwarmSummary): void {
  const { seeds, virtualMinutes, writes, fills, faultsInjected, seconds } = summary;
  const each = (total: number): string => (total / seeds).toFixed(1);
  table('faults', summary.faults);
  table('ambiguities', summary.ambiguities);
  table('sometimes', summary.sometimes);
  say(
    `\n${seeds} seeds in ${seconds} s; a seed on average ${each(virtualMinutes)} virtual minutes, ${each(writes)} writes, ${each(fills)} fills, ${each(faultsInjected)} faults`,
  );
  const spread = ({ p50, p99, max }: Spread): string => `p50 ${p50} s, p99 ${p99} s, max ${max} s`;
  const { seeds: converged, sinceHealing, sinceFree } = summary.convergence;
  say(
    `converged ${converged}: since the healing ${spread(sinceHealing)}; since all was free ${spread(sinceFree)}`,
  );
  if (summary.zeros.length > 0) say(`never hit: ${summary.zeros.join(', ')}`);
  say(`${summary.violations} violations; trace ${summary.traceHash}`);
}

const seeds =
  values.seed === undefined
    ? Array.from({ length: values.seeds }, (_none, at) => values.from + at)
    : [values.seed];
const workers = new Workers(Math.min(values.workers, seeds.length));
try {
  const order = {
    seeds,
    faults: values.faults,
    quirks: values.quirks && quirksOf(values.quirks),
    world: values.world,
    minutes: values.minutes,
    isTwice: values.twice === true,
  };
  const { summary, failures, coreSeconds } = await runSwarm(order, workers, {
    onFailure: describe,
    onProgress: (run, failed) => {
      if (run % PROGRESS_SEEDS === 0)
        say(`${run} of ${seeds.length} seeds in ${Math.round(performance.now() / 1000)} s, ${failed} failed`);
    },
  });
  for (const failure of failures.slice(0, values.minimize))
    say(`minimal: ${replayLine(await minimizeFailure(failure, workers))}`);
  say(`${(coreSeconds / seeds.length).toFixed(2)} core-seconds a seed`);
  if (values.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else show(summary);
  process.exitCode = isPassed(order, summary) ? 0 : 1;
} finally {
  workers.close();
}
