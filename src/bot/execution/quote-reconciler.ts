/**
 * @module
 * From the quotes a strategy wants to the smallest write that gets there: orders that already are what is wanted stay
 * and keep their queue position; of the rest the surplus is canceled and what is missing placed, in one write.
 * Pure; it knows no lane and no risk. Most of what it looks at stays: marks say what is paired, lists are made of what
 * has a pair.
 */
import { added } from '../../core/index.ts';
import type {
  Lots,
  MarketSymbol,
  OrderId,
  OrderRef,
  OrderSpec,
  QuoteLevel,
  Side,
  Ticks,
  WorkingOrder,
} from '../../domain/index.ts';

/** What is wanted in one market. */
export interface DesiredQuotes {
  readonly symbol: MarketSymbol;
  readonly bids: readonly QuoteLevel[];
  readonly asks: readonly QuoteLevel[];
}

/** What is there. */
export interface QuotedOrders {
  /** Own working orders of the market. */
  readonly working: readonly WorkingOrder[];
  /** Own placements whose outcome is not known yet: they count as being there and cannot be canceled. */
  readonly inFlight: readonly OrderSpec[];
  /** A cancel of the order is on its way: it counts as gone. `undefined`: there is none of any. */
  readonly isCancelPending: ((orderId: OrderId) => boolean) | undefined;
}

/** How far an order may be off and still stay. Defaults: 0. */
export interface QuoteTolerance {
  /** An order stays if its price is at most this far from the target, ticks. */
  readonly priceTicks?: number;
  /** An order stays if its size is at most this far from the target, lots. */
  readonly sizeLots?: number;
}

/** A level to be placed. */
export interface NewQuote extends QuoteLevel {
  readonly side: Side;
}

/** What must change. */
export interface QuoteDiff {
  readonly cancels: readonly OrderRef[];
  readonly places: readonly NewQuote[];
  /** Placements under way that are not wanted: they can be canceled only when their outcome is known. */
  readonly unwantedInFlight: readonly OrderSpec[];
}

/** The smallest change from what is there to what is wanted. */
export function diffQuotes(
  desired: DesiredQuotes,
  present: QuotedOrders,
  tolerance: QuoteTolerance = EXACT,
): QuoteDiff {
  const { working, inFlight } = present;
  const isExact = (tolerance.priceTicks ?? 0) === 0 && (tolerance.sizeLots ?? 0) === 0;
  return isExact && inFlight.length === 0 && working.length <= BITS_MAX
    ? diffFew(desired, present)
    : diffMany(desired, present, tolerance);
}

/**
 * As {@link diffMany}, for the common case: nothing is under way, an order is what is wanted or it is not, and the orders
 * that are not paired yet are the bits of a number.
 */
function diffFew({ symbol, bids, asks }: DesiredQuotes, present: QuotedOrders): QuoteDiff {
  const { working, isCancelPending } = present;
  let open = 0;
  for (let at = 0; at < working.length; at++) {
    const order = working[at] as WorkingOrder;
    if (order.symbol === symbol && isCancelPending?.(order.orderId) !== true) open |= 1 << at;
  }
  let cancels: readonly OrderRef[] = NONE;
  let places: readonly NewQuote[] = NONE;
  for (const side of SIDES) {
    const levels = side === 'buy' ? bids : asks;
    for (let at = 0; at < levels.length; at++) {
      const { priceTicks, sizeLots } = levels[at] as QuoteLevel;
      if (!(sizeLots > 0)) continue;
      const found = placeOf(working, open, { side, priceTicks, sizeLots });
      if (found >= 0) open &= ~(1 << found);
      else places = added(places, { side, priceTicks, sizeLots });
    }
    for (let at = 0; at < working.length; at++) {
      const { orderId, side: itsSide } = working[at] as WorkingOrder;
      if ((open & (1 << at)) !== 0 && itsSide === side) cancels = added(cancels, { symbol, orderId });
    }
  }
  return { cancels, places, unwantedInFlight: NONE };
}

/** Where the first of the `open` orders is that is what is wanted; below 0: nowhere. */
function placeOf(working: readonly WorkingOrder[], open: number, wanted: NewQuote): number {
  for (let at = 0; at < working.length; at++) {
    if ((open & (1 << at)) === 0) continue;
    const { side, priceTicks, remainingLots } = working[at] as WorkingOrder;
    if (priceTicks === wanted.priceTicks && remainingLots === wanted.sizeLots && side === wanted.side)
      return at;
  }
  return -1;
}

function diffMany(desired: DesiredQuotes, present: QuotedOrders, tolerance: QuoteTolerance): QuoteDiff {
  const { symbol } = desired;
  const { working, inFlight, isCancelPending } = present;
  let cancels: readonly OrderRef[] = NONE;
  let places: readonly NewQuote[] = NONE;
  let unwantedInFlight: readonly OrderSpec[] = NONE;
  for (const side of SIDES) {
    const levels = side === 'buy' ? desired.bids : desired.asks;
    const met = marksOf(metMarks, levels.length);
    for (let at = 0; at < levels.length; at++)
      met[at] = (levels[at] as QuoteLevel).sizeLots > 0 ? OPEN : TAKEN;
    if (inFlight.length > 0) {
      const taken = marksOf(takenMarks, inFlight.length);
      for (let at = 0; at < inFlight.length; at++) {
        const order = inFlight[at] as OrderSpec;
        taken[at] = order.symbol === symbol && order.side === side ? OPEN : TAKEN;
      }
      pair(levels, met, { orders: inFlight, taken, lotsOf: askedLotsOf }, tolerance);
      for (let at = 0; at < inFlight.length; at++)
        if (taken[at] === OPEN) unwantedInFlight = added(unwantedInFlight, inFlight[at] as OrderSpec);
    }
    const taken = marksOf(takenMarks, working.length);
    for (let at = 0; at < working.length; at++) {
      const order = working[at] as WorkingOrder;
      const isThere =
        order.side === side && order.symbol === symbol && isCancelPending?.(order.orderId) !== true;
      taken[at] = isThere ? OPEN : TAKEN;
    }
    pair(levels, met, { orders: working, taken, lotsOf: remainingLotsOf }, tolerance);
    for (let at = 0; at < working.length; at++)
      if (taken[at] === OPEN) {
        const { orderId } = working[at] as WorkingOrder;
        cancels = added(cancels, { symbol, orderId });
      }
    for (let at = 0; at < levels.length; at++)
      if (met[at] === OPEN) {
        const { priceTicks, sizeLots } = levels[at] as QuoteLevel;
        places = added(places, { side, priceTicks, sizeLots });
      }
  }
  return { cancels, places, unwantedInFlight };
}

/** Bits of a number that can mark orders. */
const BITS_MAX = 31;
const SIDES = ['buy', 'sell'] as const;
const EXACT: QuoteTolerance = {};
/** Where nothing was added. */
const NONE: never[] = [];

/** Marks of a level or an order: it may be paired still, or is not to be looked at any more. */
const OPEN = 0;
const TAKEN = 1;
/** Slots for marks, of levels and of orders: nothing of them is kept from one call to the next. */
const metMarks = { marks: new Uint8Array(16) };
const takenMarks = { marks: new Uint8Array(16) };

const askedLotsOf = (order: OrderSpec): Lots => order.sizeLots;
const remainingLotsOf = (order: WorkingOrder): Lots => order.remainingLots;

/** Orders that are there, each with its mark. */
interface There<Order extends { readonly priceTicks: Ticks }> {
  readonly orders: readonly Order[];
  readonly taken: Uint8Array;
  lotsOf(order: Order): Lots;
}

/** Pairs what is wanted with what is there: exact pairs first, then pairs within the tolerance, nearest prices first. */
function pair<Order extends { readonly priceTicks: Ticks }>(
  levels: readonly QuoteLevel[],
  met: Uint8Array,
  there: There<Order>,
  { priceTicks = 0, sizeLots = 0 }: QuoteTolerance,
): void {
  for (let at = 0; at < levels.length; at++)
    if (met[at] === OPEN) mark(met, at, there.taken, firstSame(levels[at] as QuoteLevel, there));
  if (priceTicks === 0 && sizeLots === 0) return;
  for (let at = 0; at < levels.length; at++)
    if (met[at] === OPEN) {
      const found = nearest(levels[at] as QuoteLevel, there, { priceTicks, sizeLots });
      mark(met, at, there.taken, found);
    }
}

/** Pairs a level with the order at `found`; below 0: with none. */
function mark(met: Uint8Array, at: number, taken: Uint8Array, found: number): void {
  if (found < 0) return;
  met[at] = TAKEN;
  taken[found] = TAKEN;
}

/** Where the first is that is the same; below 0: nowhere. */
function firstSame<Order extends { readonly priceTicks: Ticks }>(
  level: QuoteLevel,
  { orders, taken, lotsOf }: There<Order>,
): number {
  for (let at = 0; at < orders.length; at++) {
    const order = orders[at] as Order;
    if (taken[at] === OPEN && order.priceTicks === level.priceTicks && lotsOf(order) === level.sizeLots)
      return at;
  }
  return -1;
}

/** Where the one is whose price is nearest of those within the tolerance, the first of several; below 0: nowhere. */
function nearest<Order extends { readonly priceTicks: Ticks }>(
  level: QuoteLevel,
  { orders, taken, lotsOf }: There<Order>,
  within: { readonly priceTicks: number; readonly sizeLots: number },
): number {
  let found = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < orders.length; at++) {
    const order = orders[at] as Order;
    if (taken[at] !== OPEN) continue;
    const away = Math.abs(order.priceTicks - level.priceTicks);
    if (away > within.priceTicks || away >= least) continue;
    if (Math.abs(lotsOf(order) - level.sizeLots) > within.sizeLots) continue;
    found = at;
    least = away;
  }
  return found;
}

/** Slots for at least this many marks. */
function marksOf(places: { marks: Uint8Array }, count: number): Uint8Array {
  if (places.marks.length < count) places.marks = new Uint8Array(2 * count);
  return places.marks;
}
