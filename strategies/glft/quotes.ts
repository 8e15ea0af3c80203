/**
 * @module
 * The quotes of O. Guéant, C.-A. Lehalle and J. Fernandez-Tapia, "Dealing with the inventory risk: a solution to the
 * market making problem" (Mathematics and Financial Economics 7(4), 2013), far from the end of time: the closed form
 * that the bundled strategy quotes, and the exact limit that it approximates. Pure, in any units as long as all
 * arguments share them. What this does not do: ticks, clamps, estimates.
 */

/** What the formulas take. */
export interface GlftInput {
  /** σ: price per square root of a unit of time. */
  readonly sigma: number;
  /** A: orders of others that reach the mid, per unit of time. */
  readonly intensity: number;
  /** k: how fast fills become rarer with distance, per unit of price; above zero. */
  readonly decay: number;
  /** γ: risk aversion, per unit of price and order; above zero. */
  readonly gamma: number;
}

/** Half the spread when nothing is held, and how far both quotes move for each order held. */
export interface GlftTerms {
  /** (1/γ) ln(1 + γ/k). */
  readonly c1: number;
  /** The root of γ / (2 A k) (1 + γ/k)^(k/γ + 1). */
  readonly c2: number;
  /** c1 + σ c2 / 2. */
  readonly halfSpread: number;
  /** σ c2. */
  readonly skew: number;
}

/** Distances of bid and ask from the mid. */
export interface Depths {
  /** Distance of the bid from the mid. */
  readonly bid: number;
  /** Distance of the ask from the mid. */
  readonly ask: number;
}

/** The terms of the closed form, equations (4.6) and (4.7) of the paper with orders of one. */
export function glftTermsOf({ sigma, intensity, decay, gamma }: GlftInput): GlftTerms {
  const c1 = Math.log1p(gamma / decay) / gamma;
  // (1 + γ/k)^(k/γ + 1), as an exponential: it stays exact for a γ that is tiny beside k.
  const power = Math.exp((decay / gamma + 1) * Math.log1p(gamma / decay));
  const c2 = Math.sqrt((gamma / (2 * intensity * decay)) * power);
  return { c1, c2, halfSpread: c1 + (sigma * c2) / 2, skew: sigma * c2 };
}

/** The closed form: distances with `inventory` orders held. */
export function glftDepthsOf(input: GlftInput, inventory: number): Depths {
  const { halfSpread, skew } = glftTermsOf(input);
  return { bid: halfSpread + inventory * skew, ask: halfSpread - inventory * skew };
}

/** Steps of the iteration below at most; it converges in far fewer. */
const STEPS_MAX = 1_000_000;
const PRECISION = 1e-15;

/**
 * The exact limit for an inventory of at most `inventoryMax` orders: from the ground state of the tridiagonal matrix
 * with α q² on its diagonal and -η beside it, α = k γ σ² / 2, η = A (1 + γ/k)^-(1 + k/γ) (section 4 of the paper).
 * Found by inverse iteration: O(`inventoryMax`) a step. For checking the closed form, not for a hot path.
 */
export function glftExactDepthsOf(
  input: GlftInput,
  inventoryMax: number,
): (inventory: number) => Depths | undefined {
  const { sigma, intensity, decay, gamma } = input;
  const alpha = (decay * gamma * sigma ** 2) / 2;
  const eta = intensity * Math.exp(-(1 + decay / gamma) * Math.log1p(gamma / decay));
  const state = groundState({ alpha, eta, inventoryMax });
  const c1 = Math.log1p(gamma / decay) / gamma;
  return (inventory) => {
    const here = state[inventory + inventoryMax];
    const up = state[inventory + inventoryMax + 1];
    const down = state[inventory + inventoryMax - 1];
    if (here === undefined || up === undefined || down === undefined) return undefined;
    return { bid: Math.log(here / up) / decay + c1, ask: Math.log(here / down) / decay + c1 };
  };
}

/** The eigenvector of the smallest eigenvalue, by inverse iteration with a shift just below the spectrum. */
function groundState(matrix: { alpha: number; eta: number; inventoryMax: number }): Float64Array {
  const { alpha, eta, inventoryMax } = matrix;
  const size = 2 * inventoryMax + 1;
  const diagonal = Float64Array.from({ length: size }, (_, at) => alpha * (at - inventoryMax) ** 2 + 2 * eta);
  let state = new Float64Array(size).fill(1 / Math.sqrt(size));
  for (let step = 0; step < STEPS_MAX; step++) {
    const next = solve(diagonal, -eta, state);
    const norm = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
    let change = 0;
    for (let at = 0; at < size; at++) {
      const value = (next[at] ?? 0) / norm;
      change = Math.max(change, Math.abs(value - (state[at] ?? 0)));
      next[at] = value;
    }
    state = next;
    if (change < PRECISION) break;
  }
  return state;
}

/** x of T x = `right`, T tridiagonal with `beside` on both sides of its diagonal (Thomas). */
function solve(diagonal: Float64Array, beside: number, right: Float64Array): Float64Array<ArrayBuffer> {
  const size = diagonal.length;
  const upper = new Float64Array(size);
  const result = new Float64Array(size);
  let pivot = diagonal[0] ?? 1;
  result[0] = (right[0] ?? 0) / pivot;
  for (let at = 1; at < size; at++) {
    upper[at - 1] = beside / pivot;
    pivot = (diagonal[at] ?? 1) - beside * (upper[at - 1] ?? 0);
    result[at] = ((right[at] ?? 0) - beside * (result[at - 1] ?? 0)) / pivot;
  }
  for (let at = size - 2; at >= 0; at--)
    result[at] = (result[at] ?? 0) - (upper[at] ?? 0) * (result[at + 1] ?? 0);
  return result;
}
