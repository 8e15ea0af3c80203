/**
 * @module
 * LOAD: a live run whose strategy reads 200 markets with a book each 20 ms (10,000 frames a second) and places orders in
 * two of them, beside one with these two alone. From the frame that asks for an order to its arrival at the exchange; how
 * long a start takes; and, without limits, what a core is needed for from 1 to 200 markets.
 */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as rest } from 'node:timers/promises';
import { Child } from '../../child.ts';
import { type GroupResult, type Limit, reached } from '../../goal.ts';
import { startLiveRun } from '../../live-run.ts';
import { type Effort, median, quantile, rounded } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { journalFolder } from '../tick-to-order/commit.ts';
import { type ManyMarketsReady, type ManyMarketsTook, symbolAt } from './wire.ts';

const LIMITS = {
  p99: {
    id: 'LOAD',
    what: 'frame to order, p99, of two markets among 200 with 20 ms blocks, to the two alone',
    limit: 3,
    better: 'lower',
  },
  start: {
    id: 'LOAD.start',
    what: 'seconds until a run of 200 markets with 20 ms blocks may quote',
    limit: 10,
    better: 'lower',
  },
} as const satisfies Record<string, Limit>;

const BLOCK_MS = 20;
const RUN_MS = 20_000;
const WARM_UP_MS = 5_000;
const ROUNDS_MAX = 3;
const CURVE = [1, 2, 20, 100, 200];

/** What one run showed. */
interface Shown {
  readonly startS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of a core. */
  readonly cpu: number;
  readonly loopP99Ms: number;
  readonly framesPerS: number;
  readonly memoryMb: number;
}

/** Measures LOAD. */
export async function manyMarkets({ rounds }: Effort): Promise<GroupResult> {
  const shown = new Map<number, Shown[]>(CURVE.map((markets) => [markets, []]));
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
    for (const [markets, runs] of shown) runs.push(await measureRun(markets));
  const of = (markets: number, figure: keyof Shown): number =>
    median((shown.get(markets) ?? []).map((one) => one[figure]));
  const names: readonly (keyof Shown)[] = [
    'startS',
    'p50Ms',
    'p99Ms',
    'cpu',
    'loopP99Ms',
    'framesPerS',
    'memoryMb',
  ];
  showTable(
    `LOAD a live run, a book of each market every ${BLOCK_MS} ms`,
    CURVE.map((markets) =>
      Object.fromEntries([
        ['markets', markets],
        ...names.map((name) => [name, of(markets, name).toFixed(2)]),
      ]),
    ),
  );
  return {
    goals: [reached(LIMITS.p99, of(200, 'p99Ms') / of(2, 'p99Ms')), reached(LIMITS.start, of(200, 'startS'))],
    figures: Object.fromEntries(
      CURVE.flatMap((markets) =>
        names.map((name) => [`${markets} markets, ${name}`, rounded(of(markets, name))] as const),
      ),
    ),
  };
}

async function measureRun(markets: number): Promise<Shown> {
  const folder = journalFolder();
  const server = new Child(new URL('../../servers/many-markets-server.ts', import.meta.url));
  try {
    const ready = server.next<ManyMarketsReady>();
    server.send({ markets, blockMs: BLOCK_MS });
    const { port, account } = await ready;
    const beganAtMs = performance.now();
    const run = startLiveRun({
      ...{ origin: `http://127.0.0.1:${port}`, account, folder: folder.path },
      config: configOf(markets),
    });
    await Promise.race([run.ready, run.failed]);
    const startS = (performance.now() - beganAtMs) / 1_000;
    await rest(WARM_UP_MS);
    const loop = monitorEventLoopDelay({ resolution: 2 });
    loop.enable();
    await server.ask<ManyMarketsTook>('take');
    const cpu = process.cpuUsage();
    const fromMs = performance.now();
    await rest(RUN_MS);
    const { user, system } = process.cpuUsage(cpu);
    const wallMs = performance.now() - fromMs;
    const { tookMs, frames } = await server.ask<ManyMarketsTook>('take');
    loop.disable();
    await run.stop();
    return {
      startS,
      p50Ms: quantile(tookMs, 0.5),
      p99Ms: quantile(tookMs, 0.99),
      cpu: (user + system) / 1_000 / wallMs,
      loopP99Ms: loop.percentile(99) / 1e6,
      framesPerS: (frames / wallMs) * 1_000,
      memoryMb: process.memoryUsage.rss() / 1e6,
    };
  } finally {
    server.stop();
    folder.remove();
  }
}

function configOf(markets: number): string {
  const symbols = Array.from({ length: markets }, (_, index) => symbolAt(index));
  return `
markets: [${symbols.map((symbol) => `{ symbol: ${symbol} }`).join(', ')}]
strategies:
  - { name: bench, module: ${join(import.meta.dirname, 'strategy.ts')}, markets: [${symbols.join(', ')}] }
risk:
  capital: 1000000
  postOnly: false
  maxWritesPerSecond: 100
  writeBurst: 200
  maxAccountWritesPerSecond: 500
  maxDuplicateOrdersPerSecond: 100
  maxReplacesPerSecond: 100
  maxOrderToTradeRatio: 100000
`;
}
