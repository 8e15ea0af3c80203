/** @module P18: what one strategy may have open, hold and lose. */
import { minus, plus, times } from '../../../core/index.ts';
import { longestLots, lots, openOrdersOf, shortestLots } from '../../../domain/index.ts';
import { money, type OrderCheck } from '../check.ts';
import { restingNotionalOf } from '../other-markets.ts';

/** Checks the budget of the strategy that asks. */
export const strategyBudget: OrderCheck = {
  control: 'P18',
  codes: [
    'RISK_STRATEGY_ORDERS_ABOVE_LIMIT',
    'RISK_STRATEGY_NOTIONAL_ABOVE_LIMIT',
    'RISK_STRATEGY_POSITION_ABOVE_LIMIT',
    'RISK_STRATEGY_LOSS_ABOVE_LIMIT',
  ],
  review(spec, scene) {
    const { strategyId } = spec;
    const { market, valuationTicks, perTickLot, all, canceled } = scene.here;
    if (market === undefined || valuationTicks === undefined) return undefined;
    const budget = scene.strategyLimits(strategyId);
    const elsewhere = scene.elsewhere();
    const orders =
      1 + openOrdersOf(all.ofStrategy) - openOrdersOf(canceled.ofStrategy) + elsewhere.restingOrders;
    const resting = plus(restingNotionalOf(scene.here), elsewhere.restingNotional);
    const openNotional = plus(scene.notionalOf(spec), resting);
    if (orders > budget.ordersMax)
      return {
        code: 'RISK_STRATEGY_ORDERS_ABOVE_LIMIT',
        message: `expected at most ${budget.ordersMax} open orders of ${strategyId}, would be ${orders}`,
      };
    if (openNotional > budget.openNotionalMax)
      return {
        code: 'RISK_STRATEGY_NOTIONAL_ABOVE_LIMIT',
        message: `expected open orders of ${strategyId} of at most ${money(market, budget.openNotionalMax)}, would be ${money(market, openNotional)}`,
      };
    const beforeLots = spec.side === 'buy' ? longestLots(all.ofStrategy) : -shortestLots(all.ofStrategy);
    const worst = times(times(valuationTicks, lots(beforeLots + spec.sizeLots)), perTickLot);
    if (worst > budget.positionNotionalMax)
      return {
        code: 'RISK_STRATEGY_POSITION_ABOVE_LIMIT',
        message: `expected a position of ${strategyId} of at most ${money(market, budget.positionNotionalMax)}, would be ${money(market, worst)}`,
      };
    const loss = minus(0, scene.profitOf(spec));
    if (loss >= budget.lossMax && !spec.reduceOnly)
      return {
        code: 'RISK_STRATEGY_LOSS_ABOVE_LIMIT',
        message: `expected ${strategyId} to have lost less than ${money(market, budget.lossMax)}, got ${money(market, loss)}`,
      };
    return undefined;
  },
};
