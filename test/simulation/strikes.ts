/**
 * @module
 * Lets the faults of a plan strike at drawn times until the world is healed, and ends what they began.
 */
import { must } from '../../src/core/index.ts';
import type { Fault, FaultId } from './types.ts';
import type { OpenWorld } from './world.ts';

const MINUTE_MS = 60_000;
/** How long a strike lasts that does not end on its own. */
const LASTS_MS_MEAN = 5_000;
const LASTS_MS_MAX = 60_000;
/** Strikes into the first moments of a world, all faults of the plan together, and how long these are. */
const FIRST_STRIKES = 4;
const FIRST_MS = 3_000;

/** The strikes of one run. */
export class Strikes {
  readonly #world: OpenWorld;
  readonly #onError: (thrown: unknown) => void;
  readonly #lasting = new Set<() => void>();
  #isOver = false;

  constructor(world: OpenWorld, onError: (thrown: unknown) => void) {
    this.#world = world;
    this.#onError = onError;
  }

  /** Begins with those of `faults` that the plan has. */
  begin(faults: readonly Fault[]): void {
    for (const [fault, perMinute] of this.#planned(faults)) this.#await(fault, MINUTE_MS / perMinute, 1);
  }

  /** Lets a few of them strike within the next seconds: into a start, which is over before one comes on its own. */
  beginAtOnce(faults: readonly Fault[]): void {
    const { clock, random } = this.#world;
    const planned = this.#planned(faults);
    const draw = random.fork('first strikes');
    for (let n = 0; n < Math.min(FIRST_STRIKES, planned.length); n++) {
      const [fault] = must(planned[draw.integer(0, planned.length - 1)], 'a fault');
      const strike = draw.fork(`strike ${fault.id} ${n}`);
      clock.after(strike.next() * FIRST_MS, () => this.#strike(fault, strike));
    }
  }

  /** With how often a minute each strikes. */
  #planned(faults: readonly Fault[]): readonly (readonly [Fault, perMinute: number])[] {
    const byId = new Map(faults.map((fault) => [fault.id, fault]));
    return Object.entries(this.#world.plan.faults).flatMap(([id, perMinute = 0]) =>
      perMinute > 0 ? [[must(byId.get(id as FaultId), `the fault ${id}`), perMinute] as const] : [],
    );
  }

  /** Ends all, those that last included. */
  end(): void {
    this.#isOver = true;
    for (const end of [...this.#lasting]) end();
  }

  #await(fault: Fault, meanMs: number, n: number): void {
    const { clock, random } = this.#world;
    const draw = random.fork(`strike ${fault.id} ${n}`);
    clock.after(draw.exponential(meanMs), () => {
      if (this.#isOver) return;
      this.#strike(fault, draw);
      this.#await(fault, meanMs, n + 1);
    });
  }

  #strike(fault: Fault, draw: ReturnType<OpenWorld['random']['fork']>): void {
    const { id } = fault;
    this.#world.tell({ kind: 'fault', id, what: 'begun' });
    let undo: (() => void) | undefined;
    try {
      undo = fault.strike(this.#world, draw);
    } catch (thrown) {
      this.#onError(thrown);
    }
    if (undo === undefined) return;
    const finish = undo;
    const end = (): void => {
      if (!this.#lasting.delete(end)) return;
      finish();
      this.#world.tell({ kind: 'fault', id, what: 'ended' });
    };
    this.#lasting.add(end);
    this.#world.clock.after(Math.min(LASTS_MS_MAX, draw.exponential(LASTS_MS_MEAN)), end);
  }
}
