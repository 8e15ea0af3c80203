/**
 * @module
 * What a kernel joins: the parts of a run, and whom it tells.
 */
import type { Log, Meter, UnixMs } from '../../core/index.ts';
import type { AccountState, Fill, MarketState, StrategyId } from '../../domain/index.ts';
import type { RunCollector } from '../../report/collect/index.ts';
import type { RiskGate, RiskMonitor, TradingStates } from '../risk/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { Canceler } from './canceler.ts';
import type { Dispatcher } from './dispatch.ts';
import type { Ending } from './ending.ts';
import type { Router } from './intent-router.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Seat } from './strategy-slot.ts';
import type { Supervisor } from './supervisor.ts';

/** The parts a kernel joins. */
export interface KernelParts {
  readonly account: AccountState;
  readonly markets: MarketState;
  readonly trading: TradingStates;
  readonly risk: RiskGate;
  readonly monitor: RiskMonitor | undefined;
  readonly seats: ReadonlyMap<StrategyId, Seat>;
  readonly dispatcher: Dispatcher;
  readonly router: Router;
  readonly canceler: Canceler;
  readonly supervisor: Supervisor;
  readonly lifecycle: Lifecycle;
  readonly ending: Ending;
  readonly recorder: Recorder;
  readonly collector: RunCollector | undefined;
  readonly log: Log;
  readonly meter: Meter;
  now(): UnixMs;
  serverNow(): UnixMs;
  onCrash(thrown: unknown): void;
  /** A fill was applied; newest of all. */
  onFill(fill: Fill, strategyId: StrategyId | undefined): void;
}
