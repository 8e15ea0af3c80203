/**
 * @module Own orders in a recorded book of levels. A trade fills what it goes through; what it does at an order's own
 * price the fill model says; a book that crosses an order fills it at its price, with what rests there and was not
 * taken before. The volume of one trade is given out once, in priority, so two own orders never share it.
 *
 * A reset or a gap moves no order forward: a level that the new book does not show is not empty, it is not known.
 *
 * Where the book shows prices at a coarser step than orders have (`Market.bookStep`), an order is in the queue of the
 * shown level that contains its price, after all of it: who of that level has the better price is unknown.
 */
import { product } from '../../core/index.ts';
import { ASK_KEY_TOP, EVENT, FLAG_END, type Side } from '../../domain/index.ts';
import type { Preview, Taking } from '../../exchange/engine/index.ts';
import { closableLots } from '../../exchange/engine/index.ts';
import type { LocalMarket } from './local-market.ts';
import type { LocalOrder } from './local-order.ts';
import type { Matcher, MatcherPorts } from './matcher.ts';
import type { FillModel } from './models/fill-model.ts';
import { ShownSide } from './shown-side.ts';
import type { EmittedLevels, MarketRows } from './types.ts';

// By name, so that a row's kind is known without an object lookup. The two kinds of levels are the first ones.
const ASK_LEVEL = EVENT.askLevel;
/** By a name of this module: what another one exports is looked up and checked with every row. */
const TOP = ASK_KEY_TOP;
const UNKNOWN = Number.POSITIVE_INFINITY;

/** See the module. */
export class LevelMatcher implements Matcher {
  readonly #market: LocalMarket;
  readonly #model: FillModel;
  readonly #ports: MatcherPorts;
  readonly #shownBids = new ShownSide(true);
  readonly #shownAsks = new ShownSide(false);
  readonly #bids: LocalOrder[];
  readonly #asks: LocalOrder[];
  /** The step of shown prices, and the orders that came to rest between them. */
  readonly #step: number;
  #between = 0;
  /** True if the rows have levels, false if they have best quotes only. */
  #hasLevels = false;
  #isResetting = false;
  /**
   * What is shown comes from rows of levels only: since the last reset there was no gap, and no row of an order.
   */
  #isEmitted = true;
  /** Nothing is known before this time. */
  #blindUntilUs = Number.NEGATIVE_INFINITY;
  #nowUs = Number.NEGATIVE_INFINITY;
  /** Where own orders rest, by the kinds of rows that set a level. */
  readonly #watched: readonly ShownSide[] = [this.#shownBids, this.#shownBids, this.#shownAsks];
  /** The changes of the lists of own orders that {@link #watched} has seen. */
  #seenChanges = -1;

  constructor(market: LocalMarket, model: FillModel, ports: MatcherPorts) {
    this.#market = market;
    this.#model = model;
    this.#ports = ports;
    this.#bids = market.bids;
    this.#asks = market.asks;
    this.#step = market.state.market.bookStep ?? 1;
  }

  // biome-ignore lint/complexity/useMaxParams: the columns of a row, so that no object is made
  onRow(kind: number, flags: number, us: number, price: number, size: number, id: number): void {
    this.#nowUs = us;
    switch (kind) {
      case EVENT.bidLevel:
        this.#onLevel(this.#shownBids, price, size);
        break;
      case EVENT.askLevel:
        this.#onLevel(this.#shownAsks, price, size);
        break;
      case EVENT.buyTrade:
        this.#market.lastTicks = price;
        if (this.#asks.length > 0) this.#onTrade(false, price, size);
        break;
      case EVENT.sellTrade:
        this.#market.lastTicks = price;
        if (this.#bids.length > 0) this.#onTrade(true, price, size);
        break;
      case EVENT.bookReset:
        this.#void();
        this.#isEmitted = true;
        break;
      case EVENT.hole:
        this.#void();
        this.#isEmitted = false;
        this.#settleSides();
        this.#blindUntilUs = id;
        break;
      case EVENT.bestBid:
        this.#onBest(true, price, size);
        break;
      case EVENT.bestAsk:
        this.#onBest(false, price, size);
        break;
      default:
        if (kind >= EVENT.bidOrder && kind <= EVENT.orderDeleted) this.#isEmitted = false;
        break;
    }
    if (this.#isResetting && (flags & FLAG_END) !== 0) this.#settleReset();
  }

  passLevels(
    { kind, exchangeUs, price, size }: MarketRows,
    from: number,
    to: number,
    untilUs: number,
  ): number {
    if (!this.#hasLevels || this.#isResetting) return from;
    if (this.#seenChanges !== this.#market.changes) this.#watch();
    const watched = this.#watched;
    let row = from;
    do {
      const what = kind[row] as number;
      const ticks = price[row] as number;
      if (what > ASK_LEVEL || ticks > TOP) break;
      // Its side is unpredictable: as in the book of the bot it is looked up, without a branch.
      const key = ticks ^ (TOP * (what >> 1));
      if (!(watched[what] as ShownSide).pass(key, size[row] as number)) break;
    } while (++row < to && (exchangeUs[row] as number) <= untilUs);
    if (row > from) this.#nowUs = exchangeUs[row - 1] as number;
    return row;
  }

  get isPlain(): boolean {
    const isWhole = this.#shownBids.isWhole && this.#shownAsks.isWhole;
    return isWhole && this.#hasLevels && this.#isEmitted && !this.#isResetting && !this.#isBlind;
  }

  showLevels({ bids, asks }: EmittedLevels): void {
    this.#shownBids.copy(bids);
    this.#shownAsks.copy(asks);
  }

  crosses(side: Side, priceTicks: number): boolean {
    const own = side === 'buy' ? this.#asks[0] : this.#bids[0];
    if (own !== undefined && isReached(side === 'buy', own.terms.priceTicks, priceTicks)) return true;
    if (this.#isBlind) return false;
    const best = this.#shown(side !== 'buy').bestAvailable;
    return best >= 0 && isReached(side === 'buy', best, priceTicks);
  }

  preview({ side, priceTicks, lots }: Taking): Preview {
    let left = lots;
    let tickLots = 0n;
    this.#walk(side, priceTicks, (price, available) => {
      const taken = Math.min(left, available);
      left -= taken;
      tickLots += product(price, taken);
      return left > 0;
    });
    return { lots: lots - left, tickLots };
  }

  take(order: LocalOrder): readonly (readonly [number, number])[] {
    const { side, priceTicks } = order.terms;
    const legs: [number, number][] = [];
    this.#walk(side, priceTicks, (price, available) => {
      this.#passOwn(side, price, order.remainingLots);
      const taken = Math.min(order.remainingLots, available);
      if (taken > 0) {
        this.#takeShown(side, price, taken);
        order.remainingLots -= taken;
        legs.push([price, taken]);
      }
      return order.remainingLots > 0;
    });
    if (order.remainingLots > 0) this.#passOwn(side, priceTicks, UNKNOWN);
    return legs;
  }

  rested(order: LocalOrder): void {
    this.#queueUp(order);
    order.atRest = order.ahead;
    order.traded = 0;
    if (this.#step > 1 && order.levelTicks !== order.terms.priceTicks) this.#between++;
  }

  get restedBetween(): number | undefined {
    return this.#step > 1 ? this.#between : undefined;
  }

  midTicks(): number | undefined {
    const bid = this.#shownBids.best;
    const ask = this.#shownAsks.best;
    return bid < 0 || ask < 0 ? undefined : Math.floor((bid + ask) / 2);
  }

  queueOf(order: LocalOrder): { readonly aheadLots: number; readonly atRestLots: number } | undefined {
    if (!this.#model.hasQueue) return undefined;
    return { aheadLots: known(order.ahead), atRestLots: known(order.atRest) };
  }

  get #isBlind(): boolean {
    return this.#nowUs < this.#blindUntilUs;
  }

  #shown(isBid: boolean): ShownSide {
    return isBid ? this.#shownBids : this.#shownAsks;
  }

  /** Marks the levels that have to do with own orders. */
  #watch(): void {
    this.#seenChanges = this.#market.changes;
    this.#shownBids.watch(this.#bids, this.#asks, this.#step);
    this.#shownAsks.watch(this.#asks, this.#bids, this.#step);
  }

  #onLevel(shown: ShownSide, price: number, size: number): void {
    if (!this.#hasLevels) this.#beginLevels();
    const before = shown.set(price, size);
    const isBid = shown === this.#shownBids;
    const same = isBid ? this.#bids : this.#asks;
    // A book that is being rebuilt says nothing of changes: see the end of its frame.
    if (same.length > 0 && !this.#isResetting) this.#moveQueue(same, price, before, size);
    if (size === 0) return;
    const other = isBid ? this.#asks : this.#bids;
    if (other.length === 0) return;
    const first = other[0];
    if (first !== undefined && isReached(!isBid, price, first.terms.priceTicks))
      this.#cross(isBid, price, shown.availableAt(price));
  }

  #moveQueue(own: readonly LocalOrder[], price: number, before: number, after: number): void {
    for (const order of own) {
      if (order.levelTicks === price) this.#model.onLevel(order, before, after);
    }
  }

  /** Recorded orders of a side are where they cross own orders: those are filled at their own price. */
  #cross(isBid: boolean, price: number, available: number): void {
    let left = available;
    const shown = this.#shown(isBid);
    for (const order of [...this.#market.own(!isBid)]) {
      if (left <= 0 || !isReached(!isBid, price, order.terms.priceTicks)) return;
      const filled = this.#fill(order, left);
      shown.take(price, filled);
      left -= filled;
    }
  }

  /** A trade between other participants: `isBid`, it was sold into the bids. */
  #onTrade(isBid: boolean, price: number, size: number): void {
    const own = this.#market.own(isBid);
    const first = own[0];
    if (first === undefined) return;
    if (this.#step > 1) this.#shortenQueues(own, price, size);
    if (!isReached(isBid, price, first.terms.priceTicks)) return;
    let left = size;
    for (const order of [...own]) {
      const { priceTicks } = order.terms;
      if (left <= 0 || !isReached(isBid, price, priceTicks)) return;
      if (order.status !== 'open') continue;
      let reach = left;
      if (price === priceTicks) reach = this.#model.reach(order, left);
      else order.ahead = 0;
      if (reach > 0) left -= this.#fill(order, reach);
    }
  }

  /** A trade in a shown level, at a better price than own orders in its queue have: so much less is ahead of them. */
  #shortenQueues(own: readonly LocalOrder[], price: number, size: number): void {
    for (const order of own) {
      const { levelTicks, terms } = order;
      const isInside = price >= levelTicks && price < levelTicks + this.#step;
      if (isInside && !isReached(terms.side === 'buy', price, terms.priceTicks))
        this.#model.reach(order, size);
    }
  }

  /** Fills as much of an order as reaches it, in whole steps. Gives that, also where another participant has it. */
  #fill(order: LocalOrder, reach: number): number {
    if (order.status !== 'open') return 0;
    const { holding, terms } = order;
    const { lotStep } = holding.market.market;
    let lots = Math.min(order.remainingLots, reach);
    if (terms.reduceOnly) lots = Math.min(lots, closableLots(holding, terms.side));
    lots = Math.floor(lots / lotStep) * lotStep;
    if (lots <= 0) return 0;
    if (this.#ports.isMissed()) return lots;
    this.#ports.begin(this.#nowUs);
    this.#ports.fill(order, lots);
    return lots;
  }

  /** Best quotes of a separate stream. With levels they only show earlier that an order is crossed. */
  #onBest(isBid: boolean, price: number, size: number): void {
    const shown = this.#shown(isBid);
    if (!this.#hasLevels) this.#replaceBest(shown, { isBid, price, size });
    if (size === 0) return;
    const first = this.#market.own(!isBid)[0];
    if (first !== undefined && isReached(!isBid, price, first.terms.priceTicks))
      this.#cross(isBid, price, size - shown.takenAt(price));
  }

  #replaceBest(
    shown: ShownSide,
    { isBid, price, size }: { readonly isBid: boolean; readonly price: number; readonly size: number },
  ): void {
    const last = shown.best;
    if (last >= 0 && (last !== price || size === 0)) shown.set(last, 0);
    if (size === 0) return;
    const before = shown.set(price, size);
    for (const order of this.#market.own(isBid)) {
      const { priceTicks } = order.terms;
      if (priceTicks !== price) {
        // No order rests where the best is worse.
        if (isReached(isBid, price, priceTicks)) order.ahead = 0;
      } else if (last === price) this.#model.onLevel(order, before, size);
      else order.ahead = Math.min(order.ahead, size);
    }
  }

  #beginLevels(): void {
    this.#hasLevels = true;
    this.#shownBids.void();
    this.#shownAsks.void();
    this.#settleSides();
  }

  #settleSides(): void {
    this.#isResetting = false;
    this.#shownBids.settle();
    this.#shownAsks.settle();
  }

  #void(): void {
    this.#hasLevels = true;
    this.#isResetting = true;
    this.#shownBids.void();
    this.#shownAsks.void();
  }

  /** The new book is whole: the queue before an order is at most what its level shows, if that level is shown at all. */
  #settleReset(): void {
    this.#settleSides();
    for (const isBid of [true, false]) {
      for (const order of this.#market.own(isBid)) {
        const before = order.ahead;
        this.#queueUp(order);
        order.traded = 0;
        order.ahead = Math.min(order.ahead, before);
      }
    }
  }

  /** Puts an order after all of its level; infinite: it is beyond all that is shown, or nothing is known. */
  #queueUp(order: LocalOrder): void {
    const { side, priceTicks } = order.terms;
    const shown = this.#shown(side === 'buy');
    const level = shown.levelOf(priceTicks, this.#step);
    order.levelTicks = level < 0 ? priceTicks - (priceTicks % this.#step) : level;
    const isKnown = !this.#isBlind && (level >= 0 || shown.reachesDownTo(priceTicks));
    order.ahead = isKnown ? shown.availableAt(order.levelTicks) : UNKNOWN;
  }

  /** Levels of the other side down to a limit, best first, with what is left of each. */
  #walk(side: Side, limit: number, visit: (price: number, available: number) => boolean): void {
    if (this.#isBlind) return;
    const isBuy = side === 'buy';
    const shown = this.#shown(!isBuy);
    const { lotStep } = this.#market.state.market;
    let price = shown.best;
    while (price >= 0 && isReached(isBuy, price, limit)) {
      const available = Math.floor(shown.availableAt(price) / lotStep) * lotStep;
      if (!visit(price, available)) return;
      price = shown.nextWorse(price);
    }
  }

  /** Own orders that a taker of this side comes past on its way to `price` leave; at `price` those with less before them than it takes. */
  #passOwn(side: Side, price: number, left: number): void {
    const isBuy = side === 'buy';
    for (const own of [...this.#market.own(!isBuy)]) {
      const { priceTicks } = own.terms;
      if (!isReached(isBuy, priceTicks, price)) return;
      if (priceTicks !== price || left > own.ahead || left === UNKNOWN) this.#ports.cancel(own, 'SelfTrade');
    }
  }

  /** Takes of a level; own orders after it move up. */
  #takeShown(side: Side, price: number, lots: number): void {
    const isBuy = side === 'buy';
    this.#shown(!isBuy).take(price, lots);
    for (const own of this.#market.own(!isBuy)) {
      if (own.levelTicks === price) own.ahead = Math.max(0, own.ahead - lots);
    }
  }
}

/** True if a buyer (`isBuy`) or seller with this limit reaches the price. */
function isReached(isBuy: boolean, price: number, limit: number): boolean {
  return isBuy ? price <= limit : price >= limit;
}

/** NaN: not known, in records (see `RecordedFill`). */
function known(lots: number): number {
  return lots === UNKNOWN ? Number.NaN : lots;
}
