/**
 * @module
 * G20: how late the dead man's switch is renewed while a strategy keeps the event loop 80 % busy. A whole live run on the
 * embedded exchange over loopback with the shortest heartbeat there is, so that a round takes seconds; the time is taken
 * where the switch is armed. A renewal is late by what lies between it and the one before beyond the heartbeat.
 *
 */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Child } from '../child.ts';
import { type GroupResult, type Limit, missed, reached } from '../goal.ts';
import { startLiveRun } from '../live-run.ts';
import { type Effort, median, quantile, rounded } from '../measure.ts';
import type { HeartbeatServerReady } from '../servers/heartbeat-server.ts';
import { showTable } from '../show.ts';
import { busyPort } from './heartbeat-port.ts';
import { PERIOD_MS } from './heartbeat-strategy.ts';
import { journalFolder } from './tick-to-order/commit.ts';

const HEARTBEAT_MS = 1_000;
/** Heartbeats of a round. */
const BEATS = 10;
const SHARE = 0.8;
const LIMIT: Limit = {
  id: 'G20',
  what: `lateness of the switch's renewal, p99, in heartbeats, the event loop ${SHARE * 100} % busy`,
  limit: 0.1,
  better: 'lower',
};
const CONFIG = `
markets: [{ symbol: BTC-USD }]
strategies:
  - name: busy
    module: ${join(import.meta.dirname, 'heartbeat-strategy.ts')}
    markets: [BTC-USD]
    parameters: { size: 0.002 }
risk: { capital: 10000, minSwitchTimeLeft: 1s }
deadMansSwitch: { heartbeat: ${HEARTBEAT_MS}ms, timeout: ${3 * HEARTBEAT_MS}ms }
`;

/** Measures G20. */
export async function heartbeat({ rounds }: Effort): Promise<GroupResult> {
  const folder = journalFolder();
  const server = new Child(new URL('../servers/heartbeat-server.ts', import.meta.url));
  try {
    const ready = await server.next<HeartbeatServerReady>();
    const stop = await startBot(ready, folder.path);
    const round = async (workMs: number): Promise<Round> => {
      busyPort.workMs = workMs;
      await server.ask<number[]>('take');
      const before = performance.eventLoopUtilization();
      await new Promise((resolve) => setTimeout(resolve, BEATS * HEARTBEAT_MS + HEARTBEAT_MS / 2));
      const { utilization } = performance.eventLoopUtilization(before);
      return { lateMs: latenessOf(await server.ask<number[]>('take')), utilization };
    };
    const idle = await round(0);
    const busy: Round[] = [];
    for (let n = 0; n < rounds; n++) busy.push(await round(PERIOD_MS * SHARE));
    busyPort.workMs = 0;
    await stop();
    return resultOf(idle, busy);
  } finally {
    server.stop();
    folder.remove();
  }
}

interface Round {
  readonly lateMs: readonly number[];
  /** Share of the time in which the event loop did something. */
  readonly utilization: number;
}

/** Starts a live run; resolves when it quotes, with what stops it. */
async function startBot(
  { origin, account }: HeartbeatServerReady,
  folder: string,
): Promise<() => Promise<void>> {
  const quoting = Promise.withResolvers<void>();
  busyPort.onReady = quoting.resolve;
  const run = startLiveRun({ origin, account, folder, config: CONFIG });
  await Promise.race([quoting.promise, run.failed]);
  return () => run.stop();
}

/** By how much each renewal came later after the one before than a heartbeat. */
function latenessOf(armedAtMs: readonly number[]): readonly number[] {
  return armedAtMs.slice(1).map((atMs, n) => Math.max(0, atMs - (armedAtMs[n] ?? atMs) - HEARTBEAT_MS));
}

function resultOf(idle: Round, busy: readonly Round[]): GroupResult {
  const lateMs = busy.flatMap((round) => round.lateMs);
  const p99 = (values: readonly number[]) => quantile(values, 0.99);
  const utilization = median(busy.map((round) => round.utilization));
  const row = (name: string, values: readonly number[], share: number) => ({
    case: name,
    renewals: values.length,
    'p50 ms late': rounded(quantile(values, 0.5)),
    'p99 ms late': rounded(p99(values)),
    'loop busy': rounded(share),
  });
  showTable(`G20 renewals of the switch, heartbeat ${HEARTBEAT_MS} ms`, [
    row('idle', idle.lateMs, idle.utilization),
    row('busy', lateMs, utilization),
  ]);
  const figures = {
    'G20 lateness, p50 ms': rounded(quantile(lateMs, 0.5)),
    'G20 lateness, p99 ms': rounded(p99(lateMs)),
    'G20 lateness when idle, p99 ms': rounded(p99(idle.lateMs)),
    'G20 event loop, share busy': rounded(utilization),
  };
  const goal =
    utilization < SHARE
      ? missed(LIMIT, `the event loop was busy for a share of ${rounded(utilization)} only`)
      : reached(LIMIT, p99(lateMs) / HEARTBEAT_MS);
  return { goals: [goal], figures };
}
