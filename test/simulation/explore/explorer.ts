/**
 * @module
 * Goes through all schedules by the number of their deviations: the plain one, all with one deviation, all with two, and
 * so on until a bound is reached. What fails is not made longer: it is told.
 *
 * Nor is what another schedule stands for. Two runs that hold the same before a step, and from there on show the same at the
 * same times, are alike there: one of them is deviated from. A message that is late by a step more, and after that step
 * all is as if it were not, has changed places with what leaves it alone: the shorter one stands for it.
 */

import { must } from '../../../src/core/index.ts';
import { minimize } from '../minimize.ts';
import type { Violation } from '../types.ts';
import type { Outcome } from './run-schedule.ts';
import {
  type Deviation,
  hasDeath,
  idOf,
  longerThan,
  type Schedule,
  type Steps,
  scheduleOf,
} from './schedule.ts';

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
  /** States of bot and exchange, at the end of the scope and at rest, that were not alike. */
  readonly states: number;
  /** States at steps that were deviated from, and schedules that were left out since another one stands for them. */
  readonly branched: number;
  readonly pruned: number;
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
  readonly schedule: Schedule;
  readonly steps: Steps;
  readonly marks: readonly string[];
}

/** A schedule that waits, with where it comes in the order of its depth and the run that it was made longer from. */
interface Child {
  readonly at: number;
  readonly schedule: Schedule;
  readonly parent: Parent | undefined;
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
  const branches = new Branches();
  let parents: readonly Parent[] = [];
  const isOver = (): boolean =>
    total >= bounds.schedules ||
    bounds.isLate() ||
    (bounds.isFirstFailureEnough === true && failures.length > 0);
  for (let depth = 0; depth <= bounds.depth && !isOver(); depth++) {
    const waiting = new Waiting(depth === 0 ? PLAIN.values() : branches.behind(parents));
    const next: [Child, Parent][] = [];
    const failedBefore = failures.length;
    let ran = 0;
    const work = async (): Promise<void> => {
      while (!isOver()) {
        const batch = waiting.take(Math.min(BATCH, bounds.schedules - total));
        if (batch.length === 0) return;
        total += batch.length;
        const outcomes = await runners.run(batch.map(({ schedule }) => idOf(schedule)));
        for (const [at, { steps, marks, violations, states: seen }] of outcomes.entries()) {
          const child = must(batch[at], 'a schedule for each outcome');
          const { schedule } = child;
          for (const state of seen) states.add(state);
          if (violations.length === 0) next.push([child, { schedule, steps, marks }]);
          else {
            const id = idOf(schedule);
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
    parents = differing(next);
  }
  const { branched, pruned } = branches;
  return { schedules: total, states: states.size, branched, pruned, levels, failures };
}

/** Schedules that are made when they are asked for. */
class Waiting {
  readonly #children: Iterator<Child>;
  #next: IteratorResult<Child>;

  constructor(children: Iterator<Child>) {
    this.#children = children;
    this.#next = children.next();
  }

  get isEmpty(): boolean {
    return this.#next.done === true;
  }

  take(count: number): readonly Child[] {
    const taken: Child[] = [];
    while (taken.length < count && this.#next.done !== true) {
      taken.push(this.#next.value);
      this.#next = this.#children.next();
    }
    return taken;
  }
}

const PLAIN: readonly Child[] = [{ at: 0, schedule: [], parent: undefined }];

/** Makes schedules longer at states that none was made longer at. */
class Branches {
  readonly #known = new Set<string>();
  pruned = 0;

  get branched(): number {
    return this.#known.size;
  }

  *behind(parents: readonly Parent[]): Generator<Child> {
    let at = 0;
    for (const parent of parents) {
      const { schedule, steps } = parent;
      for (const longer of longerThan(schedule, steps, (step) => this.#isNew(parent, step)))
        yield { at: at++, schedule: longer, parent };
    }
  }

  #isNew({ schedule, steps, marks }: Parent, step: number): boolean {
    // What is held is part of the state, and who has died does not die again.
    const held = schedule.filter((one) => one.kind === 'late' && one.behind >= step);
    const state = `${marks[step]} ${hasDeath(schedule)} ${idOf(held)}`;
    const isNew = !this.#known.has(state);
    if (isNew) this.#known.add(state);
    else this.pruned += deedsAt(schedule, steps, step);
    return isNew;
  }
}

function deedsAt(schedule: Schedule, steps: Steps, at: number): number {
  let count = 0;
  for (const _ of longerThan(schedule, steps, (step) => step === at)) count++;
  return count;
}

/** Those of a depth, in their order, without the late ones that a less late one stands for. */
function differing(next: readonly (readonly [Child, Parent])[]): readonly Parent[] {
  const kept: Parent[] = [];
  let before: Parent | undefined;
  for (const [{ parent }, run] of [...next].sort(([a], [b]) => a.at - b.at)) {
    const last = run.schedule.at(-1);
    const other = isSameButLater(before, run) ? before : parent;
    before = run;
    if (last?.kind !== 'late' || !isAlikeBehind(last, run, other)) kept.push(run);
  }
  return kept;
}

function isSameButLater(before: Parent | undefined, { schedule }: Parent): boolean {
  const [one, other] = [before?.schedule.at(-1), schedule.at(-1)];
  if (before?.schedule.length !== schedule.length || one?.kind !== 'late' || other?.kind !== 'late')
    return false;
  return one.at === other.at && idOf(before.schedule.slice(0, -1)) === idOf(schedule.slice(0, -1));
}

function isAlikeBehind(
  { behind }: Deviation & { readonly kind: 'late' },
  one: Parent,
  other: Parent | undefined,
): boolean {
  return one.marks[behind + 1] !== undefined && one.marks[behind + 1] === other?.marks[behind + 1];
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
