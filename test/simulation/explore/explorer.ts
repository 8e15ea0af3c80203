/**
 * @module
 * Goes through all schedules by the number of their deviations: the plain one, all with one deviation, all with two, and
 * so on until a bound is reached. What fails is not made longer: it is told.
 */
import { minimize } from '../minimize.ts';
import type { Violation } from '../types.ts';
import type { Outcome } from './run-schedule.ts';
import { idOf, longerThan, type Schedule, type Steps, scheduleOf } from './schedule.ts';

/** Runs schedules by their ids, several at once if it can. */
export interface Runners {
  /** How many batches it can have at once. */
  readonly count: number;
  run(ids: readonly string[]): Promise<readonly Outcome[]>;
}

/** Where an exploration ends. */
export interface Bounds {
  readonly schedules: number;
  readonly depth: number;
  /** Asked before each batch. */
  isLate(): boolean;
  /** Ends with the first batch that has a failure. */
  readonly isFirstFailureEnough?: boolean;
}

/** A schedule that broke an invariant. */
export interface Failure {
  readonly id: string;
  readonly violations: readonly Violation[];
}

/** What was explored of one number of deviations. */
export interface Level {
  readonly depth: number;
  readonly schedules: number;
  readonly failures: number;
  /** Every schedule of this depth ran. */
  readonly isComplete: boolean;
}

/** What an exploration showed. */
export interface Explored {
  readonly schedules: number;
  /** States of bot and exchange that were not alike. */
  readonly states: number;
  readonly levels: readonly Level[];
  readonly failures: readonly Failure[];
}

/** Who follows an exploration. */
export interface ExplorerListener {
  onFailure?(failure: Failure): void;
  onProgress?(schedules: number, depth: number): void;
}

const BATCH = 24;

interface Parent {
  readonly id: string;
  readonly steps: Steps;
}

/** Explores within `bounds`. */
export async function explore(
  runners: Runners,
  bounds: Bounds,
  listener: ExplorerListener = {},
): Promise<Explored> {
  const states = new Set<string>();
  const failures: Failure[] = [];
  const levels: Level[] = [];
  let total = 0;
  let parents: readonly Parent[] = [];
  const isOver = (): boolean =>
    total >= bounds.schedules ||
    bounds.isLate() ||
    (bounds.isFirstFailureEnough === true && failures.length > 0);
  for (let depth = 0; depth <= bounds.depth && !isOver(); depth++) {
    const waiting = new Waiting(depth === 0 ? [idOf([])].values() : idsBehind(parents));
    const next: Parent[] = [];
    const failedBefore = failures.length;
    let ran = 0;
    const work = async (): Promise<void> => {
      while (!isOver()) {
        const batch = waiting.take(Math.min(BATCH, bounds.schedules - total));
        if (batch.length === 0) return;
        total += batch.length;
        const outcomes = await runners.run(batch);
        for (const [at, { steps, violations, states: seen }] of outcomes.entries()) {
          const id = batch[at] ?? '';
          for (const state of seen) states.add(state);
          if (violations.length === 0) next.push({ id, steps });
          else {
            const failure = { id, violations };
            failures.push(failure);
            listener.onFailure?.(failure);
          }
        }
        ran += batch.length;
        listener.onProgress?.(total, depth);
      }
    };
    await Promise.all(Array.from({ length: runners.count }, work));
    const isComplete = waiting.isEmpty;
    levels.push({ depth, schedules: ran, failures: failures.length - failedBefore, isComplete });
    if (!isComplete) break;
    parents = next;
  }
  return { schedules: total, states: states.size, levels, failures };
}

/** Ids that are made when they are asked for. */
class Waiting {
  readonly #ids: Iterator<string>;
  #next: IteratorResult<string>;

  constructor(ids: Iterator<string>) {
    this.#ids = ids;
    this.#next = ids.next();
  }

  get isEmpty(): boolean {
    return this.#next.done === true;
  }

  take(count: number): readonly string[] {
    const taken: string[] = [];
    while (taken.length < count && this.#next.done !== true) {
      taken.push(this.#next.value);
      this.#next = this.#ids.next();
    }
    return taken;
  }
}

function* idsBehind(parents: readonly Parent[]): Generator<string> {
  for (const { id, steps } of parents)
    for (const schedule of longerThan(scheduleOf(id) ?? [], steps)) yield idOf(schedule);
}

/** The fewest deviations of a failing schedule that still break the same invariant. */
export async function minimizeSchedule(failure: Failure, runners: Runners, runsMax = 40): Promise<Schedule> {
  const wanted = failure.violations[0]?.id;
  const fails = async (schedule: Schedule): Promise<boolean> => {
    const [outcome] = await runners.run([idOf(schedule)]);
    return outcome?.violations.some(({ id }) => id === wanted) === true;
  };
  const fewest = await minimize({ items: scheduleOf(failure.id) ?? [], fails, runsMax });
  // What is late by many steps is mostly as wrong when it is late by a few.
  let kept = fewest;
  for (const one of fewest) {
    if (one.kind !== 'late') continue;
    for (let behind = one.at + 1; behind < one.behind; behind++) {
      const shorter = kept.map((other) => (other.at === one.at ? { ...one, behind } : other));
      if (!(await fails(shorter))) continue;
      kept = shorter;
      break;
    }
  }
  return kept;
}

/** Runners within this process. */
export function ownRunners(run: (schedule: Schedule) => Promise<Outcome>): Runners {
  return {
    count: 1,
    run: async (ids) => {
      const outcomes: Outcome[] = [];
      for (const id of ids) outcomes.push(await run(scheduleOf(id) ?? []));
      return outcomes;
    },
  };
}
