/**
 * @module Checks whether the account may place this order: it may when net collateral after it covers the required
 * margin after it; orders that only take a position back are always allowed, also below initial margin (see `margin`
 * for what is required).
 *
 * The part that would trade at once is checked at the prices it would trade at, with its taker fee; the rest at its
 * limit. A cheap bound comes first: everything at the limit. Only when the bound does not suffice is the book walked.
 */
import { product } from '../../../core/index.ts';
import type { Side, TimeInForce } from '../../../domain/index.ts';
import type { Holding } from '../accounts/account.ts';
import { closableLots } from '../accounts/position.ts';
import type { FeePart } from '../fee-terms.ts';
import { partsOf, ratesOf, takerFeeBound } from '../fees.ts';
import { exposureLots, initialMarginOf, netCollateral, requiredMargin } from '../margin.ts';
import { type Preview, preview } from '../matching/preview.ts';
import type { VenueState } from '../state.ts';

/** The terms of an order that its margin is checked with. */
export interface CandidateTerms {
  /** Buy or sell. */
  readonly side: Side;
  /** Price in ticks. */
  readonly priceTicks: number;
  /** Size in lots. */
  readonly lots: number;
  /** Time in force. */
  readonly tif: TimeInForce;
  /** True if the order may only reduce a position. */
  readonly reduceOnly: boolean;
}

/** The order that is asked about. */
export interface Candidate extends CandidateTerms {
  /** True if it would trade at once. */
  readonly crosses: boolean;
  /** Who is paid for routing it. */
  readonly builder: FeePart | undefined;
  /** What it would trade, where that is not in the book of the venue; absent: the book says it. */
  readonly trade?: Preview;
}

/** True if the account's margin is sufficient. Own orders that the order would cancel on its way still count. */
export function affords(state: VenueState, holding: Holding, order: Candidate): boolean {
  if (!order.crosses) return affordsResting(state, holding, order);
  if (isClosing(holding, order)) return true;
  const { lots, priceTicks } = order;
  const notional = product(priceTicks, lots) * holding.market.market.quantumsPerTickLot;
  // A bound for sellers too: above its limit a sale gains more than its fee grows.
  if (spareAfter(state, holding, order) >= feeBound(state, holding, order, notional)) return true;
  return affordsTraded(state, holding, order);
}

/** As {@link affords}, of an order that does not trade at once. */
export function affordsResting(state: VenueState, holding: Holding, order: CandidateTerms): boolean {
  return isClosing(holding, order) || spareAfter(state, holding, order) >= 0n;
}

/** True if an order only reduces the position, after all orders that rest before it. */
function isClosing(holding: Holding, { side, lots, reduceOnly }: CandidateTerms): boolean {
  const resting = side === 'buy' ? holding.buyLots : holding.sellLots;
  return reduceOnly || lots <= closableLots(holding, side) - resting;
}

/** What margin is left, less what the order loses at its limit, when nothing of it has traded. */
function spareAfter(state: VenueState, holding: Holding, { side, lots, priceTicks }: CandidateTerms): bigint {
  const left = spare(state, holding, side, { traded: 0, rests: lots });
  const { markTicks, market } = holding.market;
  const lossTicks = side === 'buy' ? priceTicks - markTicks : markTicks - priceTicks;
  return lossTicks > 0 ? left - product(lossTicks, lots) * market.quantumsPerTickLot : left;
}

/** The exact check of an order that trades at once. */
function affordsTraded(state: VenueState, holding: Holding, order: Candidate): boolean {
  const { markTicks } = holding.market;
  const perTickLot = holding.market.market.quantumsPerTickLot;
  const trade = order.trade ?? preview(state.orders, holding, order);
  const atMark = product(markTicks, trade.lots);
  const isBuy = order.side === 'buy';
  // Trading better than the mark price is a gain and counts as one.
  const tradeLoss = (isBuy ? trade.tickLots - atMark : atMark - trade.tickLots) * perTickLot;
  const fee = feeBound(state, holding, order, trade.tickLots * perTickLot);
  const rests = order.tif === 'gtc' ? order.lots - trade.lots : 0;
  const lossTicks = Math.max(0, isBuy ? order.priceTicks - markTicks : markTicks - order.priceTicks);
  const restLoss = product(lossTicks, rests) * perTickLot;
  return spare(state, holding, order.side, { traded: trade.lots, rests }) >= tradeLoss + fee + restLoss;
}

/** Net collateral above the required margin with `rests` lots more in the book and `traded` more in the position. */
function spare(
  state: VenueState,
  holding: Holding,
  side: Side,
  added: { traded: number; rests: number },
): bigint {
  const isBuy = side === 'buy';
  const { traded, rests } = added;
  const position = holding.lots + (isBuy ? traded : -traded);
  const exposure = exposureLots(
    position,
    holding.buyLots + (isBuy ? rests : 0),
    holding.sellLots + (isBuy ? 0 : rests),
  );
  const required = requiredMargin(state, holding.account, holding) + initialMarginOf(holding, exposure);
  return netCollateral(state, holding.account) - required;
}

function feeBound(state: VenueState, holding: Holding, { builder }: Candidate, notional: bigint): bigint {
  return takerFeeBound(ratesOf(state, holding), partsOf(state, holding, builder), notional);
}
