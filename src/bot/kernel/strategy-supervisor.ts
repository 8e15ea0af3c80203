/**
 * @module
 * The lives of strategies: made, started when the run is ready, saved, stopped, started again after a fault with
 * growing pauses, and left alone after that. Before a strategy lives again its old orders must be gone, and all that
 * they have bought or sold must be in its inventory.
 */
import { type Clock, formatJson, type Log, messageOf, parseJson } from '../../core/index.ts';
import type { AccountState, StrategyId } from '../../domain/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { Router } from './intent-router.ts';
import type { StrategyStore } from './ports.ts';
import type { Scheduler } from './scheduler.ts';
import { type ContextPorts, SeatContext } from './strategy-context.ts';
import type { Seat, SeatEnd } from './strategy-slot.ts';

/** Pauses before a failed strategy lives again; after the last it stays stopped. */
export const RESTART_DELAYS_MS: readonly number[] = [1_000, 5_000, 30_000];
/** The largest state a strategy may save, as JSON. */
export const SAVED_LENGTH_MAX = 1_000_000;

/** What the supervisor works with. */
export interface StrategySupervisorPorts {
  readonly seats: ReadonlyMap<StrategyId, Seat>;
  readonly account: AccountState;
  readonly router: Router;
  readonly scheduler: Scheduler;
  readonly store: StrategyStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly recorder: Recorder;
  readonly restartDelaysMs: readonly number[];
  contextPorts(seat: Seat): ContextPorts;
  /** Does something as part of a turn. */
  do(task: () => void): void;
}

/** Looks after all strategies. */
export class StrategySupervisor {
  readonly #ports: StrategySupervisorPorts;
  readonly #saved = new Map<StrategyId, string>();
  /** Why the orders of those go that have come to their end. */
  readonly #ends = new Map<Seat, string>();
  #isEnding = false;

  constructor(ports: StrategySupervisorPorts) {
    this.#ports = ports;
  }

  /** Makes an instance of each strategy. @throws ConfigError for invalid parameters. */
  create(): void {
    for (const seat of this.#ports.seats.values()) this.#make(seat);
  }

  /** Starts all that wait. */
  start(): void {
    for (const seat of this.#ports.seats.values()) this.#begin(seat);
  }

  /** A strategy has come to its end: its orders go, its timers go, and it may live again. */
  ended(seat: Seat, end: SeatEnd): void {
    const { router, scheduler, recorder, restartDelaysMs } = this.#ports;
    const why = `strategy ${seat.id} ${end.state}: ${end.reason}`;
    this.#ends.set(seat, why);
    router.cancelAll(seat, why);
    scheduler.stopAll(seat.id);
    const type = end.state === 'failed' ? 'StrategyFailed' : 'StrategyStopped';
    recorder.record(type, { strategy: seat.id, reason: end.reason, failures: seat.failureCount });
    const delayMs = restartDelaysMs[seat.failureCount - 1];
    if (end.state === 'failed' && delayMs !== undefined && !this.#isEnding) this.#restartLater(seat, delayMs);
  }

  /** Orders of strategies that have ended go, however often their cancel does not come through (I17). */
  sweep(): void {
    const { account, router } = this.#ports;
    for (const [seat, why] of this.#ends) {
      const isLeft = seat.setup.symbols.some((symbol) => account.workingOrders(symbol, seat.id).length > 0);
      if (isLeft) router.cancelAll(seat, why);
    }
  }

  /** Keeps what each running strategy wants to keep, where it changed. */
  save(): void {
    for (const seat of this.#ports.seats.values()) {
      const state = seat.handlers.onSave === undefined ? undefined : seat.save();
      if (state === undefined) continue;
      const json = this.#plain(seat, state);
      if (json === undefined || json === this.#saved.get(seat.id)) continue;
      this.#saved.set(seat.id, json);
      this.#ports.store.save(seat.id, json);
    }
  }

  /** Ends all strategies. */
  stop(reason: string): void {
    this.#isEnding = true;
    this.save();
    for (const seat of this.#ports.seats.values()) seat.stop(reason);
  }

  #make(seat: Seat): void {
    seat.create(new SeatContext(seat, this.#ports.contextPorts(seat)));
  }

  #begin(seat: Seat): void {
    if (seat.state !== 'waiting') return;
    this.#ends.delete(seat);
    const json = this.#ports.store.load(seat.id);
    this.#ports.recorder.record('StrategyStarted', { strategy: seat.id, life: seat.life });
    seat.start(json === undefined ? undefined : parseJson(json));
  }

  #restartLater(seat: Seat, delayMs: number): void {
    this.#ports.log.warn(`strategy ${seat.id} starts again in ${delayMs} ms`);
    this.#ports.clock.after(delayMs, () => this.#ports.do(() => this.#restart(seat)));
  }

  #restart(seat: Seat): void {
    if (this.#isEnding || seat.state !== 'failed') return;
    const { account } = this.#ports;
    // What was executed and is not booked counts too: a strategy that counts by its inventory would place it again.
    const isFree = seat.setup.symbols.every((symbol) => {
      const { buyOrders, sellOrders } = account.exposure(symbol, seat.id);
      return buyOrders + sellOrders === 0;
    });
    if (!isFree) {
      this.#restartLater(seat, 500);
      return;
    }
    try {
      this.#make(seat);
    } catch (thrown) {
      this.#ports.log.error(`strategy ${seat.id} restart failed: ${messageOf(thrown)}`);
      return;
    }
    this.#begin(seat);
  }

  #plain(seat: Seat, state: unknown): string | undefined {
    try {
      const json = formatJson(state);
      if (json.length <= SAVED_LENGTH_MAX) return json;
      this.#ports.log.warn(`strategy ${seat.id} wants to save ${json.length} characters; nothing is saved`);
    } catch (thrown) {
      this.#ports.log.warn(`strategy ${seat.id} wants to save what is no plain data: ${messageOf(thrown)}`);
    }
    return undefined;
  }
}
