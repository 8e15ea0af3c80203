/**
 * @module
 * Trading states by scope: account, market, strategy. The strictest one that applies to an order counts.
 */
import type { MarketSymbol, OrderId, StrategyId } from '../../domain/index.ts';

/**
 * `active`: everything that passes the checks; `throttled`: the same, one write a second; `reducing`: only what reduces;
 * `halted`: as reducing, and quotes are pulled.
 */
const TRADING_STATES = ['active', 'throttled', 'reducing', 'halted'] as const;
/** One of {@link TRADING_STATES}. */
export type TradingState = (typeof TRADING_STATES)[number];

/** True for one of {@link TRADING_STATES}. */
export function isTradingState(value: unknown): value is TradingState {
  return TRADING_STATES.some((state) => state === value);
}

/** What a trading state applies to. */
export type TradingScope =
  | { readonly kind: 'account' }
  | { readonly kind: 'market'; readonly symbol: MarketSymbol }
  | { readonly kind: 'strategy'; readonly strategyId: StrategyId };

/** The name of a scope for people: `account`, a market or a strategy. */
export function nameOfScope(scope: TradingScope): string {
  if (scope.kind === 'account') return scope.kind;
  return scope.kind === 'market' ? scope.symbol : scope.strategyId;
}

/** A trading state with the reason it was set for. */
export interface TradingStateReason {
  readonly state: TradingState;
  /** The reason, in words. */
  readonly reason: string;
  /** All fills that it rests on; absent: it rests on something else. */
  readonly grounds?: readonly FilledGround[] | undefined;
}

/** A fill too many of an order of ours, or one of an order that is not. */
export interface FilledGround {
  readonly kind: 'overfill' | 'fillWithoutOrder';
  readonly orderId: OrderId;
}

/** The name under which trading states are held that a person has set. */
export const OPERATOR_HOLDER = 'operator';

/** A scope that someone holds. */
export interface HeldScope extends TradingStateReason {
  readonly scope: TradingScope;
  readonly holder: string;
}

/** The name under which a stop holds trading while it closes positions: it ends with the run. */
export const STOP_HOLDER = 'stop';

/** True if a person has asked for what `holder` holds: no control has found anything wrong. */
export function isOfPerson(holder: string): boolean {
  return holder === OPERATOR_HOLDER || holder === STOP_HOLDER;
}

/** What the name of a holder begins with that is a lane. */
export const LANE_HOLDER = 'lane ';

const ACTIVE: TradingStateReason = { state: 'active', reason: '' };

/** Who asks what of one scope. */
type Holders = Map<string, TradingStateReason>;

/** The trading states of a run. Several holders may set one scope; the strictest holds until each lets go. */
export class TradingStates {
  readonly #ofAccount: Holders = new Map();
  readonly #ofMarkets = new Map<MarketSymbol, Holders>();
  readonly #ofStrategies = new Map<StrategyId, Holders>();
  /** Grows with every change: who keeps the states looks only then. */
  version = 0;

  /** Sets the state that `holder` asks of a scope; `active` lets go. True when it had asked for another one before. */
  set(scope: TradingScope, holder: string, trading: TradingStateReason): boolean {
    const holders = this.#holdersOf(scope) ?? this.#addScope(scope);
    const before = holders.get(holder);
    this.version++;
    if (trading.state === 'active') holders.delete(holder);
    else
      holders.set(
        holder,
        before === undefined ? trading : { ...trading, grounds: jointGrounds(before, trading) },
      );
    return (before?.state ?? 'active') !== trading.state;
  }

  /** Lets go of everything set for a scope, but for what a lane that has halted holds: it cannot trade. */
  clear(scope: TradingScope): void {
    const holders = this.#holdersOf(scope);
    if (holders === undefined) return;
    this.version++;
    for (const holder of holders.keys()) if (!holder.startsWith(LANE_HOLDER)) holders.delete(holder);
  }

  /** The strictest state that applies to an order. */
  of(strategyId: StrategyId, symbol: MarketSymbol): TradingStateReason {
    // Asked with every order, while nearly always no state is set.
    let trading = strictestOf(this.#ofAccount);
    if (this.#ofMarkets.size > 0) trading = strictest(trading, strictestOf(this.#ofMarkets.get(symbol)));
    if (this.#ofStrategies.size > 0)
      trading = strictest(trading, strictestOf(this.#ofStrategies.get(strategyId)));
    return trading;
  }

  /** True if any control throttles this strategy, whatever else is asked of it. */
  isSlowed(strategyId: StrategyId): boolean {
    const holders = this.#ofStrategies.size === 0 ? undefined : this.#ofStrategies.get(strategyId);
    if (holders === undefined) return false;
    for (const { state } of holders.values()) if (state === 'throttled') return true;
    return false;
  }

  /** The state of only this scope. */
  ofScope(scope: TradingScope): TradingStateReason {
    return strictestOf(this.#holdersOf(scope));
  }

  /** All that is halted now, with who asks for it. */
  halts(): readonly HeldScope[] {
    return this.held().filter(({ state }) => state === 'halted');
  }

  /** All that is not active now, with who asks for it. */
  held(): readonly HeldScope[] {
    const scopes: readonly (readonly [TradingScope, Holders])[] = [
      [{ kind: 'account' }, this.#ofAccount],
      ...Array.from(this.#ofMarkets, ([symbol, holders]) => [{ kind: 'market', symbol }, holders] as const),
      ...Array.from(
        this.#ofStrategies,
        ([strategyId, holders]) => [{ kind: 'strategy', strategyId }, holders] as const,
      ),
    ];
    return scopes.flatMap(([scope, holders]) =>
      Array.from(holders, ([holder, trading]) => ({ scope, holder, ...trading })),
    );
  }

  #holdersOf(scope: TradingScope): Holders | undefined {
    switch (scope.kind) {
      case 'account':
        return this.#ofAccount;
      case 'market':
        return this.#ofMarkets.get(scope.symbol);
      case 'strategy':
        return this.#ofStrategies.get(scope.strategyId);
    }
  }

  #addScope(scope: TradingScope): Holders {
    const holders: Holders = new Map();
    if (scope.kind === 'market') this.#ofMarkets.set(scope.symbol, holders);
    else if (scope.kind === 'strategy') this.#ofStrategies.set(scope.strategyId, holders);
    return holders;
  }
}

/** What both rest on; nothing where one of them rests on something else. */
function jointGrounds(
  { grounds: old }: TradingStateReason,
  { grounds: added }: TradingStateReason,
): readonly FilledGround[] | undefined {
  return old && added && [...old.filter((one) => !added.some((other) => isSameGround(one, other))), ...added];
}

function isSameGround(one: FilledGround, other: FilledGround): boolean {
  return one.kind === other.kind && one.orderId === other.orderId;
}

function strictestOf(holders: Holders | undefined): TradingStateReason {
  if (holders === undefined || holders.size === 0) return ACTIVE;
  let trading = ACTIVE;
  for (const other of holders.values()) trading = strictest(trading, other);
  return trading;
}

/** The stricter of two; `a` where neither is. */
export function strictest(a: TradingStateReason, b: TradingStateReason): TradingStateReason {
  if (a === b) return a;
  return TRADING_STATES.indexOf(b.state) > TRADING_STATES.indexOf(a.state) ? b : a;
}
