/** @module The rule of the comparison: each period one bid at the best bid and one ask at the best ask, while the position allows. */
import { defineStrategy, lots, param, type StrategyContext, type StrategyHandlers } from 'ballast/strategy';

/** The numbers of the rule. */
export interface TouchRule {
  readonly periodMs: number;
  readonly sizeLots: number;
  readonly positionLotsMax: number;
}

/** The handlers of the rule in its one market. */
export function followTouch(context: StrategyContext, rule: TouchRule): StrategyHandlers {
  const [symbol] = context.symbols;
  return {
    onStart: () => context.startInterval('round', rule.periodMs),
    onTimer: () => {
      if (symbol === undefined) return;
      const view = context.market(symbol);
      const { bestBidTicks: bid, bestAskTicks: ask, inventoryLots } = view;
      if (bid === undefined || ask === undefined) return;
      const sizeLots = lots(rule.sizeLots);
      const canBuy = inventoryLots + rule.sizeLots <= rule.positionLotsMax;
      const canSell = inventoryLots - rule.sizeLots >= -rule.positionLotsMax;
      context.quote(symbol, {
        bids: canBuy ? [{ priceTicks: bid, sizeLots }] : [],
        asks: canSell ? [{ priceTicks: ask, sizeLots }] : [],
      });
    },
  };
}

/** The rule as `ballast backtest` loads it. */
export default defineStrategy({
  name: 'follow-touch',
  parameters: param.object({
    periodMs: param.integer({ min: 1 }),
    sizeLots: param.integer({ min: 1 }),
    positionLotsMax: param.integer({ min: 1 }),
  }),
  create: followTouch,
});
