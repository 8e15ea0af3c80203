/**
 * @module
 * What takes risk away, ahead of everything that waits: its own lane when there is a second API wallet, else first in
 * the shared one; when its lane is stuck, the next free one. Nothing queues up here: cancel-all and the switch have one
 * slot each, cancels are a set.
 */
import type { Clock, Log, UnixMs } from '../../core/index.ts';
import type { LaneId, OrderId, OrderRef, SafetyCommand, ScheduleCancel } from '../../domain/index.ts';
import { BATCH_ITEMS_MAX } from '../../wire/protocol/index.ts';
import { CancelAllRetry } from './cancel-all-retry.ts';
import { FENCE_LEAD_MS } from './fence.ts';
import type { WriteEnd } from './in-flight-write.ts';
import type { Lane } from './lane.ts';

/** A safety lane that is busy for longer than this is stuck: the others help out. */
const STUCK_MS = 1000;
/** A renewal of the switch that has waited this long goes before cancels. */
const RENEWAL_WAIT_MS = 1000;
/** This long, ms, after a trigger that is meant to fire nothing is renewed: clocks differ, and it fires with a block. */
const FIRING_MS = 1000;

/** What the safety lane works with. */
export interface SafetyPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** The exchange's time, Unix ms. */
  serverNowMs(): UnixMs;
  /** The last confirmed trigger of the switch, whether it is believed in or not. */
  lastTriggerAtMs(): UnixMs | undefined;
  /** True while the health is green. */
  isHealthy(): boolean;
  /** True if a read proves that no order is open. */
  hasNoOpenOrders(): Promise<boolean>;
  /** A cancel-all that had been refused has had its effect. */
  onCanceledAll(): void;
  /** Called with a broken assertion: a defect of ballast. */
  onBug(error: unknown): void;
}

type OnEnd = (end: WriteEnd) => void;

/** Safety writes of one account. */
export class SafetyLane {
  readonly #own: Lane;
  readonly #others: readonly Lane[];
  readonly #ports: SafetyPorts;
  readonly #cancels = new Map<OrderId, OrderRef>();
  #cancelAll: { readonly onEnds: OnEnd[] } | undefined;
  #schedule: { command: ScheduleCancel; readonly onEnds: OnEnd[]; readonly sinceMs: number } | undefined;
  /** The trigger that replaces a refused cancel-all: no renewal may move it away before it has fired. */
  #firesAtMs: UnixMs | undefined;
  readonly #retry: CancelAllRetry;

  /** `own` carries safety writes; the others of all `lanes` help out while it is stuck. */
  constructor(own: Lane, lanes: readonly Lane[], ports: SafetyPorts) {
    this.#own = own;
    this.#others = lanes.filter((lane) => lane !== own);
    this.#ports = ports;
    this.#retry = new CancelAllRetry({
      clock: ports.clock,
      hasNoOpenOrders: () => ports.hasNoOpenOrders(),
      again: () => this.submit({ kind: 'cancelAll' }),
      onDone: () => ports.onCanceledAll(),
      onBug: (error) => ports.onBug(error),
    });
  }

  /** The lane that safety writes take. */
  get id(): LaneId {
    return this.#own.id;
  }

  /** True while everything has to be canceled and nothing that was sent for it had an effect. */
  get isCancelAllPending(): boolean {
    return this.#retry.isPending;
  }

  /** True while a safety command waits: no trading command then enters the shared lane. */
  get hasWork(): boolean {
    return this.#cancelAll !== undefined || this.#schedule !== undefined || this.#cancels.size > 0;
  }

  /** Sends a safety command as soon as a lane is free. `onEnd` is called once with how the write ended that carried it. */
  submit(command: SafetyCommand, onEnd?: OnEnd): void {
    const onEnds = onEnd === undefined ? [] : [onEnd];
    if (command.kind === 'cancelAll') {
      this.#cancelAll ??= { onEnds: [] };
      this.#cancelAll.onEnds.push(...onEnds);
    } else if (command.kind === 'cancel') {
      for (const ref of command.orders) this.#cancels.set(ref.orderId, ref);
    } else if (this.#mayReplaceTrigger(command)) this.#wait(command, onEnds);
    else {
      endAll(onEnds, 'notSent');
      return;
    }
    this.pump();
  }

  /** The process is about to end: nothing is asked for again. */
  stop(): void {
    this.#retry.stop();
  }

  /** Which lanes have halted, when none is left that could send anything; `undefined` while one is. */
  lostLanes(): string | undefined {
    const lanes = [this.#own, ...this.#others];
    if (lanes.some((lane) => lane.haltCode === undefined)) return undefined;
    return lanes.map((lane) => `${lane.id} ${lane.haltCode}`).join(', ');
  }

  /** Takes back a renewal that waits: the health is not what it was when it was asked for (invariant I12). */
  withdrawRenewal(): void {
    const schedule = this.#schedule;
    if (schedule === undefined || schedule.command.triggerAtMs === this.#firesAtMs) return;
    this.#schedule = undefined;
    endAll(schedule.onEnds, 'notSent');
  }

  /** Gives waiting work to a free lane. To be called when a lane turns idle and once a second. */
  pump(): void {
    while (this.hasWork) {
      const lane = this.#freeLane();
      if (lane !== undefined) this.#sendNext(lane);
      else if (this.lostLanes() === undefined) return;
      else this.#giveUp();
    }
  }

  /** No lane will ever send what waits. */
  #giveUp(): void {
    const onEnds = [...(this.#cancelAll?.onEnds ?? []), ...(this.#schedule?.onEnds ?? [])];
    this.#cancels.clear();
    this.#cancelAll = undefined;
    this.#schedule = undefined;
    endAll(onEnds, 'notSent');
  }

  #wait(command: ScheduleCancel, onEnds: readonly OnEnd[]): void {
    this.#schedule ??= { command, onEnds: [], sinceMs: this.#ports.clock.monotonicMs() };
    this.#schedule.command = command;
    this.#schedule.onEnds.push(...onEnds);
  }

  /** False for a renewal of a switch that is meant to fire. */
  #mayReplaceTrigger({ triggerAtMs }: ScheduleCancel): boolean {
    const firesAtMs = this.#firesAtMs;
    if (firesAtMs !== undefined && this.#ports.serverNowMs() <= firesAtMs + FIRING_MS)
      return triggerAtMs !== 0 && triggerAtMs <= firesAtMs;
    return !this.#retry.isPending || (this.#ports.lastTriggerAtMs() ?? 0) <= this.#ports.serverNowMs();
  }

  #freeLane(): Lane | undefined {
    if (this.#own.state === 'idle') return this.#own;
    const isStuck = this.#own.haltCode !== undefined || this.#own.busyMs() > STUCK_MS;
    return isStuck ? this.#others.find((lane) => lane.state === 'idle') : undefined;
  }

  #sendNext(lane: Lane): void {
    const schedule = this.#schedule;
    const isOverdue =
      schedule !== undefined && this.#ports.clock.monotonicMs() - schedule.sinceMs > RENEWAL_WAIT_MS;
    if (isOverdue) this.#sendSchedule(lane);
    else if (this.#cancelAll !== undefined) this.#sendCancelAll(lane, this.#cancelAll.onEnds);
    else if (this.#cancels.size > 0) this.#sendCancels(lane);
    else this.#sendSchedule(lane);
  }

  #sendSchedule(lane: Lane): void {
    this.#recheckRenewal();
    const schedule = this.#schedule;
    if (schedule === undefined) return;
    this.#schedule = undefined;
    lane.send(schedule.command, { onEnd: (end) => endAll(schedule.onEnds, end) });
  }

  /** A renewal that has waited needs a green health still: the code that would have taken it back may have been blocked meanwhile (I12). */
  #recheckRenewal(): void {
    const sinceMs = this.#schedule?.sinceMs;
    const hasWaited = sinceMs !== undefined && this.#ports.clock.monotonicMs() > sinceMs;
    if (hasWaited && !this.#ports.isHealthy()) this.withdrawRenewal();
  }

  #sendCancels(lane: Lane): void {
    const orders = [...this.#cancels.values()].slice(0, BATCH_ITEMS_MAX);
    for (const ref of orders) this.#cancels.delete(ref.orderId);
    lane.send({ kind: 'cancel', orders });
  }

  #sendCancelAll(lane: Lane, onEnds: OnEnd[]): void {
    this.#cancelAll = undefined;
    lane.send({ kind: 'cancelAll' }, { onEnd: (end) => this.#endCancelAll(end, onEnds) });
  }

  #endCancelAll(end: WriteEnd, onEnds: OnEnd[]): void {
    if (end === 'executed') this.#retry.done();
    else if (end !== 'superseded') this.#retry.schedule();
    if (end === 'superseded') {
      this.#cancelAll ??= { onEnds: [] };
      this.#cancelAll.onEnds.push(...onEnds);
      return;
    }
    if (end === 'rejected' || end === 'refused') this.#fireAtOnce(end, onEnds);
    else endAll(onEnds, end);
  }

  /**
   * Where cancel-all is refused, a switch that fires at once does the same (outcomes-and-receipts.md). Until one of the
   * two has emptied the book, nothing renews the switch.
   */
  #fireAtOnce(end: WriteEnd, onEnds: OnEnd[]): void {
    this.#ports.log.warn('cancel-all refused: the switch is set to fire at once', { end });
    this.withdrawRenewal();
    const triggerAtMs = (this.#ports.serverNowMs() + FENCE_LEAD_MS) as UnixMs;
    this.#firesAtMs = triggerAtMs;
    this.#wait({ kind: 'scheduleCancel', triggerAtMs }, [
      (late) => {
        if (late === 'executed') this.#retry.schedule(FENCE_LEAD_MS + FIRING_MS);
        else if (this.#firesAtMs === triggerAtMs) this.#firesAtMs = undefined;
        endAll(onEnds, late);
      },
    ]);
    this.pump();
  }
}

function endAll(onEnds: readonly OnEnd[], end: WriteEnd): void {
  for (const onEnd of onEnds) onEnd(end);
}
