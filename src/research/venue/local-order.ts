/** @module An own order of the local venue: what the exchange knows of it, who asked for it, and its queue position. */
import {
  lots,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  ticks,
  type WorkingOrder,
} from '../../domain/index.ts';
import type { Holding } from '../../exchange/engine/index.ts';
import { type OrderState, type OrderTerms, snapshotOf } from '../../exchange/engine/index.ts';
import type { QueuePlace } from './models/fill-model.ts';

/** See the module. An order state without a class above it: one is made with each placement. */
export class LocalOrder implements OrderState, QueuePlace {
  readonly holding: Holding;
  readonly terms: OrderTerms;
  readonly id: number;
  remainingLots: number;
  status: OrderState['status'] = 'open';
  seq: number;
  slot = -1;
  lossTicks = 0;
  readonly orderId: OrderId;
  readonly symbol: MarketSymbol;
  /** How facts name it: one for all of them. */
  readonly ref: OrderRef;
  /** Who asked for it; undefined: the exchange itself, which closes a position. */
  readonly spec: OrderSpec | undefined;
  /** The shown price in whose queue it is: its own, unless the book shows levels at coarser steps. */
  levelTicks = 0;
  ahead = 0;
  atRest = 0;
  traded = 0;

  constructor(holding: Holding, terms: OrderTerms, spec: OrderSpec | undefined) {
    this.holding = holding;
    this.terms = terms;
    this.id = Number(terms.orderSeq);
    this.remainingLots = terms.lots;
    this.seq = terms.seq;
    this.orderId = terms.orderSeq.toString() as OrderId;
    this.symbol = holding.market.market.symbol;
    this.ref = { symbol: this.symbol, orderId: this.orderId };
    this.spec = spec;
  }

  snapshot(): ReturnType<OrderState['snapshot']> {
    return snapshotOf(this);
  }

  /** As the private stream shows it. */
  working(): WorkingOrder {
    const { spec, symbol, orderId, terms } = this;
    const { side, reduceOnly, tif: timeInForce } = terms;
    const priceTicks = ticks(terms.priceTicks);
    const sizeLots = lots(terms.lots);
    const remainingLots = lots(this.remainingLots);
    if (spec === undefined)
      return { symbol, orderId, side, priceTicks, sizeLots, remainingLots, timeInForce, reduceOnly };
    return {
      symbol,
      orderId,
      side,
      priceTicks,
      sizeLots,
      remainingLots,
      timeInForce,
      reduceOnly,
      clientOrderId: spec.clientOrderId,
      intentId: spec.intentId,
      strategyId: spec.strategyId,
    };
  }
}
