/** @module A bid that moves all the time: each move is a write, so that whatever a write meets is met soon. */
import type { StrategyDefinition } from '../../src/bot/strategy/index.ts';
import { lots, type MarketSymbol, ticks } from '../../src/domain/index.ts';
import { strategyOf } from './bot-rig.ts';

/** Bids 0.01 around 99,900 in `symbol`, at another of seven prices each `everyMs`. */
export function movingBid(symbol: MarketSymbol, everyMs: number): StrategyDefinition {
  let asked = 0;
  return strategyOf((context) => {
    const move = () =>
      context.quote(symbol, {
        bids: [{ priceTicks: ticks(999_000 + 5 * (asked++ % 7)), sizeLots: lots(100) }],
        asks: [],
      });
    return { onStart: () => context.startInterval('move', everyMs), onTimer: move, onResumed: move };
  });
}
