/** @module P18: what one strategy may have open, hold and lose. */
import {
  longestLots,
  notionalOf,
  shortestLots,
  totalOf,
  valuationTicksOf,
  withItem,
} from '../../domain/index.ts';
import { money, type OrderCheck } from '../check.ts';

/** Checks the budget of the strategy that asks. */
export const strategyBudget: OrderCheck = {
  control: 'P18',
  codes: [
    'RISK_STRATEGY_ORDERS_ABOVE_LIMIT',
    'RISK_STRATEGY_NOTIONAL_ABOVE_LIMIT',
    'RISK_STRATEGY_POSITION_ABOVE_LIMIT',
    'RISK_STRATEGY_LOSS_ABOVE_LIMIT',
  ],
  judge(spec, scene) {
    const { symbol, strategyId } = spec;
    const record = scene.record(symbol);
    const ticks = record === undefined ? undefined : valuationTicksOf(record);
    if (record?.market === undefined || ticks === undefined) return undefined;
    const { market } = record;
    const budget = scene.strategyLimits(strategyId);
    let orders = 1;
    let openNotional: bigint = notionalOf(market, spec.priceTicks, spec.sizeLots);
    for (const active of scene.symbolsWith(symbol)) {
      const resting = scene.restingExposure(active, strategyId);
      orders += resting.buyOrders + resting.sellOrders;
      openNotional += resting.buyNotional + resting.sellNotional;
    }
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
    const exposure = withItem(scene.exposure(symbol, strategyId), spec, market);
    const worst =
      spec.side === 'buy'
        ? notionalOf(market, ticks, longestLots(exposure))
        : -notionalOf(market, ticks, shortestLots(exposure));
    if (worst > budget.positionNotionalMax)
      return {
        code: 'RISK_STRATEGY_POSITION_ABOVE_LIMIT',
        message: `expected a position of ${strategyId} of at most ${money(market, budget.positionNotionalMax)}, would be ${money(market, worst)}`,
      };
    const loss = -totalOf(scene.pnlOf(strategyId));
    if (loss >= budget.lossMax && !spec.reduceOnly)
      return {
        code: 'RISK_STRATEGY_LOSS_ABOVE_LIMIT',
        message: `expected ${strategyId} to have lost less than ${money(market, budget.lossMax)}, was ${money(market, loss)}`,
      };
    return undefined;
  },
};
