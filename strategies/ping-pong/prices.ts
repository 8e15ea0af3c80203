/** @module The two prices of the strategy, from the touch and the average price of what is held. Pure. */
import { ppmOf, type Touch } from 'ballast/strategy';

/** Distances in ppm; see the README. */
export interface PingPongRules {
  /** Distance of a quote from the mid, in parts per million. */
  readonly halfSpreadPpm: number;
  /** Distance of the closing order from the average price, in parts per million. */
  readonly profitPpm: number;
  /** Distance between orders of one side, in parts per million. */
  readonly spacingPpm: number;
  readonly giveUpPpm: number;
}

/** What the prices are computed from. */
export interface PriceInput {
  /** Best bid and ask. */
  readonly touch: Touch;
  /** 1: long, -1: short, 0: flat. */
  readonly heldSign: number;
  /** Average price of what is held, ticks with fractions. */
  readonly averageEntryTicks: number | undefined;
  /** Distances in parts per million. */
  readonly rules: PingPongRules;
}

/** Bid and ask in ticks, with fractions. */
export function pricesOf({ touch, heldSign, averageEntryTicks, rules }: PriceInput): {
  readonly bid: number;
  readonly ask: number;
} {
  const { midTicks, bidTicks, askTicks } = touch;
  const half = ppmOf(midTicks, rules.halfSpreadPpm);
  const [bid, ask] = [midTicks - half, midTicks + half];
  if (heldSign === 0 || averageEntryTicks === undefined) return { bid, ask };
  const profit = ppmOf(averageEntryTicks, rules.profitPpm);
  const spacing = ppmOf(averageEntryTicks, rules.spacingPpm);
  const lossTicks = heldSign * (averageEntryTicks - midTicks);
  const isGivenUp = rules.giveUpPpm > 0 && lossTicks >= ppmOf(averageEntryTicks, rules.giveUpPpm);
  if (heldSign > 0)
    return {
      bid: Math.min(bid, averageEntryTicks - spacing),
      ask: isGivenUp ? askTicks : Math.max(ask, averageEntryTicks + profit),
    };
  return {
    bid: isGivenUp ? bidTicks : Math.min(bid, averageEntryTicks - profit),
    ask: Math.max(ask, averageEntryTicks + spacing),
  };
}
