/** @module Lanes that have halted: their strategies do not trade until they are ready again. */
import type { Log } from '../../core/index.ts';
import type { LaneId, StrategyId } from '../../domain/index.ts';
import { LANE_HOLDER, type TradingStates } from '../risk/index.ts';
import type { IntentRouter } from './intent-router.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { StrategyHost } from './strategy-host.ts';

/** Whom a halted lane concerns. */
export interface HaltedLanesPorts {
  readonly log: Log;
  /** The strategies of the run by their id. */
  readonly hosts: ReadonlyMap<StrategyId, StrategyHost>;
  readonly trading: TradingStates;
  readonly router: IntentRouter;
  readonly lifecycle: Lifecycle;
}

/** See the module. */
export class HaltedLanes {
  readonly #ports: HaltedLanesPorts;
  readonly #reasons = new Map<LaneId, string>();

  constructor(ports: HaltedLanesPorts) {
    this.#ports = ports;
  }

  /** True if this lane has halted. */
  has(lane: LaneId): boolean {
    return this.#reasons.has(lane);
  }

  /** A lane has halted. */
  halt(lane: LaneId, reason: string): void {
    const { log, hosts, trading, router } = this.#ports;
    this.#reasons.set(lane, reason);
    router.lines.halt(lane, reason);
    log.error(`lane ${lane} is halted: ${reason}`);
    this.#name();
    for (const host of hosts.values()) {
      if (host.setup.lane !== lane) continue;
      trading.set({ kind: 'strategy', strategyId: host.id }, `${LANE_HOLDER}${lane}`, {
        state: 'halted',
        reason: `lane ${lane}: ${reason}`,
      });
      router.cancelAll(host, `lane ${lane} is halted`);
      host.call('onDegraded', { symbol: undefined, reason: `lane ${lane}: ${reason}` });
    }
  }

  /** A lane is ready: nothing, unless it had halted. */
  free(lane: LaneId): void {
    if (this.#reasons.size === 0 || !this.#reasons.delete(lane)) return;
    this.#ports.router.lines.free(lane);
    this.#name();
    for (const host of this.#ports.hosts.values()) {
      if (host.setup.lane !== lane) continue;
      const active = { state: 'active', reason: '' } as const;
      this.#ports.trading.set({ kind: 'strategy', strategyId: host.id }, `${LANE_HOLDER}${lane}`, active);
      host.call('onResumed', undefined);
    }
  }

  /** A run none of whose strategies has a lane is not ready, whatever else is. */
  #name(): void {
    const hosts = [...this.#ports.hosts.values()];
    const isStuck = hosts.length > 0 && hosts.every(({ setup }) => this.#reasons.has(setup.lane));
    const names = Array.from(this.#reasons, ([lane, reason]) => `${lane}: ${reason}`).join('; ');
    this.#ports.lifecycle.reason('lanes', isStuck ? `no trading lane is left: ${names}` : undefined);
  }
}
