/**
 * Trades on paper over the ten recorded hours of StandX at a multiple of their speed, and looks whether memory stays flat
 * and whether quotes go when the data grows old (docs/contributing.md).
 *
 * Usage: npm run prove -- paper-soak [--speed 200|max] [--tape <folder>] [--json]
 *
 * Without --tape the recording in ../shared/data is imported first. No order may leave on data that is older than the
 * configuration's limit, not by a millisecond. How old the data is that orders rest on is looked at ten times a second; the
 * guard looks twice a second and a cancel takes its way, so that much more is allowed. Memory is the heap after a
 * collection. From the second hour to the last it may grow by what the run keeps on purpose, which is weighed behind it:
 * the books of the account and of the venue alone, made again from the run's log, and what its record holds. Exit code 1:
 * something is not as it must be.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProven, listenForStop } from '../../src/bot/live/index.ts';
import { readRunLog } from '../../src/bot/replay/run-log-file.ts';
import { jsonOption, speedOption, textOption } from '../../src/cli/terminal/options.ts';
import { loadConfig } from '../../src/config/index.ts';
import { SystemClock, silentLog } from '../../src/core/index.ts';
import { AccountState } from '../../src/domain/index.ts';
import { type PaperRun, type PaperWorld, paperOnTape } from '../../src/research/paper/index.ts';
import { PaperBooks } from '../../src/research/paper/paper-books.ts';
import { importTape } from '../../src/tape/importers/index.ts';
import { readOptions } from '../options.ts';

const values = readOptions({
  speed: speedOption('200'),
  tape: textOption('Folder of a tape; without it the recording beside the project is imported'),
  json: jsonOption,
});
const ROOT = join(import.meta.dirname, '..', '..');
const RECORDING = join(ROOT, '..', 'shared', 'data', 'standx-btcusd-20260106');
const HOUR_MS = 3_600_000;
const SAMPLE_MS = 100;
const MEMORY_MS = 600_000;
const STRINGS_MAX = 2_000;
/** The guard's period, and twice the way there and back: a cancel may wait for the one before it. */
const CANCEL_MS_MAX = 500 + 2 * (50 + 50);

/** The heap after a collection, by hour of the run. */
type HeapSeries = { readonly hour: number; readonly bytes: number }[];

interface Watch {
  /** Age of the data when an order left, and while one rested. */
  placedMsMax: number;
  restingMsMax: number;
  placements: number;
  readonly heap: HeapSeries;
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Looks at the world by its own time. */
function watch(world: PaperWorld): Watch {
  const seen: Watch = { placedMsMax: 0, restingMsMax: 0, placements: 0, heap: [] };
  const { venue } = world;
  const submit = venue.submit.bind(venue);
  venue.submit = (routed) => {
    const { command } = routed;
    for (const { symbol, reduceOnly } of command.kind === 'setLeverage' ? [] : command.orders) {
      if (reduceOnly) continue;
      const dataAtMs = world.bot.markets.get(symbol)?.dataAtMs ?? Number.NEGATIVE_INFINITY;
      seen.placements++;
      seen.placedMsMax = Math.max(seen.placedMsMax, world.clock.nowMs() - dataAtMs);
    }
    submit(routed);
  };
  world.clock.every(SAMPLE_MS, () => {
    for (const symbol of world.bot.markets.symbols()) {
      const dataAtMs = world.bot.markets.get(symbol)?.dataAtMs;
      if (dataAtMs === undefined || world.bot.account.workingOrders(symbol).length === 0) continue;
      seen.restingMsMax = Math.max(seen.restingMsMax, world.clock.nowMs() - dataAtMs);
    }
  });
  world.clock.every(MEMORY_MS, () => {
    seen.heap.push({ hour: world.clock.monotonicMs() / HOUR_MS, bytes: heapBytes() });
  });
  return seen;
}

/** The middle of the samples between two hours. */
function heapBetween(heap: HeapSeries, from: number, to: number): number {
  const bytes = heap.filter(({ hour }) => hour >= from && hour < to).map((sample) => sample.bytes);
  return bytes.sort((a, b) => a - b)[bytes.length >> 1] ?? Number.NaN;
}

/** The second hour, and the last. */
function growthOf(heap: HeapSeries, hours: number): { readonly early: number; readonly late: number } {
  return { early: heapBetween(heap, 1, 2), late: heapBetween(heap, Math.max(1, hours - 1), hours + 1) };
}

/** Strings that facts near each other share: in the run they were one, out of the log each is a copy. */
class SharedStrings {
  readonly #known = new Map<string, string>();

  share<T>(value: T): T {
    if (typeof value === 'string') return this.#one(value) as T;
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    for (const [key, inner] of Object.entries(value)) Object.assign(value, { [key]: this.share(inner) });
    return value;
  }

  #one(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= STRINGS_MAX) this.#known.clear();
    this.#known.set(text, text);
    return text;
  }
}

/** What the books of a run weigh on their own, hour by hour: the run's own facts folded again, and nothing else. */
function weighBooks(folder: string, clock: SystemClock): HeapSeries {
  const account = new AccountState();
  const books = new PaperBooks(clock);
  const series: HeapSeries = [];
  const strings = new SharedStrings();
  const { header, entries } = readRunLog(folder);
  let nextMs = MEMORY_MS;
  for (const { at, event } of entries()) {
    const sinceMs = at === undefined ? 0 : at.monotonicMs - header.madeAt.monotonicMs;
    for (; sinceMs >= nextMs; nextMs += MEMORY_MS)
      series.push({ hour: nextMs / HOUR_MS, bytes: heapBytes() });
    if (event.kind !== 'fact') continue;
    const fact = strings.share(event.fact);
    account.fold(fact);
    books.take(fact);
  }
  if (account.ledgerSum === 0n || books.fills.length === 0) throw new Error('expected books in the log');
  return series;
}

/** What the fills and quotes of a record between two hours weigh. */
function weighRecord({ record }: PaperRun, from: number, to: number): number {
  const isBetween = ({ atMs }: { readonly atMs: number }): boolean => {
    const hour = (atMs - record.fromMs) / HOUR_MS;
    return hour >= from && hour < to;
  };
  const before = heapBytes();
  const copied = structuredClone([record.fills.filter(isBetween), record.quotes.filter(isBetween)]);
  const copy = new SharedStrings().share(copied);
  const bytes = heapBytes() - before;
  return copy.length === 0 ? 0 : bytes;
}

const work = mkdtempSync(join(tmpdir(), 'paper-soak-'));
try {
  const tape = values.tape ?? join(work, 'tape');
  if (values.tape === undefined)
    await importTape({ format: 'standx', paths: [RECORDING], out: tape, locked: 'separate' });
  const clock = new SystemClock();
  const source = loadConfig(join(ROOT, 'backtest', 'maker-standx.yaml'));
  const beganAtMs = clock.monotonicMs();
  let seen: Watch | undefined;
  const run = await paperOnTape({
    ...{ source, clock, log: silentLog, seed: 7, tape, beganAtMs, recordFolder: join(work, 'runs') },
    stop: listenForStop(clock, { forMs: undefined }),
    speed: values.speed,
    show: () => () => undefined,
    onWorld: (world) => {
      seen = watch(world);
    },
  });
  if (seen === undefined) throw new Error('expected the world to be shown');
  const { report } = run;
  const hours = report.durationMs / HOUR_MS;
  const { early, late } = growthOf(seen.heap, hours);
  const books = growthOf(weighBooks(join(work, 'runs', run.runId), clock), hours);
  const kept = books.late - books.early + weighRecord(run, 1.5, Math.max(1.5, hours - 0.5));
  const limitMs = source.config.risk.maxMarketDataAge;
  const result = {
    hours: Number(hours.toFixed(3)),
    tookS: Math.round((clock.monotonicMs() - beganAtMs) / 1_000),
    fills: report.fills,
    isProven: isProven(report),
    heapMbEarly: Math.round(early / 2 ** 20),
    heapMbLate: Math.round(late / 2 ** 20),
    heapMbAllowed: Math.round((early + kept) / 2 ** 20),
    isMemoryFlat: late <= early + kept,
    placements: seen.placements,
    placedMsMax: seen.placedMsMax,
    placedMsAllowed: limitMs,
    restingMsMax: seen.restingMsMax,
    restingMsAllowed: limitMs + CANCEL_MS_MAX,
    isNeverStale: seen.placedMsMax <= limitMs && seen.restingMsMax <= limitMs + CANCEL_MS_MAX,
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
