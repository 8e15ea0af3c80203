/**
 * @module
 * The instances of strategies: made, started when the run is ready, saved, stopped, made again after a fault with growing
 * pauses, and left stopped after the last. Before a strategy starts again its old orders must have ended, and all that
 * they have bought or sold must be in its inventory.
 */
import { type Clock, formatJson, type Log, type Metrics, messageOf, parseJson } from '../../core/index.ts';
import type { AccountState, StrategyId } from '../../domain/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { DecisionTap } from './decisions.ts';
import type { IntentRouter } from './intent-router.ts';
import { Messages } from './messages.ts';
import { type CourseObserver, type StrategyStore, UNREADABLE } from './ports.ts';
import type { Scheduler } from './scheduler.ts';
import { type ContextPorts, HostedContext } from './strategy-context.ts';
import type { StrategyHost, StrategyHostEnd } from './strategy-host.ts';

/** Pauses before a failed strategy starts again; after the last it stays stopped. */
export const RESTART_DELAYS_MS: readonly number[] = [1_000, 5_000, 30_000];
/** The largest state a strategy may save, as JSON. */
const SAVED_LENGTH_MAX = 1_000_000;

/** What the supervisor works with. */
export interface StrategySupervisorPorts {
  /** The strategies of the run by their id. */
  readonly hosts: ReadonlyMap<StrategyId, StrategyHost>;
  readonly account: AccountState;
  readonly router: IntentRouter;
  readonly scheduler: Scheduler;
  readonly store: StrategyStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly recorder: Recorder;
  readonly meter: Metrics;
  readonly tap: DecisionTap | undefined;
  readonly restartDelaysMs: readonly number[];
  readonly course: CourseObserver | undefined;
  /** Every strategy has ended, and none of them starts again. */
  noneLeft(why: string): void;
  /** What the context of a host is built on. */
  contextPorts(host: StrategyHost): Omit<ContextPorts, 'save' | 'messages'>;
  /** A message waits: the turn has something to settle. */
  asked(): void;
  /** Does something as part of a turn. */
  do(task: () => void): void;
}

/** Looks after all strategies. */
export class StrategySupervisor {
  readonly messages: Messages;
  readonly #ports: StrategySupervisorPorts;
  readonly #saved = new Map<StrategyId, string>();
  /** Why the orders of ended strategies are canceled. */
  readonly #ends = new Map<StrategyHost, string>();
  /** Those that do not start again. */
  readonly #gone = new Set<StrategyHost>();
  #isEnding = false;

  constructor(ports: StrategySupervisorPorts) {
    this.#ports = ports;
    this.messages = new Messages({ ...ports, now: () => ports.clock.nowMs(), asked: () => ports.asked() });
  }

  /** Makes an instance of each strategy. @throws ConfigError for invalid parameters. */
  create(): void {
    this.messages.begin();
    for (const host of this.#ports.hosts.values()) this.#make(host);
  }

  /** Starts all that wait. */
  start(): void {
    for (const host of this.#ports.hosts.values()) this.#begin(host);
  }

  /** A strategy has ended: its orders go, its timers go, and it may live again. */
  ended(host: StrategyHost, end: StrategyHostEnd): void {
    const { router, scheduler, recorder, restartDelaysMs } = this.#ports;
    const why = `strategy ${host.id} ${end.state}: ${end.reason}`;
    this.#ends.set(host, why);
    router.cancelAll(host, why);
    scheduler.stopAll(host.id);
    const type = end.state === 'failed' ? 'StrategyFailed' : 'StrategyStopped';
    const { state, reason, error } = end;
    this.#ports.course?.ended(host.id, { state, reason, error, isOwn: !this.#isEnding });
    recorder.record(type, { strategy: host.id, reason: end.reason, failures: host.failureCount });
    const delayMs = restartDelaysMs[host.failureCount - 1];
    if (this.#isEnding) return;
    if (end.state === 'failed' && delayMs !== undefined) this.#restartLater(host, delayMs);
    else this.#leave(host);
  }

  /** True if every strategy has ended for good. */
  get isNoneLeft(): boolean {
    return this.#gone.size === this.#ports.hosts.size;
  }

  /** A strategy that does not start again. */
  #leave(host: StrategyHost): void {
    this.#gone.add(host);
    if (this.isNoneLeft) this.#ports.noneLeft([...this.#ends.values()].join('; '));
  }

  /** Orders of strategies that have ended go, however often their cancel does not come through (I17). */
  sweep(): void {
    const { account, router } = this.#ports;
    for (const [host, why] of this.#ends) {
      const isLeft = host.setup.symbols.some((symbol) => account.workingOrders(symbol, host.id).length > 0);
      if (isLeft) router.cancelAll(host, why);
    }
  }

  /** Keeps what each running strategy wants to keep, where it changed. */
  save(): void {
    for (const host of this.#ports.hosts.values()) {
      if (host.handlers.onSave !== undefined) this.#store(host, host.save());
    }
  }

  /** Ends all strategies. One that has failed and waits for its next start stays failed: that is how it ended. */
  stop(reason: string): void {
    this.#isEnding = true;
    this.save();
    for (const host of this.#ports.hosts.values()) if (host.state !== 'failed') host.stop(reason);
  }

  #make(host: StrategyHost): void {
    const save = (): boolean => this.#store(host, host.saveWithin());
    const { messages } = this;
    host.create(new HostedContext(host, { ...this.#ports.contextPorts(host), messages, save }));
  }

  /** Stores a state, unless it is the one that is stored. True: it is stored. */
  #store(host: StrategyHost, state: unknown): boolean {
    const json = state === undefined ? undefined : this.#plain(host, state);
    if (json === undefined) return false;
    if (json === this.#saved.get(host.id)) return true;
    const isStored = this.#ports.store.save(host.id, json);
    if (isStored) this.#saved.set(host.id, json);
    return isStored;
  }

  #begin(host: StrategyHost): void {
    if (host.state !== 'waiting') return;
    this.#ends.delete(host);
    const json = this.#ports.store.load(host.id);
    this.#ports.recorder.record('StrategyStarted', { strategy: host.id, instance: host.instanceId });
    host.start(json === undefined || json === UNREADABLE ? undefined : parseJson(json));
  }

  #restartLater(host: StrategyHost, delayMs: number): void {
    this.#ports.log.warn(`strategy ${host.id} starts again in ${delayMs} ms`);
    this.#ports.clock.after(delayMs, () => this.#ports.do(() => this.#restart(host)));
  }

  #restart(host: StrategyHost): void {
    if (this.#isEnding || host.state !== 'failed') return;
    const { account } = this.#ports;
    // What was executed and is not booked counts too: a strategy that counts by its inventory would place it again.
    const isFree = host.setup.symbols.every((symbol) => {
      const { buyOrders, sellOrders } = account.exposure(symbol, host.id);
      return buyOrders + sellOrders === 0;
    });
    if (!isFree) {
      this.#restartLater(host, 500);
      return;
    }
    try {
      this.#make(host);
    } catch (thrown) {
      this.#ports.log.error(`strategy ${host.id} restart failed: ${messageOf(thrown)}`);
      host.abandon();
      this.#leave(host);
      return;
    }
    this.#ports.course?.restarted(host.id);
    this.#begin(host);
  }

  #plain(host: StrategyHost, state: unknown): string | undefined {
    try {
      const json = formatJson(state);
      if (json.length <= SAVED_LENGTH_MAX) return json;
      this.#ports.log.warn(`strategy ${host.id} wants to save ${json.length} characters; nothing is saved`);
    } catch (thrown) {
      this.#ports.log.warn(`strategy ${host.id} wants to save what is no plain data: ${messageOf(thrown)}`);
    }
    return undefined;
  }
}
