/**
 * Trades on paper over the ten recorded hours of StandX at a multiple of their speed, and looks whether memory stays flat
 * and whether quotes go when the data grows old (docs/contributing.md).
 *
 * Usage: npm run paper:soak -- [--speed 200|max] [--tape <folder>] [--json]
 *
 * Without --tape the recording in ../shared/data is imported first. Each second of the tape it is looked how old the data
 * is that orders rest on; the guard looks twice a second and a cancel takes its way, so that much more is allowed. Memory
 * is the heap after a collection; from the second hour to the last it may grow by 10 %. Exit code 1: something is not as
 * it must be.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProven, listenForStop, type PaperWorld, paperOnTape } from '../src/app/index.ts';
import { jsonOption, speedOption, textOption } from '../src/cli/options.ts';
import { loadConfig } from '../src/config/index.ts';
import { SystemClock, silentLog } from '../src/core/index.ts';
import { importTape } from '../src/tape/index.ts';
import { readOptions } from './options.ts';

const values = readOptions({
  speed: speedOption('200'),
  tape: textOption('Folder of a tape; without it the recording beside the project is imported'),
  json: jsonOption,
});
const ROOT = join(import.meta.dirname, '..');
const RECORDING = join(ROOT, '..', 'shared', 'data', 'standx-btcusd-20260106');
const HOUR_MS = 3_600_000;
const SAMPLE_MS = 1_000;
const MEMORY_MS = 600_000;
/** What is kept on purpose, in bytes: fills, ended orders up to the bound of `domain`, two changes of each order. */
const KEPT_BYTES_PER_FILL = 2_048;
const KEPT_BYTES_PER_ORDER = 1_024;
const KEPT_BYTES_PER_QUOTE = 100;
const ENDED_ORDERS_MAX = 20_000;
/** The guard's period, and twice the way there and back: a cancel may wait for the one before it. */
const CANCEL_MS_MAX = 500 + 2 * (50 + 50);

interface Watch {
  staleMsMax: number;
  samples: number;
  readonly heap: { readonly hour: number; readonly bytes: number }[];
}

/** Looks at the world by its own time. */
function watch(world: PaperWorld): Watch {
  const seen: Watch = { staleMsMax: 0, samples: 0, heap: [] };
  world.clock.every(SAMPLE_MS, () => {
    seen.samples++;
    for (const symbol of world.bot.markets.symbols()) {
      const dataAtMs = world.bot.markets.get(symbol)?.dataAtMs;
      if (dataAtMs === undefined || world.bot.account.workingOrders(symbol).length === 0) continue;
      seen.staleMsMax = Math.max(seen.staleMsMax, world.clock.nowMs() - dataAtMs);
    }
  });
  world.clock.every(MEMORY_MS, () => {
    globalThis.gc?.();
    seen.heap.push({ hour: world.clock.monotonicMs() / HOUR_MS, bytes: process.memoryUsage().heapUsed });
  });
  return seen;
}

/** The middle of the samples between two hours. */
function heapBetween({ heap }: Watch, from: number, to: number): number {
  const bytes = heap.filter(({ hour }) => hour >= from && hour < to).map((sample) => sample.bytes);
  return bytes.sort((a, b) => a - b)[bytes.length >> 1] ?? Number.NaN;
}

const work = mkdtempSync(join(tmpdir(), 'paper-soak-'));
try {
  const tape = values.tape ?? join(work, 'tape');
  if (values.tape === undefined)
    await importTape({ format: 'standx', paths: [RECORDING], out: tape, locked: 'separate' });
  const clock = new SystemClock();
  const source = loadConfig(join(ROOT, 'configs', 'backtest', 'maker-standx.yaml'));
  const beganAtMs = clock.monotonicMs();
  let seen: Watch | undefined;
  const { report } = await paperOnTape({
    ...{ source, clock, log: silentLog, seed: 7, tape, beganAtMs, recordFolder: join(work, 'runs') },
    stop: listenForStop(clock, { forMs: undefined }),
    speed: values.speed,
    show: () => () => undefined,
    onWorld: (world) => {
      seen = watch(world);
    },
  });
  if (seen === undefined) throw new Error('expected the world to be shown');
  const hours = report.durationMs / HOUR_MS;
  const early = heapBetween(seen, 1, 2);
  const late = heapBetween(seen, Math.max(1, hours - 1), hours + 1);
  const kept =
    report.fills * KEPT_BYTES_PER_FILL +
    Math.min(ENDED_ORDERS_MAX, report.ordersPlaced) * KEPT_BYTES_PER_ORDER +
    2 * report.ordersPlaced * KEPT_BYTES_PER_QUOTE;
  const limitMs = source.config.risk.marketDataAgeMax;
  const result = {
    hours: Number(hours.toFixed(3)),
    tookS: Math.round((clock.monotonicMs() - beganAtMs) / 1_000),
    fills: report.fills,
    isProven: isProven(report),
    heapMbEarly: Math.round(early / 2 ** 20),
    heapMbLate: Math.round(late / 2 ** 20),
    heapMbAllowed: Math.round((early + kept) / 2 ** 20),
    isMemoryFlat: late <= early + kept,
    staleMsMax: seen.staleMsMax,
    staleMsAllowed: limitMs + CANCEL_MS_MAX,
    isNeverStale: seen.staleMsMax <= limitMs + CANCEL_MS_MAX,
    switchFired: report.switch.fired,
  };
  const isGood = result.isProven && result.isMemoryFlat && result.isNeverStale;
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else
    for (const [name, value] of Object.entries(result)) process.stdout.write(`${name.padEnd(16)}${value}\n`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
