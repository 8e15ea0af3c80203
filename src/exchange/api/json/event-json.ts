/**
 * @module
 * Raw execution events as the JSON of the `events` channel and of its backfill, and what each of them touches.
 */
import { assertNever } from '../../../core/index.ts';
import type { Market } from '../../../domain/index.ts';
import type { WireEvent } from '../../../wire/protocol/index.ts';
import type { VenueOrder } from '../../engine/index.ts';
import type { PublicEvent } from '../../state/index.ts';
import { eventId } from '../../state/index.ts';
import { amountText, priceText, sizeText } from './market-json.ts';

/** Gives a market by its number. */
export type MarketById = (signingMarketId: number) => Market;

/** The market an event is about. */
export function marketOfEvent(event: PublicEvent): number | undefined {
  if ('order' in event) return event.order.market;
  return 'market' in event ? event.market : undefined;
}

/** The accounts an event is about. */
export function accountsOfEvent(event: PublicEvent): readonly number[] {
  if ('order' in event) return [event.order.account];
  if (event.kind === 'Fill') return [event.maker.account, event.taker.account];
  if (event.kind === 'Transferred') return [event.from, event.to];
  if (event.kind === 'Deleverage') return [event.account, event.counterAccount];
  if ('vault' in event) return [event.account, event.vault];
  return 'account' in event ? [event.account] : [];
}

/** An event with its identity; field names follow exchange.md#resources, sizes and prices are decimal text. */
export function eventJson(event: PublicEvent, marketById: MarketById): WireEvent {
  return {
    id: eventId(event),
    seq: event.seq,
    sub: event.sub,
    idx: event.idx,
    kind: event.kind,
    ts: event.blockAtMs,
    data: dataOf(event, marketById),
  };
}

function dataOf(event: PublicEvent, marketById: MarketById): Readonly<Record<string, unknown>> {
  switch (event.kind) {
    case 'BlockBegun':
      return {};
    case 'OrderAccepted': {
      const market = marketById(event.order.market);
      return {
        ...orderData(event.order, market),
        side: event.order.side,
        price: priceText(market, event.order.priceTicks),
        size: sizeText(market, event.order.lots),
        filledSize: sizeText(market, event.filledLots),
        resting: event.isResting,
      };
    }
    case 'OrderCanceled': {
      const market = marketById(event.order.market);
      return {
        ...orderData(event.order, market),
        remainingSize: sizeText(market, event.canceledLots),
        reason: event.reason,
      };
    }
    case 'OrderExpired': {
      const market = marketById(event.order.market);
      return { ...orderData(event.order, market), remainingSize: sizeText(market, event.canceledLots) };
    }
    case 'Fill': {
      const market = marketById(event.market);
      return {
        symbol: market.symbol,
        price: priceText(market, event.priceTicks),
        size: sizeText(market, event.lots),
        takerIsBuy: event.takerSide === 'buy',
        maker: event.maker.account,
        taker: event.taker.account,
        makerOrderId: event.maker.orderSeq.toString(),
        takerOrderId: event.taker.orderSeq.toString(),
      };
    }
    case 'OracleUpdated': {
      const market = marketById(event.market);
      return {
        symbol: market.symbol,
        indexPrice: priceText(market, event.indexTicks),
        markPrice: priceText(market, event.markTicks),
      };
    }
    case 'FundingSettled': {
      const market = marketById(event.market);
      return {
        symbol: market.symbol,
        ratePpm: event.ratePpm,
        indexPrice: priceText(market, event.indexTicks),
      };
    }
    default:
      return otherDataOf(event, marketById);
  }
}

type OrderedKind = 'BlockBegun' | 'OrderAccepted' | 'OrderCanceled' | 'OrderExpired' | 'Fill';
type OtherEvent = Exclude<PublicEvent, { kind: OrderedKind | 'OracleUpdated' | 'FundingSettled' }>;

function otherDataOf(event: OtherEvent, marketById: MarketById): Readonly<Record<string, unknown>> {
  switch (event.kind) {
    case 'ScheduleCancelSet':
      return { accountId: event.account, triggerMs: event.triggerMs };
    case 'ScheduleCancelFired':
      return { accountId: event.account, canceledOrders: event.canceledOrders };
    case 'Deposited':
      return { accountId: event.account, amount: amountText(event.amount) };
    case 'Transferred':
      return { from: event.from, to: event.to, amount: amountText(event.amount) };
    case 'LeverageSet':
      return {
        accountId: event.account,
        symbol: marketById(event.market).symbol,
        customImfPpm: event.customImfPpm,
      };
    case 'MarketStatusChanged':
      return { symbol: marketById(event.market).symbol, status: event.status };
    case 'ConditionalPlaced': {
      const market = marketById(event.order.market);
      return {
        ...orderData(event.order, market),
        triggerPrice: priceText(market, event.triggerTicks),
        triggerAbove: event.isAbove,
      };
    }
    case 'ConditionalFired':
      return orderData(event.order, marketById(event.order.market));
    case 'ConditionalCanceled':
    case 'TwapEnded':
      return { ...orderData(event.order, marketById(event.order.market)), reason: event.reason };
    case 'TwapPlaced': {
      const market = marketById(event.order.market);
      const size = sizeText(market, event.order.lots);
      return { ...orderData(event.order, market), side: event.order.side, size };
    }
    case 'TwapSliced': {
      const market = marketById(event.order.market);
      const childOrderId = event.childOrderSeq.toString();
      return {
        ...orderData(event.order, market),
        childOrderId,
        filledSize: sizeText(market, event.filledLots),
      };
    }
    case 'MarketParamsUpdated': {
      const market = marketById(event.market);
      return {
        symbol: market.symbol,
        tickSize: priceText(market, market.tickStep),
        lotSize: sizeText(market, market.lotStep),
        minNotional: amountText(market.minNotional),
      };
    }
    case 'AgentApproved':
      return { accountId: event.account, agent: event.agent, validUntilMs: String(event.validUntilMs) };
    case 'AgentRevoked':
      return { accountId: event.account, agent: event.agent };
    case 'SubaccountCreated':
      return { accountId: event.account, owner: event.owner, subaccount: event.subaccount };
    default:
      return 'vault' in event ? vaultDataOf(event) : distressDataOf(event, marketById);
  }
}

function orderData(order: VenueOrder, market: Market): Readonly<Record<string, unknown>> {
  return { accountId: order.account, symbol: market.symbol, orderId: order.orderSeq.toString() };
}

/** Who did it is account 0 where the operator did; limits are null where there are none. */
function vaultDataOf(event: Extract<PublicEvent, { vault: number }>): Readonly<Record<string, unknown>> {
  const { account, vault } = event;
  const head = { accountId: account, vault: String(vault) };
  switch (event.kind) {
    case 'VaultCreated':
      return { ...head, name: event.name };
    case 'VaultClaimed':
      return head;
    case 'VaultDeposited':
    case 'VaultRedeemed':
      return { ...head, amount: amountText(event.amount), shares: amountText(event.shares) };
    case 'VaultConfigured':
      return {
        ...head,
        depositCap: event.depositCap === 0n ? null : amountText(event.depositCap),
        leverageMax: event.leverageMax === 0 ? null : event.leverageMax,
      };
    default:
      return assertNever(event);
  }
}

type DistressKind = 'Liquidation' | 'Deleverage' | 'SocializedLoss' | 'InsuranceFundChanged' | 'FinalSettled';

/** What the exchange does without a command: about accounts that fail, and about a market that ends. */
function distressDataOf(
  event: Extract<PublicEvent, { kind: DistressKind }>,
  marketById: MarketById,
): Readonly<Record<string, unknown>> {
  switch (event.kind) {
    case 'Liquidation': {
      const market = marketById(event.market);
      return {
        accountId: event.account,
        symbol: market.symbol,
        side: event.side,
        size: sizeText(market, event.lots),
        orderId: event.orderSeq.toString(),
      };
    }
    case 'Deleverage': {
      const market = marketById(event.market);
      return {
        accountId: event.account,
        counterAccountId: event.counterAccount,
        symbol: market.symbol,
        side: event.side,
        price: priceText(market, event.priceTicks),
        size: sizeText(market, event.lots),
      };
    }
    case 'SocializedLoss':
      return { accountId: event.account, amount: amountText(event.amount), payers: event.payers };
    case 'InsuranceFundChanged':
      return { change: amountText(event.change), fund: amountText(event.fund) };
    case 'FinalSettled': {
      const market = marketById(event.market);
      const price = priceText(market, event.indexTicks);
      return { symbol: market.symbol, price, positions: event.positions };
    }
    default:
      return assertNever(event);
  }
}
