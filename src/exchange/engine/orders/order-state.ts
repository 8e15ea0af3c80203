/** @module An order while it lives: the mutable counterpart of `VenueOrder`. */
import type { UnixMs } from '../../../core/index.ts';
import type { Side, TimeInForce } from '../../../domain/index.ts';
import type { Holding } from '../accounts/account.ts';
import type { VenueOrder } from '../types.ts';

/** What an order is made of. */
export interface OrderTerms {
  /** Order number (exchange.md#order-numbers). */
  readonly orderSeq: bigint;
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
  /** Last valid instant, Unix ms; 0: none. */
  readonly goodTilMs: number;
  /** Time of placement, Unix ms. */
  readonly createdAtMs: UnixMs;
  /** Position of the log entry, from 1. */
  readonly seq: number;
  /** Of a slice: the time-weighted order that it is of; absent: it is none. */
  readonly parentSeq?: bigint | undefined;
}

/** One order of one holding. */
export class OrderState {
  readonly holding: Holding;
  readonly terms: OrderTerms;
  /** `orderSeq` as a number (below 2^48). */
  readonly id: number;
  remainingLots: number;
  status: VenueOrder['status'] = 'open';
  /** Log position of the last change. */
  seq: number;
  /** Its slot in the book; -1: not in it. */
  slot = -1;
  /** Ticks a lot loses at once against the mark price of its placement, see `margin`. */
  lossTicks = 0;

  constructor(holding: Holding, terms: OrderTerms) {
    this.holding = holding;
    this.terms = terms;
    this.id = Number(terms.orderSeq);
    this.remainingLots = terms.lots;
    this.seq = terms.seq;
  }

  snapshot(): VenueOrder {
    return snapshotOf(this);
  }
}

/** The current state of an order. */
export function snapshotOf({ terms, holding, remainingLots, status, seq }: OrderState): VenueOrder {
  return {
    account: holding.account.number,
    market: holding.market.number,
    orderSeq: terms.orderSeq,
    side: terms.side,
    priceTicks: terms.priceTicks,
    lots: terms.lots,
    remainingLots,
    tif: terms.tif,
    reduceOnly: terms.reduceOnly,
    goodTilMs: terms.goodTilMs,
    createdAtMs: terms.createdAtMs,
    status,
    seq,
  };
}
