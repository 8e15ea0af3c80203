/**
 * Ends live bots by signals at random instants, start and stop included: to the launcher or to the bot itself, once or
 * twice. What rests at the exchange is compared with the exit code: one that stands for a proven end goes with an empty
 * book; after any other one the guardian has emptied it before the launcher ended.
 *
 * Usage: npm run prove -- signals [--times 200] [--seed 1] [--jobs 2] [--json]
 */
import { join } from 'node:path';
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { freshSeed, type Random, seededRandom } from '../../src/core/index.ts';
import { GUARDED, LiveRig, ladder, type RigBot } from '../../test/support/live-rig.ts';
import { pause, until } from '../../test/support/processes.ts';
import { maybeWhole, readOptions, whole } from '../options.ts';
import { BookLog } from './force/book-log.ts';

/** What one signal, or two, showed. */
export interface SignalEnd {
  /** Signals in their order, each with the process that got it. */
  readonly signals: readonly string[];
  /** From the start of the process to the first of them, ms. */
  readonly afterMs: number;
  /** Exit code, or the signal by which the launcher ended. */
  readonly end: string;
  /** Orders that rested when it was sent, and when the launcher had ended. */
  readonly orders: number;
  readonly left: number;
}

/** What a whole run showed. */
export interface SignalRun {
  readonly schema: 1;
  readonly seed: number;
  readonly ends: readonly SignalEnd[];
  /** How often each end. */
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGKILL'] as const;
/** From the start, or from the first order, on. */
const AFTER_MS_MAX = 4_000;
const SECOND_MS_MAX = 2_000;
/** These stand for a proven end, and so does the death of a process that had not begun. */
const PROVEN: ReadonlySet<string> = new Set(['0', '130', '143', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);
/** All others that an end by a signal may have (docs/reference/exit-codes.md). */
const UNPROVEN: ReadonlySet<string> = new Set(['1', '69', '80']);
/** What the exchange says arrives this much later than it happens, ms. */
const TOLD_MS = 300;

/** Ends bots `times` times, `jobs` at once. */
export async function runSignals({
  seed,
  times,
  jobs = 2,
  say = () => undefined,
}: {
  readonly seed: number;
  readonly times: number;
  readonly jobs?: number;
  readonly say?: (line: string) => void;
}): Promise<SignalRun> {
  const rig = await LiveRig.start({
    ...{ seed, accounts: jobs, script: join(import.meta.dirname, 'force', 'exchange.ts') },
  });
  const ends: SignalEnd[] = [];
  let left = times;
  const work = async (job: number): Promise<void> => {
    const random = seededRandom(`${seed} signals ${job}`);
    const account = rig.takeAccount();
    const bot = rig.unapprovedBot(`signals-${job}`, account, {
      ...{ deadMansSwitch: GUARDED, strategies: [ladder('ladder')] },
      account: { address: account.address, orphanOrders: 'cancel', orphanPositions: 'adopt' },
    });
    bot.makeKeys();
    await bot.approve();
    const log = new BookLog(rig.exchange, bot.account.address);
    while (left-- > 0) {
      const end = await once(bot, log, random);
      ends.push(end);
      say(`${ends.length}: ${describe(end)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, (_, job) => work(job)));
  } finally {
    await rig.end();
  }
  const counts: Record<string, number> = {};
  for (const { end } of ends) counts[end] = (counts[end] ?? 0) + 1;
  return { schema: 1, seed, ends, counts, violations: ends.flatMap(violationsOf) };
}

async function once(bot: RigBot, log: BookLog, random: Random): Promise<SignalEnd> {
  const startedAtMs = performance.now();
  const run = bot.run(['--verbose']);
  // On a machine that others share a start takes as long as it takes: every second one is let come up.
  if (random.chance(0.5))
    await until('its orders, or its end', () => log.open.length > 0 || run.end !== undefined, {
      withinMs: 60_000,
    });
  await pause(random.integer(0, AFTER_MS_MAX));
  const afterMs = Math.round(performance.now() - startedAtMs);
  const orders = log.open.length;
  const signals: string[] = [];
  const strike = (): void => {
    if (run.end !== undefined) return;
    const signal = SIGNALS[random.integer(0, SIGNALS.length - 1)] ?? 'SIGTERM';
    const own = random.chance(0.5) ? run.childrenOf()[0] : undefined;
    // A launcher that is killed has no exit code: then its bot stops in order, and nobody hears how it went.
    const target = signal === 'SIGKILL' ? run.childrenOf()[0] : own;
    signals.push(`${signal} to the ${target === undefined ? 'launcher' : 'bot'}`);
    if (target !== undefined) process.kill(target.pid, signal);
    else run.signal(signal === 'SIGKILL' ? 'SIGTERM' : signal);
  };
  strike();
  if (random.chance(0.4)) {
    await pause(random.integer(0, SECOND_MS_MAX));
    strike();
  }
  const { code, signal } = await run.toEnd(60_000);
  await pause(TOLD_MS);
  return { signals, afterMs, end: String(code ?? signal), orders, left: log.open.length };
}

function violationsOf(one: SignalEnd): readonly string[] {
  const { end, left } = one;
  if (!PROVEN.has(end) && !UNPROVEN.has(end)) return [`an end that no page knows: ${describe(one)}`];
  return left === 0 ? [] : [`orders rest: ${describe(one)}`];
}

function describe({ signals, afterMs, end, orders, left }: SignalEnd): string {
  return `${signals.join(', then ')} after ${afterMs} ms: ended with ${end}, ${orders} orders before and ${left} after`;
}

if (import.meta.main) {
  const values = readOptions({
    times: whole('How many ends', { min: 1, otherwise: 200 }),
    seed: maybeWhole('Of the instants; a fresh one where it is left out'),
    jobs: whole('Bots at once', { min: 1, otherwise: 2 }),
    json: jsonOption,
  });
  const { times, jobs, seed = freshSeed() } = values;
  process.stderr.write(`seed ${seed}\n`);
  const run = await runSignals({
    ...{ seed, times, jobs },
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  if (values.json) process.stdout.write(`${JSON.stringify(run)}\n`);
  else {
    const counts = Object.entries(run.counts).map(([end, count]) => `${end}: ${count}`);
    process.stdout.write(
      `${run.ends.length} ends (${counts.join(', ')}), ${run.violations.length} violations\n`,
    );
    for (const violation of run.violations) process.stdout.write(`${violation}\n`);
  }
  process.exitCode = run.violations.length === 0 ? 0 : 1;
}
