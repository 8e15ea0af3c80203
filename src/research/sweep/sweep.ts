/**
 * @module
 * A sweep: in each window of the tape the parameters are tried on its training part, and the best of them once on the
 * test part after it, which no choice used (walk-forward). What it asks for follows from the settings and results only,
 * so a sweep that was killed and resumed ends with the same set.
 *
 *   axes ─► grid, random or search ─► jobs ─► runner ─► results ─► best of each window ─► its test
 */
import { must, seededRandom } from '../../core/index.ts';
import { NsgaSearch } from './nsga.ts';
import type { Scores } from './pareto.ts';
import { type Axis, assignmentOf, gridPlace, gridPoints, type Point, randomPoints } from './space.ts';
import type { JobRunner, SweepJob, SweepPart, SweepResult, SweepSpan, SweepStatistics } from './types.ts';

/** One thing that is wanted of a result. */
export interface Objective {
  /** Name of the statistic. */
  readonly statistic: string;
  /** Direction of improvement. */
  readonly better: 'higher' | 'lower';
}

/** What is tried, and how. */
export interface SweepSettings {
  /** Parameters and their values. */
  readonly axes: readonly Axis[];
  /** Search method. */
  readonly method: 'grid' | 'random' | 'nsga2';
  /** Backtests of random and nsga2 for each window. */
  readonly trials: number;
  /** Points per generation. */
  readonly population: number;
  /** Random seed, an integer. */
  readonly seed: number;
  /** The most important first. */
  readonly objectives: readonly Objective[];
  /** Number of walk-forward windows. */
  readonly windows: number;
  /** From 0 to 1; with one window and 0 the whole tape is used and nothing is left for a test. */
  readonly trainFraction: number;
}

/** What a sweep runs with. */
export interface SweepPorts {
  /** Span of the tape. */
  readonly span: SweepSpan;
  /** Runs the jobs. */
  readonly runner: JobRunner;
  /** Results that are known already, by key; new ones are added. */
  readonly known: Map<string, SweepResult>;
  /** Key of a job: the hash of all it depends on. */
  keyOf(job: Omit<SweepJob, 'key'>): string;
  /** A result that was not known before. */
  onResult(result: SweepResult, job: SweepJob): void;
  /** This many jobs are asked for in all, as far as that is known. */
  onPlan?(jobs: number): void;
}

/** A job with its result. */
export interface SweepRow {
  /** The job. */
  readonly job: SweepJob;
  /** The result of the job. */
  readonly result: SweepResult;
}

/** Outcome of one window. */
export interface SweepWindow {
  /** Index of the window, from 0. */
  readonly window: number;
  /** Training span. */
  readonly train: SweepSpan;
  /** Absent when the whole tape was trained on. */
  readonly test: SweepSpan | undefined;
  /** The best of the training part; absent when every job failed or no objective has a value. */
  readonly best: SweepRow | undefined;
  /** The same parameters on the test part. */
  readonly outOfSample: SweepRow | undefined;
}

/** All of a sweep, in the order in which it was asked for. */
export interface SweepOutcome {
  /** One row per job, in order. */
  readonly rows: readonly SweepRow[];
  /** Windows in order of time. */
  readonly windows: readonly SweepWindow[];
}

/** Runs a sweep to its end. */
export async function runSweep(settings: SweepSettings, ports: SweepPorts): Promise<SweepOutcome> {
  return await new Sweep(settings, ports).run();
}

/** The training and test spans of the windows of a span. */
export function windowsOf(
  span: SweepSpan,
  settings: Pick<SweepSettings, 'windows' | 'trainFraction'>,
): readonly { readonly train: SweepSpan; readonly test: SweepSpan | undefined }[] {
  const { windows, trainFraction } = settings;
  const lengthMs = (span.toMs - span.fromMs) / windows;
  return Array.from({ length: windows }, (_, at) => {
    const fromMs = Math.floor(span.fromMs + at * lengthMs);
    const toMs = at === windows - 1 ? span.toMs : Math.floor(span.fromMs + (at + 1) * lengthMs);
    if (trainFraction === 0) return { train: { fromMs, toMs }, test: undefined };
    const splitMs = Math.floor(fromMs + (toMs - fromMs) * trainFraction);
    return { train: { fromMs, toMs: splitMs }, test: { fromMs: splitMs, toMs } };
  });
}

class Sweep {
  readonly #settings: SweepSettings;
  readonly #ports: SweepPorts;
  readonly #rows: SweepRow[] = [];

  constructor(settings: SweepSettings, ports: SweepPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  async run(): Promise<SweepOutcome> {
    const windows: SweepWindow[] = [];
    for (const [window, { train, test }] of windowsOf(this.#ports.span, this.#settings).entries()) {
      const part: SweepPart = test === undefined ? 'whole' : 'train';
      const rows = await this.#search((point) => this.#jobOf(point, { window, part, span: train }));
      const best = this.#bestOf(rows);
      let outOfSample: SweepRow | undefined;
      if (best !== undefined && test !== undefined) {
        const job = this.#keyed({ parameters: best.job.parameters, window, part: 'test', ...test });
        [outOfSample] = await this.#evaluate([job]);
      }
      windows.push({ window, train, test, best, outOfSample });
    }
    return { rows: this.#rows, windows };
  }

  async #search(jobOf: (point: Point) => SweepJob): Promise<readonly SweepRow[]> {
    const { method, axes, trials, seed, population } = this.#settings;
    if (method === 'grid') return await this.#evaluate(Array.from(gridPoints(axes), jobOf));
    if (method === 'random')
      return await this.#evaluate(randomPoints(axes, trials, seededRandom(`${seed} points`)).map(jobOf));
    const search = new NsgaSearch({ axes, population, seed });
    const rows: SweepRow[] = [];
    while (rows.length < trials) {
      const points = search.ask(trials - rows.length);
      if (points.length === 0) break;
      const generation = await this.#evaluate(points.map(jobOf));
      rows.push(...generation);
      search.tell(
        generation.map((row, at) => ({ point: must(points[at], 'a point'), scores: this.#scoresOf(row) })),
      );
    }
    return rows;
  }

  #jobOf(point: Point, at: { window: number; part: SweepPart; span: SweepSpan }): SweepJob {
    const { window, part, span } = at;
    return this.#keyed({ parameters: assignmentOf(this.#settings.axes, point), window, part, ...span });
  }

  #keyed(job: Omit<SweepJob, 'key'>): SweepJob {
    return { ...job, key: this.#ports.keyOf(job) };
  }

  /** Results in the order of the jobs, whichever was ready first. */
  async #evaluate(jobs: readonly SweepJob[]): Promise<readonly SweepRow[]> {
    const { known, runner, onResult, onPlan } = this.#ports;
    onPlan?.(this.#rows.length + jobs.length);
    const missing = new Map(jobs.filter(({ key }) => !known.has(key)).map((job) => [job.key, job]));
    if (missing.size > 0)
      await runner.run([...missing.values()], (result) => {
        const job = missing.get(result.key);
        // A job that ran twice, because its worker was taken for dead, counts once.
        if (job === undefined || known.has(result.key)) return;
        known.set(result.key, result);
        onResult(result, job);
      });
    const rows = jobs.map((job) => ({ job, result: must(known.get(job.key), `the result of ${job.key}`) }));
    this.#rows.push(...rows);
    return rows;
  }

  #bestOf(rows: readonly SweepRow[]): SweepRow | undefined {
    let best: SweepRow | undefined;
    // Of equals the first of the grid, whichever was asked for first.
    const { axes } = this.#settings;
    const placed = rows.map((row) => ({ row, place: gridPlace(axes, row.job.parameters) }));
    for (const { row } of placed.sort((a, b) => a.place - b.place)) {
      if ('error' in row.result || row.result.failure !== null) continue;
      // Without a value of any objective nothing is better than anything.
      if (this.#scoresOf(row).every(Number.isNaN)) continue;
      if (best === undefined || isBetter(this.#scoresOf(row), this.#scoresOf(best))) best = row;
    }
    return best;
  }

  #scoresOf({ result }: SweepRow): Scores {
    return scoresOf(
      this.#settings.objectives,
      'error' in result || result.failure !== null ? {} : result.statistics,
    );
  }
}

/** Statistics as scores of which more is better; NaN where there is none. */
function scoresOf(objectives: readonly Objective[], statistics: SweepStatistics): Scores {
  return objectives.map(({ statistic, better }) => {
    const value = statistics[statistic] ?? Number.NaN;
    return better === 'higher' ? value : -value;
  });
}

/** The first objective that differs decides. */
function isBetter(a: Scores, b: Scores): boolean {
  for (let at = 0; at < a.length; at++) {
    const [x = Number.NaN, y = Number.NaN] = [a[at], b[at]];
    if (Number.isNaN(y) && !Number.isNaN(x)) return true;
    if (x !== y && !(Number.isNaN(x) && Number.isNaN(y))) return x > y;
  }
  return false;
}
