/**
 * @module
 * A process that runs seeds it is told, one after the other, and tells what each of them showed.
 */

import { BROKEN, runSimulation } from './run.ts';
import { planFor, type SeedRequest, valueOfAmbiguity } from './seed.ts';
import type { AmbiguityId, SimulationPlan, SimulationResult } from './types.ts';

/** What a worker is told. */
export interface WorkerOrder extends SeedRequest {
  /** Run it twice and compare (I19). */
  readonly isTwice: boolean;
}

/** What a worker tells: the result, with the hits of ambiguities by their values. */
export interface WorkerReport {
  readonly result: SimulationResult;
  readonly plan: Pick<SimulationPlan, 'faults' | 'ambiguities'>;
  readonly ambiguities: Readonly<Record<string, number>>;
  /** Time of a core that it took, other processes not counted. */
  readonly coreSeconds: number;
}

const MICROSECONDS = 1e6;

/** Runs an order. */
export async function runOrder(order: WorkerOrder): Promise<WorkerReport> {
  const beganAt = process.cpuUsage();
  const plan = await planFor(order);
  const result = await runSimulation(plan);
  const ambiguities: Record<string, number> = {};
  for (const [what, count] of Object.entries(result.hits))
    if (/^A\d+$/.test(what)) ambiguities[`${what}=${valueOfAmbiguity(plan, what as AmbiguityId)}`] = count;
  const { faults, ambiguities: answers } = plan;
  const { user, system } = process.cpuUsage(beganAt);
  const coreSeconds = (user + system) / MICROSECONDS;
  const report: WorkerReport = {
    result,
    plan: { faults, ambiguities: answers },
    ambiguities,
    coreSeconds,
  };
  return order.isTwice ? compared(report, await runSimulation(plan)) : report;
}

function compared(report: WorkerReport, again: SimulationResult): WorkerReport {
  const { result } = report;
  if (again.traceHash === result.traceHash) return report;
  const what = `the same seed gave other traces: ${result.traceHash} and ${again.traceHash}`;
  const violation = { id: 'I19', atMs: result.virtualMs, what } as const;
  return { ...report, result: { ...result, violations: [violation, ...result.violations] } };
}

/** What is told of a seed that could not be run to its end. */
export function brokenReport(seed: number, what: string): WorkerReport {
  const result: SimulationResult = {
    ...{ seed, virtualMs: 0, writes: 0, fills: 0, faultsInjected: 0, lives: 0, hits: {} },
    violations: [{ id: BROKEN, atMs: 0, what }],
    traceHash: '',
  };
  return { result, plan: { faults: {}, ambiguities: {} }, ambiguities: {}, coreSeconds: 0 };
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const send = process.send.bind(process);
  process.on('message', (order: WorkerOrder) => {
    runOrder(order).then(
      (report) => send(report),
      (thrown: unknown) =>
        send(
          brokenReport(
            order.seed,
            thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
          ),
        ),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
