/**
 * @module
 * Watches over lanes whose write finds no end (outcomes-and-receipts.md): after 5 s the health is red and the switch is
 * not renewed, after 10 s everything is canceled, after 60 s the lane halts with a name. It decides no outcome.
 */
import type { Clock, Timer } from '../../core/index.ts';
import type { Lane } from './lane.ts';
import type { SafetyLane } from './safety-lane.ts';

/** After this the health is red (H1). */
const RED_AFTER_MS = 5000;
/** After this everything is canceled. */
const CANCEL_AFTER_MS = 10_000;
/** After this the lane halts. */
const HALT_AFTER_MS = 60_000;
/** A gateway may ask to wait for as long as that; what the lane does then is given this much more. */
const AFTER_WAIT_MS = 10_000;

const CHECK_MS = 1000;

/** What is watched, and with what. */
export interface LaneSupervisorPorts {
  readonly lanes: readonly Lane[];
  readonly safety: SafetyLane;
  readonly clock: Clock;
  /** At each look that finds the health red by what is known here: it may have been green in between. */
  onRed(): void;
}

/** The watch over all lanes. */
export class LaneSupervisor {
  readonly #lanes: readonly Lane[];
  readonly #safety: SafetyLane;
  readonly #clock: Clock;
  readonly #onRed: () => void;
  readonly #canceledFor = new Set<Lane>();
  /** When a lane was last seen waiting to send again. */
  readonly #waitingAtMs = new Map<Lane, number>();
  #timer: Timer | undefined;

  constructor(ports: LaneSupervisorPorts) {
    this.#lanes = ports.lanes;
    this.#safety = ports.safety;
    this.#clock = ports.clock;
    this.#onRed = () => ports.onRed();
  }

  /** Looks once a second from now on. */
  start(): void {
    this.#timer ??= this.#clock.every(CHECK_MS, () => this.#check());
  }

  /** Looks no more. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Why the health is red by what is known here. */
  reasons(): readonly string[] {
    const reasons: string[] = [];
    for (const lane of this.#lanes) {
      if (lane.busyMs() > RED_AFTER_MS) reasons.push(`lane ${lane.id} has an unresolved write`);
      if (lane.haltCode === 'EXECUTION_JOURNAL_FAILED') reasons.push(`lane ${lane.id} has no journal`);
    }
    return reasons;
  }

  #check(): void {
    for (const lane of this.#lanes) {
      const busyMs = lane.busyMs();
      if (busyMs <= CANCEL_AFTER_MS) this.#canceledFor.delete(lane);
      else if (!this.#canceledFor.has(lane)) {
        this.#canceledFor.add(lane);
        this.#safety.submit({ kind: 'cancelAll' });
      }
      if (lane.state === 'waiting') this.#waitingAtMs.set(lane, this.#clock.monotonicMs());
      const hasWaited =
        this.#clock.monotonicMs() - (this.#waitingAtMs.get(lane) ?? Number.NEGATIVE_INFINITY) < AFTER_WAIT_MS;
      if (busyMs > HALT_AFTER_MS + (hasWaited ? AFTER_WAIT_MS : 0)) {
        const reason = `a write is unresolved for ${Math.round(busyMs)} ms`;
        lane.halt({ code: 'EXECUTION_LANE_BLOCKED', reason }, true);
      }
    }
    this.#safety.pump();
    if (this.reasons().length > 0) this.#onRed();
  }
}
