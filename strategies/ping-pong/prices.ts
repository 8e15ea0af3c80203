/** @module The two prices of the strategy, from the touch and the average price of what is held. Pure. */
import { partOf, type Touch } from 'ballast/strategy';

/** Distances in ppm; see the README. */
export interface PingPongRules {
  readonly halfSpreadPpm: number;
  readonly profitPpm: number;
  readonly spacingPpm: number;
  readonly giveUpPpm: number;
}

/** What the prices are computed from. */
export interface PriceInput {
  readonly touch: Touch;
  /** 1: long, -1: short, 0: flat. */
  readonly heldSign: number;
  /** Average price of what is held, ticks with fractions. */
  readonly averageTicks: number | undefined;
  readonly rules: PingPongRules;
}

/** Bid and ask in ticks, with fractions. */
export function pricesOf({ touch, heldSign, averageTicks, rules }: PriceInput): {
  readonly bid: number;
  readonly ask: number;
} {
  const { midTicks, bidTicks, askTicks } = touch;
  const half = partOf(midTicks, rules.halfSpreadPpm);
  const [bid, ask] = [midTicks - half, midTicks + half];
  if (heldSign === 0 || averageTicks === undefined) return { bid, ask };
  const profit = partOf(averageTicks, rules.profitPpm);
  const spacing = partOf(averageTicks, rules.spacingPpm);
  const lossTicks = heldSign * (averageTicks - midTicks);
  const isGivenUp = rules.giveUpPpm > 0 && lossTicks >= partOf(averageTicks, rules.giveUpPpm);
  if (heldSign > 0)
    return {
      bid: Math.min(bid, averageTicks - spacing),
      ask: isGivenUp ? askTicks : Math.max(ask, averageTicks + profit),
    };
  return {
    bid: isGivenUp ? bidTicks : Math.min(bid, averageTicks - profit),
    ask: Math.max(ask, averageTicks + spacing),
  };
}
