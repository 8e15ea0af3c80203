/**
 * @module
 * The JSON shapes of signed writes, their answers and receipts, and of errors. The business JSON is not what is
 * signed: see `codec` and `structs`.
 */
import type { DecimalText, WireSide, WireTimeInForce } from './answers.ts';
import type { WireVaultEffect } from './vaults.ts';

/** One order in a placement or a replacement. */
export interface WireOrderRequest {
  readonly symbol: string;
  readonly side: WireSide;
  readonly price: DecimalText;
  readonly size: DecimalText;
  readonly timeInForce: WireTimeInForce;
  readonly reduceOnly: boolean;
  readonly clientOrderId?: string;
  /** Only of one order alone. */
  readonly trigger?: WireTriggerRequest;
}

/** Puts an order aside until the index price is there. */
export interface WireTriggerRequest {
  readonly price: DecimalText;
  /** Fires at or above the price; otherwise at or below. */
  readonly above: boolean;
}

/** One order to be canceled. */
export interface WireCancelRequest {
  readonly symbol: string;
  readonly orderId: string;
  /** Only of one order alone: it is signed as CancelConditional or CancelTwap. */
  readonly kind?: 'conditional' | 'twap';
}

/** POST /v1/orders/twap: signs PlaceTwap. */
export interface WireTwapBody {
  readonly symbol: string;
  readonly side: WireSide;
  readonly size: DecimalText;
  readonly slices: number;
  readonly intervalMs: number;
  readonly priceTolerancePpm: number;
  readonly reduceOnly: boolean;
  readonly nowMs: number;
}

/** POST /v1/positions/tpsl: signs PlaceTpslPair; a leg that is absent is not built. */
export interface WireTpslBody {
  readonly symbol: string;
  readonly closeSide: WireSide;
  /** Needed with a parent. */
  readonly size?: DecimalText;
  readonly takeProfit?: WireTriggerLeg;
  readonly stopLoss?: WireTriggerLeg;
  /** Absent: the legs follow the position. */
  readonly parentOrderId?: string;
  readonly nowMs: number;
}

/** A leg: the index price that fires it, and the limit of the order that it becomes. */
export interface WireTriggerLeg {
  readonly triggerPrice: DecimalText;
  readonly price: DecimalText;
}

/** What became of one item of a write. Cancels and placements are numbered separately from 0. */
export interface WireItem {
  readonly inputIndex: number;
  readonly kind: 'place' | 'cancel';
  readonly symbol: string;
  readonly state: 'accepted' | 'canceled' | 'rejected';
  /** Decimal text of orderSeq: of an accepted placement, and of the target of every cancel. */
  readonly orderId?: string;
  readonly clientOrderId?: string;
  readonly reason?: string;
  /** Of an accepted placement. */
  readonly size?: DecimalText;
  readonly filledSize?: DecimalText;
  readonly resting?: boolean;
  /** Of an executed cancel. */
  readonly canceledSize?: DecimalText;
}

/** 200 on a write. `rejected` with items is a batch of which every item was rejected. */
export interface WireWriteAnswer {
  readonly requestId: string;
  readonly status: 'executed' | 'rejected';
  readonly epoch: string;
  readonly seq: number;
  readonly sub: number;
  readonly nonceConsumed: boolean;
  readonly batchStatus?: 'ok' | 'partial' | 'none';
  readonly reason?: string;
  readonly duplicate?: boolean;
  readonly items: readonly WireItem[];
  /** Of a vault operation. */
  readonly vault?: WireVaultEffect;
}

/** 202 on a write. */
export interface WireSequencedAnswer {
  readonly status: 'sequenced';
  readonly requestId: string;
  readonly seq: number;
}

/** 200 of GET /v1/requests/{requestId}. */
export interface WireReceipt {
  readonly requestId: string;
  readonly status: 'pending' | 'executed' | 'rejected';
  readonly epoch: string;
  readonly seq: number;
  readonly sub: number;
  readonly signer: string;
  readonly nonceScope: string;
  readonly nonce: number;
  readonly nonceConsumed?: boolean;
  readonly reason?: string;
  readonly items?: readonly WireItem[];
  /** Of a vault operation that was executed. */
  readonly vault?: WireVaultEffect;
}

/** Every answer that is not a success. `details` of receipts: status, asOfSeq, conflictingRequest, epoch, gaps. */
export interface WireErrorBody {
  readonly error: {
    readonly code: string;
    readonly num: number;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}
