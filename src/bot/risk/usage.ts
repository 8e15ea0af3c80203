/**
 * @module
 * How much of each limit is in use, by the same worst cases that the checks of orders see: everything that rests, is on its way
 * or has no outcome counts as if it were executed. For people; nothing is decided by it.
 */
import { largerOf, minus, plus, times, type Whole } from '../../core/index.ts';
import { type MarketSymbol, openOrdersOf, openTickLotsOf, type StrategyId } from '../../domain/index.ts';
import type { RiskLimits } from './limits.ts';
import type { LossMonitor } from './loss-monitor.ts';
import { MarketReview } from './market-review.ts';
import { Totals } from './totals.ts';
import { nameOfScope } from './trading-state.ts';
import type { RiskView } from './view.ts';

/** One limit and what is used of it. */
export interface LimitUse {
  /** Id of the control (denials.md). */
  readonly control: string;
  /** Key of the configuration that sets it. */
  readonly key: string;
  /** `account`, a market or the id of a strategy. */
  readonly scope: string;
  /** `money`: quantums of collateral; `count`: a number of orders; `ratio`: parts per million of equity. */
  readonly unit: 'money' | 'count' | 'ratio';
  readonly used: bigint;
  readonly limit: bigint;
}

/** What the limits are compared with. */
export interface UsageSources extends Pick<RiskView, 'account' | 'markets'> {
  readonly limits: RiskLimits;
  /** The strategies of the run. */
  readonly strategies: Iterable<StrategyId>;
  /** Profit of a strategy, in quantums. */
  profitOf(strategyId: StrategyId): bigint;
  /** Losses by scope; `undefined`: the run has no controls. */
  readonly losses: LossMonitor | undefined;
}

/** Every limit that has a usage: of the account, of each market, of each strategy. */
export function limitUses(sources: UsageSources): readonly LimitUse[] {
  const { limits } = sources;
  const reviews = Array.from(limits.allowedSymbols, (symbol) => reviewOf(sources, symbol, undefined));
  return [
    ...ofAccount(sources, reviews),
    ...reviews.flatMap((review) => ofMarket(limits, review)),
    ...Array.from(sources.strategies).flatMap((id) => ofStrategy(sources, id)),
    ...(sources.losses?.usage() ?? []).flatMap(ofLosses),
  ];
}

function reviewOf(
  { limits, account, markets }: UsageSources,
  symbol: MarketSymbol,
  strategyId: StrategyId | undefined,
): MarketReview {
  const review = new MarketReview(symbol, limits);
  review.readMarket(markets.get(symbol), account);
  review.readOpen(account, strategyId);
  return review;
}

/** A row of a scope: control, key, unit, what is used, the limit. */
type Row = readonly [control: string, key: string, unit: LimitUse['unit'], used: bigint, limit: bigint];

function usesOf(scope: string, rows: readonly Row[]): readonly LimitUse[] {
  return rows.map(([control, key, unit, used, limit]) => ({ control, key, scope, unit, used, limit }));
}

function ofAccount({ limits, account }: UsageSources, reviews: readonly MarketReview[]): readonly LimitUse[] {
  const totals = new Totals();
  for (const { part } of reviews) totals.setSum(totals, part);
  const gross = BigInt(totals.gross);
  const net = BigInt(largerOf(totals.netLong, minus(0, totals.netShort)));
  const equity = account.summary?.equity ?? 0n;
  const leverage = equity > 0n ? (gross * 1_000_000n) / equity : 0n;
  return usesOf('account', [
    ['P5', 'risk.maxGrossExposure', 'money', gross, limits.grossNotionalMax],
    ['P5', 'risk.maxNetExposure', 'money', net, limits.netNotionalMax],
    ['P6', 'risk.maxOpenOrders', 'count', BigInt(totals.openOrders), BigInt(limits.openOrdersMax)],
    ['P7', 'risk.maxOpenNotional', 'money', BigInt(totals.openNotional), limits.openNotionalMax],
    ['P8', 'risk.maxLeverage', 'ratio', leverage, BigInt(limits.leveragePpmMax)],
  ]);
}

function ofMarket(limits: RiskLimits, { symbol, part, all }: MarketReview): readonly LimitUse[] {
  const { buyOrders, sellOrders } = all.ofAccount;
  const orders = BigInt(Math.max(buyOrders, sellOrders));
  const { openNotionalPerMarketMax } = limits;
  return usesOf(symbol, [
    ['P5', 'risk.maxPositionNotional', 'money', BigInt(part.gross), limits.positionNotionalMax],
    ['P6', 'risk.maxOpenOrdersPerSide', 'count', orders, BigInt(limits.openOrdersPerSideMax)],
    ['P7', 'risk.maxOpenNotionalPerMarket', 'money', BigInt(part.openNotional), openNotionalPerMarketMax],
  ]);
}

function ofStrategy(sources: UsageSources, strategyId: StrategyId): readonly LimitUse[] {
  const { limits } = sources;
  const budget = limits.strategies.get(strategyId) ?? limits.strategyDefaults;
  let orders = 0;
  let notional: Whole = 0;
  for (const symbol of limits.allowedSymbols) {
    const { all, perTickLot } = reviewOf(sources, symbol, strategyId);
    orders += openOrdersOf(all.ofStrategy);
    notional = plus(notional, times(openTickLotsOf(all.ofStrategy), perTickLot));
  }
  const profit = sources.profitOf(strategyId);
  const key = (name: string): string => `strategies[].limits.${name}`;
  return usesOf(strategyId, [
    ['P18', key('maxOpenOrders'), 'count', BigInt(orders), BigInt(budget.ordersMax)],
    ['P18', key('maxOpenNotional'), 'money', BigInt(notional), budget.openNotionalMax],
    ['P18', key('maxLoss'), 'money', profit < 0n ? -profit : 0n, budget.lossMax],
  ]);
}

const LOSS_KEYS = {
  daily: {
    account: 'risk.maxDailyLoss',
    market: 'risk.maxDailyLossPerMarket',
    strategy: 'strategies[].limits.maxDailyLoss',
  },
  drawdown: { account: 'risk.maxDrawdown', market: '', strategy: 'strategies[].limits.maxDrawdown' },
  minute: { account: 'risk.maxLossPerMinute', market: '', strategy: '' },
} as const;

function ofLosses({ scope, usage }: ReturnType<LossMonitor['usage']>[number]): readonly LimitUse[] {
  const { limits } = usage;
  const rows = [
    ['daily', usage.daily, limits.dailyMax],
    ['drawdown', usage.drawdown, limits.drawdownMax],
    ['minute', usage.minute, limits.minuteMax],
  ] as const;
  return rows.flatMap(([name, lost, limit]): LimitUse[] =>
    limit === undefined
      ? []
      : [
          {
            ...{ control: 'M4', key: LOSS_KEYS[name][scope.kind], scope: nameOfScope(scope), unit: 'money' },
            // A profit is no loss below zero.
            used: lost < 0n ? 0n : lost,
            limit,
          },
        ],
  );
}
