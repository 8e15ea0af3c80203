/**
 * @module
 * Trading states by scope: account, market, strategy. The strictest one that applies to an order counts.
 */
import type { MarketSymbol, StrategyId } from '../domain/index.ts';

/**
 * `active`: everything that passes the checks; `slowed`: the same, one write a second; `reducing`: only what reduces;
 * `halted`: as reducing, and quotes are pulled.
 */
export const TRADING_STATES = ['active', 'slowed', 'reducing', 'halted'] as const;
/** One of {@link TRADING_STATES}. */
export type TradingState = (typeof TRADING_STATES)[number];

/** What a trading state applies to. */
export type TradingScope =
  | { readonly kind: 'account' }
  | { readonly kind: 'market'; readonly symbol: MarketSymbol }
  | { readonly kind: 'strategy'; readonly strategyId: StrategyId };

/** A trading state with the reason it was set for. */
export interface TradingStand {
  readonly state: TradingState;
  readonly reason: string;
}

const ACTIVE: TradingStand = { state: 'active', reason: '' };

/** The trading states of a run. Several holders may set one scope; the strictest holds until each lets go. */
export class TradingStates {
  readonly #stands = new Map<string, Map<string, TradingStand>>();

  /** Sets the state that `holder` asks of a scope; `active` lets go. True when it had asked for another one before. */
  set(scope: TradingScope, holder: string, stand: TradingStand): boolean {
    const key = keyOf(scope);
    const holders = this.#stands.get(key) ?? new Map<string, TradingStand>();
    const before = holders.get(holder)?.state ?? 'active';
    if (stand.state === 'active') holders.delete(holder);
    else holders.set(holder, stand);
    if (holders.size === 0) this.#stands.delete(key);
    else this.#stands.set(key, holders);
    return before !== stand.state;
  }

  /** Lets go of everything set for a scope. */
  clear(scope: TradingScope): void {
    this.#stands.delete(keyOf(scope));
  }

  /** The strictest state that applies to an order. */
  of(strategyId: StrategyId, symbol: MarketSymbol): TradingStand {
    if (this.#stands.size === 0) return ACTIVE;
    return strictest(
      strictest(this.ofScope({ kind: 'account' }), this.ofScope({ kind: 'market', symbol })),
      this.ofScope({ kind: 'strategy', strategyId }),
    );
  }

  /** Does anybody hold this strategy to a slow pace, whatever else is asked of it? */
  isSlowed(strategyId: StrategyId): boolean {
    const holders =
      this.#stands.size === 0 ? undefined : this.#stands.get(keyOf({ kind: 'strategy', strategyId }));
    if (holders === undefined) return false;
    return [...holders.values()].some(({ state }) => state === 'slowed');
  }

  /** The state of one scope alone. */
  ofScope(scope: TradingScope): TradingStand {
    let stand = ACTIVE;
    for (const other of this.#stands.get(keyOf(scope))?.values() ?? []) stand = strictest(stand, other);
    return stand;
  }
}

function strictest(a: TradingStand, b: TradingStand): TradingStand {
  return TRADING_STATES.indexOf(b.state) > TRADING_STATES.indexOf(a.state) ? b : a;
}

function keyOf(scope: TradingScope): string {
  switch (scope.kind) {
    case 'account':
      return 'account';
    case 'market':
      return `market ${scope.symbol}`;
    case 'strategy':
      return `strategy ${scope.strategyId}`;
  }
}
