/**
 * @module
 * The two formulas of M. Avellaneda and S. Stoikov, "High-frequency trading in a limit order book" (Quantitative Finance
 * 8(3), 2008): the price at which a maker with this inventory is indifferent, and the spread around it. Pure, in any unit
 * of price as long as all arguments share it. What this does not do: ticks, clamps, estimates.
 */

/** What the formulas take. */
export interface ModelInput {
  /** s: the mid of the market. */
  readonly mid: number;
  /** q: signed inventory in orders. */
  readonly inventory: number;
  /** γ: risk aversion, per unit of price and order; above zero. */
  readonly gamma: number;
  /** σ: volatility, price per square root of a unit of time. */
  readonly sigma: number;
  /** κ: how fast fills become rarer with distance, per unit of price; above zero. */
  readonly kappa: number;
  /** T - t: units of time until the inventory has to be worth something. */
  readonly timeLeft: number;
}

/** What the formulas give. */
export interface ModelQuotes {
  /** Price at which the maker is indifferent, in the unit of the mid. */
  readonly reservation: number;
  /** Distance from bid to ask, in the unit of the mid. */
  readonly spread: number;
  /** Bid price, in the unit of the mid. */
  readonly bid: number;
  /** Ask price, in the unit of the mid. */
  readonly ask: number;
}

/** r = s - q γ σ² (T - t), equation (29) of the paper. */
export function reservationPriceOf({ mid, inventory, gamma, sigma, timeLeft }: ModelInput): number {
  return mid - inventory * gamma * sigma ** 2 * timeLeft;
}

/** δa + δb = γ σ² (T - t) + (2/γ) ln(1 + γ/κ), equation (30) of the paper. */
export function optimalSpreadOf({
  gamma,
  sigma,
  kappa,
  timeLeft,
}: Omit<ModelInput, 'mid' | 'inventory'>): number {
  return gamma * sigma ** 2 * timeLeft + (2 / gamma) * Math.log1p(gamma / kappa);
}

/** Bid and ask, half the optimal spread on each side of the reservation price. */
export function modelQuotesOf(input: ModelInput): ModelQuotes {
  const reservation = reservationPriceOf(input);
  const spread = optimalSpreadOf(input);
  return { reservation, spread, bid: reservation - spread / 2, ask: reservation + spread / 2 };
}
