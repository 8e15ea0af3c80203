/**
 * @module
 * DOOR: what an open dashboard and a monitor cost a run. Ticks of the whole framework of G5, with a reader of the feed and a
 * scrape of metrics and status each second, beside the same run that nobody watches; and the processor time of the bot in
 * both, while it waits for the market.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Child } from '../child.ts';
import { type GroupResult, type Limit, reached } from '../goal.ts';
import { type Effort, inTurn, median, quantile, rounded, Samples } from '../measure.ts';
import type { DoorOrder } from '../servers/door-reader.ts';
import { showTable } from '../show.ts';
import { journalFolder } from './tick-to-order/commit.ts';
import { openFramework } from './tick-to-order/framework.ts';
import type { TickOrder, TickServerReady } from './tick-to-order/wire.ts';

const TICKS = 150;
const WARM_UP = 40;
const BURSTS_PER_ROUND = 4;
const ROUNDS_MAX = 5;
/** Until the code of an order is compiled, as in G5. */
const BURSTS_COLD = 110;
const TURNS_BETWEEN = 8;
/** How long the processor time is taken, ms. */
const CPU_MS = 5_000;
const ALONE = 'alone';
const WATCHED = 'watched';

const LIMITS = {
  p99: {
    id: 'DOOR',
    what: 'tick to signed order, p99, with a dashboard open and metrics read each second, to a run alone',
    limit: 1.1,
    better: 'lower',
  },
  cpu: {
    id: 'DOOR.cpu',
    what: 'processor time of the bot for an open dashboard, as a share of a core',
    limit: 0.02,
    better: 'lower',
  },
} as const satisfies Record<string, Limit>;

/** Measures DOOR. */
export async function door({ rounds }: Effort): Promise<GroupResult> {
  const folder = journalFolder();
  const server = new Child(new URL('../servers/tick-server.ts', import.meta.url));
  const reader = new Child(new URL('../servers/door-reader.ts', import.meta.url));
  try {
    const { port, account } = await server.next<TickServerReady>();
    const origin = `http://127.0.0.1:${port}`;
    const framework = await openFramework({ origin, account, folder: folder.path, hasDoor: true });
    const place = doorIn(folder.path);
    const watched = async (name: string, hasMonitor: boolean): Promise<void> => {
      const order: DoorOrder = name === WATCHED ? { kind: 'watch', ...place, hasMonitor } : { kind: 'leave' };
      await reader.ask(order);
    };
    const take = () => server.ask<number[]>({ kind: 'take' } satisfies TickOrder);
    const burst = async (): Promise<readonly number[]> => {
      await framework.rested();
      await take();
      for (let index = 0; index < WARM_UP + TICKS; index++) {
        await framework.order(() => server.send({ kind: 'tick', to: 'bot' } satisfies TickOrder));
        for (let turn = 0; turn < TURNS_BETWEEN; turn++) await setImmediate();
      }
      return (await take()).slice(WARM_UP);
    };
    for (let index = 0; index < BURSTS_COLD; index++) await burst();
    const p50 = new Samples();
    const p99 = new Samples();
    const cpu = new Samples();
    for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
      for (const name of inTurn([ALONE, WATCHED], round)) {
        await watched(name, true);
        const tookUs: number[] = [];
        for (let index = 0; index < BURSTS_PER_ROUND; index++) tookUs.push(...(await burst()));
        p50.add(name, quantile(tookUs, 0.5));
        p99.add(name, quantile(tookUs, 0.99));
        await watched(name, false);
        cpu.add(name, await processorShare());
      }
    await reader.ask({ kind: 'leave' } satisfies DoorOrder);
    await framework.close();
    return resultOf(p50, p99, cpu);
  } finally {
    reader.stop();
    server.stop();
    folder.remove();
  }
}

/** Address and token of the only run whose records are in `folder`. */
function doorIn(folder: string): { readonly baseUrl: string; readonly token: string } {
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('control.json'),
  );
  if (file === undefined) throw new Error(`expected the door of a run in ${folder}, got none`);
  const { baseUrl, token } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return { baseUrl, token };
}

/** Processor time of this process over some seconds, as a share of a core. */
async function processorShare(): Promise<number> {
  const before = process.cpuUsage();
  const beganAtMs = performance.now();
  await new Promise((resolve) => setTimeout(resolve, CPU_MS));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / (performance.now() - beganAtMs);
}

function resultOf(p50: Samples, p99: Samples, cpu: Samples): GroupResult {
  showTable(
    `DOOR tick to signed order, ${BURSTS_PER_ROUND * TICKS} ticks a round, p99`,
    p99.rows(ALONE).map((row) => ({ ...row, 'p50 us': rounded(p50.median(row.case)) })),
  );
  const alone = cpu.of(ALONE);
  const more = median(cpu.of(WATCHED).map((share, round) => share - (alone[round] ?? Number.NaN)));
  return {
    goals: [reached(LIMITS.p99, p99.ratio(WATCHED, ALONE)), reached(LIMITS.cpu, more)],
    figures: {
      'DOOR p50, watched to alone': rounded(p50.ratio(WATCHED, ALONE)),
      'DOOR alone, p99 us': rounded(p99.median(ALONE)),
      'DOOR watched, p99 us': rounded(p99.median(WATCHED)),
      'DOOR alone, share of a core': rounded(cpu.median(ALONE)),
      'DOOR watched, share of a core': rounded(cpu.median(WATCHED)),
    },
  };
}
