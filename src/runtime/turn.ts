/**
 * @module
 * The turn: one thing at a time. A fact or a task that comes while a turn runs waits for it; one that comes alone is
 * handled within the call that brought it, so a frame becomes an order without a detour through the event loop
 * (performance G5). When too much waits, the rest is done in the next round of the event loop.
 */
import type { Clock } from '../core/index.ts';
import type { Fact } from '../domain/index.ts';
import type { Inbox } from './inbox.ts';

/** How many facts and tasks one turn handles before it lets the event loop breathe. */
export const TURN_STEPS_MAX = 10_000;

/** What a turn does. */
export interface TurnWork {
  /** Folds a fact and calls handlers. */
  take(fact: Fact): void;
  /** A task was done: what it has changed nobody else tells. */
  touch(): void;
  /** Carries out what handlers asked for. True: it left work that this turn should go on with. */
  settle(): boolean;
  /** Facts that may not be dropped went past the limit of the inbox. */
  overflowed(): void;
  /** A bug of ours: the run stops. */
  crashed(thrown: unknown): void;
}

/** The turns of a run. */
export class Turn {
  readonly inbox: Inbox;
  readonly #work: TurnWork;
  readonly #clock: Clock;
  readonly #isDeferred: boolean;
  readonly #tasks: (() => void)[] = [];
  #isRunning = false;
  #isScheduled = false;
  #isCrashed = false;

  /** `isDeferred`: facts wait for the next round of the event loop, so that those of one burst are handled together. */
  constructor(
    work: TurnWork,
    parts: { readonly clock: Clock; readonly isDeferred: boolean; readonly inbox: Inbox },
  ) {
    this.#work = work;
    this.#clock = parts.clock;
    this.#isDeferred = parts.isDeferred;
    this.inbox = parts.inbox;
  }

  /** After a crash nothing is taken in or done any more. */
  get isCrashed(): boolean {
    return this.#isCrashed;
  }

  /** Takes a fact in, at once if nothing else runs. */
  take(fact: Fact): void {
    if (this.#isCrashed) return;
    if (this.#isRunning || this.#isDeferred) {
      this.#wait(fact);
      return;
    }
    this.#isRunning = true;
    try {
      this.#work.take(fact);
      this.#finish();
    } catch (thrown) {
      this.#crash(thrown);
    }
    this.#isRunning = false;
  }

  /** Does something as part of a turn. */
  do(task: () => void): void {
    if (this.#isCrashed) return;
    this.#tasks.push(task);
    this.#run();
  }

  #run(): void {
    if (this.#isRunning || this.#isCrashed) return;
    this.#isRunning = true;
    try {
      this.#finish();
    } catch (thrown) {
      this.#crash(thrown);
    }
    this.#isRunning = false;
  }

  #finish(): void {
    for (let steps = 0; steps < TURN_STEPS_MAX; steps++) {
      const task = this.#tasks.length === 0 ? undefined : this.#tasks.shift();
      if (task !== undefined) {
        task();
        this.#work.touch();
      } else {
        const fact = this.inbox.size === 0 ? undefined : this.inbox.shift();
        if (fact !== undefined) this.#work.take(fact);
        else if (!this.#work.settle() && this.#tasks.length === 0 && this.inbox.size === 0) {
          if (!this.inbox.takeOverflow()) return;
          this.#work.overflowed();
        }
      }
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.soon(() => {
      this.#isScheduled = false;
      this.#run();
    });
  }

  /** A method of its own: with a closure over the fact in `take` each fact that comes alone would cost an object. */
  #wait(fact: Fact): void {
    try {
      this.inbox.push(fact);
    } catch (thrown) {
      this.#crash(thrown);
    }
    if (!this.#isRunning) this.#schedule();
  }

  /** From here on nothing runs any more, whatever {@link TurnWork.crashed} does. */
  #crash(thrown: unknown): void {
    this.#isCrashed = true;
    this.#work.crashed(thrown);
  }
}
