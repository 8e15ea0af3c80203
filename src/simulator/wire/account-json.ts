/**
 * @module
 * Accounts, positions, orders, fills, ledger entries and grants as the JSON of the interface.
 */
import { formatScaled } from '../../core/index.ts';
import type { Market } from '../../domain/index.ts';
import type {
  WireAccount,
  WireFill,
  WireFundingPayment,
  WireGrant,
  WireLedgerEntry,
  WireOrder,
  WirePosition,
} from '../../protocol/index.ts';
import type { VenueAccount, VenueOrder, VenuePosition, WaitingTerms } from '../../venue/index.ts';
import type { FillRow } from '../state/account-history.ts';
import { eventId, type LedgerEvent } from '../state/event.ts';
import { type Grant, isExpired } from '../state/grants.ts';
import { amountText, priceText, sizeText } from './market-json.ts';

/** The collateral token in balances and ledger entries. */
export const COLLATERAL = { token: 0, symbol: 'USDC' } as const;

/** The summary of an account. All collateral is available: only spot orders hold any (wire-facts 4). */
export function accountJson(
  account: VenueAccount,
  at: { readonly seq: number; readonly epoch: string },
): WireAccount {
  const collateral = amountText(account.collateral);
  return {
    accountId: account.account,
    collateral,
    equity: amountText(account.equity),
    initialMargin: amountText(account.initialMargin),
    maintenanceMargin: amountText(account.maintenanceMargin),
    withdrawable: amountText(account.withdrawable),
    balances: [{ ...COLLATERAL, amount: collateral, available: collateral, hold: amountText(0n) }],
    feeTier: account.feeTier ?? null,
    takerFeePpm: account.takerFeePpm,
    makerFeePpm: account.makerFeePpm,
    seq: at.seq,
    epoch: at.epoch,
  };
}

/** A position; `entryPrice` is cut to the price's decimals and null when flat. */
export function positionJson(market: Market, position: VenuePosition, markTicks: number): WirePosition {
  const { lots, costBasis } = position;
  return {
    symbol: market.symbol,
    size: sizeText(market, lots),
    costBasis: amountText(costBasis),
    entryPrice:
      lots === 0
        ? null
        : formatScaled(costBasis / (BigInt(lots) * market.quantumsPerTickLot), market.priceDecimals),
    markPrice: markTicks === 0 ? null : priceText(market, markTicks),
    unrealizedPnl: amountText(position.unrealizedPnl),
    accruedFunding: amountText(position.accruedFunding),
    initialMarginPpm: position.initialMarginPpm,
  };
}

/** A position that is no more. */
export function closedPositionJson(market: Market, initialMarginPpm: number): WirePosition {
  const zero = amountText(0n);
  return {
    symbol: market.symbol,
    size: sizeText(market, 0),
    costBasis: zero,
    entryPrice: null,
    markPrice: null,
    unrealizedPnl: zero,
    accruedFunding: zero,
    initialMarginPpm,
  };
}

/** An order. Its number is orderSeq without the market (wire-facts 8). */
export function orderJson(market: Market, order: VenueOrder, clientOrderId: string | undefined): WireOrder {
  return {
    orderId: order.orderSeq.toString(),
    clientOrderId: clientOrderId ?? null,
    symbol: market.symbol,
    side: order.side,
    price: priceText(market, order.priceTicks),
    size: sizeText(market, order.lots),
    remaining: sizeText(market, order.remainingLots),
    timeInForce: order.tif,
    reduceOnly: order.reduceOnly,
    expiresAt: order.goodTilMs,
    status: order.status,
    createdAt: order.createdAtMs,
    seq: order.seq,
    ...(order.waiting === undefined ? {} : waitingJson(market, order.waiting)),
  };
}

function waitingJson(market: Market, terms: WaitingTerms): Pick<WireOrder, 'kind' | 'trigger' | 'twap'> {
  if (terms.kind === 'twap') {
    const { kind, slices, slicesDone, intervalMs, priceTolerancePpm, nextSliceAtMs } = terms;
    return {
      kind,
      twap: { slices, slicesDone, intervalMs, priceTolerancePpm, nextSliceAt: nextSliceAtMs },
    };
  }
  const { kind, triggerTicks, isAbove, parentOrderSeq } = terms;
  const parentOrderId = parentOrderSeq?.toString() ?? null;
  return { kind, trigger: { price: priceText(market, triggerTicks), above: isAbove, parentOrderId } };
}

/** A fill from one account's own view (wire-facts 4). */
export function fillJson(market: Market, { event, role }: FillRow): WireFill {
  const own = role === 'maker' ? event.maker : event.taker;
  const other = role === 'maker' ? event.taker : event.maker;
  const makerSide = event.takerSide === 'buy' ? 'sell' : 'buy';
  return {
    id: eventId(event),
    seq: event.seq,
    sub: event.sub,
    idx: event.idx,
    symbol: market.symbol,
    orderId: own.orderSeq.toString(),
    counterOrderId: other.orderSeq.toString(),
    side: role === 'maker' ? makerSide : event.takerSide,
    role,
    price: priceText(market, event.priceTicks),
    size: sizeText(market, event.lots),
    fee: amountText(own.fee),
    ts: event.blockAtMs,
  };
}

/** A ledger entry. */
export function ledgerJson(event: LedgerEvent, symbol: string | null): WireLedgerEntry {
  return {
    id: eventId(event),
    seq: event.seq,
    sub: event.sub,
    idx: event.idx,
    kind: event.entryKind,
    token: COLLATERAL.token,
    amount: amountText(event.amount),
    symbol,
    orderId: event.orderSeq?.toString() ?? null,
    counterOrderId: event.counterOrderSeq?.toString() ?? null,
    reference: null,
    ts: event.blockAtMs,
  };
}

/** A funding payment out of the ledger. */
export function fundingPaymentJson(event: LedgerEvent, symbol: string): WireFundingPayment {
  return { id: eventId(event), symbol, amount: amountText(event.amount), ts: event.blockAtMs };
}

/** A grant as an account lists it. */
export function grantJson(grant: Grant, at: { nowMs: number; nextNonce: bigint }): WireGrant {
  return {
    address: grant.agent,
    validUntilMs: String(grant.validUntilMs),
    expired: isExpired(grant, at.nowMs),
    nextNonce: Number(at.nextNonce),
  };
}
