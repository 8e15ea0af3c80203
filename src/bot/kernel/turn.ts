/**
 * @module
 * The turn: one thing at a time. A fact or a task that comes while a turn runs waits for it; a single one is
 * handled within the call that brought it, so a frame becomes an order without a detour through the event loop. When
 * too much waits, the rest is done in the next round of the event loop.
 */
import type { Clock } from '../../core/index.ts';
import type { Book, Fact, Trade } from '../../domain/index.ts';
import type { Inbox } from './inbox.ts';

/** How many facts and tasks one turn handles before it lets the event loop breathe. */
const TURN_STEPS_MAX = 10_000;

/** What a turn does. */
export interface TurnWork {
  /** Applies a fact and calls handlers. */
  take(fact: Fact): void;
  /** As `take`, of a `BookUpdated`. */
  takeBook(book: Book): void;
  /** As `take`, of a `TradePrinted`. */
  takeTrade(trade: Trade): void;
  /** True if {@link settle} would find nothing to do. A method: compilers take it in before any getter. */
  isSettled(): boolean;
  /** A task was done, or a message waits: no fact reports what it has changed. */
  touch(): void;
  /** Carries out what handlers asked for. True: it left work for this turn. */
  settle(): boolean;
  /** Facts that may not be dropped went past the limit of the inbox. */
  overflowed(): void;
  /** A bug of ours: the run stops. */
  crashed(thrown: unknown): void;
}

const IDLE = 0;
const RUNNING = 1;
/** Facts wait for the next round of the event loop. */
const DEFERRED = 2;
/** The next round of the event loop continues. */
const SCHEDULED = 4;
/** A fact or a task has come that was not looked at. */
const WAITING = 8;
const CRASHED = 16;

/** The turns of a run. */
export class Turn {
  readonly inbox: Inbox;
  readonly #work: TurnWork;
  readonly #clock: Clock;
  readonly #tasks: (() => void)[] = [];
  /** What is true of it, by a bit each. One number: it is asked with every row of a market. */
  #state = IDLE;

  /** `isDeferred`: facts wait for the next round of the event loop, so that those of one burst are handled together. */
  constructor(
    work: TurnWork,
    parts: { readonly clock: Clock; readonly isDeferred: boolean; readonly inbox: Inbox },
  ) {
    this.#work = work;
    this.#clock = parts.clock;
    if (parts.isDeferred) this.#state = DEFERRED;
    this.inbox = parts.inbox;
  }

  /** After a crash nothing is taken in or done any more. */
  get isCrashed(): boolean {
    return this.#is(CRASHED);
  }

  /** Takes a fact in, at once if nothing else runs. */
  take(fact: Fact): void {
    if (this.#is(CRASHED)) return;
    if (this.#is(RUNNING | DEFERRED)) {
      this.#wait(fact);
      return;
    }
    this.#state |= RUNNING;
    try {
      this.#work.take(fact);
      this.#finish();
    } catch (thrown) {
      this.#crash(thrown);
    }
    this.#state &= ~RUNNING;
  }

  /** As {@link take} of one after the other: what is asked for with one leaves before the next one is taken in. */
  takeAll(facts: readonly Fact[], from: number, to: number): void {
    let at = from;
    if (this.#state === IDLE && from < to) {
      this.#state = RUNNING;
      try {
        do {
          this.#work.take(facts[at++] as Fact);
          if (this.#state !== RUNNING || !this.#work.isSettled()) this.#finish();
        } while (at < to && this.#state === RUNNING);
      } catch (thrown) {
        this.#crash(thrown);
      }
      this.#state &= ~RUNNING;
    }
    while (at < to) this.take(facts[at++] as Fact);
  }

  /** As {@link take} of a `BookUpdated`, in fewer steps: of a recorded market there are more than of all other facts. */
  takeBook(book: Book): void {
    if (this.#state !== IDLE) {
      this.take({ type: 'BookUpdated', book });
      return;
    }
    this.#state = RUNNING;
    try {
      this.#work.takeBook(book);
      if (this.#state !== RUNNING || !this.#work.isSettled()) this.#finish();
    } catch (thrown) {
      this.#crash(thrown);
    }
    this.#state &= ~RUNNING;
  }

  /** As {@link takeBook}, of a `TradePrinted`. */
  takeTrade(trade: Trade): void {
    if (this.#state !== IDLE) {
      this.take({ type: 'TradePrinted', trade });
      return;
    }
    this.#state = RUNNING;
    try {
      this.#work.takeTrade(trade);
      if (this.#state !== RUNNING || !this.#work.isSettled()) this.#finish();
    } catch (thrown) {
      this.#crash(thrown);
    }
    this.#state &= ~RUNNING;
  }

  /** Does something as part of a turn. */
  do(task: () => void): void {
    if (this.#is(CRASHED)) return;
    this.#tasks.push(task);
    this.#state |= WAITING;
    this.#run();
  }

  #run(): void {
    if (this.#is(RUNNING | CRASHED)) return;
    this.#state |= RUNNING;
    try {
      this.#finish();
    } catch (thrown) {
      this.#crash(thrown);
    }
    this.#state &= ~RUNNING;
  }

  #is(states: number): boolean {
    return (this.#state & states) !== 0;
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
          this.#state &= ~WAITING;
          if (!this.inbox.takeOverflow()) return;
          this.#work.overflowed();
        }
      }
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#is(SCHEDULED)) return;
    this.#state |= SCHEDULED;
    this.#clock.soon(() => {
      this.#state &= ~SCHEDULED;
      this.#run();
    });
  }

  /** A separate method: with a closure over the fact in `take` each single fact would cost an object. */
  #wait(fact: Fact): void {
    try {
      this.inbox.push(fact);
      this.#state |= WAITING;
    } catch (thrown) {
      this.#crash(thrown);
    }
    if (!this.#is(RUNNING)) this.#schedule();
  }

  /** From here on nothing runs any more, whatever {@link TurnWork.crashed} does. */
  #crash(thrown: unknown): void {
    this.#state |= CRASHED;
    this.#work.crashed(thrown);
  }
}
