/** @module The markets of one strategy as it sees them: as they are, or as frozen copies. */
import type { Clock, Log } from '../../core/index.ts';
import type { AccountView, MarketState, MarketSymbol } from '../../domain/index.ts';
import type { RiskGate } from '../risk/index.ts';
import { FrozenMarketView } from './frozen-market-view.ts';
import { LiveMarketView } from './market-view.ts';
import type { StrategySetup } from './strategy-host.ts';

/** What views read. */
interface ViewSources {
  readonly markets: MarketState;
  readonly account: AccountView;
  readonly clock: Clock;
  readonly risk: RiskGate;
  /** Log of the strategy. */
  readonly log: Log;
}

/** A view of each market of a strategy. */
export function viewsOf(
  setup: StrategySetup,
  { markets, account, clock, risk, log }: ViewSources,
): ReadonlyMap<MarketSymbol, LiveMarketView> {
  const sources = {
    ...{ markets, account },
    strategyId: setup.id,
    noCandles: (symbol: string, interval: string) =>
      log.info(
        `no candles of ${interval} of ${symbol} so far: none came, and no trades from the start of one`,
      ),
    now: () => clock.nowMs(),
    dataAgeMsMax: risk.limits.dataAgeMsMax,
  };
  const View = setup.freezeViews === true ? FrozenMarketView : LiveMarketView;
  return new Map(setup.symbols.map((symbol) => [symbol, new View(symbol, sources)] as const));
}
