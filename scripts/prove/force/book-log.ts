/**
 * @module
 * What the exchange said of one account, and what must be true of it: no order rests without an armed switch, and after
 * a death all orders are gone when the switch that was armed then has fired (obligations I11).
 */
import { type TestProcess, until } from '../../../test/support/processes.ts';
import type { BookState } from './exchange.ts';

/** How late after the armed trigger the last order may go, ms. */
export const LATE_MS_MAX = 1_000;

/** How the orders of a bot went after `fromMs`, all times by the exchange's clock. */
export interface Going {
  /** Orders that rested at `fromMs`. */
  readonly orders: number;
  /** From then until none rested. */
  readonly goneMs: number;
  /** From the last trigger that was armed meanwhile to that; negative: before it. */
  readonly afterTriggerMs: number;
  /** When none rested any more. */
  readonly goneAtMs: number;
}

/** The states of one account, oldest first. */
export class BookLog {
  readonly #exchange: Pick<TestProcess, 'lines'>;
  readonly #account: string;
  readonly #states: BookState[] = [];
  #read = 0;

  constructor(exchange: Pick<TestProcess, 'lines'>, account: string) {
    this.#exchange = exchange;
    this.#account = account.toLowerCase();
  }

  /** All states so far. */
  states(): readonly BookState[] {
    const { lines } = this.#exchange;
    for (; this.#read < lines.length; this.#read++) {
      const line = JSON.parse(lines[this.#read] ?? '') as Partial<BookState>;
      if (line.account?.toLowerCase() === this.#account) this.#states.push(line as BookState);
    }
    return this.#states;
  }

  /** What rests now. */
  get open(): readonly string[] {
    return this.states().at(-1)?.open ?? [];
  }

  /** Does an order wait for its trigger now? */
  get isWaiting(): boolean {
    return (this.states().at(-1)?.waiting?.length ?? 0) > 0;
  }

  /** Numbers of all orders that ever rested before `atMs`. */
  before(atMs: number): ReadonlySet<string> {
    return new Set(
      this.states()
        .filter((state) => state.atMs < atMs)
        .flatMap(({ open }) => open),
    );
  }

  /** Waits until an order rests that is not among `known`. */
  async resting(
    why: () => string,
    { known = new Set(), withinMs = 40_000 }: RestingOptions = {},
  ): Promise<void> {
    await until(
      () => `new orders in the book\n${why()}`,
      () => this.open.some((order) => !known.has(order)),
      { withinMs },
    );
  }

  /** Waits until no order rested at some instant from `fromMs` on. */
  async empty(fromMs: number, { why, withinMs }: { why: () => string; withinMs: number }): Promise<void> {
    await until(
      () => `no open orders, got ${this.open.join(', ')}\n${why()}`,
      () =>
        this.open.length === 0 || this.states().some(({ atMs, open }) => atMs >= fromMs && open.length === 0),
      { withinMs },
    );
  }

  /** How the orders went that rested at `fromMs`: the book must be empty by now. */
  goingSince(fromMs: number): Going {
    const states = this.states();
    const first = states.findLastIndex((state) => state.atMs <= fromMs);
    const gone = states.find((state, at) => at >= first && state.open.length === 0);
    if (gone === undefined || first < 0) throw new Error('expected an account whose book became empty');
    const meanwhile = states.slice(first, states.indexOf(gone));
    const triggerMs = Math.max(...meanwhile.map((state) => state.armedUntilMs));
    return {
      orders: states[first]?.open.length ?? 0,
      goneMs: Math.max(0, gone.atMs - fromMs),
      afterTriggerMs: meanwhile.length === 0 ? 0 : gone.atMs - triggerMs,
      goneAtMs: gone.atMs,
    };
  }

  /** Numbers of the orders that came to rest in a stretch of time. */
  placedBetween(fromMs: number, toMs = Number.POSITIVE_INFINITY): readonly string[] {
    const known = new Set<string>();
    const placed: string[] = [];
    for (const state of this.states()) {
      if (state.atMs > fromMs && state.atMs <= toMs)
        placed.push(...state.open.filter((order) => !known.has(order)));
      for (const order of state.open) known.add(order);
    }
    return placed;
  }

  /** Was the switch armed again in a stretch of time? */
  armedBetween(fromMs: number, toMs: number): boolean {
    const states = this.states();
    return states.some(
      (state, at) =>
        state.atMs > fromMs && state.atMs <= toMs && state.armedUntilMs > (states[at - 1]?.armedUntilMs ?? 0),
    );
  }

  /**
   * Orders that came to rest while no switch was armed. Those of `sentAtMs`, which says when each was sent, are left out if
   * the switch was armed then: no client can call back what has been under way for longer than its trigger.
   */
  placedUnarmed(sentAtMs: ReadonlyMap<string, number> = new Map()): readonly string[] {
    const known = new Set<string>();
    const placed: string[] = [];
    for (const { atMs, open, armedUntilMs } of this.states()) {
      for (const order of open) {
        const isUnarmed = armedUntilMs <= atMs && !known.has(order);
        known.add(order);
        if (isUnarmed && !this.#isArmedAt(sentAtMs.get(order))) placed.push(order);
      }
    }
    return placed;
  }

  #isArmedAt(atMs: number | undefined): boolean {
    if (atMs === undefined) return false;
    const then = this.states().findLast((state) => state.atMs <= atMs);
    return then !== undefined && then.armedUntilMs > atMs;
  }

  /** The longest time for which an order rested without an armed switch: from a trigger to the block that fires it. */
  unarmedMsMax(): number {
    const states = this.states();
    const unarmed = states.map(({ atMs, open, armedUntilMs }, at) => {
      const next = states[at + 1];
      return open.length === 0 || next === undefined ? 0 : next.atMs - Math.max(atMs, armedUntilMs);
    });
    return Math.max(0, ...unarmed);
  }
}

/** See {@link BookLog.resting}. */
export interface RestingOptions {
  readonly known?: ReadonlySet<string>;
  readonly withinMs?: number;
}
