/**
 * @module
 * What risk sees when it decides: time, account, markets, trading states. Nothing else, and nothing it can change.
 */
import type { UnixMs } from '../../core/index.ts';
import type {
  AccountView,
  IntentId,
  MarketRecord,
  MarketSymbol,
  RoutedCommand,
  StrategyId,
  TradingCommand,
} from '../../domain/index.ts';
import type { TradingStateReason } from './trading-state.ts';

/** The state of the world at one decision. */
export interface RiskView {
  readonly nowMs: UnixMs;
  /** The exchange's time, where it is known to differ: expiry and switch are checked with it. */
  readonly serverNowMs?: UnixMs;
  readonly account: AccountView;
  /** Market data by symbol. */
  readonly markets: { get(symbol: MarketSymbol): MarketRecord | undefined };
  /** Trading state of a strategy in a market. */
  readonly trading: {
    of(strategyId: StrategyId, symbol: MarketSymbol): TradingStateReason;
    isSlowed(strategyId: StrategyId): boolean;
  };
}

/** A command that asks for approval, with the strategy and intent to answer to. */
export interface RiskRequest extends RoutedCommand<TradingCommand> {
  readonly strategyId: StrategyId;
  readonly intentId: IntentId;
}
