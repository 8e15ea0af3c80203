/**
 * @module
 * Accounts, positions, orders, fills, ledger entries and grants as the JSON of the interface.
 */
import { formatScaled } from '../../../core/index.ts';
import type { Market } from '../../../domain/index.ts';
import type {
  WireAccount,
  WireFill,
  WireFundingPayment,
  WireGrant,
  WireLedgerEntry,
  WireOrder,
  WirePosition,
} from '../../../wire/protocol/index.ts';
import type { AlgoOrderTerms, VenueAccount, VenueOrder, VenuePosition } from '../../engine/index.ts';
import type { FillRow, TokenAmount, TokenBalances } from '../../state/index.ts';
import {
  type CashEvent,
  COLLATERAL,
  eventId,
  type Grant,
  isExpired,
  type LedgerEvent,
  listedToken,
  tokenText,
} from '../../state/index.ts';
import { amountText, priceText, sizeText } from './market-json.ts';

/** The summary of an account. All collateral is available: only spot orders hold any (exchange.md#resources). */
export function accountJson(
  account: VenueAccount,
  at: { readonly seq: number; readonly epoch: string; readonly tokens: TokenBalances },
): WireAccount {
  const collateral = amountText(account.collateral);
  return {
    accountId: account.account,
    collateral,
    equity: amountText(account.equity),
    initialMargin: amountText(account.initialMargin),
    maintenanceMargin: amountText(account.maintenanceMargin),
    withdrawable: amountText(account.withdrawable),
    balances: [
      balanceJson({ token: COLLATERAL.token, amount: account.collateral }),
      ...at.tokens.of(account.account).map(balanceJson),
    ],
    feeTier: account.feeTier ?? null,
    takerFeePpm: account.takerFeePpm,
    makerFeePpm: account.makerFeePpm,
    seq: at.seq,
    epoch: at.epoch,
  };
}

function balanceJson({ token, amount }: TokenAmount): WireAccount['balances'][number] {
  const text = tokenText(token, amount);
  return {
    token,
    symbol: listedToken(token).symbol,
    amount: text,
    available: text,
    hold: tokenText(token, 0n),
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

/** An order. Its number is orderSeq without the market (exchange.md#assumptions). */
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

function waitingJson(market: Market, terms: AlgoOrderTerms): Pick<WireOrder, 'kind' | 'trigger' | 'twap'> {
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

/** A fill from one account's own view (exchange.md#resources). */
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
    ...parentJson(own.parentSeq),
    counterOrderId: other.orderSeq.toString(),
    side: role === 'maker' ? makerSide : event.takerSide,
    role,
    price: priceText(market, event.priceTicks),
    size: sizeText(market, event.lots),
    fee: amountText(own.fee),
    ts: event.blockAtMs,
  };
}

const NO_ORDER = {
  market: undefined,
  orderSeq: undefined,
  parentSeq: undefined,
  counterOrderSeq: undefined,
};

function parentJson(parentSeq: bigint | undefined): { readonly parentOrderId?: string } {
  return parentSeq === undefined ? {} : { parentOrderId: parentSeq.toString() };
}

/** A ledger entry. */
export function ledgerJson(event: LedgerEvent, marketOf: (id: number) => Market): WireLedgerEntry {
  const { token, market, orderSeq, parentSeq, counterOrderSeq } =
    event.kind === 'TokenAppended'
      ? { ...NO_ORDER, token: event.token }
      : { ...event, token: COLLATERAL.token };
  return {
    id: eventId(event),
    seq: event.seq,
    sub: event.sub,
    idx: event.idx,
    kind: event.entryKind,
    token,
    amount: tokenText(token, event.amount),
    symbol: market === undefined ? null : marketOf(market).symbol,
    orderId: orderSeq?.toString() ?? null,
    ...parentJson(parentSeq),
    counterOrderId: counterOrderSeq?.toString() ?? null,
    reference: null,
    ts: event.blockAtMs,
  };
}

/** A funding payment out of the ledger. */
export function fundingPaymentJson(event: CashEvent, symbol: string): WireFundingPayment {
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
