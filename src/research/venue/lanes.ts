/**
 * @module Lanes of the local venue as a bot sees them: one write under way each; safety writes have their own lane and
 * go ahead, what waits there is merged as in execution (cancel-all and the switch have one slot each, cancels are a
 * set).
 */
import { assert } from '../../core/index.ts';
import type {
  CancelOrders,
  LaneId,
  OrderId,
  OrderRef,
  SafetyCommand,
  ScheduleCancel,
} from '../../domain/index.ts';

/** The lane of safety writes. */
export const SAFETY_LANE = 'safety' as LaneId;

/** See the module. */
export class Lanes {
  readonly ids: readonly LaneId[];
  /** The lane of safety writes, and all others; there are few. */
  readonly #names: readonly LaneId[];
  /** True while a write is in flight. */
  readonly #busy: boolean[];
  readonly #cancels = new Map<OrderId, OrderRef>();
  #hasCancelAll = false;
  #schedule: ScheduleCancel | undefined;

  constructor(ids: readonly LaneId[]) {
    assert(ids.length > 0 && new Set(ids).size === ids.length, 'lanes with unique names');
    this.ids = ids;
    this.#names = [SAFETY_LANE, ...ids];
    this.#busy = this.#names.map(() => false);
  }

  /** True if this lane has no write in flight. @throws AssertionError for a lane that is not there. */
  isFree(lane: LaneId): boolean {
    return this.#busy[this.#placeOf(lane)] !== true;
  }

  take(lane: LaneId): void {
    this.#busy[this.#placeOf(lane)] = true;
  }

  free(lane: LaneId): void {
    this.#busy[this.#placeOf(lane)] = false;
  }

  /** True if a safety command that joins the queue would be the next one, unchanged. */
  isNextAlone(command: SafetyCommand): boolean {
    if (this.#busy[0] === true || this.#hasCancelAll || this.#cancels.size > 0) return false;
    return this.#schedule === undefined && (command.kind !== 'cancel' || command.orders.length === 1);
  }

  /** Puts a safety command in line. */
  join(command: SafetyCommand): void {
    switch (command.kind) {
      case 'cancelAll':
        this.#hasCancelAll = true;
        break;
      case 'cancel':
        for (const ref of command.orders) this.#cancels.set(ref.orderId, ref);
        break;
      case 'scheduleCancel':
        this.#schedule = command;
    }
  }

  /** The next safety command, when its lane is free. */
  nextSafety(): SafetyCommand | undefined {
    if (this.#busy[0] === true) return undefined;
    if (this.#hasCancelAll) {
      this.#hasCancelAll = false;
      return { kind: 'cancelAll' };
    }
    if (this.#cancels.size > 0) {
      const command: CancelOrders = { kind: 'cancel', orders: [...this.#cancels.values()] };
      this.#cancels.clear();
      return command;
    }
    const schedule = this.#schedule;
    this.#schedule = undefined;
    return schedule;
  }

  #placeOf(lane: LaneId): number {
    const names = this.#names;
    for (let at = 0; at < names.length; at++) if (names[at] === lane) return at;
    assert(false, `a lane of ${this.ids.join(', ')}, got ${lane}`);
  }
}
