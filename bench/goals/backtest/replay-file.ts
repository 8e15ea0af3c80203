/**
 * @module
 * G9: a tape file through the whole runtime with a strategy that only reads, beside the bare loop over the same file;
 * and the same run from JSON lines. Each case opens its file anew. (performance B7, D)
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReplaySource } from '../../../src/backtest/index.ts';
import {
  BATCH_ROWS_MAX,
  createTapeWriter,
  type EventBatch,
  openTape,
  rowsOf,
} from '../../../src/tape/index.ts';
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { type Effort, inTurn, rounded, Samples, timeMs } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { bareLoop, emptyBatch, eventLog } from './event-log.ts';
import { benchMarkets, Reader, runOver, sourceOf } from './whole-runtime.ts';

const ROWS = 1_000_000;
const ROUNDS_MAX = 5;
/** Rounds before the first that counts: some runs of each case are spent compiling. */
const WARM_ROUNDS = 4;
const BARE = 'bare loop over the tape';
const OURS = 'ballast from the tape';
const LINES = 'ballast from JSON lines';
const BARE_LINES = 'bare loop over JSON lines';
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
  writeTape(tape, log);
  writeLines(lines, log);
  const memory = sourceOf(log, benchMarkets(1));
  const fromTape = (): ReplaySource => ({ ...memory, batches: () => openTape(tape).batches() });
  const fromLines = (): ReplaySource => ({ ...memory, batches: () => readLines(lines) });
  const expected = bareLoop(log).traded;
  for (const traded of [
    bareLoop(openTape(tape).batches()).traded,
    tradedOf(fromTape()),
    tradedOf(fromLines()),
  ])
    if (traded !== expected) return { goals: [missed(LIMIT, 'the readers saw other trades')], figures: {} };

  const samples = new Samples();
  const runs = [
    [BARE, () => void bareLoop(openTape(tape).batches())],
    [OURS, () => void tradedOf(fromTape())],
    [LINES, () => void tradedOf(fromLines())],
    [BARE_LINES, () => void bareLoop(readLines(lines))],
  ] as const;
  for (let at = 0; at < WARM_ROUNDS; at++) for (const [, run] of runs) run();
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
    for (const [name, run] of inTurn(runs, round)) samples.add(name, ((await timeMs(run, 1)) * 1000) / ROWS);
  showTable(`G9 one row of a tape (${ROWS} rows, same trades seen)`, samples.rows(BARE));
  return {
    goals: [reached(LIMIT, samples.ratio(BARE, OURS)), reached(LINES_LIMIT, samples.ratio(LINES, OURS))],
    figures: {
      ...Object.fromEntries(
        samples.names().map((name) => [`G9 ${name}, M rows/s`, rounded(1 / samples.median(name))]),
      ),
      // What the reading of lines alone allows: docs/decisions/0005.
      'G9.jsonl of the bare loop': rounded(samples.ratio(BARE_LINES, BARE)),
      'G9 bytes a row': rounded(statSync(join(tape, 'events-00001.arrow')).size / ROWS),
    },
  };
}

function tradedOf(source: ReplaySource): number {
  const reader = new Reader();
  runOver(source, () => reader);
  return reader.traded;
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

function writeLines(file: string, log: readonly EventBatch[]): void {
  const parts: string[] = [];
  for (const row of rowsOf(log)) parts.push(JSON.stringify(row));
  writeFileSync(file, `${parts.join('\n')}\n`);
}

/** Lines to batches, split by hand: the fastest way that B7 found. */
function* readLines(file: string): Generator<EventBatch> {
  const text = readFileSync(file, 'latin1');
  let batch = emptyBatch(BATCH_ROWS_MAX);
  let rows = 0;
  for (let from = 0, to = text.indexOf('\n'); to >= 0; from = to + 1, to = text.indexOf('\n', from)) {
    const row = JSON.parse(text.slice(from, to));
    batch.kind[rows] = row.kind;
    batch.flags[rows] = row.flags;
    batch.market[rows] = row.market;
    batch.exchangeUs[rows] = row.exchangeUs;
    batch.receivedUs[rows] = row.receivedUs;
    batch.price[rows] = row.price;
    batch.size[rows] = row.size;
    batch.id[rows] = row.id;
    if (++rows < BATCH_ROWS_MAX) continue;
    yield batch;
    batch = emptyBatch(BATCH_ROWS_MAX);
    rows = 0;
  }
  if (rows > 0) yield { ...batch, rows };
}
