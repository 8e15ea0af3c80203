/**
 * @module One taker order meeting the book: who may be its counterparty, and what each trade does to positions, cash
 * and fees.
 *
 * Self-trade (own choice, the sources are silent): a resting order of the taker's own account in its way is canceled
 * (`SelfTrade`) and the taker continues; no account trades with itself, and the newer intent wins. Reduce-only makers
 * never open a position: such an order trades its position at most and leaves with it (`ReduceOnly`); after each
 * command the orders that no longer reduce anything are canceled. Until then the book may show more of them than can
 * trade.
 */

import { product } from '../../../core/index.ts';
import { quantums } from '../../../domain/index.ts';
import type { AccountState, Holding } from '../accounts/account.ts';
import { post } from '../accounts/ledger.ts';
import { accruedFunding, applyTrade, closableLots } from '../accounts/position.ts';
import type { FeePart } from '../fee-terms.ts';
import { feeOf, noteVolume, partsOf, ratesOf, TakerFee } from '../fees.ts';
import type { OrderState } from '../orders/order-state.ts';
import type { CancelReason } from '../reasons.ts';
import type { VenueState } from '../state.ts';
import type { FillSide } from '../types.ts';
import { BUY, type MakerPolicy, SELL } from './order-book.ts';

/** Executes one taker order. */
export class Execution implements MakerPolicy {
  readonly #state: VenueState;
  readonly #taker: OrderState;
  readonly #account: AccountState;
  readonly #fee: TakerFee;
  readonly #parts: readonly FeePart[];
  /** Fees for the house, net of rebates. */
  #houseIncome = 0n;
  /** Seq of the last fill; -1: none. */
  #lastFill = -1;
  /** Holdings whose reduce-only orders may have lost their purpose. */
  readonly #shrunk = new Set<Holding>();

  constructor(state: VenueState, taker: OrderState, builder: FeePart | undefined) {
    this.#state = state;
    this.#taker = taker;
    this.#account = taker.holding.account;
    this.#parts = partsOf(state, taker.holding, builder);
    this.#fee = new TakerFee(ratesOf(state, taker.holding).takerPpm, this.#parts);
  }

  /** Takes from the book, then charges the fee. The order's remainder is left to the caller. */
  run(): void {
    const { terms, holding } = this.#taker;
    holding.market.book.take(terms.side === 'buy' ? BUY : SELL, terms.lots, terms.priceTicks, this);
    const { log, house } = this.#state;
    const { number: market } = holding.market;
    const charged = this.#fee.charged;
    const { orderSeq, parentSeq } = terms;
    post(log, this.#account, { kind: 'taker_fee', amount: -charged, market, orderSeq, parentSeq });
    const protocolIncome = this.#houseIncome + charged - this.#payParts(market);
    post(log, house, { kind: 'fee_income', amount: protocolIncome, market, orderSeq });
  }

  /** Hands the parts of the charge on that are not the protocol's. Gives their sum. */
  #payParts(market: number): bigint {
    let sum = 0n;
    for (const { kind, ratePpm, payee } of this.#parts) {
      const amount = feeOf(this.#fee.notional, ratePpm);
      sum += amount;
      post(this.#state.log, payee, { kind, amount, market, orderSeq: this.#taker.terms.orderSeq });
      if (kind !== 'builder_fee') continue;
      payee.builderFees += amount;
      payee.builderVolume += this.#fee.notional;
    }
    return sum;
  }

  /** Makes the last fill show how the taker order ended, then cancels what no longer reduces. */
  finish(): void {
    const taker = this.#taker;
    // An order that rests or is filled is already in that state in its last fill.
    if (this.#lastFill >= 0 && taker.status === 'canceled') {
      this.#state.log.endTaker(this.#lastFill, taker.snapshot());
    }
    for (const holding of this.#shrunk) cancelStaleReduceOnly(this.#state, holding);
  }

  lotsAllowed(slot: number): number {
    const maker = this.#state.orders.inSlot(this.#taker.holding.market, slot);
    if (maker.holding.account === this.#account) return 0;
    if (!maker.terms.reduceOnly) return maker.remainingLots;
    return Math.min(maker.remainingLots, closableLots(maker.holding, maker.terms.side));
  }

  onDropped(slot: number): void {
    const maker = this.#state.orders.inSlot(this.#taker.holding.market, slot);
    const reason: CancelReason = maker.holding.account === this.#account ? 'SelfTrade' : 'ReduceOnly';
    maker.seq = this.#state.log.at.seq;
    this.#state.orders.onDropped(maker, 'canceled');
    this.#state.log.canceled(maker.snapshot(), reason);
  }

  onFilled(slot: number, lots: number, priceTicks: number): void {
    const { log, orders } = this.#state;
    const taker = this.#taker;
    const { market } = taker.holding;
    const maker = orders.inSlot(market, slot);
    const notional = product(priceTicks, lots) * market.market.quantumsPerTickLot;
    const isBuy = taker.terms.side === 'buy';
    market.lastTicks = priceTicks;
    maker.seq = log.at.seq;
    orders.onTraded(maker, lots);
    taker.remainingLots -= lots;
    if (taker.remainingLots === 0) taker.status = 'filled';
    this.#trade(taker, maker, { lots: isBuy ? lots : -lots, notional: isBuy ? notional : -notional });
    this.#trade(maker, taker, { lots: isBuy ? -lots : lots, notional: isBuy ? -notional : notional });
    const makerFee = feeOf(notional, ratesOf(this.#state, maker.holding).makerPpm);
    noteVolume(this.#state, maker.holding.account, notional);
    noteVolume(this.#state, this.#account, notional);
    this.#houseIncome += makerFee;
    post(log, maker.holding.account, {
      kind: makerFee < 0n ? 'maker_rebate' : 'maker_fee',
      amount: -makerFee,
      market: market.number,
      orderSeq: maker.terms.orderSeq,
      counterOrderSeq: taker.terms.orderSeq,
    });
    const takerFee = this.#fee.add(notional);
    this.#lastFill = log.filled({
      market: market.number,
      priceTicks,
      lots,
      takerSide: taker.terms.side,
      maker: side(maker, makerFee),
      taker: side(taker, takerFee),
      makerOrder: maker.snapshot(),
      takerOrder: taker.snapshot(),
    });
  }

  /** One side of a trade: funding is paid first, then position and cash change. */
  #trade(own: OrderState, counter: OrderState, change: { lots: number; notional: bigint }): void {
    const { log } = this.#state;
    const { holding } = own;
    payFunding(this.#state, holding);
    applyTrade(holding, change.lots, change.notional);
    post(log, holding.account, {
      kind: 'trade',
      amount: -change.notional,
      market: holding.market.number,
      orderSeq: own.terms.orderSeq,
      parentSeq: own.terms.parentSeq,
      counterOrderSeq: counter.terms.orderSeq,
    });
    if (holding.reduceOnlyOrders > 0) this.#shrunk.add(holding);
  }
}

/** Cancels an order that is still in the book. Gives the lots taken away. */
export function cancelOrder(state: VenueState, order: OrderState, reason: CancelReason): number {
  order.seq = state.log.at.seq;
  const lots = state.orders.remove(order, 'canceled');
  state.log.canceled(order.snapshot(), reason);
  return lots;
}

function cancelStaleReduceOnly(state: VenueState, holding: Holding): void {
  if (holding.reduceOnlyOrders === 0) return;
  for (const order of state.orders.of(holding.account)) {
    if (order.holding !== holding || !order.terms.reduceOnly) continue;
    if (closableLots(holding, order.terms.side) === 0) cancelOrder(state, order, 'ReduceOnly');
  }
}

/** Moves the funding a holding has accrued into cash; the house is on the other side. */
export function payFunding(state: VenueState, holding: Holding): void {
  const { market } = holding;
  if (holding.fundingIndexE12 === market.fundingIndexE12) return;
  const amount = accruedFunding(holding);
  holding.fundingIndexE12 = market.fundingIndexE12;
  post(state.log, holding.account, { kind: 'funding', amount, market: market.number });
  post(state.log, state.house, { kind: 'funding', amount: -amount, market: market.number });
}

function side(order: OrderState, fee: bigint): FillSide {
  const { orderSeq, parentSeq } = order.terms;
  const own = { account: order.holding.account.number, orderSeq, fee: quantums(fee) };
  return parentSeq === undefined ? own : { ...own, parentSeq };
}
