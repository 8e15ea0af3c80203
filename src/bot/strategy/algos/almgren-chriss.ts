/**
 * @module
 * The optimal trajectory of R. Almgren and N. Chriss, "Optimal execution of portfolio transactions" (Journal of Risk 3,
 * 2000): how much is still to be traded at the end of each of N equal stretches, and what it costs and risks. Pure; the
 * side is not named, selling and buying are mirror images. {@link almgrenChriss} trades along it. What this does not do:
 * know σ, γ and η of a market.
 */
import { assert } from '../../../core/index.ts';
import type { StrategyContext } from '../context.ts';
import type { ParentOrder } from './parent-order.ts';
import { fillScheduleOf, type ScheduleOptions, scheduled } from './scheduled.ts';

/** The arguments, in any units as long as they share them. */
export interface AlmgrenChrissInput {
  /** X: what is to be traded. */
  readonly total: number;
  /** T: in how much time. */
  readonly time: number;
  /** N: in how many stretches of equal length. */
  readonly stretches: number;
  /** σ: volatility, price per square root of a unit of time. */
  readonly sigma: number;
  /** ε: half the spread and fees, price per unit. */
  readonly epsilon: number;
  /** γ: permanent impact, price per unit traded. */
  readonly gamma: number;
  /** η: temporary impact, price per rate of trading. */
  readonly eta: number;
  /** λ: risk aversion, per unit of money; 0: none, which is TWAP. */
  readonly lambda: number;
}

/** The trajectory and its expected cost. */
export interface AlmgrenChrissPlan {
  /** κ: how fast the trajectory falls, per unit of time; 0 without risk aversion. */
  readonly kappa: number;
  /** 1/κ, in units of time; `undefined` without risk aversion. */
  readonly halfLife: number | undefined;
  /** x_0 = X to x_N = 0. */
  readonly holdings: readonly number[];
  /** x_(j-1) - x_j, N of them. */
  readonly trades: readonly number[];
  /** E(x), equation (5) of the paper. */
  readonly expectedCost: number;
  /** V(x), equation (6). */
  readonly variance: number;
  /** E + λ V, which no other trajectory makes smaller. */
  readonly objective: number;
}

/**
 * The optimal plan, equations (18) to (21): x_j = X sinh(κ (T - t_j)) / sinh(κ T), with κ from
 * 2 (cosh(κ τ) - 1) / τ² = λ σ² / (η - γ τ / 2).
 * @throws AssertionError unless total, time, stretches and η - γ τ / 2 are above zero and σ and λ are not negative.
 */
export function almgrenChrissPlanOf(input: AlmgrenChrissInput): AlmgrenChrissPlan {
  const { total, time, stretches, sigma, epsilon, gamma, eta, lambda } = input;
  assert(
    total > 0 && time > 0 && Number.isSafeInteger(stretches) && stretches > 0,
    'something to trade in time',
  );
  assert(sigma >= 0 && lambda >= 0, 'a volatility and a risk aversion that are not negative');
  const tau = time / stretches;
  const etaTilde = eta - (gamma * tau) / 2;
  assert(etaTilde > 0, 'a temporary impact above half the permanent one of a stretch');
  const kappa = Math.acosh(1 + ((lambda * sigma ** 2) / etaTilde) * (tau ** 2 / 2)) / tau;
  const holdings = Array.from({ length: stretches + 1 }, (_, at) =>
    at === stretches ? 0 : total * shareLeft(kappa, time, time - at * tau),
  );
  const trades = holdings.slice(1).map((left, at) => (holdings[at] ?? 0) - left);
  const squares = (values: readonly number[]) => values.reduce((sum, value) => sum + value ** 2, 0);
  const expectedCost = (gamma * total ** 2) / 2 + epsilon * total + (etaTilde / tau) * squares(trades);
  const variance = sigma ** 2 * tau * squares(holdings.slice(1));
  return {
    kappa,
    halfLife: kappa === 0 ? undefined : 1 / kappa,
    holdings,
    trades,
    expectedCost,
    variance,
    objective: expectedCost + lambda * variance,
  };
}

/** sinh(κ left) / sinh(κ time), also where sinh would overflow, and its limit for κ = 0. */
function shareLeft(kappa: number, time: number, left: number): number {
  if (kappa === 0) return left / time;
  return (Math.exp(kappa * (left - time)) * Math.expm1(-2 * kappa * left)) / Math.expm1(-2 * kappa * time);
}

/** A schedule along an optimal trajectory. */
export interface AlmgrenChrissOptions extends ScheduleOptions {
  /** The model's arguments; what is traded in how many stretches comes from the plan. */
  readonly plan: AlmgrenChrissPlan;
}

/**
 * Trades `totalLots` along the trajectory of a plan, one stretch each `intervalMs`, to the lot.
 * @example almgrenChriss(context, { symbol, side: 'sell', totalLots, plan, intervalMs: 60_000, style: 'join' })
 */
export function almgrenChriss(context: StrategyContext, options: AlmgrenChrissOptions): ParentOrder {
  const { plan, totalLots, symbol } = options;
  const whole = plan.holdings[0] ?? 1;
  const shares = plan.holdings.slice(1).map((left) => 1 - left / whole);
  const { lotStep } = context.market(symbol).market;
  const cumulative = fillScheduleOf(shares, { totalLots, lotStep });
  return scheduled(context, { name: 'almgren-chriss', ...options }, cumulative);
}
