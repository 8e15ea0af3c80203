/**
 * @module
 * What a bot is made of, and what can be asked of it: the surface of {@link createBot}.
 */
import type { Audit, Clock, Log, Meter, Random, UnixMs } from '../../core/index.ts';
import type {
  AccountState,
  FactSink,
  FactsSink,
  LaneId,
  MarketSink,
  MarketState,
  StrategyId,
  VenuePort,
} from '../../domain/index.ts';
import type { RunCollector } from '../../report/collect/index.ts';
import type { MonitorLimits, RiskGate, TradingScope, TradingState } from '../risk/index.ts';
import type { AuditLevel } from './audit-recorder.ts';
import type { DecisionTap } from './decisions.ts';
import type { EmptyBook, StopReport } from './ending.ts';
import type { Health, OutsideFigures } from './health.ts';
import type { Instruction } from './kill-switch.ts';
import type { QuoteDiffer, StrategyStore } from './ports.ts';
import type { BotStatus } from './status.ts';
import type { StrategySetup } from './strategy-slot.ts';

/** How many of the last fills the status shows. */
export const RECENT_FILLS_MAX = 50;

/** What a bot is made of. */
export interface BotOptions {
  /** Unique over all runs: intent ids begin with it. */
  readonly runId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Meter;
  readonly audit: Audit;
  /** Default `decisions`. */
  readonly auditLevel?: AuditLevel;
  readonly risk: RiskGate;
  /** Continuous controls; absent: none. */
  readonly monitor?: MonitorLimits;
  readonly venue: VenuePort;
  readonly differ: QuoteDiffer;
  readonly strategies: readonly StrategySetup[];
  /** Is told of every decision. */
  readonly decisions?: DecisionTap | undefined;
  /** Is told what reports need. */
  readonly collector?: RunCollector | undefined;
  /** Default: in memory. */
  readonly store?: StrategyStore;
  /** Default: those of a run without an exchange that could outlive it. */
  readonly outsideFigures?: () => OutsideFigures;
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
  /**
   * Cancels everything and proves the empty book at the end of the run, in bounded time. Absent: cancel-alls go out until
   * facts show that nothing is left.
   */
  readonly proveEmptyBook?: () => Promise<EmptyBook>;
  /** Told when a bug of ours stops the run. */
  readonly onCrash?: (thrown: unknown) => void;
}

/** A bot, as the composition root and the operator's tools see it. */
export interface Bot {
  /** Where all facts go. */
  readonly sink: FactSink;
  /** As `sink`, of several that come together. */
  readonly sinkAll: FactsSink;
  /** As `sink`, of what recorded markets are full of. */
  readonly marketSink: MarketSink;
  readonly account: AccountState;
  readonly markets: MarketState;
  /** Makes the strategies and waits for the account. @throws ConfigError for invalid parameters. */
  start(): void;
  /**
   * Ends the run: strategies stop, everything is canceled. Resolves with the proof of the empty book; without one when
   * nothing is out, or after `timeoutMs`.
   */
  stop(reason: string, timeoutMs?: number): Promise<StopReport>;
  status(): BotStatus;
  health(): Health;
  /** See {@link KillSwitch}. */
  setTrading(scope: TradingScope, state: TradingState, order: Instruction): void;
  stopStrategy(strategyId: StrategyId, order: Instruction): boolean;
  halt(order: Instruction): void;
  flatten(order: Instruction): boolean;
  cancelAll(order: Instruction): void;
  /** Gives a running strategy new parameters; what is wrong with them otherwise. */
  setParameters(strategyId: StrategyId, raw: unknown, order: Instruction): readonly string[];
}

/** How long a stop waits for the empty book. */
export const STOP_TIMEOUT_MS = 5_000;
