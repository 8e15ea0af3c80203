/**
 * @module
 * G9: a tape file through the whole runtime with a strategy that only reads, beside the bare loop over the same file;
 * and the same run from the JSON lines that `ballast tape export` makes of it. Each case opens its file again. Lines that say
 * the rows as they lie in memory are shown beside it: docs/decisions/0005.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReplaySource } from '../../../src/research/backtest/index.ts';
import { createTapeWriter, type EventBatch, openTape } from '../../../src/tape/format/index.ts';
import { exportTape, rowsOf } from '../../../src/tape/tools/index.ts';
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { type Effort, inTurn, rounded, Samples, timeMs } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { type BareResult, bareLoop, eventLog } from './event-log.ts';
import { readExportedLines, readNumberLines, writeNumberLines } from './json-lines.ts';
import { benchMarkets, Reader, runOver, sourceOf } from './whole-runtime.ts';

const ROWS = 1_000_000;
const ROUNDS_MAX = 5;
/** Rounds before the first that counts: some runs of each case are spent compiling. */
const WARM_ROUNDS = 4;
const BARE = 'bare loop over the tape';
const OURS = 'ballast from the tape';
const LINES = 'ballast from JSON lines';
const BARE_LINES = 'bare loop over JSON lines';
const NUMBER_LINES = 'ballast from JSON lines of numbers';
const LIMIT: Limit = {
  id: 'G9',
  what: 'rows a second of a tape through the runtime with a reading strategy, to the bare loop over it',
  limit: 0.35,
  better: 'higher',
};
const LINES_LIMIT: Limit = {
  id: 'G9.jsonl',
  what: 'the same, to the same run from JSON lines',
  limit: 10,
  better: 'higher',
};

/** Measures G9. */
export async function replayFile({ rounds }: Effort): Promise<GroupResult> {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bench-'));
  try {
    return await measure(folder, rounds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(folder: string, rounds: number): Promise<GroupResult> {
  const log = eventLog({ rows: ROWS, seed: 'G9' });
  const tape = join(folder, 'tape');
  const lines = join(folder, 'log.jsonl');
  const numberLines = join(folder, 'numbers.jsonl');
  writeTape(tape, log);
  exportTape({ tape, format: 'jsonl', out: lines });
  writeNumberLines(numberLines, log);
  const markets = benchMarkets(1);
  const memory = sourceOf(log, markets);
  const fromTape = (): ReplaySource => ({ ...memory, batches: () => openTape(tape).batches() });
  const fromLines = (): ReplaySource => ({ ...memory, batches: () => readExportedLines(lines, markets) });
  const fromNumberLines = (): ReplaySource => ({ ...memory, batches: () => readNumberLines(numberLines) });
  // The loop looks at the book behind each row, a strategy behind each frame: each is held against its own of memory.
  const bare = [log, openTape(tape).batches(), readExportedLines(lines, markets)].map(bareLoop);
  const read = [memory, fromTape(), fromLines(), fromNumberLines()].map(readBy);
  if (!areSame(bare) || !areSame(read) || bare[0]?.traded !== read[0]?.traded)
    return { goals: [missed(LIMIT, 'the readers saw other trades or books')], figures: {} };

  const samples = new Samples();
  const runs = [
    [BARE, () => void bareLoop(openTape(tape).batches())],
    [OURS, () => void readBy(fromTape())],
    [LINES, () => void readBy(fromLines())],
    [BARE_LINES, () => void bareLoop(readExportedLines(lines, markets))],
    [NUMBER_LINES, () => void readBy(fromNumberLines())],
  ] as const;
  for (let at = 0; at < WARM_ROUNDS; at++) for (const [, run] of runs) run();
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
    for (const [name, run] of inTurn(runs, round)) samples.add(name, ((await timeMs(run, 1)) * 1000) / ROWS);
  showTable(`G9 one row of a tape (${ROWS} rows, same trades and books seen)`, samples.rows(BARE));
  return {
    goals: [reached(LIMIT, samples.ratio(BARE, OURS)), reached(LINES_LIMIT, samples.ratio(LINES, OURS))],
    figures: {
      ...Object.fromEntries(
        samples.names().map((name) => [`G9 ${name}, M rows/s`, rounded(1 / samples.median(name))]),
      ),
      // What the reading of lines alone allows: docs/decisions/0005.
      'G9.jsonl of the bare loop': rounded(samples.ratio(BARE_LINES, BARE)),
      'G9.jsonl with lines of numbers': rounded(samples.ratio(NUMBER_LINES, OURS)),
      'G9 bytes a line': rounded(statSync(lines).size / ROWS),
      'G9 bytes a row': rounded(statSync(join(tape, 'events-00001.arrow')).size / ROWS),
    },
  };
}

function areSame(results: readonly BareResult[]): boolean {
  return new Set(results.map(({ spreads, traded }) => `${spreads} ${traded}`)).size === 1;
}

/** What a strategy that reads comes to. */
function readBy(source: ReplaySource): Reader {
  const reader = new Reader();
  runOver(source, () => reader);
  return reader;
}

function writeTape(folder: string, log: readonly EventBatch[]): void {
  const markets = benchMarkets(1).map(({ symbol, priceDecimals, sizeDecimals }) => ({
    ...{ symbol, priceDecimals, sizeDecimals, tickStep: 1, lotStep: 1 },
    depth: 'levels' as const,
  }));
  const writer = createTapeWriter({
    folder,
    markets,
    source: { kind: 'bench', description: 'a seeded log' },
  });
  for (const row of rowsOf(log)) writer.write(row);
  writer.close();
}
