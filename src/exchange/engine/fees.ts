/**
 * @module
 * Fees in parts per million of notional, truncated towards zero. A taker order is charged once, on the sum of its legs;
 * the parts its fills show are found by the cumulative method, so their sum is the charge (exchange.md#market-rules).
 *
 * The taker's charge has up to four parts, each truncated on its own (exchange.md#market-rules, Taker total): the
 * protocol's rate, the market's share of it on a builder dex, the dex deployer's rate, and that of the builder who
 * routed the order. Own choices: the first two are the house's, a builder is paid for what an order takes and not for
 * what it leaves resting, and an account's tier follows what it traded within the last 30 days of UTC, this one
 * included.
 */
import type { AccountState, Holding } from './accounts/account.ts';
import { MILLION } from './amounts.ts';
import type { FeePart, FeeRates } from './fee-terms.ts';
import type { VenueState } from './state.ts';

/** The fee of an amount: positive is paid, negative a rebate. */
export function feeOf(notional: bigint, ratePpm: bigint): bigint {
  return (notional * ratePpm) / MILLION;
}

const NO_PARTS: readonly FeePart[] = [];
const DAY_MS = 86_400_000;
const TIER_DAYS = 30;

/** The running fee of one taker order. */
export class TakerFee {
  readonly #ratePpm: bigint;
  readonly #parts: readonly FeePart[];
  #notional = 0n;
  #charged = 0n;

  constructor(ratePpm: bigint, parts: readonly FeePart[] = NO_PARTS) {
    this.#ratePpm = ratePpm;
    this.#parts = parts;
  }

  /** What has been charged so far, all parts together. */
  get charged(): bigint {
    return this.#charged;
  }

  /** Notional taken so far. */
  get notional(): bigint {
    return this.#notional;
  }

  /** Adds a leg and gives the part of the fee that its fill carries. */
  add(notional: bigint): bigint {
    this.#notional += notional;
    let total = feeOf(this.#notional, this.#ratePpm);
    for (const part of this.#parts) total += feeOf(this.#notional, part.ratePpm);
    const share = total - this.#charged;
    this.#charged = total;
    return share;
  }
}

/** The rates of an account in a market: the market's own, or those of the account's tier. */
export function ratesOf(state: VenueState, { account, market }: Holding): FeeRates {
  const own = market.fees;
  const { tiers } = state;
  if (own === undefined && tiers.length === 0) return state.baseRates;
  const { takerPpm, makerPpm, tier } = tiers.length === 0 ? state.baseRates : tierOf(state, account);
  return {
    takerPpm: own?.takerFeePpm === undefined ? takerPpm : BigInt(own.takerFeePpm),
    makerPpm: own?.makerFeePpm === undefined ? makerPpm : BigInt(own.makerFeePpm),
    tier,
  };
}

/** The rates of an account's tier. */
export function tierOf(state: VenueState, account: AccountState): FeeRates {
  if (state.tiers.length === 0) return state.baseRates;
  const volume = volumeOf(account, dayOf(state.log.at.blockAtMs));
  let found = state.baseRates;
  for (const { from, rates } of state.tiers) if (volume >= from) found = rates;
  return found;
}

/** The parts of a taker's charge beside the protocol's rate. */
export function partsOf(
  state: VenueState,
  holding: Holding,
  builder: FeePart | undefined,
): readonly FeePart[] {
  const { dex } = holding.market;
  if (dex === undefined) return builder === undefined ? NO_PARTS : [builder];
  const { takerPpm } = ratesOf(state, holding);
  const parts: FeePart[] = [
    { kind: 'dex_fee', ratePpm: (takerPpm * BigInt(dex.feeScalePpm)) / MILLION, payee: state.house },
    { kind: 'deployer_fee', ratePpm: BigInt(dex.deployerFeePpm), payee: state.account(dex.deployer) },
  ];
  return builder === undefined ? parts : [...parts, builder];
}

/** The most that taking `notional` can cost; parts that are truncated separately never add up to more. */
export function takerFeeBound(rates: FeeRates, parts: readonly FeePart[], notional: bigint): bigint {
  let rate = rates.takerPpm;
  for (const { ratePpm } of parts) rate += ratePpm;
  const fee = feeOf(notional, rate);
  return fee > 0n ? fee : 0n;
}

/** Counts what an account has traded; only where there are tiers. */
export function noteVolume(state: VenueState, account: AccountState, notional: bigint): void {
  if (state.tiers.length === 0) return;
  const day = dayOf(state.log.at.blockAtMs);
  account.volumes.set(day, (account.volumes.get(day) ?? 0n) + notional);
}

/** What the account traded within the last 30 days; forgets what is older. */
function volumeOf({ volumes }: AccountState, today: number): bigint {
  let sum = 0n;
  for (const [day, volume] of volumes) {
    if (day + TIER_DAYS <= today) volumes.delete(day);
    else sum += volume;
  }
  return sum;
}

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}
