/**
 * @module
 * Many seeds: runs them, adds up what they showed, makes the failing ones smaller.
 */
import { createHash } from 'node:crypto';
import { minimize } from './minimize.ts';
import { type Catalogue, catalogueOf, type SeedRequest } from './seed.ts';
import type { WorkerReport } from './seed-process.ts';
import type { Workers } from './seed-processes.ts';
import type { AmbiguityId, Convergence, FaultId, Violation } from './types.ts';

/** What a swarm is asked to do. */
export interface SwarmOrder {
  readonly seeds: readonly number[];
  readonly faults: readonly FaultId[] | undefined;
  readonly quirks: SeedRequest['quirks'];
  readonly minutes?: number | undefined;
  readonly world?: SeedRequest['world'] | undefined;
  readonly isTwice: boolean;
}

/** One seed that broke an invariant. */
export interface Failure {
  readonly request: SeedRequest;
  readonly violations: readonly Violation[];
  readonly report: WorkerReport;
}

/** What half, and 99 of 100 do not exceed, and the most, in seconds; `null`: of nothing. */
export interface Spread {
  readonly p50: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

/** What a swarm showed: the last line of `npm run prove -- swarm --json`. */
export interface SwarmSummary {
  readonly seeds: number;
  readonly violations: number;
  readonly virtualMinutes: number;
  readonly writes: number;
  readonly fills: number;
  readonly faultsInjected: number;
  /** Hits by id; of ambiguities by `id=value`; zero: never. */
  readonly faults: Readonly<Record<string, number>>;
  readonly ambiguities: Readonly<Record<string, number>>;
  readonly sometimes: Readonly<Record<string, number>>;
  /** Those of the three tables that were never hit. */
  readonly zeros: readonly string[];
  readonly convergence: {
    /** Healed runs whose bot was there to converge. */
    readonly seeds: number;
    /** Virtual seconds since the healing, and since nothing of before it stood in the way (I13). */
    readonly sinceHealing: Spread;
    readonly sinceFree: Spread;
  };
  /** Of one seed its own; of several the hash over theirs in order. */
  readonly traceHash: string;
  readonly seconds: number;
}

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** From so many seeds on everything must have been hit at least once. */
const HITS_FROM_SEEDS = 2_000;
/** Runs that are spent on making one failing seed smaller. */
const RUNS_MAX = 60;

/** What a swarm leaves. */
export interface SwarmOutcome {
  readonly summary: SwarmSummary;
  readonly failures: readonly Failure[];
  /** Time of cores that the seeds took. */
  readonly coreSeconds: number;
}

/** Who follows a swarm while it runs: ten thousand seeds take over an hour. */
export interface SwarmListener {
  /** A seed broke an invariant. */
  onFailure(failure: Failure): void;
  /** So many seeds have run, and so many of them failed. */
  onProgress(seeds: number, failed: number): void;
}

/** Runs all seeds; `listener` hears of each as soon as it has run. */
export async function runSwarm(
  order: SwarmOrder,
  workers: Workers,
  listener: SwarmListener,
): Promise<SwarmOutcome> {
  const beganAtMs = performance.now();
  const failures: Failure[] = [];
  let run = 0;
  const reports = await Promise.all(
    order.seeds.map(async (seed) => {
      const request = requestOf(order, seed);
      const report = await workers.run({ ...request, isTwice: order.isTwice });
      const { violations } = report.result;
      if (violations.length > 0) {
        const failure = { request, violations, report };
        failures.push(failure);
        listener.onFailure(failure);
      }
      run++;
      listener.onProgress(run, failures.length);
      return report;
    }),
  );
  const seconds = Math.round((performance.now() - beganAtMs) / 100) / 10;
  return {
    summary: { ...summaryOf(reports, await catalogueOf()), seconds },
    failures,
    coreSeconds: reports.reduce((sum, report) => sum + report.coreSeconds, 0),
  };
}

/** The smallest part of a failing seed that still breaks the same invariant. */
export async function minimizeFailure(failure: Failure, workers: Workers): Promise<SeedRequest> {
  const { request, report, violations } = failure;
  const id = violations[0]?.id;
  const breaks = async (candidate: SeedRequest): Promise<boolean> => {
    const { result } = await workers.run({ ...candidate, isTwice: id === 'I19' });
    return result.violations.some((violation) => violation.id === id);
  };
  let kept: SeedRequest = {
    seed: request.seed,
    faults: Object.keys(report.plan.faults) as FaultId[],
    quirks: report.plan.ambiguities,
    ...(failure.request.minutes === undefined ? {} : { minutes: failure.request.minutes }),
    ...(failure.request.world === undefined ? {} : { world: failure.request.world }),
  };
  const answers = Object.entries(report.plan.ambiguities) as [AmbiguityId, string][];
  const fewerAnswers = await minimize({
    items: answers,
    fails: (items) => breaks({ ...kept, quirks: Object.fromEntries(items) }),
    runsMax: RUNS_MAX / 2,
  });
  kept = { ...kept, quirks: Object.fromEntries(fewerAnswers) };
  const faults = await minimize({
    items: kept.faults ?? [],
    fails: (items) => breaks({ ...kept, faults: items }),
    runsMax: RUNS_MAX,
  });
  return { ...kept, faults };
}

function requestOf({ faults, quirks, minutes, world }: SwarmOrder, seed: number): SeedRequest {
  return {
    seed,
    ...(faults === undefined ? {} : { faults }),
    ...(quirks === undefined ? {} : { quirks }),
    ...(minutes === undefined ? {} : { minutes }),
    ...(world === undefined ? {} : { world }),
  };
}

function summaryOf(reports: readonly WorkerReport[], catalogue: Catalogue): Omit<SwarmSummary, 'seconds'> {
  const results = reports.map(({ result }) => result);
  const sum = (of: (result: (typeof results)[number]) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const hits = results.map((result) => result.hits);
  const [first] = results;
  const tables = {
    faults: counted(catalogue.faults, hits),
    ambiguities: counted(
      catalogue.ambiguities,
      reports.map(({ ambiguities }) => ambiguities),
    ),
    sometimes: counted(catalogue.sometimes, hits),
  };
  const converged = results.flatMap(({ convergence }) => convergence ?? []);
  return {
    seeds: results.length,
    violations: sum(({ violations }) => violations.length),
    virtualMinutes: Math.round(sum(({ virtualMs }) => virtualMs) / MINUTE_MS),
    writes: sum(({ writes }) => writes),
    fills: sum(({ fills }) => fills),
    faultsInjected: sum(({ faultsInjected }) => faultsInjected),
    ...tables,
    zeros: zerosOf(tables),
    convergence: {
      seeds: converged.length,
      sinceHealing: spreadOf(converged, ({ sinceHealingMs }) => sinceHealingMs),
      sinceFree: spreadOf(converged, ({ sinceFreeMs }) => sinceFreeMs),
    },
    traceHash: results.length === 1 && first !== undefined ? first.traceHash : hashOf(results),
  };
}

/** The names in `tables` that were never hit. */
export function zerosOf(
  tables: Pick<SwarmSummary, 'faults' | 'ambiguities' | 'sometimes'>,
): readonly string[] {
  const { faults, ambiguities, sometimes } = tables;
  return [faults, ambiguities, sometimes].flatMap((hits) =>
    Object.entries(hits).flatMap(([name, count]) => (count === 0 ? [name] : [])),
  );
}

/**
 * Did a swarm of this order show all that it had to? No invariant broken; and of 2,000 whole seeds or more nothing of the
 * catalogue missed: what never happened was never judged. A swarm of chosen faults, answers or worlds misses the others
 * as it was told to.
 */
export function isPassed(
  { faults, quirks, world }: Pick<SwarmOrder, 'faults' | 'quirks' | 'world'>,
  { seeds, violations, zeros }: Pick<SwarmSummary, 'seeds' | 'violations' | 'zeros'>,
): boolean {
  const isWhole = faults === undefined && quirks === undefined && world === undefined;
  return violations === 0 && (!isWhole || seeds < HITS_FROM_SEEDS || zeros.length === 0);
}

function spreadOf(of: readonly Convergence[], ms: (one: Convergence) => number): Spread {
  const sorted = of.map(ms).sort((a, b) => a - b);
  const at = (share: number): number | null => {
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
    return value === undefined ? null : Math.round(value) / SECOND_MS;
  };
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function counted(
  names: readonly string[],
  hits: readonly Readonly<Record<string, number>>[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    names.map((name) => [name, hits.reduce((total, of) => total + (of[name] ?? 0), 0)]),
  );
}

function hashOf(results: readonly { readonly seed: number; readonly traceHash: string }[]): string {
  const hash = createHash('sha256');
  for (const { seed, traceHash } of results) hash.update(`${seed} ${traceHash}\n`);
  return hash.digest('hex');
}
