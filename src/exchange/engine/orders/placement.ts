/**
 * @module
 * Placing one order: every rule that can refuse it, in a fixed order, then matching, then rest or drop.
 *
 * Order of the rules: market known, market trading, alignment, minimum notional (not for reduce-only orders: a small
 * position must be closable), validity, reduce-only, number of open orders (of orders that can rest), post-only,
 * all-or-nothing, margin.
 */
import type { CanonicalOrder } from '../../../domain/index.ts';
import type { AccountState, Holding } from '../accounts/account.ts';
import { closableLots } from '../accounts/position.ts';
import type { FeePart } from '../fee-terms.ts';
import { Execution } from '../matching/execution.ts';
import { BUY, SELL } from '../matching/order-book.ts';
import { preview } from '../matching/preview.ts';
import type { MarketState } from '../prices/market-state.ts';
import type { RejectReason } from '../reasons.ts';
import type { VenueState } from '../state.ts';
import { affords, type Candidate } from './affordability.ts';
import { OrderState } from './order-state.ts';

/** What is reported about an order beyond its terms. */
export interface PlacementContext {
  /** Its number to be. */
  readonly orderSeq: bigint;
  /** 0: none. */
  readonly goodTilMs: number;
  /** Time of the client, 0: not given. */
  readonly nowMs: number;
  /** The builder that is paid for routing it; absent: none. */
  readonly builder?: FeePart | undefined;
  /** Of a slice: the time-weighted order that it is of; absent: it is none. */
  readonly parentSeq?: bigint;
}

/** Places an order. Gives it, or why there is none. */
export function placeOrder(
  state: VenueState,
  account: AccountState,
  request: CanonicalOrder,
  context: PlacementContext,
): OrderState | RejectReason {
  const market = state.markets.get(request.market);
  if (market === undefined) return 'UnknownMarket';
  const told = Number(request.lots);
  const malformed = refuseTerms(market, { price: request.price, lots: told, reduceOnly: request.reduceOnly });
  if (malformed !== undefined) return malformed;
  const { seq, blockAtMs } = state.log.at;
  const { orderSeq, goodTilMs, nowMs, builder, parentSeq } = context;
  if (goodTilMs !== 0 && goodTilMs < Math.max(nowMs, blockAtMs)) return 'OrderExpired';
  const holding = account.holding(market);
  const { side, price, tif, reduceOnly } = request;
  let lots = told;
  if (reduceOnly) {
    if (holding.lots === 0) return 'ReduceOnlyNoPosition';
    lots = Math.min(lots, closableLots(holding, side));
    if (lots === 0) return 'ReduceOnlyWrongSide';
  }
  const crosses = market.book.crosses(side === 'buy' ? BUY : SELL, price);
  const refusal = refuseBusiness(state, holding, {
    side,
    priceTicks: price,
    lots,
    tif,
    reduceOnly,
    crosses,
    builder,
  });
  if (refusal !== undefined) return refusal;
  const order = new OrderState(holding, {
    orderSeq,
    side,
    priceTicks: price,
    lots,
    tif,
    reduceOnly,
    goodTilMs,
    createdAtMs: blockAtMs,
    seq,
    parentSeq,
  });
  execute(state, order, { crosses, builder });
  return order;
}

/** What is wrong with the order for any account. */
export function refuseTerms(
  market: MarketState,
  request: { readonly price: number; readonly lots: number; readonly reduceOnly: boolean },
): RejectReason | undefined {
  const { tickStep, lotStep } = market.market;
  const { price, lots } = request;
  if (!market.isTradable) return 'MarketNotTrading';
  if (price <= 0 || price % tickStep !== 0) return 'OrderNotAligned';
  if (lots <= 0) return 'OrderNotAligned';
  // Beyond this, sums of price x lots would leave the safe integers.
  if (!Number.isSafeInteger(lots * price)) return 'OrderTooLarge';
  if (lots % lotStep !== 0) return 'OrderNotAligned';
  if (!request.reduceOnly && market.isBelowMinimum(price, lots)) return 'BelowMinNotional';
  return undefined;
}

/** Why the current state does not admit the order. */
function refuseBusiness(state: VenueState, holding: Holding, order: Candidate): RejectReason | undefined {
  const { tif, crosses } = order;
  const canRest = tif === 'gtc' || tif === 'postOnly';
  if (canRest && state.orders.of(holding.account).size >= state.settings.openOrdersMax) {
    return 'EquityTierLimitExceeded';
  }
  if (tif === 'postOnly' && crosses) return 'PostOnlyWouldCross';
  if (tif === 'fok' && (!crosses || preview(state.orders, holding, order).lots < order.lots)) {
    return 'FokInsufficientLiquidity';
  }
  return affords(state, holding, order) ? undefined : 'InsufficientMargin';
}

/** Matches and rests. `OrderAccepted` is before its fills, but reports the order's final state. */
function execute(
  state: VenueState,
  order: OrderState,
  { crosses, builder }: { readonly crosses: boolean; readonly builder: FeePart | undefined },
): void {
  const { log } = state;
  if (!crosses) {
    restOrDrop(state, order);
    log.accepted(order.snapshot(), order.slot >= 0);
    return;
  }
  const place = log.reserve();
  const execution = new Execution(state, order, builder);
  execution.run();
  restOrDrop(state, order);
  log.accepted(order.snapshot(), order.slot >= 0, place);
  execution.finish();
}

function restOrDrop(state: VenueState, order: OrderState): void {
  const { terms, holding } = order;
  if (order.remainingLots === 0) return;
  if (terms.tif === 'gtc' || terms.tif === 'postOnly') {
    const { markTicks } = holding.market;
    const lossTicks = terms.side === 'buy' ? terms.priceTicks - markTicks : markTicks - terms.priceTicks;
    state.orders.rest(order, terms.reduceOnly ? 0 : Math.max(0, lossTicks));
  } else order.status = 'canceled';
}
