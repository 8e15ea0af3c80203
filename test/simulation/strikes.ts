/**
 * @module
 * Lets the faults of a plan strike at drawn times until the world is healed, and ends what they began.
 */
import { must } from '../../src/core/index.ts';
import type { Fault, FaultId } from './types.ts';
import type { OpenWorld } from './world.ts';

const MINUTE_MS = 60_000;
/** How long a strike lasts that does not end by itself. */
const LASTS_MS_MEAN = 5_000;
const LASTS_MS_MAX = 60_000;

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
    const byId = new Map(faults.map((fault) => [fault.id, fault]));
    for (const [id, perMinute = 0] of Object.entries(this.#world.plan.faults))
      if (perMinute > 0)
        this.#await(must(byId.get(id as FaultId), `the fault ${id}`), MINUTE_MS / perMinute, 1);
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
