/**
 * @module Statistics of a series of returns, as empyrical defines them (each function gives its definition). A missing
 * return is NaN: it counts as a period, never as a value. What cannot be said is NaN: no returns, no spread, nothing
 * lost.
 */

/** A statistic of a report; `null`: unknown. */
export type Statistic = number | null;

/** How a series is read: returns in a year; what is taken off each return; what is asked of it. */
export interface Annual {
  /** Periods of a year. */
  readonly periodsPerYear: number;
  /** Risk-free return of one period. Default 0. */
  readonly riskFree?: number;
  /** Required return of one period, of Omega: of a year. Default 0. */
  readonly required?: number;
}

/** Milliseconds in a year of 365 days: perpetual markets do not close. */
export const YEAR_MS = 365 * 86_400_000;

/** Share of the periods in which equity moved, as QuantStats defines it before it rounds up to whole percents. */
export function exposure(returns: ArrayLike<number>): number {
  let count = 0;
  for (let at = 0; at < returns.length; at++) if (Math.abs(returns[at] ?? Number.NaN) > 0) count++;
  return count / returns.length;
}

/** (prod(1 + r))^(periods per year / n) - 1; n counts missing values too. */
export function annualizedReturn(returns: ArrayLike<number>, { periodsPerYear }: Annual): number {
  if (returns.length === 0) return Number.NaN;
  let growth = 1;
  for (let at = 0; at < returns.length; at++) {
    const change = returns[at] ?? Number.NaN;
    if (!Number.isNaN(change)) growth *= 1 + change;
  }
  return growth ** (periodsPerYear / returns.length) - 1;
}

/** Sample standard deviation (divisor n - 1, missing left out) x sqrt(periods per year). */
export function annualizedVolatility(returns: ArrayLike<number>, { periodsPerYear }: Annual): number {
  return moments(returns, 0).deviation * Math.sqrt(periodsPerYear);
}

/** mean(r - risk-free) / sample standard deviation(r - risk-free) x sqrt(periods per year). */
export function sharpe(returns: ArrayLike<number>, { periodsPerYear, riskFree = 0 }: Annual): number {
  const { mean, deviation } = moments(returns, riskFree);
  // Equal returns have no spread; what is left of one is the rounding of their mean.
  return deviation <= Math.abs(mean) * 1e-12 ? Number.NaN : (mean / deviation) * Math.sqrt(periodsPerYear);
}

/** sqrt(mean(min(r - required, 0)^2)) x sqrt(periods per year); the divisor is the number of values that are there. */
export function downsideRisk(returns: ArrayLike<number>, { periodsPerYear, required = 0 }: Annual): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < returns.length; at++) {
    const change = (returns[at] ?? Number.NaN) - required;
    if (Number.isNaN(change)) continue;
    count++;
    if (change < 0) sum += change * change;
  }
  return count === 0 ? Number.NaN : Math.sqrt(sum / count) * Math.sqrt(periodsPerYear);
}

/** mean(r - required) x periods per year / downside risk. */
export function sortino(returns: ArrayLike<number>, annual: Annual): number {
  const risk = downsideRisk(returns, annual);
  const { mean } = moments(returns, annual.required ?? 0);
  return risk === 0 ? Number.NaN : (mean * annual.periodsPerYear) / risk;
}

/** annual return / |max drawdown|; `deepest`: the maximum drawdown, at most 0. */
export function calmar(returns: ArrayLike<number>, annual: Annual, deepest: number): number {
  return deepest === 0 ? Number.NaN : annualizedReturn(returns, annual) / Math.abs(deepest);
}

/** Sum of the positive parts / sum of the negative parts of r - risk-free - ((1 + required)^(1 / periods per year) - 1). */
export function omega(
  returns: ArrayLike<number>,
  { periodsPerYear, riskFree = 0, required = 0 }: Annual,
): number {
  const asked = (1 + required) ** (1 / periodsPerYear) - 1;
  let above = 0;
  let below = 0;
  for (let at = 0; at < returns.length; at++) {
    const change = (returns[at] ?? Number.NaN) - riskFree - asked;
    if (change > 0) above += change;
    else if (change < 0) below -= change;
  }
  return below === 0 ? Number.NaN : above / below;
}

/** Mean and sample standard deviation of what is there, less `less`. */
function moments(returns: ArrayLike<number>, less: number): { mean: number; deviation: number } {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < returns.length; at++) {
    const change = returns[at] ?? Number.NaN;
    if (Number.isNaN(change)) continue;
    sum += change - less;
    count++;
  }
  const mean = count === 0 ? Number.NaN : sum / count;
  let squares = 0;
  for (let at = 0; at < returns.length; at++) {
    const change = returns[at] ?? Number.NaN;
    if (!Number.isNaN(change)) squares += (change - less - mean) ** 2;
  }
  return { mean, deviation: count < 2 ? Number.NaN : Math.sqrt(squares / (count - 1)) };
}
