/**
 * @module
 * G17: memory over the events of a day in ten markets (17.3 million), through the whole runtime with a strategy that
 * reads. The log is made while it is read, batch by batch.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ReplaySource } from '../../../src/research/backtest/index.ts';
import type { EventBatch } from '../../../src/tape/format/index.ts';
import { type GroupResult, type Limit, reached } from '../../goal.ts';
import { rounded } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { eventLogBatches, LOG_FROM_US, type LogOptions } from './event-log.ts';
import { benchMarkets, Reader, runOver } from './whole-runtime.ts';

const ROWS = 17_300_000;
/** Batches in use: the bot reads half a millisecond behind the venue, which is in the same batch or the one before. */
const RING = 4;
const WARM_ROWS = 2_000_000;
const MARKETS = 10;
const DAY_US = 86_400_000_000;
const HEAP: Limit = {
  id: 'G17',
  what: 'heap after collection at the end of a day of ten markets, MB above that at a tenth of it',
  limit: 5,
  better: 'lower',
};
const RSS: Limit = {
  id: 'G17.rss',
  what: 'the same of the process, as a part',
  limit: 0.02,
  better: 'lower',
};

/** Measures G17. */
export async function flatMemory(): Promise<GroupResult> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const marks: { readonly part: number; readonly heapMb: number; readonly rssMb: number }[] = [];
  const mark = (part: number): void => {
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    marks.push({ part, heapMb: heapUsed / 1e6, rssMb: rss / 1e6 });
  };
  const markets = benchMarkets(MARKETS);
  const source: ReplaySource = {
    ...{ name: 'bench', hash: '', rows: ROWS, fromUs: LOG_FROM_US, toUs: Number.MAX_SAFE_INTEGER, markets },
    batches: () => marking(mark),
  };
  // What the first run of a process grows to is not what a long one adds.
  runOver({ ...source, batches: () => eventLogBatches(logOf(WARM_ROWS)) }, () => new Reader());
  // A day's samples by the second are data of the record, not of the replay.
  const { rows } = runOver(source, () => new Reader(), { samplePeriodMs: 60_000 });
  showTable(
    `G17 memory over ${rows} rows, ${MARKETS} markets`,
    marks.map(({ part, heapMb, rssMb }) => ({
      case: `${Math.round(part * 100)} %`,
      'heap, MB': rounded(heapMb),
      'rss, MB': rounded(rssMb),
    })),
  );
  const first = marks[0]!;
  const last = marks.at(-1)!;
  return {
    goals: [reached(HEAP, last.heapMb - first.heapMb), reached(RSS, last.rssMb / first.rssMb - 1)],
    figures: { 'G17 heap, MB': rounded(last.heapMb), 'G17 rss, MB': rounded(last.rssMb) },
  };
}

function logOf(rows: number): LogOptions {
  return { rows, seed: 'G17', markets: MARKETS, gapUs: DAY_US / ROWS, ring: RING };
}

/** The log, with a look at the memory after each tenth: the last one when all is read and the record not yet made. */
function* marking(mark: (part: number) => void): Generator<EventBatch> {
  let rows = 0;
  let tenth = 1;
  for (const batch of eventLogBatches(logOf(ROWS))) {
    yield batch;
    rows += batch.rows;
    if (rows < (ROWS / 10) * tenth) continue;
    mark(tenth / 10);
    tenth++;
  }
}
