/**
 * @module
 * What a backtest is asked for and what it gives. One runtime, one strategy source; only the ports differ from a live
 * run: a virtual clock, a replayed tape, a local venue.
 */

import type { StrategySetup } from '../../bot/kernel/index.ts';
import type { MonitorLimits, RiskLimits } from '../../bot/risk/index.ts';
import type { Log } from '../../core/index.ts';
import type { Market, RunRecord } from '../../domain/index.ts';
import type { EventBatch } from '../../tape/format/index.ts';
import type { FillModelSettings, Latency, LocalVenueOptions, OrderLatency } from '../venue/index.ts';

/** A tape open for replay. */
export interface ReplaySource {
  readonly name: string;
  /** Head of its hash chain, hex. */
  readonly hash: string;
  /** Number of rows. */
  readonly rows: number;
  /** First exchange time, Unix us. */
  readonly fromUs: number;
  /** Last exchange time, Unix us. */
  readonly toUs: number;
  /** Markets by their index in the rows. */
  readonly markets: readonly Market[];
  /** Markets whose rows have one time each: how late they reached the recorder is not known. Absent: none. */
  readonly undelayed?: readonly string[];
  /** The data quality that its import found, in lines; absent: it was not imported. */
  readonly quality?: readonly string[] | undefined;
  /** Names of custom feeds by their index, and a value of one as JSON; absent: the tape has none. */
  readonly feeds?: readonly string[];
  feedLine?(id: number): string;
  /** Reads from the beginning. Batches are fresh, and the run's own: it releases one when both sides have read it. */
  batches(): Generator<EventBatch>;
}

/** When the bot sees a row: as recorded, or the exchange's time and a model. Never before the row in front of it. */
export type FeedLatency = { readonly kind: 'in-data'; readonly shiftUs: number } | Latency;

/** What a backtest is made of. */
export interface BacktestOptions {
  /** The recorded rows. */
  readonly tape: ReplaySource;
  /** Strategies with their markets and parameters. */
  readonly strategies: readonly StrategySetup[];
  /** Limits of the risk checks. */
  readonly limits: RiskLimits;
  /** Limits of the running monitor; `undefined`: none. */
  readonly monitor: MonitorLimits | undefined;
  /** Random seed, an integer. */
  readonly seed: number;
  /** Fill model of resting orders. */
  readonly fillModel: FillModelSettings;
  /** Latency of market data. */
  readonly feed: FeedLatency;
  /** Latency of orders and responses. */
  readonly latency: OrderLatency;
  readonly venue: Pick<
    LocalVenueOptions,
    'fees' | 'feeTiers' | 'collateral' | 'fundingIntervalMs' | 'disturbance'
  >;
  /** Decimals of the collateral; one quantum is 10^-collateralDecimals. */
  readonly collateralDecimals: number;
  /** Of the record: hashes and names that only the caller knows. */
  readonly identity: {
    readonly runId: string;
    readonly configHash: string;
    readonly codeHash: string;
    /** Absent: not known. */
    readonly parameters?: Readonly<Record<string, string>>;
  };
  /** Start of the exchange time, Unix us; absent: from the beginning of the tape. */
  readonly fromUs?: number;
  /** End of the exchange time, Unix us; absent: to the end of the tape. */
  readonly toUs?: number;
  /** Samples of the record, default 1,000 ms. */
  readonly samplePeriodMs?: number;
  /** Receives the clock of the tape, Unix ms, before the first line is logged. */
  readonly onClock?: ((nowMs: () => number) => void) | undefined;
  /** Receives log lines. */
  readonly log: Log;
  /** Called with the rows done so far. */
  readonly onProgress?: (rows: number) => void;
}

/** What a backtest gives. */
export interface BacktestRun {
  /** Record of the run. */
  readonly record: RunRecord;
  /** Rows replayed. */
  readonly rows: number;
  /** SHA-256 over every decision in order: intents, denials, commands, fills. */
  readonly decisionHash: string;
}
