/**
 * @module
 * Placing one order: every rule that can refuse it, in a fixed order, then matching, then rest or drop.
 *
 * Order of the rules: market known, market trading, alignment, reduce-only, minimum notional (not for reduce-only
 * orders: a small position must be closable), validity, number of open orders (of orders that can rest), post-only,
 * all-or-nothing, margin.
 */
import type { Side, TimeInForce } from '../../domain/index.ts';
import type { AccountState, Holding } from '../accounts/account.ts';
import { closableLots } from '../accounts/position.ts';
import { product } from '../amounts.ts';
import { Execution } from '../matching/execution.ts';
import { BUY, SELL } from '../matching/order-book.ts';
import { preview } from '../matching/preview.ts';
import type { MarketState } from '../prices/market-state.ts';
import type { RejectReason } from '../reasons.ts';
import type { VenueState } from '../state.ts';
import type { VenueEventBody } from '../types.ts';
import { affords } from './affordability.ts';
import { OrderState } from './order-state.ts';

/** An order as a command asks for it. */
export interface PlacementRequest {
  readonly market: number;
  readonly side: Side;
  readonly price: number;
  readonly lots: bigint;
  readonly tif: TimeInForce;
  readonly reduceOnly: boolean;
  /** 0: none. */
  readonly goodTilMs: number;
  /** Time of the client, 0: not told. */
  readonly nowMs: number;
}

/** Places an order; its number is given by the caller. Gives the order, or why there is none. */
export function placeOrder(
  state: VenueState,
  account: AccountState,
  request: PlacementRequest,
  orderSeq: bigint,
): OrderState | RejectReason {
  const market = state.markets.get(request.market);
  if (market === undefined) return 'UnknownMarket';
  const malformed = refuseTerms(state, market, request);
  if (malformed !== undefined) return malformed;
  const holding = account.holding(market);
  const { side, price, tif } = request;
  let lots = Number(request.lots);
  if (request.reduceOnly) {
    if (holding.lots === 0) return 'ReduceOnlyNoPosition';
    lots = Math.min(lots, closableLots(holding, side));
    if (lots === 0) return 'ReduceOnlyWrongSide';
  }
  const refusal = refuseBusiness(state, holding, { ...request, priceTicks: price, lots });
  if (refusal !== undefined) return refusal;
  const { seq, blockAtMs } = state.log.at;
  const order = new OrderState(holding, {
    orderSeq,
    side,
    priceTicks: price,
    lots,
    tif,
    reduceOnly: request.reduceOnly,
    goodTilMs: request.goodTilMs,
    createdAtMs: blockAtMs,
    seq,
  });
  execute(state, order);
  return order;
}

/** What is wrong with the order whoever places it. */
function refuseTerms(
  state: VenueState,
  market: MarketState,
  request: PlacementRequest,
): RejectReason | undefined {
  const { tickStep, lotStep, minNotional, quantumsPerTickLot } = market.market;
  const { price } = request;
  if (!market.isTradable) return 'MarketNotTrading';
  if (price <= 0 || price % tickStep !== 0) return 'OrderNotAligned';
  if (request.lots <= 0n) return 'OrderNotAligned';
  const lots = Number(request.lots);
  // Beyond this, sums of price x lots would leave the safe integers.
  if (!Number.isSafeInteger(lots * price)) return 'OrderTooLarge';
  if (lots % lotStep !== 0) return 'OrderNotAligned';
  if (!request.reduceOnly && minNotional > 0n && product(price, lots) * quantumsPerTickLot < minNotional) {
    return 'BelowMinNotional';
  }
  const nowMs = Math.max(request.nowMs, state.log.at.blockAtMs);
  return request.goodTilMs !== 0 && request.goodTilMs < nowMs ? 'OrderExpired' : undefined;
}

/** What speaks against the order as things stand. */
function refuseBusiness(
  state: VenueState,
  holding: Holding,
  order: { side: Side; priceTicks: number; lots: number; tif: TimeInForce; reduceOnly: boolean },
): RejectReason | undefined {
  const { tif, side, priceTicks } = order;
  const { book } = holding.market;
  const canRest = tif === 'gtc' || tif === 'postOnly';
  if (canRest && state.orders.of(holding.account).size >= state.settings.openOrdersMax) {
    return 'EquityTierLimitExceeded';
  }
  const crosses = book.crosses(side === 'buy' ? BUY : SELL, priceTicks);
  if (tif === 'postOnly' && crosses) return 'PostOnlyWouldCross';
  if (tif === 'fok' && (!crosses || preview(state.orders, holding, order).lots < order.lots)) {
    return 'FokInsufficientLiquidity';
  }
  return affords(state, holding, { ...order, crosses }) ? undefined : 'InsufficientMargin';
}

/** Matches and rests. `OrderAccepted` stands before the fills it led to, but tells how the order came out. */
function execute(state: VenueState, order: OrderState): void {
  const { terms, holding } = order;
  const { book } = holding.market;
  if (!book.crosses(terms.side === 'buy' ? BUY : SELL, terms.priceTicks)) {
    restOrDrop(state, order);
    state.log.emit(acceptanceOf(order));
    return;
  }
  const place = state.log.emit(acceptanceOf(order));
  const execution = new Execution(state, order);
  execution.run();
  restOrDrop(state, order);
  state.log.replace(place, acceptanceOf(order));
  execution.finish();
}

function restOrDrop(state: VenueState, order: OrderState): void {
  const { terms, holding, remainingLots } = order;
  if (remainingLots === 0) return;
  if (terms.tif === 'gtc' || terms.tif === 'postOnly') {
    const { markTicks } = holding.market;
    const lossTicks = terms.side === 'buy' ? terms.priceTicks - markTicks : markTicks - terms.priceTicks;
    state.orders.rest(order, terms.reduceOnly ? 0 : Math.max(0, lossTicks));
  } else order.status = 'canceled';
}

function acceptanceOf(order: OrderState): VenueEventBody {
  return {
    kind: 'OrderAccepted',
    order: order.snapshot(),
    filledLots: order.terms.lots - order.remainingLots,
    isResting: order.slot >= 0,
  };
}
