/**
 * @module
 * What the runtime needs from outside besides the venue port: a way from wanted quotes to the smallest change, a place
 * for what strategies save, figures for the health. `app` joins them.
 */
import type {
  Lots,
  MarketSymbol,
  OrderId,
  OrderRef,
  OrderSpec,
  Side,
  StrategyId,
  Ticks,
  WorkingOrder,
} from '../../domain/index.ts';

/** One level in the market's integers. */
export interface QuoteLevel {
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** Finds the smallest change from what is there to what is wanted. `execution` has one. */
export type QuoteDiffer = (
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

/** Keeps what strategies save between runs: JSON text, the newest wins. */
export interface StrategyStore {
  load(strategyId: StrategyId): string | undefined;
  save(strategyId: StrategyId, json: string): void;
}

/** A store that lasts as long as the process: for simulation and backtests. */
export function inMemoryStrategyStore(): StrategyStore {
  const kept = new Map<StrategyId, string>();
  return {
    load: (strategyId) => kept.get(strategyId),
    save: (strategyId, json) => {
      kept.set(strategyId, json);
    },
  };
}
