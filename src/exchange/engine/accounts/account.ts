/** @module An account and what it holds per market. Plain state: the rules are in `position`, `margin`, `ledger`. */
import type { MarketState } from '../prices/market-state.ts';

/** The account that takes the fees and is the counterparty of funding; no command may name it. */
export const HOUSE_ACCOUNT = 0;

/** One account. */
export class AccountState {
  readonly number: number;
  /** Cash: the sum of its ledger. */
  collateral = 0n;
  /** By market number. */
  readonly holdings = new Map<number, Holding>();
  /** Losses that resting orders would make at once by their price, see `margin`. */
  openLoss = 0n;
  /** 0: not armed. */
  scheduleCancelAtMs = 0;
  /** How often the switch has fired on the day of UTC with this number. */
  scheduleCancelFires = { day: 0, count: 0 };
  /** Notional traded by day of UTC; empty where there are no fee tiers. */
  readonly volumes = new Map<number, bigint>();
  /** What it earned as a builder, and the notional taken by orders it routed. */
  builderFees = 0n;
  builderVolume = 0n;
  /** Net collateral and the price version it was worked out at; `undefined`: to be worked out. */
  netCollateral: bigint | undefined;
  netCollateralVersion = -1;

  constructor(number: number) {
    this.number = number;
  }

  /** What the account holds in a market; made when it is first needed. */
  holding(market: MarketState): Holding {
    let holding = this.holdings.get(market.number);
    if (holding === undefined) {
      holding = new Holding(this, market);
      this.holdings.set(market.number, holding);
    }
    return holding;
  }
}

/** Position, resting size and leverage of one account in one market. */
export class Holding {
  readonly account: AccountState;
  readonly market: MarketState;
  /** Signed position. */
  lots = 0;
  costBasis = 0n;
  /** Funding index up to which funding was paid. */
  fundingIndexE12: bigint;
  initialMarginPpm: number;
  /** Resting lots of orders that may open a position, by side. */
  buyLots = 0;
  sellLots = 0;
  /** Resting reduce-only orders. */
  reduceOnlyOrders = 0;
  /** Cache of `margin`: required initial margin for an exposure at a price version. */
  requiredMargin = 0n;
  requiredForLots = -1;
  requiredVersion = -1;

  constructor(account: AccountState, market: MarketState) {
    this.account = account;
    this.market = market;
    this.fundingIndexE12 = market.fundingIndexE12;
    this.initialMarginPpm = market.market.initialMarginPpm;
  }
}
