/**
 * @module
 * Requests and answers under way, each on its own: none waits for another. What falls due in a black hole waits for its
 * end, as a kernel that sends again; what nobody waits for any more may be forgotten there.
 */
import type { Timer } from '../../../src/core/index.ts';
import type { Wire } from './line.ts';

/** What a kernel lets pass before it sends again, at most. */
const RESEND_MS_MAX = 1_000;
/** How often a kernel goes on sending for a process that has given up. */
const ORPHAN_CHANCE = 0.5;

interface Cargo {
  readonly deliver: () => void;
  readonly isWanted: () => boolean;
  dueMs: number;
  timer: Timer | undefined;
}

/** All of it. */
export class Freight {
  readonly #wire: Wire;
  readonly #cargo = new Set<Cargo>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Delivers after `delayMs`. */
  carry(delayMs: number, deliver: () => void, isWanted: () => boolean = () => true): void {
    const cargo: Cargo = { deliver, isWanted, dueMs: 0, timer: undefined };
    this.#cargo.add(cargo);
    this.#load(cargo, delayMs);
  }

  /** The hole has ended: what waited goes on. */
  resume(): void {
    const { random } = this.#wire.parts;
    for (const cargo of [...this.#cargo]) {
      if (cargo.timer !== undefined) continue;
      if (cargo.isWanted() || random.chance(ORPHAN_CHANCE))
        this.#load(cargo, random.integer(0, RESEND_MS_MAX));
      else this.#cargo.delete(cargo);
    }
  }

  /** Everything that is under way arrives within `delayMs`, in the order in which it was due. */
  hurry(delayMs: number): void {
    const nowMs = this.#wire.parts.clock.monotonicMs();
    const late = [...this.#cargo].filter(({ dueMs }) => dueMs > nowMs + delayMs);
    for (const cargo of late.sort((one, other) => one.dueMs - other.dueMs)) {
      cargo.timer?.cancel();
      this.#load(cargo, delayMs);
    }
  }

  #load(cargo: Cargo, delayMs: number): void {
    const { clock } = this.#wire.parts;
    cargo.dueMs = clock.monotonicMs() + delayMs;
    cargo.timer = clock.after(delayMs, () => {
      cargo.timer = undefined;
      if (this.#wire.isBlack) return;
      this.#cargo.delete(cargo);
      cargo.deliver();
    });
  }
}
