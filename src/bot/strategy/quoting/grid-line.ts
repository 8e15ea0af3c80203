/**
 * @module
 * A grid as a line from price to inventory: each step the price falls below the anchor, one order more is held, and
 * each step it rises, one less. The resting orders follow from the position only, so no order of the grid can be
 * forgotten or doubled, whatever happened meanwhile. Pure.
 *
 *   held           …  base+2   base+1   base   base-1   base-2  …
 *   price at which …   a-2s     a-1s     a      a+1s     a+2s   …
 */

/** The line. */
export interface GridLine {
  /** Price at which `baseLots` are held, ticks. */
  readonly anchorTicks: number;
  /** From order to order, ticks. */
  readonly stepTicks: number;
  /** Size of each order, lots. */
  readonly sizeLots: number;
  /** Held at the anchor, signed. */
  readonly baseLots: number;
}

/** The next orders of one side, best first. */
export interface GridSide {
  /** Ticks, with fractions. */
  readonly prices: readonly number[];
  /** Size of each order, in lots. */
  readonly sizes: readonly number[];
}

/** What is asked for. */
export interface GridInput {
  /** Prices of the grid. */
  readonly line: GridLine;
  /** Position in lots; below 0: short. */
  readonly inventoryLots: number;
  /** Orders on each side. */
  readonly levels: number;
  /** True if the market accepts an order of this price and size. */
  readonly isLargeEnough: (priceTicks: number, sizeLots: number) => boolean;
}

/**
 * The next orders with `inventoryLots` held: one is bought a step below the price at which as much is held, one is sold
 * a step above it. After a partial fill the nearest order of each side is what is missing to the next whole line; where
 * that is too small for the market, it goes into the next order.
 */
export function gridSidesOf(input: GridInput): { readonly bids: GridSide; readonly asks: GridSide } {
  const { line, inventoryLots } = input;
  const steps = (inventoryLots - line.baseLots) / line.sizeLots;
  const [below, above] = [Math.floor(steps), Math.ceil(steps)];
  const lotsAt = (step: number) => line.baseLots + step * line.sizeLots;
  return {
    bids: sideOf(input, { from: below + 1, direction: 1, firstLots: lotsAt(below + 1) - inventoryLots }),
    asks: sideOf(input, { from: above - 1, direction: -1, firstLots: inventoryLots - lotsAt(above - 1) }),
  };
}

function sideOf(
  { line, levels, isLargeEnough }: GridInput,
  { from, direction, firstLots }: { from: number; direction: 1 | -1; firstLots: number },
): GridSide {
  const priceAt = (step: number) => line.anchorTicks - step * line.stepTicks;
  const isSkipped = !isLargeEnough(priceAt(from), firstLots);
  const first = isSkipped ? from + direction : from;
  const numbers = Array.from({ length: levels }, (_, at) => at);
  return {
    prices: numbers.map((at) => priceAt(first + at * direction)),
    sizes: numbers.map((at) => {
      if (at > 0) return line.sizeLots;
      return isSkipped ? firstLots + line.sizeLots : firstLots;
    }),
  };
}
