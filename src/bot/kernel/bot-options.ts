/** @module What a bot is made of. */
import type { Audit, BotError, Clock, Log, Metrics, Random, UnixMs } from '../../core/index.ts';
import type { LaneId, VenuePort } from '../../domain/index.ts';
import type { MonitorLimits, RiskGate } from '../risk/index.ts';
import type { AuditLevel } from './audit-recorder.ts';
import type { DecisionTap } from './decisions.ts';
import type { StopProof } from './ending.ts';
import type { OutsideInputs } from './health.ts';
import type { QuoteReconciler, RunObserver, StrategyStore } from './ports.ts';
import type { StrategySetup } from './strategy-host.ts';
import { RESTART_DELAYS_MS } from './strategy-supervisor.ts';

/** What a bot is made of. */
export interface BotOptions {
  /** Unique over all runs: intent ids begin with it. */
  readonly runId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Metrics;
  readonly audit: Audit;
  /** Default `decisions`. */
  readonly auditLevel?: AuditLevel;
  readonly risk: RiskGate;
  /** Continuous controls; absent: none. */
  readonly monitor?: MonitorLimits;
  readonly venue: VenuePort;
  readonly reconcileQuotes: QuoteReconciler;
  readonly strategies: readonly StrategySetup[];
  /** Receives every decision. */
  readonly decisions?: DecisionTap | undefined;
  /** Receives what reports need. */
  readonly collector?: RunObserver | undefined;
  /** Default: in memory. */
  readonly store?: StrategyStore;
  /** Default: those of a run without an exchange that could outlive it. */
  readonly outsideInputs?: () => OutsideInputs;
  /** The exchange's time. Default: the clock's. */
  readonly serverNowMs?: () => UnixMs;
  /** The lane that closing all positions goes through; absent: that is not possible. */
  readonly operatorLane?: LaneId;
  /** Default {@link RESTART_DELAYS_MS}; empty: a failed strategy stays stopped. */
  readonly restartDelaysMs?: readonly number[];
  /** Facts of one burst are handled together in the next round of the event loop. Default: each at once. */
  readonly isDeferred?: boolean;
  /** Default: the inbox of live runs. */
  readonly inboxFactsMax?: number;
  /** Cancels everything and proves that no order is open, in bounded time. Absent: cancel-alls, until facts show it. */
  readonly proveNoOpenOrders?: () => Promise<StopProof>;
  /** Called when every strategy has ended and none starts again. */
  readonly onNoStrategyLeft?: (why: BotError) => void;
  /** Called when a bug of ours stops the run. */
  readonly onCrash?: (thrown: unknown) => void;
}
