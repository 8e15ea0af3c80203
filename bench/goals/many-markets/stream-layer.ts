/**
 * @module
 * G16: processor time of the thread that trades for a book frame, through the whole client to a strategy, beside a socket,
 * `JSON.parse` and books of integers; and a burst of as many frames as the server can send, of which nothing but
 * superseded books may be left out.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { Child } from '../../child.ts';
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { type Effort, median, rounded } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { openBareReader } from './bare-reader.ts';
import { measureLoad } from './load-run.ts';
import { type ManyMarketsReady, QUIET } from './wire.ts';

const LIMITS = {
  rate: {
    id: 'G16',
    what: 'book frames in the same processor time, whole client to bare parse and apply',
    limit: 0.6,
    better: 'higher',
  },
  burst: {
    id: 'G16.burst',
    what: 'growth of memory in a burst of 10 s beside the steady rate, of which the end is proven',
    limit: 1.5,
    better: 'lower',
  },
} as const satisfies Record<string, Limit>;

const MARKETS = 20;
/** 2,000 frames a second; 20 frames a second, by which all else that runs is taken off; and all that the server can. */
const STEADY_MS = 10;
const IDLE_MS = 1_000;
const BURST_MS = 1;
const RUN_MS = 10_000;
const WARM_UP_MS = 5_000;
const ROUNDS_MAX = 3;
const FRAMES_PER_S = (1_000 / STEADY_MS) * MARKETS;

/** Share of a core, and books that were read to the end, of one pace. */
interface Pace {
  readonly threadCpu: number;
  readonly seenPerS: number;
}

/** Measures G16. */
export async function streamLayer({ rounds }: Effort): Promise<GroupResult> {
  const ours: number[] = [];
  const bare: number[] = [];
  const growth: number[] = [];
  const seenRate: number[] = [];
  const burstRate: number[] = [];
  const burstSeen: number[] = [];
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++) {
    const of = (blockMs: number) => measureLoad({ markets: MARKETS, blockMs, runMs: RUN_MS });
    const steady = await of(STEADY_MS);
    seenRate.push(steady.seenPerS);
    ours.push(usPerFrame(steady, await of(IDLE_MS)));
    bare.push(usPerFrame(await measureBare(STEADY_MS), await measureBare(IDLE_MS)));
    // It rejects unless the run proves its end: every fill, order and entry of the ledger is there.
    const burst = await of(BURST_MS);
    growth.push(burst.memoryMb / steady.memoryMb);
    burstRate.push(burst.framesPerS);
    burstSeen.push(burst.seenPerS);
  }
  const figures = {
    'G16 whole client, us a frame': rounded(median(ours)),
    'G16 bare parse and apply, us a frame': rounded(median(bare)),
    'G16 steady rate, books a second seen by the strategy': rounded(median(seenRate)),
    'G16 burst, frames a second': rounded(median(burstRate)),
    'G16 burst, books a second seen by the strategy': rounded(median(burstSeen)),
    'G16 burst, memory to that of the steady rate': rounded(median(growth)),
  };
  showTable(
    'G16 the way of a book frame',
    Object.entries(figures).map(([name, value]) => ({ case: name, value })),
  );
  const ratio = median(bare.map((us, round) => us / (ours[round] ?? Number.NaN)));
  const isBurst = median(burstRate) >= 3 * FRAMES_PER_S;
  return {
    goals: [
      reached(LIMITS.rate, ratio),
      isBurst
        ? reached(LIMITS.burst, median(growth))
        : missed(LIMITS.burst, `the server sent ${Math.round(median(burstRate))} frames a second, no burst`),
    ],
    figures,
  };
}

/** What a frame costs, us: what a core did at one pace, less what it did at another. */
function usPerFrame(fast: Pace, slow: Pace): number {
  return ((fast.threadCpu - slow.threadCpu) / (fast.seenPerS - slow.seenPerS)) * 1e6;
}

async function measureBare(blockMs: number): Promise<Pace> {
  const server = new Child(new URL('../../servers/many-markets-server.ts', import.meta.url));
  try {
    const ready = server.next<ManyMarketsReady>();
    server.send({ markets: MARKETS, blockMs });
    const reader = await openBareReader((await ready).port, MARKETS);
    await rest(WARM_UP_MS);
    const before = reader.frames;
    const cpu = process.threadCpuUsage();
    const fromMs = performance.now();
    await rest(RUN_MS);
    const thread = process.threadCpuUsage(cpu);
    const wallMs = performance.now() - fromMs;
    const seenPerS = ((reader.frames - before) / wallMs) * 1_000;
    await server.ask(QUIET);
    reader.close();
    return { threadCpu: (thread.user + thread.system) / 1_000 / wallMs, seenPerS };
  } finally {
    server.stop();
  }
}
