/** @module Everything the venue remembers, in one object, handed to the rules. */
import { absent, assert, must } from '../../core/index.ts';
import { quantums } from '../../domain/index.ts';
import { AccountState, HOUSE_ACCOUNT } from './accounts/account.ts';
import { EventLog } from './event-log.ts';
import type { FeeRates } from './fee-terms.ts';
import { OpenOrders } from './orders/open-orders.ts';
import { TriggerOrders } from './orders/trigger-orders.ts';
import { TwapOrders } from './orders/twap-orders.ts';
import { MarketState } from './prices/market-state.ts';
import type { VenueSettings } from './types.ts';

const BUILDER_FEE_MAX_PPM = 1_000;
const LIQUIDATION_FEE_PPM = 5_000;

/** The state of a venue. */
export class VenueState {
  readonly settings: VenueSettings;
  readonly baseRates: FeeRates;
  /** Ascending by volume. */
  readonly tiers: readonly { readonly from: bigint; readonly rates: FeeRates }[];
  readonly builderFeeMaxPpm: number;
  readonly markets = new Map<number, MarketState>();
  /** By number; the first is the house. */
  readonly accounts: AccountState[] = [new AccountState(HOUSE_ACCOUNT)];
  /** Accounts whose schedule-cancel is armed. */
  readonly armed = new Set<AccountState>();
  readonly orders: OpenOrders;
  readonly triggers = new TriggerOrders();
  readonly twaps = new TwapOrders();
  readonly log = new EventLog();
  scheduleCancelLeadMs: number;
  readonly liquidationFeePpm: bigint;
  /** The cash of the exchange that pays debts. */
  insuranceFund = 0n;
  /** What the fund is to begin with, until the first block has paid it in. */
  fundToBegin: bigint;
  /** Counts changes of mark prices and funding indexes: what was worked out at another number is old. */
  priceVersion = 0;

  /** @throws AssertionError for settings that make no venue. */
  constructor(settings: VenueSettings, orders = new OpenOrders()) {
    this.orders = orders;
    assert(
      settings.fundingIntervalMs > 0,
      `a funding interval above 0 ms, got ${settings.fundingIntervalMs}`,
    );
    assert(settings.impactNotional > 0n, `an impact notional above 0, got ${settings.impactNotional}`);
    this.settings = settings;
    this.scheduleCancelLeadMs = settings.scheduleCancelLeadMs;
    this.baseRates = ratesFrom({ ...settings, tier: 0 });
    this.tiers = (settings.feeTiers ?? []).map((told) => ({ from: told.volume, rates: ratesFrom(told) }));
    this.liquidationFeePpm = BigInt(settings.liquidationFeePpm ?? LIQUIDATION_FEE_PPM);
    this.fundToBegin = settings.insuranceFund ?? 0n;
    this.builderFeeMaxPpm = settings.builderFeeMaxPpm ?? BUILDER_FEE_MAX_PPM;
    for (const told of settings.markets) {
      const market = new MarketState(told, this.markets.size);
      assert(!this.markets.has(market.number), `market numbers to differ, got ${market.number} twice`);
      assert(market.indexTicks > 0, `an index price above 0, got ${market.indexTicks}`);
      this.markets.set(market.number, market);
    }
  }

  /** Changes the insurance fund; the cash is moved by the caller. */
  changeFund(change: bigint): void {
    this.insuranceFund += change;
    this.log.emit({
      kind: 'InsuranceFundChanged',
      change: quantums(change),
      fund: quantums(this.insuranceFund),
    });
  }

  get house(): AccountState {
    return must(this.accounts[HOUSE_ACCOUNT], 'the house account');
  }

  /** @throws AssertionError when there is none of that number. */
  account(number: number): AccountState {
    return this.accounts[number] ?? absent(`account ${number}`);
  }

  /** @throws AssertionError when there is none of that number. */
  market(number: number): MarketState {
    return this.markets.get(number) ?? absent(`market ${number}`);
  }
}

function ratesFrom(told: { takerFeePpm: number; makerFeePpm: number; tier: number }): FeeRates {
  const { takerFeePpm, makerFeePpm, tier } = told;
  return { takerPpm: BigInt(takerFeePpm), makerPpm: BigInt(makerFeePpm), tier };
}
