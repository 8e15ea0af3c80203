/**
 * @module
 * Compares ways to do the same work in one process: samples of equal length in interleaved rounds, forwards and
 * backwards in turn, so that a machine that slows down slows all of them. What counts is the median of the ratios
 * within each round. Absolute times are printed and never judged.
 */

/** Does the work `count` times. */
export type Work = (count: number) => void | Promise<void>;

/** How long and how often to measure. */
export interface Effort {
  readonly rounds: number;
  /** Length of one sample of one case. */
  readonly sampleMs: number;
}

/** One line of a table. */
export interface Row {
  readonly case: string;
  readonly [column: string]: string | number;
}

/** Microseconds by case and round, and what follows from them. */
export class Samples {
  readonly #byCase = new Map<string, number[]>();

  /** Adds the value of one round. */
  add(name: string, value: number): void {
    const values = this.#byCase.get(name);
    if (values === undefined) this.#byCase.set(name, [value]);
    else values.push(value);
  }

  /** All rounds of a case. */
  of(name: string): readonly number[] {
    const values = this.#byCase.get(name);
    if (values === undefined) throw new Error(`expected a measured case, got ${name}`);
    return values;
  }

  names(): readonly string[] {
    return [...this.#byCase.keys()];
  }

  median(name: string): number {
    return median(this.of(name));
  }

  /** The best round. */
  min(name: string): number {
    return Math.min(...this.of(name));
  }

  /** The median of the ratios of `name` to `base` within each round. */
  ratio(name: string, base: string): number {
    const others = this.of(base);
    return median(this.of(name).map((value, round) => value / (others[round] ?? Number.NaN)));
  }

  /** One row a case: median, best round, ratio to `base`. */
  rows(base: string): Row[] {
    return this.names().map((name) => ({
      case: name,
      us: rounded(this.median(name)),
      'us, best round': rounded(this.min(name)),
      ratio: rounded(this.ratio(name, base)),
    }));
  }
}

/** Measures `cases` in microseconds for one unit of work. */
export async function compare(
  cases: Readonly<Record<string, Work>>,
  { rounds, sampleMs }: Effort,
): Promise<Samples> {
  const samples = new Samples();
  const counts = new Map<string, number>();
  const names = Object.keys(cases);
  for (const name of names) counts.set(name, await calibrate(cases[name]!, sampleMs));
  for (let round = 0; round < rounds; round++) {
    for (const name of inTurn(names, round)) {
      const count = counts.get(name)!;
      samples.add(name, ((await timeMs(cases[name]!, count)) * 1000) / count);
    }
  }
  return samples;
}

/** `items` forwards in even rounds and backwards in odd ones. */
export function inTurn<T>(items: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? items : items.toReversed();
}

/** A loop over synchronous work; the index tells one unit from the next. */
export function loop(unit: (index: number) => unknown): Work {
  return (count) => {
    for (let index = 0; index < count; index++) unit(index);
  };
}

/** A loop over asynchronous work, one unit after the other. */
export function asyncLoop(unit: (index: number) => Promise<unknown>): Work {
  return async (count) => {
    for (let index = 0; index < count; index++) await unit(index);
  };
}

/** Milliseconds that `work` takes for `count` units. */
export async function timeMs(work: Work, count: number): Promise<number> {
  const startedAtMs = performance.now();
  const pending = work(count);
  if (pending !== undefined) await pending;
  return performance.now() - startedAtMs;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The value below which the share `q` of all values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** Four significant digits: more would be noise. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** How many units fill a sample; warms the work up on the way. */
async function calibrate(work: Work, sampleMs: number): Promise<number> {
  let count = 1;
  for (;;) {
    const tookMs = Math.max(await timeMs(work, count), 1e-4);
    const wanted = Math.max(1, Math.round((count * sampleMs) / tookMs));
    if (tookMs >= sampleMs / 3 || wanted <= count) return wanted;
    count = Math.min(wanted, count * 10);
  }
}
