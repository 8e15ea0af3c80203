/**
 * @module Funding: a premium is sampled from the book each time the index price is set; at each boundary of the
 * interval the mean of the samples becomes a rate and the market's funding index advances. Cash moves later, when a
 * position is touched (exchange.md#market-rules, lazy funding).
 *
 * hourly rate = (P + clamp(0.0001 - P, +-0.0005)) / 8; for another interval in proportion. P is the impact premium: how
 * far the price of buying or selling the impact notional is outside the index. Rates are worked out in units of 10^-12 and
 * charged in integer parts per million, as they are published; the rest goes into the next settlement
 * (docs/decisions/0010).
 */
import { product, type UnixMs, unixMs } from '../../../core/index.ts';
import { type BookSide, BUY, SELL } from '../matching/order-book.ts';
import type { MarketState } from './market-state.ts';

const UNIT = 1_000_000_000_000n;
const INTEREST_E12 = 100_000_000n;
const DAMPER_E12 = 500_000_000n;
const HOUR_MS = 3_600_000n;
const E12_PER_PPM = 1_000_000n;
const NONE: readonly FundingSettlement[] = [];

/** One settlement of a market. */
export interface FundingSettlement {
  /** What is charged of the notional at the index price, and published. */
  readonly ratePpm: number;
  /** The boundary that it settles; of the newest one the time of its block. */
  readonly settledAtMs: UnixMs;
}

/** The rate of one hour for a mean premium, in 10^-12; the last digit is truncated. */
export function hourlyRateE12(premiumE12: bigint): bigint {
  const pull = INTEREST_E12 - premiumE12;
  const damped = pull > DAMPER_E12 ? DAMPER_E12 : pull < -DAMPER_E12 ? -DAMPER_E12 : pull;
  return (premiumE12 + damped) / 8n;
}

/** The premium of the book over the index price, in 10^-12, truncated. A side that is too thin counts as none. */
export function premiumE12(market: MarketState, impactNotional: bigint): bigint {
  const index = BigInt(market.indexTicks);
  const [bidNumerator, bidDenominator] = impactPrice(market, BUY, impactNotional);
  const [askNumerator, askDenominator] = impactPrice(market, SELL, impactNotional);
  if (bidDenominator > 0n && bidNumerator > index * bidDenominator) {
    return ((bidNumerator - index * bidDenominator) * UNIT) / (index * bidDenominator);
  }
  if (askDenominator > 0n && askNumerator < index * askDenominator) {
    return ((askNumerator - index * askDenominator) * UNIT) / (index * askDenominator);
  }
  return 0n;
}

/** Notes a sample and what the rate of the interval looks like with it. */
export function samplePremium(
  market: MarketState,
  rules: { impactNotional: bigint; intervalMs: number },
): void {
  market.premiumSumE12 += premiumE12(market, rules.impactNotional);
  market.premiumSamples++;
  market.fundingRatePpm = wholePpm(intervalRateE12(market, rules.intervalMs) + market.fundingRestE12);
}

/**
 * Settles the boundaries passed up to `nowMs`, each on its own. Those for which there was no block have the same premium.
 */
export function settleFunding(
  market: MarketState,
  nowMs: UnixMs,
  rules: { impactNotional: bigint; intervalMs: number },
): readonly FundingSettlement[] {
  const { intervalMs } = rules;
  const next = (Math.floor(nowMs / intervalMs) + 1) * intervalMs;
  const isFirst = market.nextFundingAtMs === 0;
  if (isFirst) market.nextFundingAtMs = unixMs(next);
  if (market.nextFundingAtMs >= next) return NONE;
  if (market.premiumSamples === 0) samplePremium(market, rules);
  const rateE12 = intervalRateE12(market, intervalMs);
  const perLot = BigInt(market.indexTicks) * market.market.quantumsPerTickLot;
  const settled: FundingSettlement[] = [];
  for (let atMs: number = market.nextFundingAtMs; atMs < next; atMs += intervalMs) {
    const dueE12 = rateE12 + market.fundingRestE12;
    market.fundingRatePpm = wholePpm(dueE12);
    market.fundingRestE12 = dueE12 % E12_PER_PPM;
    market.fundingIndexE12 += (dueE12 - market.fundingRestE12) * perLot;
    const isNewest = atMs + intervalMs >= next;
    settled.push({ ratePpm: market.fundingRatePpm, settledAtMs: isNewest ? nowMs : unixMs(atMs) });
  }
  market.premiumSumE12 = 0n;
  market.premiumSamples = 0;
  market.nextFundingAtMs = unixMs(next);
  return settled;
}

function wholePpm(rateE12: bigint): number {
  return Number(rateE12 / E12_PER_PPM);
}

/** Moves the running interval's end to a boundary that has passed: it settles with the next block. */
export function makeFundingDue(market: MarketState, intervalMs: number): void {
  const before = market.nextFundingAtMs - intervalMs;
  if (before > 0) market.nextFundingAtMs = unixMs(before);
}

function intervalRateE12(market: MarketState, intervalMs: number): bigint {
  const mean = market.premiumSumE12 / BigInt(market.premiumSamples);
  return (hourlyRateE12(mean) * BigInt(intervalMs)) / HOUR_MS;
}

/** Mean price of trading the impact notional against one side, as a fraction; denominator 0: too thin. */
function impactPrice(market: MarketState, side: BookSide, impactNotional: bigint): [bigint, bigint] {
  const perTickLot = market.market.quantumsPerTickLot;
  let left = impactNotional;
  let lotsTaken = 0n;
  let price: [bigint, bigint] = [0n, 0n];
  market.book.forEachLevel(side, (ticks, lots) => {
    const notional = product(ticks, lots) * perTickLot;
    if (notional < left) {
      left -= notional;
      lotsTaken += BigInt(lots);
      return true;
    }
    // The last level is taken in part: lots = left / (ticks x perTickLot), kept as a fraction.
    const tick = BigInt(ticks);
    price = [impactNotional * tick, perTickLot * lotsTaken * tick + left];
    return false;
  });
  return price;
}
