/** @module What a collector is made of, what it reads and what it gives. */
import type { Clock } from '../../core/index.ts';
import type {
  AccountChange,
  AccountState,
  Fact,
  MarketState,
  MarketSymbol,
  OrderId,
  RecordedFill,
  RunRecord,
  StrategyId,
} from '../../domain/index.ts';
import type { CourseCollector } from './run-course.ts';
import type { ObservedStrategy } from './unheard.ts';

/** What only the caller knows of a run. */
export type RunIdentity = Pick<
  RunRecord,
  | 'mode'
  | 'runId'
  | 'configHash'
  | 'codeHash'
  | 'parameters'
  | 'tapes'
  | 'seed'
  | 'collateralDecimals'
  | 'assumptions'
>;

/** What a collector is made of. */
export interface RunCollectorOptions {
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Mode, id and configuration of the run. */
  readonly identity: RunIdentity;
  /** Default 1,000 ms. */
  readonly samplePeriodMs?: number | undefined;
  /** The queue ahead of a resting order, where a fill model knows it: `LocalVenue.queueOf`. */
  readonly queueOf?:
    | ((orderId: OrderId) => { readonly aheadLots: number; readonly atRestLots: number } | undefined)
    | undefined;
  /** Most orders that are kept for drawing; default 400,000. */
  readonly quotesMax?: number;
  /** Most samples kept; default 172,800. */
  readonly samplesMax?: number;
}

/** The parts of a bot that a collector reads. */
export interface CollectedBot {
  /** State of the account. */
  readonly account: AccountState;
  /** State of the markets. */
  readonly markets: MarketState;
  /** Ids of the strategies. */
  readonly strategies: readonly StrategyId[];
  /** Markets of its strategies. */
  readonly symbols: readonly MarketSymbol[];
  /** How many intents were denied so far. */
  denials(): number;
  /** Each strategy with its markets and the names of its handlers. */
  hosts(): readonly ObservedStrategy[];
}

/** Profit since the run began by where it came from, quantums as numbers: for people who watch the run. */
export interface ProfitSoFar {
  /** Equity less what it was at the beginning, without transfers. */
  readonly total: number;
  /** Spread captured: side x (mid - price) x size of fills. */
  readonly spread: number;
  /** Paid; rebates lower it. */
  readonly fees: number;
  readonly funding: number;
  /** What the other parts do not explain: what prices did for what was held. */
  readonly inventory: number;
}

/** The newest samples and fills, for who begins to watch a run. */
export interface RecentPast {
  readonly atMs: readonly number[];
  /** By market: the mid in ticks (NaN: unknown) and inventory in lots. */
  readonly markets: readonly {
    readonly symbol: MarketSymbol;
    readonly midTicks: readonly number[];
    readonly inventoryLots: readonly number[];
  }[];
  /** Oldest first. */
  readonly fills: readonly Pick<
    RecordedFill,
    'atMs' | 'symbol' | 'side' | 'role' | 'priceTicks' | 'sizeLots'
  >[];
}

/** What a collector tells while the run goes on. */
export interface RunProgress {
  readonly collateralDecimals: number;
  /** `undefined`: strategies have not started. */
  profit(): ProfitSoFar | undefined;
  /** At most `pointsMax` of the newest `rowsMax` samples, and the newest `fillsMax` fills. */
  past(rowsMax: number, pointsMax: number, fillsMax: number): RecentPast;
}

/** See the module. All but `finish` and `progress` is for the bot. */
export interface RunCollector {
  /** The run so far. */
  readonly progress: RunProgress;
  /** Starts to collect from a bot. */
  join(bot: CollectedBot): void;
  /** Strategies start: what was before is not of this run. */
  begin(): void;
  /** Counts one intent. */
  intent(): void;
  /** The ledger ends: called before the account applies the epoch that follows. */
  leaveEpoch(): void;
  /** A fact about the account or a write was applied. */
  observe(fact: Fact): void;
  /** A change that applying a fact reported. */
  change(change: AccountChange): void;
  /** What the report says of denials, holds, quotes and ends. */
  readonly course: CourseCollector;
  /** The last sample is taken; what strategies do and say in their last call is still kept. */
  close(): void;
  /** Ends the collection and gives the record. Once. */
  finish(): RunRecord;
}
