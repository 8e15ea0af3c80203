/**
 * @module
 * One market of the local venue: the exchange's state of it, what we hold there, and own orders in priority. What is
 * shown of it and how its orders are filled is in the matcher.
 */
import type { MarketSymbol } from '../../domain/index.ts';
import type { AccountState, Holding, MarketState } from '../../exchange/engine/index.ts';
import type { LocalOrder } from './local-order.ts';

/** See the module. */
export class LocalMarket {
  readonly state: MarketState;
  readonly symbol: MarketSymbol;
  readonly holding: Holding;
  /** Best first, older first. */
  readonly bids: LocalOrder[] = [];
  readonly asks: LocalOrder[] = [];
  /** Counts the changes of these lists. */
  changes = 0;
  hasMark = false;
  hasIndex = false;
  /** The rate in force, in parts per billion of one funding interval; undefined: not published. */
  ratePpb: number | undefined;
  /** When it settles, Unix us. */
  boundaryUs = Number.POSITIVE_INFINITY;
  /** The last settlement by rate, and whether the tape names settlements itself. */
  settledUs = Number.NEGATIVE_INFINITY;
  hasSettlements = false;
  /** Last trade, 0: none. */
  lastTicks = 0;

  constructor(state: MarketState, account: AccountState) {
    this.state = state;
    this.symbol = state.market.symbol;
    this.holding = account.holding(state);
  }

  /** Own orders of a side. */
  own(isBid: boolean): LocalOrder[] {
    return isBid ? this.bids : this.asks;
  }

  /** Lists an order that came to rest. */
  add(order: LocalOrder): void {
    const { side, priceTicks } = order.terms;
    const isBid = side === 'buy';
    const list = this.own(isBid);
    // From the end, moving up what is worse: nothing is made on the way.
    let at = list.length;
    list.push(order);
    this.changes++;
    for (; at > 0; at--) {
      const before = list[at - 1] as LocalOrder;
      const isWorse = isBid ? before.terms.priceTicks < priceTicks : before.terms.priceTicks > priceTicks;
      if (!isWorse) break;
      list[at] = before;
    }
    list[at] = order;
  }

  /** Takes an order that has ended off the list. */
  remove(order: LocalOrder): void {
    const list = this.own(order.terms.side === 'buy');
    let at = list.indexOf(order);
    if (at < 0) return;
    this.changes++;
    for (; at + 1 < list.length; at++) list[at] = list[at + 1] as LocalOrder;
    list.pop();
  }
}
