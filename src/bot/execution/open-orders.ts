/** @module Reads the list of open orders: how many there are, at which position, in which epoch. */
import { isRecord, NATURAL } from '../../core/index.ts';
import type { MarketSymbol, OrderRef } from '../../domain/index.ts';
import { epochOf, fieldsOf, orderIdOf } from './bodies.ts';
import type { NoAnswer, RawAnswer } from './ports.ts';

/** What the exchange says of the account's open orders. */
export interface OpenOrders {
  /** Number of open orders. */
  readonly count: number;
  /** Those of them that can be named. */
  readonly refs: readonly OrderRef[];
  /** Position in the exchange's log; `undefined`: not known. */
  readonly seq: bigint | undefined;
  /** Epoch of the ledger; `undefined`: not reported. */
  readonly epoch: string | undefined;
}

/** The content of an answer; `undefined` when it proves nothing. */
export function readOpenOrders(answer: RawAnswer | NoAnswer): OpenOrders | undefined {
  if (answer.kind !== 'answer' || answer.status !== 200) return undefined;
  const fields = fieldsOf(answer.body);
  const orders = fields?.['orders'];
  if (fields === undefined || !Array.isArray(orders)) return undefined;
  return {
    count: orders.length,
    refs: orders.flatMap(refOf),
    seq: NATURAL.read(fields['seq']) ?? answer.seq,
    epoch: epochOf(fields),
  };
}

/** The order of an item; none where it does not say which it is. */
function refOf(item: unknown): readonly OrderRef[] {
  if (!isRecord(item)) return [];
  const { symbol } = item;
  const orderId = orderIdOf(item);
  return typeof symbol !== 'string' || orderId === undefined
    ? []
    : [{ symbol: symbol as MarketSymbol, orderId }];
}
