/**
 * @module
 * Time-weighted orders: placed, canceled, and sliced at the beginning of a block, one IOC order per interval with a
 * limit of index price +- tolerance (exchange.md#fields).
 *
 * Own choices where the source is silent: the first slice goes out with the next block; what a slice leaves unfilled
 * goes to the next one; a slice that the market's status or its minimum does not allow is left out, any other refusal
 * ends the order (its collateral has run out, or there is nothing left to reduce).
 */
import type { CanonicalCommand, CanonicalOrderId } from '../../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import { placeOrder } from '../orders/placement.ts';
import { sliceEnd, TwapOrder } from '../orders/twap-orders.ts';
import type { CancelReason, RejectReason } from '../reasons.ts';
import type { VenueState } from '../state.ts';
import { cancelItem, type Result, rejected, singleResult } from './outcome.ts';
import { RECORDS_MAX, waitingCount } from './waiting.ts';

type CommandOf<K extends CanonicalCommand['kind']> = Extract<CanonicalCommand, { kind: K }>;

/** Puts the order aside; its first slice goes out with the next block. */
export function runPlaceTwap(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'PlaceTwap'>,
): Result {
  const market = state.markets.get(command.market);
  if (market === undefined) return rejected('UnknownMarket');
  if (!market.isTradable) return rejected('MarketNotTrading');
  const { side, slices, intervalMs, priceTolerancePpm, reduceOnly } = command;
  const { lotStep } = market.market;
  const lots = Number(command.totalLots);
  if (lots <= 0 || lots % lotStep !== 0) return rejected('OrderNotAligned');
  if (!Number.isSafeInteger(lots * market.indexTicks)) return rejected('OrderTooLarge');
  const hasEmptySlice = lots / lotStep < slices;
  if (slices <= 0 || intervalMs <= 0 || priceTolerancePpm >= 1_000_000 || hasEmptySlice)
    return rejected('InvalidTwap');
  if (waitingCount(state, account) >= state.settings.openOrdersMax)
    return rejected('EquityTierLimitExceeded');
  const recordSub = state.log.takeRecordSubs(1);
  const { seq, blockAtMs: createdAtMs } = state.log.at;
  const orderSeq = BigInt(seq * RECORDS_MAX + recordSub);
  const terms = { account, market, orderSeq, side, lots, slices, intervalMs, priceTolerancePpm };
  const order = new TwapOrder({ ...terms, reduceOnly, createdAtMs }, seq);
  state.twaps.add(order);
  state.log.emit({ kind: 'TwapPlaced', order: order.snapshot() });
  const item = { inputIndex: 0, recordSub, market: market.number, orderSeq, lots };
  return {
    status: 'executed',
    items: [{ ...item, kind: 'place', state: 'accepted', filledLots: 0, isResting: false }],
  };
}

/** Takes one back. What its slices have traded stays. */
export function runCancelTwap(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'CancelTwap'>,
): Result {
  const { market, orderSeq } = command.orderId;
  const recordSub = state.log.takeRecordSubs(1);
  const canceled = cancelTwap(state, account, command.orderId);
  return singleResult(cancelItem({ inputIndex: 0, recordSub, market }, orderSeq, canceled));
}

/**
 * Ends one at its owner's request. Gives the lots that have not traded; `undefined`: the account has none of that
 * number.
 */
export function cancelTwap(
  state: VenueState,
  account: AccountState,
  { market, orderSeq }: CanonicalOrderId,
  reason: CancelReason = 'Requested',
): number | undefined {
  const order = state.twaps.get(orderSeq);
  if (order?.terms.account !== account || order.terms.market.number !== market) return undefined;
  endTwap(state, order, reason);
  return order.terms.lots - order.filledLots;
}

/** Cancel-all and the switch take these orders with them (exchange.md#market-rules). */
export function sweepTwaps(state: VenueState, account: AccountState, reason: string): void {
  for (const order of state.twaps.of(account)) endTwap(state, order, reason);
}

/** Sends out the slices that are due, at most one of each order. */
export function sliceTwaps(state: VenueState): void {
  for (const order of state.twaps.due(state.log.at.blockAtMs)) {
    const end = sliceEnd(order, slice(state, order));
    if (end !== undefined) endTwap(state, order, end);
  }
}

/** Places the next slice; what of it does not trade at once is left for the slice after it. */
function slice(state: VenueState, twap: TwapOrder): RejectReason | undefined {
  const { account, market, side, reduceOnly } = twap.terms;
  const { blockAtMs, seq } = state.log.at;
  const { lots, priceTicks: price } = twap.next(blockAtMs, seq);
  const orderSeq = BigInt(seq * RECORDS_MAX + state.log.takeRecordSubs(1));
  const order = { market: market.number, side, price, lots: BigInt(lots), tif: 'ioc', reduceOnly } as const;
  const child = placeOrder(state, account, order, {
    ...{ orderSeq, goodTilMs: 0, nowMs: 0, parentSeq: twap.terms.orderSeq },
  });
  if (typeof child === 'string') return child;
  const filledLots = child.terms.lots - child.remainingLots;
  twap.traded(filledLots);
  state.log.emit({ kind: 'TwapSliced', order: twap.snapshot(), childOrderSeq: orderSeq, filledLots });
  return undefined;
}

function endTwap(state: VenueState, order: TwapOrder, reason: string): void {
  state.twaps.remove(order);
  if (order.status === 'open') order.status = 'canceled';
  order.seq = state.log.at.seq;
  state.log.emit({ kind: 'TwapEnded', order: order.snapshot(), reason });
}
