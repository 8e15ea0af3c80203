/**
 * @module
 * The recorded book as orders of one internal account, among which all other orders keep their queue position. Each set
 * of levels is one log entry: cancels first, then placements.
 *
 * Rules
 *   - A recorded level at or through another participant's order takes it at that order's price: the recorded market
 *     has moved through it. The order's owner is the maker; see {@link RecordedBookCounters.bookCrossed}.
 *   - Liquidity taken once is not there twice: what others take from a level, and what a crossing level took, is
 *     missing from it until the recording itself shows less or nothing there.
 *   - What recorded takers take is not missing: the recording's next set of levels already shows it.
 *
 * What this does not do: pace, trade for recorded takers, know its own prices.
 */
import type { CanonicalOrder, CanonicalOrderId, Side } from '../../domain/index.ts';
import type { CommandOutcome, VenueEvent, VenueMarketView, VenueOrder } from '../engine/index.ts';
import type { FlowAccount } from './flow-account.ts';
import type { FlowHost } from './flow-port.ts';
import { piecesOf, planLevel, type SizeRule } from './recorded-level.ts';
import type { RecordedFlowBook, RecordedFlowLevels } from './recorded-source.ts';

/** Outcome of the recorded levels. */
export interface RecordedBookCounters {
  /** Sets of levels that were applied. */
  levelsApplied: number;
  /** Sets that are locked or crossed in themselves and were not applied: an import separates them (`--crossed-books separate`). */
  levelsUnusable: number;
  /** Recorded levels that traded on arrival because the recorded market moved through a resting order. */
  bookCrossed: number;
  /** Lots that those levels took. */
  bookCrossedLots: number;
  /** Lots that lost their queue position because an order cannot shrink. */
  requeuedLots: number;
  /** Levels that are too small for the minimum notional of the market. */
  levelsBelowMin: number;
}

/** Counters before anything was applied. */
export function zeroCounters(): RecordedBookCounters {
  return {
    ...{ levelsApplied: 0, levelsUnusable: 0, bookCrossed: 0 },
    ...{ bookCrossedLots: 0, requeuedLots: 0, levelsBelowMin: 0 },
  };
}

type Level = { readonly targetLots: number; readonly orders: VenueOrder[] };
type LevelsByPrice = Map<number, Level>;

/** Keeps one market's recorded levels resting. */
export class RecordedBook {
  readonly counters = zeroCounters();
  readonly #host: FlowHost;
  readonly #account: FlowAccount;
  /** Account of the recorded takers. */
  readonly #tapeTaker: number;
  readonly #market: number;
  /** Lots taken by others, by side and price. */
  readonly #taken: Readonly<Record<Side, Map<number, number>>> = { buy: new Map(), sell: new Map() };

  constructor(host: FlowHost, parts: { account: FlowAccount; tapeTaker: number; market: number }) {
    this.#host = host;
    this.#account = parts.account;
    this.#tapeTaker = parts.tapeTaker;
    this.#market = parts.market;
  }

  /** Makes the recorded orders equal to a set of levels; `undefined` when nothing had to be done. */
  apply(book: RecordedFlowBook): CommandOutcome | undefined {
    if (isCrossed(book)) {
      this.counters.levelsUnusable++;
      return undefined;
    }
    this.counters.levelsApplied++;
    const standing = this.#standing();
    const cancels: CanonicalOrderId[] = [];
    const orders: CanonicalOrder[] = [];
    const view = this.#host.marketView(this.#market);
    for (const side of ['buy', 'sell'] as const) {
      const levels = this.#levelsOf(side, side === 'buy' ? book.bids : book.asks, standing);
      for (const [priceTicks, level] of levels) {
        const change = planLevel(level.orders, level.targetLots, sizeRuleAt(view, priceTicks));
        this.counters.requeuedLots += change.requeuedLots;
        for (const order of change.cancels) cancels.push({ market: this.#market, orderSeq: order.orderSeq });
        for (const lots of change.adds) orders.push(this.#order(side, priceTicks, lots));
        if (level.targetLots > 0 && piecesOf(level.targetLots, sizeRuleAt(view, priceTicks)).length === 0)
          this.counters.levelsBelowMin++;
      }
    }
    if (cancels.length === 0 && orders.length === 0) return undefined;
    const outcome = this.#account.replace(cancels, orders);
    this.#noteCrossings(outcome.events);
    return outcome;
  }

  /** Notes what other participants took from the recorded orders. */
  onEvents(events: readonly VenueEvent[]): void {
    for (const event of events) {
      if (event.kind !== 'Fill' || event.market !== this.#market) continue;
      if (event.maker.account !== this.#account.number || event.taker.account === this.#tapeTaker) continue;
      this.#note(event.makerOrder, event.lots);
    }
  }

  /** Fills of recorded placements: they crossed another participant's order. */
  #noteCrossings(events: readonly VenueEvent[]): void {
    const crossed = new Set<bigint>();
    for (const event of events) {
      if (event.kind !== 'Fill') continue;
      crossed.add(event.taker.orderSeq);
      this.counters.bookCrossedLots += event.lots;
      this.#note(event.takerOrder, event.lots);
    }
    this.counters.bookCrossed += crossed.size;
  }

  #note(order: VenueOrder, lots: number): void {
    const taken = this.#taken[order.side];
    taken.set(order.priceTicks, (taken.get(order.priceTicks) ?? 0) + lots);
  }

  /** Own open orders of each side by price, oldest first. */
  #standing(): Readonly<Record<Side, Map<number, VenueOrder[]>>> {
    const standing = { buy: new Map<number, VenueOrder[]>(), sell: new Map<number, VenueOrder[]>() };
    for (const order of this.#host.openOrders(this.#account.number)) {
      if (order.market !== this.#market) continue;
      const level = standing[order.side].get(order.priceTicks);
      if (level === undefined) standing[order.side].set(order.priceTicks, [order]);
      else level.push(order);
    }
    return standing;
  }

  /** Actual and target orders at each price of a side, recorded levels first and best first. */
  #levelsOf(
    side: Side,
    recorded: RecordedFlowLevels,
    standing: Readonly<Record<Side, Map<number, VenueOrder[]>>>,
  ): LevelsByPrice {
    const levels: LevelsByPrice = new Map();
    const taken = this.#taken[side];
    const takenNow = new Map<number, number>();
    for (const { priceTicks, sizeLots } of recorded) {
      const missing = Math.min(sizeLots, taken.get(priceTicks) ?? 0);
      if (missing > 0) takenNow.set(priceTicks, missing);
      levels.set(priceTicks, {
        targetLots: sizeLots - missing,
        orders: standing[side].get(priceTicks) ?? [],
      });
    }
    taken.clear();
    for (const [priceTicks, lots] of takenNow) taken.set(priceTicks, lots);
    for (const [priceTicks, orders] of standing[side])
      if (!levels.has(priceTicks)) levels.set(priceTicks, { targetLots: 0, orders });
    return levels;
  }

  #order(side: Side, price: number, lots: number): CanonicalOrder {
    return { market: this.#market, side, price, lots: BigInt(lots), tif: 'gtc', reduceOnly: false };
  }
}

function isCrossed({ bids, asks }: RecordedFlowBook): boolean {
  const [bid] = bids;
  const [ask] = asks;
  return bid !== undefined && ask !== undefined && bid.priceTicks >= ask.priceTicks;
}

/** Sizes that the market accepts at a price: multiples of the lot step, at least the minimum notional. */
function sizeRuleAt({ market }: VenueMarketView, priceTicks: number): SizeRule {
  const stepLots = market.lotStep;
  const perLot = BigInt(priceTicks) * market.quantumsPerTickLot;
  const minLots = perLot === 0n ? stepLots : Number((market.minNotional + perLot - 1n) / perLot);
  return { stepLots, minLots: Math.max(stepLots, Math.ceil(minLots / stepLots) * stepLots) };
}
