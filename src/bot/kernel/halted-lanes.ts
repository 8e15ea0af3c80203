/** @module Lanes that have halted: their strategies do not trade until they are ready again. */
import type { LaneId } from '../../domain/index.ts';
import type { KernelParts } from './kernel-dependencies.ts';

/** See the module. */
export class HaltedLanes {
  readonly #parts: KernelParts;
  readonly #reasons = new Map<LaneId, string>();

  constructor(parts: KernelParts) {
    this.#parts = parts;
  }

  /** Has this lane halted? */
  has(lane: LaneId): boolean {
    return this.#reasons.has(lane);
  }

  /** A lane has halted. */
  halt(lane: LaneId, reason: string): void {
    const { log, seats, trading, router } = this.#parts;
    this.#reasons.set(lane, reason);
    log.error(`lane ${lane} is halted: ${reason}`);
    this.#name();
    for (const seat of seats.values()) {
      if (seat.setup.lane !== lane) continue;
      trading.set({ kind: 'strategy', strategyId: seat.id }, `lane ${lane}`, {
        state: 'halted',
        reason: `lane ${lane}: ${reason}`,
      });
      router.cancelAll(seat, `lane ${lane} is halted`);
      seat.call('onDegraded', { symbol: undefined, reason: `lane ${lane}: ${reason}` });
    }
  }

  /** A lane is ready: nothing, unless it had halted. */
  free(lane: LaneId): void {
    if (this.#reasons.size === 0 || !this.#reasons.delete(lane)) return;
    this.#name();
    for (const seat of this.#parts.seats.values()) {
      if (seat.setup.lane !== lane) continue;
      const active = { state: 'active', reason: '' } as const;
      this.#parts.trading.set({ kind: 'strategy', strategyId: seat.id }, `lane ${lane}`, active);
      seat.call('onResumed', undefined);
    }
  }

  /** A run none of whose strategies has a lane is not ready, whatever else is. */
  #name(): void {
    const seats = [...this.#parts.seats.values()];
    const isStuck = seats.length > 0 && seats.every(({ setup }) => this.#reasons.has(setup.lane));
    const names = Array.from(this.#reasons, ([lane, reason]) => `${lane}: ${reason}`).join('; ');
    this.#parts.lifecycle.reason('lanes', isStuck ? `no trading lane is left: ${names}` : undefined);
  }
}
