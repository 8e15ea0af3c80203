/**
 * @module What time and published prices do to the account: funding at its boundaries, the mark price of the margin,
 * and liquidation by the exchange's rule (exchange.md#market-rules: net collateral below maintenance margin).
 *
 * Own choices: funding is paid into cash at its boundary, not when the position is touched next, so that it is counted
 * where it arises. Where a tape names settlements those count; else the rate in force is settled at its boundary. Of
 * markets without a published mark the mid is taken, rounded down, else the last trade. Positions are closed at mark,
 * that with the largest maintenance margin first, for what a taker pays and the fund's fee as far as it can be paid; a
 * debt that is left is the insurance fund's.
 */
import { type Quantums, quantums } from '../../domain/index.ts';
import type { Holding } from '../../exchange/engine/index.ts';
import {
  feeOf,
  maintenanceMarginAt,
  maintenanceMarginOf,
  netCollateral,
  valueAt,
} from '../../exchange/engine/index.ts';
import type { LocalAccount } from './local-account.ts';
import type { LocalMarket } from './local-market.ts';
import { LocalOrder } from './local-order.ts';
import type { MarketSlot } from './local-orders.ts';

/** Parts per billion to parts of 10^-12. */
const E12_PER_PPB = 1000n;
/** Settlements of the tape this near to one made by rate are the same one. */
const SAME_PART = 2;
/** The fraction of a price that a position is checked ahead. */
const AHEAD_PART = 50;
const MILLION = 1_000_000;

/** What the charges ask of the whole. */
export interface AccountChargesPorts {
  /** Markets in index order. */
  readonly slots: readonly MarketSlot[];
  /** Funding interval, us. */
  readonly intervalUs: number;
  /** A log entry begins, unless one is under way. */
  begin(us: number): void;
  /** All own orders leave. */
  cancelAll(): void;
}

/** See the module. */
export class AccountCharges {
  readonly #account: LocalAccount;
  readonly #ports: AccountChargesPorts;
  /** When the next rate settles; Infinity: none is in force. */
  dueUs = Number.POSITIVE_INFINITY;
  /** The version of the prices at the last margin check of the account. */
  #judgedVersion = -1;
  /** The only market with a position, where marks are known at which the account keeps it; and those marks. */
  #held: LocalMarket | undefined;
  #heldFromTicks = 0;
  #heldToTicks = 0;

  constructor(account: LocalAccount, ports: AccountChargesPorts) {
    this.#account = account;
    this.#ports = ports;
  }

  /** A published mark or index price. */
  onPrice(market: LocalMarket, priceTicks: number, isMark: boolean): void {
    const { state } = market;
    if (!isMark) {
      market.hasIndex = true;
      state.indexTicks = priceTicks;
      return;
    }
    market.hasMark = true;
    if (state.markTicks !== priceTicks) this.#setMark(market, priceTicks);
  }

  /** The rate of the running interval was published. `nextMs`: when it settles, 0: at the next boundary. */
  onRate(
    market: LocalMarket,
    ratePpb: number,
    { us, nextMs }: { readonly us: number; readonly nextMs: number },
  ): void {
    market.ratePpb = ratePpb;
    if (market.hasSettlements) return;
    // A boundary that has passed waits for its settlement with the rate of then.
    if (market.boundaryUs > us) market.boundaryUs = this.#boundaryAfter(us, nextMs);
    this.#schedule();
  }

  /** The tape names a settlement. */
  onSettled(
    market: LocalMarket,
    us: number,
    { ratePpb, priceTicks }: { readonly ratePpb: number; readonly priceTicks: number },
  ): void {
    const isKnown = us - market.settledUs < this.#ports.intervalUs / SAME_PART;
    market.hasSettlements = true;
    market.boundaryUs = Number.POSITIVE_INFINITY;
    this.#schedule();
    if (!isKnown) this.#settle(market, us, { ratePpb, priceTicks });
  }

  /** Settles the rates that are due. */
  advance(us: number): void {
    for (const { market } of this.#ports.slots) {
      while (market.boundaryUs <= us) {
        const atUs = market.boundaryUs;
        market.boundaryUs = this.#boundaryAfter(atUs, 0);
        market.settledUs = atUs;
        this.#settle(market, atUs, { ratePpb: market.ratePpb ?? 0, priceTicks: 0 });
      }
    }
    this.#schedule();
  }

  /** Brings the mark of a market without a published one up to date. */
  refreshMark(market: LocalMarket, midTicks: number | undefined, fallbackTicks: number): void {
    if (market.hasMark) return;
    const ticks = midTicks ?? (market.lastTicks || fallbackTicks);
    if (ticks > 0 && ticks !== market.state.markTicks) this.#setMark(market, ticks);
  }

  /** Checks the account again where a price of its margin has changed, and to one at which it is not known to hold. */
  revalue(us: number): void {
    if (this.#account.state.priceVersion === this.#judgedVersion) return;
    const held = this.#held?.state.markTicks;
    if (held === undefined || held < this.#heldFromTicks || held > this.#heldToTicks) this.liquidate(us);
  }

  /** Closes the account's positions when it must be. To be called after what changes cash or positions. */
  liquidate(us: number): void {
    const { state, account } = this.#account;
    this.#judgedVersion = state.priceVersion;
    this.#held = undefined;
    if (!this.#isLiquidatable()) {
      this.#lookAhead();
      return;
    }
    this.#ports.begin(us);
    this.#ports.cancelAll();
    const open = [...account.holdings.values()].filter(({ lots }) => lots !== 0);
    const margin = (holding: Holding) => maintenanceMarginOf(holding, Math.abs(holding.lots));
    open.sort((a, b) => Number(margin(b) - margin(a)) || a.market.number - b.market.number);
    for (const holding of open) {
      this.#close(holding);
      if (!this.#isLiquidatable()) break;
    }
    const isFlat = open.every(({ lots }) => lots === 0);
    if (isFlat && account.collateral < 0n) this.#account.deposit('insurance', -account.collateral);
    state.priceVersion++;
  }

  /** Cash, and equity at mark. */
  balance(): { readonly collateral: Quantums; readonly equity: Quantums } {
    const { state, account } = this.#account;
    return { collateral: quantums(account.collateral), equity: quantums(netCollateral(state, account)) };
  }

  #setMark({ state, hasIndex }: LocalMarket, priceTicks: number): void {
    state.markTicks = priceTicks;
    if (!hasIndex) state.indexTicks = priceTicks;
    this.#account.state.priceVersion++;
  }

  #settle(
    market: LocalMarket,
    us: number,
    { ratePpb, priceTicks }: { readonly ratePpb: number; readonly priceTicks: number },
  ): void {
    const { state, holding } = market;
    const ticks = priceTicks > 0 ? priceTicks : state.indexTicks;
    state.fundingIndexE12 += BigInt(ratePpb) * E12_PER_PPB * BigInt(ticks) * state.market.quantumsPerTickLot;
    this.#account.state.priceVersion++;
    this.#ports.begin(us);
    this.#account.payFunding(holding);
    this.liquidate(us);
  }

  #boundaryAfter(us: number, nextMs: number): number {
    const { intervalUs } = this.#ports;
    if (nextMs * 1000 > us) return nextMs * 1000;
    return (Math.floor(us / intervalUs) + 1) * intervalUs;
  }

  #schedule(): void {
    let dueUs = Number.POSITIVE_INFINITY;
    for (const { market } of this.#ports.slots) if (market.boundaryUs < dueUs) dueUs = market.boundaryUs;
    this.dueUs = dueUs;
  }

  /**
   * Where it holds one position and that is kept at a price that is worse by a part, it is kept at every better one as
   * well: what it is worth changes by the price, the margin by less. So most trades need no check.
   */
  #lookAhead(): void {
    const { state, account } = this.#account;
    let only: LocalMarket | undefined;
    for (const { market } of this.#ports.slots) {
      if (market.holding.lots === 0) continue;
      if (only !== undefined) return;
      only = market;
    }
    if (only === undefined) return;
    const { holding } = only;
    const { initialMarginPpm, maintenanceFractionPpm } = only.state.market;
    if ((initialMarginPpm / MILLION) * (maintenanceFractionPpm / MILLION) > 1) return;
    const { markTicks } = only.state;
    const isLong = holding.lots > 0;
    const ahead = Math.ceil(markTicks / AHEAD_PART);
    const worse = isLong ? Math.max(0, markTicks - ahead) : markTicks + ahead;
    const net = netCollateral(state, account) + valueAt(holding, worse) - valueAt(holding, markTicks);
    if (net < maintenanceMarginAt(holding, Math.abs(holding.lots), worse)) return;
    this.#held = only;
    this.#heldFromTicks = isLong ? worse : 0;
    this.#heldToTicks = isLong ? Number.POSITIVE_INFINITY : worse;
  }

  #isLiquidatable(): boolean {
    const { state, account } = this.#account;
    let maintenance = 0n;
    // Each market has a slot: walking over the map of holdings would make an object for each, with every trade.
    for (const { market } of this.#ports.slots)
      maintenance += maintenanceMarginOf(market.holding, Math.abs(market.holding.lots));
    return maintenance > 0n && netCollateral(state, account) < maintenance;
  }

  #close(holding: Holding): void {
    const { state, account } = this.#account;
    const { market } = holding;
    const orderSeq = this.#account.nextOrderSeq();
    const terms = {
      orderSeq,
      side: holding.lots > 0 ? 'sell' : 'buy',
      priceTicks: market.markTicks,
      lots: Math.abs(holding.lots),
      tif: 'ioc',
      reduceOnly: true,
      goodTilMs: 0,
      createdAtMs: this.#account.atMs,
      seq: 0,
    } as const;
    const order = new LocalOrder(holding, terms, undefined);
    this.#account.closeAtMark(order, (notional) => {
      let maintenance = 0n;
      for (const other of account.holdings.values())
        maintenance += maintenanceMarginOf(other, Math.abs(other.lots));
      const free = netCollateral(state, account) - maintenance;
      const wanted = feeOf(notional, state.liquidationFeePpm);
      return free <= 0n ? 0n : wanted < free ? wanted : free;
    });
  }
}
