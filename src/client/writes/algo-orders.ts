/**
 * @module Writes of orders that do not go into the book at once: when the index price is reached, over time, or to
 * close a position. They are listed among the open orders with their `kind` and are canceled by their number like any
 * other.
 */
import type { ClientOrderId, OrderId, TpslLeg } from '../../domain/index.ts';
import { planTpsl, planTrigger, planTwap } from '../../wire/protocol/index.ts';
import { type DecimalInput, knownMarket, lotsOf, ticksOf } from '../amounts.ts';
import { misused } from '../errors.ts';
import type { WriteClient, WriteOptions } from '../write-client.ts';
import type { WriteResult } from '../write-result.ts';
import { type ExpiringOrderRequest, instantOf } from './orders.ts';

/** An order that waits for the index price. */
export interface TriggerOrder extends ExpiringOrderRequest {
  /** The index price that fires it, looked at with each block. */
  readonly triggerPrice: DecimalInput;
  /** Fires at or above the trigger; otherwise at or below. */
  readonly triggerAbove: boolean;
}

/** A time-weighted order. */
export interface TwapOrder {
  /** Symbol of the market. */
  readonly symbol: string;
  /** Buy or sell. */
  readonly side: 'buy' | 'sell';
  /** All slices together. */
  readonly size: DecimalInput;
  /** Number of slices. */
  readonly slices: number;
  /** Between two slices, in milliseconds. */
  readonly intervalMs: number;
  /** Distance of the limit of a slice from the index price, in parts per million. */
  readonly priceTolerancePpm: number;
  /** True if it may only reduce a position; default false. */
  readonly reduceOnly?: boolean | undefined;
}

/** One leg of a take-profit / stop-loss pair. */
export interface TriggerLeg {
  /** The index price that fires it. */
  readonly triggerPrice: DecimalInput;
  /** The limit of the order that it becomes. */
  readonly price: DecimalInput;
}

/** A take-profit, a stop-loss, or both, of which one at most fires. */
export interface TpslOrder {
  /** Symbol of the market. */
  readonly symbol: string;
  /** The side that closes: `sell` for a long position. */
  readonly closeSide: 'buy' | 'sell';
  /** Needed with a parent; without one the pair closes the whole position. */
  readonly size?: DecimalInput | undefined;
  /** Leg that takes the profit; `undefined`: none. */
  readonly takeProfit?: TriggerLeg | undefined;
  /** Leg that stops the loss; `undefined`: none. */
  readonly stopLoss?: TriggerLeg | undefined;
  /** The open order whose fills the pair closes; left out: the pair follows the position. */
  readonly parentOrderId?: string | undefined;
}

/** Writes of orders that wait. */
export interface AlgoOrderWrites {
  /**
   * Places an order that goes into the book when the index price is there.
   * @throws ApiError `InvalidConditional`, UnresolvedWriteError, ClientUsageError
   * @example
   * await client.orders.trigger({
   *   symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.001', triggerPrice: '21000', triggerAbove: false,
   * });
   * const waiting = (await client.account.orders()).find(({ kind }) => kind === 'conditional');
   * assert(waiting.trigger.price.equals('21000'));
   */
  trigger(params: TriggerOrder & WriteOptions): Promise<WriteResult>;
  /**
   * Places a time-weighted order: `size` in `slices` immediate orders, one each `intervalMs`.
   * @throws ApiError, UnresolvedWriteError, ClientUsageError
   * @example
   * const { items } = await client.orders.twap({
   *   symbol: 'BTC-USD', side: 'buy', size: '0.01', slices: 10, intervalMs: 30_000, priceTolerancePpm: 5_000,
   * });
   * assert(items[0].orderId !== undefined);
   */
  twap(params: TwapOrder & WriteOptions): Promise<WriteResult>;
  /**
   * Places a take-profit, a stop-loss or both, for the position or for the fills of a parent order.
   * @throws ApiError `InvalidConditional`, UnresolvedWriteError, ClientUsageError
   * @example
   * const parent = await client.orders.place({ symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.01' });
   * await client.orders.tpsl({
   *   symbol: 'BTC-USD',
   *   closeSide: 'sell',
   *   size: '0.01',
   *   takeProfit: { triggerPrice: '150000', price: '149000' },
   *   stopLoss: { triggerPrice: '15000', price: '14000' },
   *   parentOrderId: parent.items[0].orderId,
   * });
   */
  tpsl(params: TpslOrder & WriteOptions): Promise<WriteResult>;
}

/** The writes of waiting orders over a writer. */
export function algoOrderWrites(writer: WriteClient): AlgoOrderWrites {
  return {
    trigger: (params) =>
      writer.write(params, ({ environment, context, nowMs }) => {
        const market = knownMarket(environment, params.symbol);
        const { side, timeInForce = 'gtc', reduceOnly = false, clientOrderId, expiresAt = 0 } = params;
        const spec = {
          symbol: market.symbol,
          side,
          priceTicks: ticksOf(market, params.price, 'price'),
          sizeLots: lotsOf(market, params.size, 'size'),
          timeInForce,
          reduceOnly,
          triggerTicks: ticksOf(market, params.triggerPrice, 'triggerPrice'),
          triggerAbove: params.triggerAbove,
          ...(clientOrderId === undefined ? {} : { clientOrderId: clientOrderId as ClientOrderId }),
          expiresAtMs: instantOf(expiresAt),
        };
        return { kind: 'operation', ...planTrigger(spec, context, nowMs) };
      }),
    twap: (params) =>
      writer.write(params, ({ environment, context, nowMs }) => {
        const market = knownMarket(environment, params.symbol);
        const { side, slices, intervalMs, priceTolerancePpm, reduceOnly = false } = params;
        const spec = {
          symbol: market.symbol,
          side,
          sizeLots: lotsOf(market, params.size, 'size'),
          slices,
          intervalMs,
          priceTolerancePpm,
          reduceOnly,
        };
        return { kind: 'operation', ...planTwap(spec, context, nowMs) };
      }),
    tpsl: (params) =>
      writer.write(params, ({ environment, context, nowMs }) => {
        const market = knownMarket(environment, params.symbol);
        const { closeSide, size, takeProfit, stopLoss, parentOrderId } = params;
        const legOf = (leg: TriggerLeg, what: string): TpslLeg => ({
          triggerTicks: ticksOf(market, leg.triggerPrice, `${what}.triggerPrice`),
          priceTicks: ticksOf(market, leg.price, `${what}.price`),
        });
        if (takeProfit === undefined && stopLoss === undefined) throw incomplete('takeProfit or stopLoss');
        if (parentOrderId !== undefined && size === undefined) throw incomplete('size beside parentOrderId');
        const spec = {
          symbol: market.symbol,
          closeSide,
          ...(size === undefined ? {} : { sizeLots: lotsOf(market, size, 'size') }),
          ...(takeProfit === undefined ? {} : { takeProfit: legOf(takeProfit, 'takeProfit') }),
          ...(stopLoss === undefined ? {} : { stopLoss: legOf(stopLoss, 'stopLoss') }),
          ...(parentOrderId === undefined ? {} : { parentOrderId: parentOrderId as OrderId }),
        };
        return { kind: 'operation', ...planTpsl(spec, context, nowMs) };
      }),
  };
}

function incomplete(what: string) {
  return misused({
    code: 'CLIENT_ITEMS_MISSING',
    message: `expected ${what}, got none`,
    remedy: 'Give what is missing beside the rest.',
  });
}
