/**
 * @module
 * What the kernel needs from outside beside the venue port: a way from wanted quotes to the smallest change, a store for
 * what strategies save, an observer of the run. The composition of a run joins them.
 */
import { BotError } from '../../core/index.ts';
import type {
  AccountChange,
  AccountState,
  Denial,
  Fact,
  MarketState,
  MarketSymbol,
  OrderId,
  OrderRef,
  OrderSpec,
  QuoteLevel,
  Side,
  StrategyId,
  WorkingOrder,
} from '../../domain/index.ts';
import type { TradingScope } from '../risk/index.ts';

/** Finds the smallest change from what is there to what is wanted. `execution` has one. */
export type QuoteReconciler = (
  desired: {
    readonly symbol: MarketSymbol;
    readonly bids: readonly QuoteLevel[];
    readonly asks: readonly QuoteLevel[];
  },
  present: {
    readonly working: readonly WorkingOrder[];
    /** Placements whose outcome is not known: they count as being there. */
    readonly inFlight: readonly OrderSpec[];
    /** A cancel of the order is on its way; `undefined`: there is none of any. */
    readonly isCancelPending: ((orderId: OrderId) => boolean) | undefined;
  },
  tolerance: { readonly priceTicks?: number; readonly sizeLots?: number },
) => {
  readonly cancels: readonly OrderRef[];
  readonly places: readonly (QuoteLevel & { readonly side: Side })[];
  readonly unwantedInFlight: readonly OrderSpec[];
};

/** With what a run ends when every strategy has ended and none starts again; `why` says how each did. */
export function noStrategyLeft(why: string): BotError {
  return new BotError({
    code: 'STRATEGY_NONE_LEFT',
    message: `no strategy is left: ${why}`,
    remedy: 'Correct what the strategy threw, or run one that does not end itself.',
  });
}

/** Keeps what strategies save between runs: JSON text, the newest wins. */
export interface StrategyStore {
  /** What the strategy saved last, JSON; `undefined`: nothing; {@link UNREADABLE}: something that cannot be read any more. */
  load(strategyId: StrategyId): string | undefined;
  /** Stores what the strategy saved. False: it could not be stored, and what was stored before is still there. */
  save(strategyId: StrategyId, json: string): boolean;
}

/** What a store answers of something that was saved and cannot be read. It is no JSON. */
export const UNREADABLE = '';

/** A store that lasts as long as the process: for simulation and backtests. */
export function inMemoryStrategyStore(): StrategyStore {
  const kept = new Map<StrategyId, string>();
  return {
    load: (strategyId) => kept.get(strategyId),
    save: (strategyId, json) => {
      kept.set(strategyId, json);
      return true;
    },
  };
}

/** The parts of a bot that an observer of its run reads. */
export interface ObservedRun {
  readonly account: AccountState;
  readonly markets: MarketState;
  readonly strategies: readonly StrategyId[];
  /** Markets of its strategies. */
  readonly symbols: readonly MarketSymbol[];
  /** Each strategy with its markets and the names of its handlers. */
  hosts(): readonly {
    readonly id: StrategyId;
    readonly symbols: readonly MarketSymbol[];
    readonly handlerNames: readonly string[];
  }[];
  /** How many intents were denied so far. */
  denials(): number;
}

/** The part of a {@link RunObserver} that sees the course of a run. */
export interface CourseObserver {
  /** An intent was denied. */
  denied(denial: Denial): void;
  /** A control, or the `operator`, holds trading of a strategy, a market or (both `null`) the account, or lets go of it. */
  trading(held: {
    readonly control: string;
    readonly state: 'active' | 'throttled' | 'reducing' | 'halted';
    readonly strategyId: StrategyId | null;
    readonly symbol: MarketSymbol | null;
  }): void;
  /** A strategy has no order on a side of a market for this reason (`gap-reasons.ts`); `undefined`: it has one. */
  noQuotes(
    strategyId: StrategyId,
    symbol: MarketSymbol,
    side: 'bid' | 'ask',
    reason: { readonly code: string; readonly about: string } | undefined,
  ): void;
  /** An instance of a strategy has ended. */
  ended(
    strategyId: StrategyId,
    end: {
      readonly state: 'failed' | 'stopped';
      readonly reason: string;
      readonly error: { readonly name: string; readonly message: string } | undefined;
      /** False: the run ended. */
      readonly isOwn: boolean;
    },
  ): void;
  /** A strategy that failed was started again. */
  restarted(strategyId: StrategyId): void;
  /** A strategy logs a line. */
  log(
    strategyId: StrategyId,
    level: 'info' | 'warn' | 'error',
    message: string,
    fields: object | undefined,
  ): void;
}

/** Sees what a run leaves, while it happens; called within the turn. `report/collect` has one. */
export interface RunObserver {
  /** Called once with the run to observe. */
  join(run: ObservedRun): void;
  /** Strategies start: what was before is not of this run. */
  begin(): void;
  /** A strategy asked for something. */
  intent(): void;
  /** The ledger ends: called before the account applies the epoch that follows. */
  leaveEpoch(): void;
  /** A fact about the account or a write was applied. */
  observe(fact: Fact): void;
  /** A change that a fact made. */
  change(change: AccountChange): void;
  /** What its report says of denials, holds, quotes and ends. */
  readonly course: CourseObserver;
}

/** The strategy and the market of a scope; `null`: all. */
export function heldOf(
  scope: TradingScope,
): Pick<Parameters<CourseObserver['trading']>[0], 'strategyId' | 'symbol'> {
  return {
    strategyId: scope.kind === 'strategy' ? scope.strategyId : null,
    symbol: scope.kind === 'market' ? scope.symbol : null,
  };
}
