/**
 * @module
 * Prices of the orders of a ladder: from the touch of others, a reference price and the inventory to levels on both
 * sides. Pure. What this does not do: decide whether to quote at all, or when.
 *
 *   first level = the touch of others, held between the nearest and the farthest allowed distance from the center
 *   center      = reference price, shifted against the inventory
 */
import { type Lots, lots, type MarketView, notionalOf, type TickLevel } from 'ballast/strategy';

/** The ladder's form in one market. */
export interface LadderShape {
  /** Orders per side. */
  readonly levels: number;
  /** Size of each order. */
  readonly sizeLots: Lots;
  /** What is held, long or short, and all wanted orders of a side together are at most this. */
  readonly maxInventoryLots: Lots;
  /** How the first level relates to the best order of others: not at all, at its price, one tick before it. */
  readonly touch: 'ignore' | 'join' | 'improve';
  /** Distance of the first level from the center; with `join` and `improve` the greatest, ppm of the reference. */
  readonly halfSpreadPpm: number;
  /** The smallest distance of the first level from the center, ppm of the reference. */
  readonly minHalfSpreadPpm: number;
  /** From level to level, ppm of the reference; at least one tick. */
  readonly levelSpacingPpm: number;
  /** How far the center moves against a full inventory, ppm of the reference. */
  readonly skewPpm: number;
}

/** What a ladder is computed from. */
export interface LadderInput {
  /** Rounding and scales of the market. */
  readonly market: Pick<MarketView, 'market' | 'floorTicks' | 'ceilTicks'>;
  /** Best orders of others. */
  readonly bidTicks: number;
  /** Best ask of other participants, in ticks. */
  readonly askTicks: number;
  /** What the market is thought to be worth, in ticks with fractions. */
  readonly referenceTicks: number;
  /** Position in lots; below 0: short. */
  readonly inventoryLots: number;
  /** Number, distance and sizes of the levels. */
  readonly shape: LadderShape;
}

/** The wanted orders, best first. */
export interface Ladder {
  /** Bids, best first. */
  readonly bids: readonly TickLevel[];
  /** Asks, best first. */
  readonly asks: readonly TickLevel[];
  /** An order was made smaller or left out because of the greatest inventory. */
  readonly isCut: boolean;
}

/** The ladder for `input`. No level meets an order of others or of the other side. */
export function ladderOf(input: LadderInput): Ladder {
  const { market, bidTicks, askTicks, referenceTicks, inventoryLots, shape } = input;
  const { tickStep } = market.market;
  const share = Math.max(-1, Math.min(1, inventoryLots / shape.maxInventoryLots));
  const center = referenceTicks - partOf(referenceTicks, shape.skewPpm) * share;
  // Half a tick at least: two sides that both improve a narrow touch would meet.
  const nearest = Math.max(partOf(referenceTicks, shape.minHalfSpreadPpm), tickStep / 2);
  const farthest = Math.max(partOf(referenceTicks, shape.halfSpreadPpm), nearest);
  const gap = partOf(referenceTicks, shape.levelSpacingPpm);
  const better = shape.touch === 'improve' ? tickStep : 0;
  const distance = (fromTouch: number) =>
    shape.touch === 'ignore' ? farthest : Math.max(nearest, Math.min(farthest, fromTouch));
  const bidFirst = center - distance(center - (bidTicks + better));
  const askFirst = center + distance(askTicks - better - center);
  const bids = sideOf(input, {
    maxLots: shape.maxInventoryLots - inventoryLots,
    ticksOf: (level, before) =>
      Math.min(market.floorTicks(bidFirst - level * gap), (before ?? askTicks) - tickStep),
  });
  const asks = sideOf(input, {
    maxLots: shape.maxInventoryLots + inventoryLots,
    ticksOf: (level, before) =>
      Math.max(market.ceilTicks(askFirst + level * gap), (before ?? bidTicks) + tickStep),
  });
  const isWhole = [bids, asks].every(
    (side) => side.length === shape.levels && side.every((level) => level.sizeLots === shape.sizeLots),
  );
  return { bids, asks, isCut: !isWhole };
}

interface SideRule {
  /** What may still be bought or sold. */
  readonly maxLots: number;
  /** Price of a level; `before` is that of the level before it. */
  readonly ticksOf: (level: number, before: number | undefined) => number;
}

function sideOf({ market: view, shape }: LadderInput, rule: SideRule): readonly TickLevel[] {
  const { market } = view;
  const side: TickLevel[] = [];
  let maxLots = rule.maxLots;
  for (let level = 0; level < shape.levels; level++) {
    const price = rule.ticksOf(level, side.at(-1)?.priceTicks);
    const size = Math.min(shape.sizeLots, Math.floor(maxLots / market.lotStep) * market.lotStep);
    if (price < market.tickStep || size <= 0) break;
    const wanted = { priceTicks: view.floorTicks(price), sizeLots: lots(size) };
    if (notionalOf(market, wanted.priceTicks, wanted.sizeLots) < market.minNotional) break;
    side.push(wanted);
    maxLots -= size;
  }
  return side;
}

function partOf(value: number, ppm: number): number {
  return (value * ppm) / 1_000_000;
}
