/** @module An own order of the local venue: what the exchange knows of it, who asked for it, and its place in the queue. */
import {
  lots,
  type MarketSymbol,
  type OrderId,
  type OrderSpec,
  ticks,
  type WorkingOrder,
} from '../../domain/index.ts';
import type { Holding } from '../accounts/account.ts';
import type { QueuePlace } from '../models/fill/fill-model.ts';
import { OrderState, type OrderTerms } from '../orders/order-state.ts';

/** See the module. */
export class LocalOrder extends OrderState implements QueuePlace {
  readonly orderId: OrderId;
  /** Who asked for it; undefined: the exchange itself, which closes a position. */
  readonly spec: OrderSpec | undefined;
  ahead = 0;
  atRest = 0;
  traded = 0;

  constructor(holding: Holding, terms: OrderTerms, spec: OrderSpec | undefined) {
    super(holding, terms);
    this.orderId = terms.orderSeq.toString() as OrderId;
    this.spec = spec;
  }

  get symbol(): MarketSymbol {
    return this.holding.market.market.symbol;
  }

  /** As the private stream shows it. */
  working(): WorkingOrder {
    const { spec, terms } = this;
    return {
      symbol: this.symbol,
      orderId: this.orderId,
      side: terms.side,
      priceTicks: ticks(terms.priceTicks),
      sizeLots: lots(terms.lots),
      remainingLots: lots(this.remainingLots),
      timeInForce: terms.tif,
      reduceOnly: terms.reduceOnly,
      ...(spec === undefined ? {} : { clientOrderId: spec.clientOrderId }),
      ...(spec === undefined ? {} : { intentId: spec.intentId, strategyId: spec.strategyId }),
    };
  }
}
