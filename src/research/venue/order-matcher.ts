/**
 * @module Own orders in a book that is recorded order by order: the exchange's own book holds recorded and own orders
 * together, in price-time priority, so nothing about queues is assumed. A recorded execution is a taker of its size at
 * its price: it takes what is first here, which may be ours. What it did not take of the recorded order stays in the
 * book.
 *
 * A recorded order that comes to rest where we are in its way takes from us first, as it would have. What an order of
 * ours took is gone for the recorded takers that come later.
 */
import { assert, product } from '../../core/index.ts';
import { EVENT, FLAG_END, type Side } from '../../domain/index.ts';
import type { Preview, Taking } from '../../exchange/engine/index.ts';
import {
  type BookSide,
  BUY,
  closableLots,
  type MakerPolicy,
  type OrderBook,
  SELL,
} from '../../exchange/engine/index.ts';
import type { LocalMarket } from './local-market.ts';
import type { LocalOrder } from './local-order.ts';
import type { Matcher, MatcherPorts } from './matcher.ts';
import { RecordedOrders } from './recorded-orders.ts';
import type { MarketRows } from './types.ts';

/** See the module. */
export class OrderMatcher implements Matcher {
  readonly #market: LocalMarket;
  readonly #ports: MatcherPorts;
  readonly #book: OrderBook;
  readonly #recorded: RecordedOrders;
  readonly #makers: OwnMakers;
  #isResetting = false;
  /** A gap has made the book void: nothing fills until it is rebuilt. */
  #isLost = false;

  constructor(market: LocalMarket, ports: MatcherPorts) {
    this.#market = market;
    this.#ports = ports;
    this.#book = market.state.book;
    this.#recorded = new RecordedOrders(this.#book);
    this.#makers = new OwnMakers(this.#book, ports);
  }

  // biome-ignore lint/complexity/useMaxParams: the columns of a row, so that no object is made
  onRow(kind: number, flags: number, us: number, price: number, size: number, id: number): void {
    switch (kind) {
      case EVENT.bidOrder:
        this.#onOrder(BUY, { price, size, id });
        break;
      case EVENT.askOrder:
        this.#onOrder(SELL, { price, size, id });
        break;
      case EVENT.orderReduced:
        this.#recorded.reduce(id, size);
        break;
      case EVENT.orderDeleted:
        this.#recorded.remove(id);
        break;
      case EVENT.orderExecuted:
        this.#onExecuted({ price, size, id });
        break;
      case EVENT.buyTrade:
      case EVENT.sellTrade:
        this.#market.lastTicks = price;
        break;
      case EVENT.bookReset:
        this.#recorded.clear();
        this.#isResetting = true;
        break;
      case EVENT.hole:
        this.#recorded.clear();
        this.#isLost = true;
        break;
      default:
        break;
    }
    if ((flags & FLAG_END) === 0) return;
    // What one frame did is emitted at its end: a taker that met several recorded orders and us is one taker.
    if (this.#makers.hasNews) {
      this.#ports.begin(us);
      this.#makers.emit();
    }
    if (this.#isResetting) this.#settleReset();
  }

  /** Levels do not change it, but a frame may end with one. */
  passLevels(_rows: MarketRows, from: number): number {
    return from;
  }

  crosses(side: Side, priceTicks: number): boolean {
    return this.#book.crosses(side === 'buy' ? BUY : SELL, priceTicks);
  }

  preview({ side, priceTicks, lots }: Taking): Preview {
    let left = lots;
    let tickLots = 0n;
    const isBuy = side === 'buy';
    this.#book.forEachOrder(isBuy ? SELL : BUY, (slot, price, resting) => {
      if (isBuy ? price > priceTicks : price < priceTicks) return false;
      if (isOwn(this.#book, slot)) return true;
      const taken = Math.min(left, resting);
      left -= taken;
      tickLots += product(price, taken);
      return left > 0;
    });
    return { lots: lots - left, tickLots };
  }

  take(order: LocalOrder): readonly (readonly [number, number])[] {
    const { side, priceTicks } = order.terms;
    const legs: [number, number][] = [];
    const dropped: LocalOrder[] = [];
    const policy: MakerPolicy = {
      lotsAllowed: (slot) => (isOwn(this.#book, slot) ? 0 : this.#book.lotsIn(slot)),
      onFilled: (_slot, lots, price) => {
        order.remainingLots -= lots;
        const last = legs[legs.length - 1];
        if (last?.[0] === price) last[1] += lots;
        else legs.push([price, lots]);
      },
      onDropped: (slot) => {
        dropped.push(this.#ports.inSlot(slot));
      },
    };
    this.#book.take(side === 'buy' ? BUY : SELL, order.remainingLots, priceTicks, policy);
    for (const own of dropped) this.#ports.dropped(own);
    return legs;
  }

  rested(order: LocalOrder): void {
    order.ahead = this.#aheadOf(order);
    order.atRest = order.ahead;
  }

  midTicks(): number | undefined {
    const { bidTicks, askTicks } = this.#book;
    return bidTicks < 0 || !Number.isFinite(askTicks) ? undefined : Math.floor((bidTicks + askTicks) / 2);
  }

  /** Orders are more than levels. */
  readonly isPlain = false;

  showLevels(): void {
    assert(false, 'levels to be shown where there are orders');
  }

  /** Order by order every price is shown. */
  readonly restedBetween = undefined;

  queueOf(order: LocalOrder): { readonly aheadLots: number; readonly atRestLots: number } | undefined {
    return { aheadLots: this.#aheadOf(order), atRestLots: order.atRest };
  }

  #onOrder(
    side: BookSide,
    { price, size, id }: { readonly price: number; readonly size: number; readonly id: number },
  ): void {
    let left = size;
    if (this.#book.crosses(side, price)) {
      // After a gap an own order may be where no recorded order was: no fill is made of that.
      left = this.#isLost ? 0 : this.#book.take(side, size, price, this.#makers.alone);
    }
    this.#recorded.rest(id, side, { price, size, left });
  }

  #onExecuted(row: { readonly price: number; readonly size: number; readonly id: number }): void {
    const side = this.#recorded.sideOf(row.id);
    if (side < 0) return;
    if (this.#isMissed(side === BUY, row.price)) {
      this.#recorded.reduce(row.id, row.size);
      return;
    }
    const limit = this.#recorded.executed(row.id, row.size) || row.price;
    if (!this.#isLost) this.#book.take(side === BUY ? SELL : BUY, row.size, limit, this.#makers);
  }

  /** True if an execution that could reach an order of ours is another participant's: it is as it was recorded. */
  #isMissed(isBid: boolean, price: number): boolean {
    const own = this.#market.own(isBid)[0]?.terms.priceTicks;
    if (own === undefined || this.#isLost || (isBid ? own < price : own > price)) return false;
    return this.#ports.isMissed();
  }

  /** The new book is whole: orders that were in the queue before it are after it. */
  #settleReset(): void {
    this.#isResetting = false;
    this.#isLost = false;
    for (const order of [...this.#market.bids, ...this.#market.asks]) this.#ports.requeue(order);
  }

  #aheadOf(order: LocalOrder): number {
    let ahead = 0;
    this.#book.forEachOrder(order.terms.side === 'buy' ? BUY : SELL, (slot, price, lots) => {
      if (slot === order.slot) return false;
      if (price === order.terms.priceTicks) ahead += lots;
      return true;
    });
    return ahead;
  }
}

/** Numbers of recorded orders are negative, see `RecordedOrders`. */
function isOwn(book: OrderBook, slot: number): boolean {
  return book.idIn(slot) >= 0;
}

/** How much of own orders another participant may take. Its result is emitted when the book is at rest again. */
class OwnMakers implements MakerPolicy {
  /**
   * For a recorded order that comes to rest: what it meets of recorded orders is gone in the recording, it is here only
   * because we were executed instead. The market has moved through it, so it leaves.
   */
  readonly alone: MakerPolicy;
  readonly #book: OrderBook;
  readonly #ports: MatcherPorts;
  #filled: { readonly order: LocalOrder; lots: number }[] = [];
  #dropped: LocalOrder[] = [];

  constructor(book: OrderBook, ports: MatcherPorts) {
    this.#book = book;
    this.#ports = ports;
    this.alone = {
      lotsAllowed: (slot) => (isOwn(book, slot) ? this.lotsAllowed(slot) : 0),
      onFilled: (slot, lots) => this.onFilled(slot, lots),
      onDropped: (slot) => this.onDropped(slot),
    };
  }

  get hasNews(): boolean {
    return this.#filled.length > 0 || this.#dropped.length > 0;
  }

  lotsAllowed(slot: number): number {
    const resting = this.#book.lotsIn(slot);
    if (!isOwn(this.#book, slot)) return resting;
    const { terms, holding } = this.#ports.inSlot(slot);
    return terms.reduceOnly ? Math.min(resting, this.#closable(holding, terms.side)) : resting;
  }

  onFilled(slot: number, lots: number): void {
    if (!isOwn(this.#book, slot)) return;
    const order = this.#ports.inSlot(slot);
    const last = this.#filled[this.#filled.length - 1];
    if (last?.order === order) last.lots += lots;
    else this.#filled.push({ order, lots });
  }

  onDropped(slot: number): void {
    if (isOwn(this.#book, slot)) this.#dropped.push(this.#ports.inSlot(slot));
  }

  emit(): void {
    const [filled, dropped] = [this.#filled, this.#dropped];
    this.#filled = [];
    this.#dropped = [];
    // First those that the book does not have any more: what follows of a fill looks through all that rest.
    for (const order of dropped) this.#ports.dropped(order);
    for (const { order, lots } of filled) this.#ports.filled(order, lots);
  }

  /** What can be closed, with the fills that are not emitted yet. */
  #closable(holding: LocalOrder['holding'], side: Side): number {
    let lots = closableLots(holding, side);
    for (const { order, lots: filled } of this.#filled) lots += order.terms.side === side ? -filled : filled;
    return Math.max(0, lots);
  }
}
