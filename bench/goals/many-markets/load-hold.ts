/**
 * @module
 * LOAD.hold: the load of LOAD held for half an hour: 200 markets with a book each 20 ms. Memory after a collection is the same
 * at the end as after the first part, no data is taken for stale, and an order leaves as soon in the last part as in the first.
 *
 * The length follows the rounds: nine are 30 minutes, one is a ninth of it in 200 seconds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { type Effort, quantile, rounded } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { measureLoad } from './load-run.ts';
import { SEEN } from './wire.ts';

const LOAD = { markets: 200, blockMs: 20 } as const;
const ROUND_MS = 200_000;
const PARTS = 10;

const LIMITS = {
  heap: {
    id: 'LOAD.hold',
    what: 'heap after collection at the end of half an hour of LOAD, MB above that at a tenth of it',
    limit: 5,
    better: 'lower',
  },
  late: {
    id: 'LOAD.hold.p99',
    what: 'frame to order, p99, of the last tenth of it to the first',
    limit: 1.5,
    better: 'lower',
  },
  stale: {
    id: 'LOAD.hold.stale',
    what: 'times that data were taken for stale, which they were not',
    limit: 0,
    better: 'lower',
  },
} as const satisfies Record<string, Limit>;

/** Measures LOAD.hold. */
export async function loadHold({ rounds }: Effort): Promise<GroupResult> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const parts: { heapMb: number; rssMb: number; p50Ms: number; p99Ms: number }[] = [];
  const shown = await measureLoad({
    ...LOAD,
    runMs: (ROUND_MS * rounds) / PARTS,
    parts: PARTS,
    onPart: (tookMs) => {
      collect();
      const { heapUsed, rss } = process.memoryUsage();
      const [p50Ms, p99Ms] = [quantile(tookMs, 0.5), quantile(tookMs, 0.99)];
      parts.push({ heapMb: heapUsed / 1e6, rssMb: rss / 1e6, p50Ms, p99Ms });
    },
  });
  showTable(
    `LOAD.hold ${LOAD.markets} markets, a book of each every ${LOAD.blockMs} ms`,
    parts.map(({ heapMb, rssMb, p50Ms, p99Ms }, at) => ({
      case: `${(at + 1) * (100 / PARTS)} %`,
      ...{ 'heap, MB': rounded(heapMb), 'rss, MB': rounded(rssMb) },
      ...{ 'p50, ms': rounded(p50Ms), 'p99, ms': rounded(p99Ms) },
    })),
  );
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const goal = (limit: Limit, value: number) =>
    shown.seenPerS > 0 ? reached(limit, value) : missed(limit, 'the strategy saw no book');
  return {
    goals: [
      goal(LIMITS.heap, last.heapMb - first.heapMb),
      goal(LIMITS.late, last.p99Ms / first.p99Ms),
      goal(LIMITS.stale, SEEN.degraded),
    ],
    figures: {
      'LOAD.hold heap, MB': rounded(last.heapMb),
      'LOAD.hold rss, MB': rounded(last.rssMb),
      'LOAD.hold highest rss, MB': rounded(Math.max(...parts.map(({ rssMb }) => rssMb))),
      'LOAD.hold frames a second': rounded(shown.framesPerS),
      'LOAD.hold of a core': rounded(shown.cpu),
      'LOAD.hold seconds to start': rounded(shown.startS),
    },
  };
}
