/** @module The limits of a run, made from its capital (denials.md) and changed by the configuration, which bounds them. */
import { assert, type Whole, whole } from '../../core/index.ts';
import type { Lots, MarketSymbol, Ppm, Quantums, StrategyId } from '../../domain/index.ts';

/** The budget of one strategy (P18) and its manner of quoting (P17). */
export interface StrategyLimits {
  /** Orders working, in flight or unresolved at most. */
  readonly ordersMax: number;
  /** Notional of these orders. */
  readonly openNotionalMax: Quantums;
  /** Worst-case position per market, as notional. */
  readonly positionNotionalMax: Quantums;
  /** Loss since the start of the run's history, realized and not; beyond it only reducing orders pass. */
  readonly lossMax: Quantums;
  /** Denies every order that is not post-only, except reduce-only ones. */
  readonly isPostOnly: boolean;
}

/** Limits by control (docs/reference/denials.md) and unit. */
export interface RiskLimits {
  /** The capital the defaults were made from. */
  readonly capital: Quantums;
  /** P1: markets in which orders may be placed. */
  readonly allowedSymbols: ReadonlySet<MarketSymbol>;
  /** P1: the account is that of a vault, for which the exchange takes fewer kinds of orders. */
  readonly isOfVault: boolean;
  /** P2. */
  readonly orderNotionalMax: Quantums;
  /** P2: per market, absent: bounded only by the notional. */
  readonly orderLotsMax: ReadonlyMap<MarketSymbol, Lots>;
  /** P3: distance from the reference price. */
  readonly collarPpm: Ppm;
  /** P3: distance beyond the far touch. */
  readonly crossingPpm: Ppm;
  /** P4: distance between two sources of the reference price. */
  readonly referenceGapPpm: Ppm;
  /** P5: worst-case position of one market, of all added up, of all netted. */
  readonly positionNotionalMax: Quantums;
  readonly grossNotionalMax: Quantums;
  readonly netNotionalMax: Quantums;
  /** P6: open orders per market side and in all. */
  readonly openOrdersPerSideMax: number;
  /** Open orders of the account at most. */
  readonly openOrdersMax: number;
  /** P7: notional of open orders per market and in all. */
  readonly openNotionalPerMarketMax: Quantums;
  readonly openNotionalMax: Quantums;
  /** P8: worst-case gross notional over equity, 1,000,000 = 1x. */
  readonly leveragePpmMax: Ppm;
  /** P9: equity over maintenance margin; free fraction of equity; adverse move that must be survived. */
  readonly maintenanceCoverPpmMin: Ppm;
  readonly freeCollateralPpmMin: Ppm;
  readonly liquidationDistancePpmMin: Ppm;
  /** P10. */
  readonly duplicateWindowMs: number;
  /** P11: writes per second and burst of one lane; of the account, and the share of it one strategy may take. */
  readonly laneWritesPerS: number;
  /** Writes of a lane at once at most. */
  readonly laneWriteBurst: number;
  /** Writes of the account per second at most. */
  readonly accountWritesPerS: number;
  readonly strategySharePpm: Ppm;
  /** P14. */
  readonly expiryMsMax: number;
  /** P15: off only where no exchange could outlive the bot (backtest, paper). */
  readonly isSwitchRequired: boolean;
  /** Time that the switch must still be armed for, ms. */
  readonly switchRemainingMsMin: number;
  /** P16. */
  readonly dataAgeMsMax: number;
  /** P18; a strategy without an entry gets {@link strategyDefaults}. */
  readonly strategies: ReadonlyMap<StrategyId, StrategyLimits>;
  readonly strategyDefaults: StrategyLimits;
}

/** Limits whose amounts checks compare with, as {@link Whole}. */
type InWhole<Limits, Name extends keyof Limits> = Omit<Limits, Name> & { readonly [Key in Name]: Whole };

/** {@link StrategyLimits} as checks see them. */
export type WholeStrategyLimits = InWhole<
  StrategyLimits,
  'openNotionalMax' | 'positionNotionalMax' | 'lossMax'
>;

type WholeAmounts = InWhole<
  Omit<RiskLimits, 'capital' | 'strategies' | 'strategyDefaults'>,
  | 'orderNotionalMax'
  | 'positionNotionalMax'
  | 'grossNotionalMax'
  | 'netNotionalMax'
  | 'openNotionalPerMarketMax'
  | 'openNotionalMax'
>;

/** {@link RiskLimits} as checks see them. */
export interface WholeLimits extends WholeAmounts {
  /** Limits of each strategy. */
  readonly strategies: ReadonlyMap<StrategyId, WholeStrategyLimits>;
  readonly strategyDefaults: WholeStrategyLimits;
}

/** `limits` as checks see them. */
export function wholeLimits(limits: RiskLimits): WholeLimits {
  return {
    ...limits,
    orderNotionalMax: whole(limits.orderNotionalMax),
    positionNotionalMax: whole(limits.positionNotionalMax),
    grossNotionalMax: whole(limits.grossNotionalMax),
    netNotionalMax: whole(limits.netNotionalMax),
    openNotionalPerMarketMax: whole(limits.openNotionalPerMarketMax),
    openNotionalMax: whole(limits.openNotionalMax),
    strategies: new Map(
      Array.from(limits.strategies, ([id, one]) => [id, wholeStrategyLimits(one)] as const),
    ),
    strategyDefaults: wholeStrategyLimits(limits.strategyDefaults),
  };
}

function wholeStrategyLimits(limits: StrategyLimits): WholeStrategyLimits {
  return {
    ...limits,
    openNotionalMax: whole(limits.openNotionalMax),
    positionNotionalMax: whole(limits.positionNotionalMax),
    lossMax: whole(limits.lossMax),
  };
}

/** Limits that may be set one by one; the rest follows from the capital. */
export type LimitOverrides = Partial<Omit<RiskLimits, 'capital' | 'allowedSymbols'>>;

/** What {@link riskLimits} makes limits from. */
export interface LimitSettings {
  readonly capital: Quantums;
  /** The markets of the run. */
  readonly symbols: Iterable<MarketSymbol>;
  /** Limits that differ from the defaults; absent: none. */
  readonly overrides?: LimitOverrides;
}

/** The limits of a run, whose capital is above zero. */
export function riskLimits({ capital, symbols, overrides = {} }: LimitSettings): RiskLimits {
  assert(capital > 0n, `a capital above zero, got ${capital}`);
  return { ...defaultLimits(capital, new Set(symbols)), ...overrides };
}

/** The share `ppm` of `amount`. */
function shareOf(amount: Quantums, sharePpm: bigint): Quantums {
  return ((amount * sharePpm) / 1_000_000n) as Quantums;
}

function defaultLimits(capital: Quantums, allowedSymbols: ReadonlySet<MarketSymbol>): RiskLimits {
  const of = (sharePpm: bigint) => shareOf(capital, sharePpm);
  return {
    capital,
    allowedSymbols,
    isOfVault: false,
    orderNotionalMax: of(100_000n),
    orderLotsMax: new Map(),
    collarPpm: 30_000 as Ppm,
    crossingPpm: 5_000 as Ppm,
    referenceGapPpm: 10_000 as Ppm,
    positionNotionalMax: of(500_000n),
    grossNotionalMax: of(2_000_000n),
    netNotionalMax: of(1_000_000n),
    openOrdersPerSideMax: 5,
    openOrdersMax: 50,
    openNotionalPerMarketMax: of(1_000_000n),
    openNotionalMax: of(2_000_000n),
    leveragePpmMax: 3_000_000 as Ppm,
    maintenanceCoverPpmMin: 2_000_000 as Ppm,
    freeCollateralPpmMin: 200_000 as Ppm,
    liquidationDistancePpmMin: 100_000 as Ppm,
    duplicateWindowMs: 1_000,
    laneWritesPerS: 10,
    laneWriteBurst: 20,
    accountWritesPerS: 20,
    strategySharePpm: 600_000 as Ppm,
    expiryMsMax: 60_000,
    isSwitchRequired: true,
    switchRemainingMsMin: 5_000,
    dataAgeMsMax: 2_000,
    strategies: new Map(),
    strategyDefaults: {
      ordersMax: 20,
      openNotionalMax: of(1_000_000n),
      positionNotionalMax: of(500_000n),
      lossMax: of(10_000n),
      isPostOnly: true,
    },
  };
}
