/**
 * @module
 * From the quotes a strategy wants to the smallest write that gets there (decision C5): orders that already are what is
 * wanted stay and keep their place in the queue; of the rest the surplus is canceled and what is missing placed, in one
 * write. Pure; it knows no lane and no risk.
 */
import { added } from '../core/index.ts';
import type {
  Lots,
  MarketSymbol,
  OrderId,
  OrderRef,
  OrderSpec,
  Side,
  Ticks,
  WorkingOrder,
} from '../domain/index.ts';

/** One level of a quote. */
export interface QuoteLevel {
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

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
  /** A cancel of the order is on its way: it counts as gone. */
  isCancelPending(orderId: OrderId): boolean;
}

/** How far an order may be off and still stay. Defaults: 0. */
export interface QuoteTolerance {
  readonly priceTicks?: number;
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
  let cancels: readonly OrderRef[] = NONE;
  let places: readonly NewQuote[] = NONE;
  let unwantedInFlight: readonly OrderSpec[] = NONE;
  for (const side of SIDES) {
    let missing = withSize(side === 'buy' ? desired.bids : desired.asks);
    if (present.inFlight.length > 0) {
      const flying = present.inFlight.filter(
        (order) => order.symbol === desired.symbol && order.side === side,
      );
      missing = match(missing, flying, askedLotsOf, tolerance);
      for (const order of flying) unwantedInFlight = added(unwantedInFlight, order);
    }
    const working = standing(present, desired.symbol, side);
    missing = match(missing, working, leftLotsOf, tolerance);
    for (const { symbol, orderId } of working) cancels = added(cancels, { symbol, orderId });
    for (const { priceTicks, sizeLots } of missing) places = added(places, { side, priceTicks, sizeLots });
  }
  return { cancels, places, unwantedInFlight };
}

const SIDES = ['buy', 'sell'] as const;
const EXACT: QuoteTolerance = {};
/** Where nothing was added: nothing is taken out of it either. */
const NONE: never[] = [];

const askedLotsOf = (order: OrderSpec): Lots => order.sizeLots;
const leftLotsOf = (order: WorkingOrder): Lots => order.remainingLots;

/** The working orders of a side that are not on their way out. */
function standing(present: QuotedOrders, symbol: MarketSymbol, side: Side): WorkingOrder[] {
  let orders: WorkingOrder[] = NONE;
  for (const order of present.working)
    if (order.side === side && order.symbol === symbol && !present.isCancelPending(order.orderId))
      orders = added(orders, order);
  return orders;
}

/**
 * Pairs what is wanted with what is there: exact pairs first, then pairs within the tolerance, nearest prices first. Takes
 * what is paired out of `there`, and gives the levels that nothing stands for.
 */
function match<Order extends { readonly priceTicks: Ticks }>(
  wanted: readonly QuoteLevel[],
  there: Order[],
  lotsOf: (order: Order) => Lots,
  { priceTicks = 0, sizeLots = 0 }: QuoteTolerance,
): readonly QuoteLevel[] {
  if (there.length === 0) return wanted;
  let missing: readonly QuoteLevel[] = NONE;
  for (const level of wanted)
    if (!take(there, firstSame(level, there, lotsOf))) missing = added(missing, level);
  if (priceTicks !== 0 || sizeLots !== 0)
    missing = missing.filter((level) => {
      const isNear = (order: Order): boolean => Math.abs(lotsOf(order) - level.sizeLots) <= sizeLots;
      return !take(there, nearest(level.priceTicks, there, { isNear, priceTicks }));
    });
  return missing;
}

/** Takes one out, the others keep their order; false: there is none at `at`. */
function take(there: unknown[], at: number): boolean {
  if (at < 0) return false;
  for (let next = at + 1; next < there.length; next++) there[next - 1] = there[next];
  there.pop();
  return true;
}

/** Where the first is that is the same; below 0: nowhere. */
function firstSame<Order extends { readonly priceTicks: Ticks }>(
  level: QuoteLevel,
  there: readonly Order[],
  lotsOf: (order: Order) => Lots,
): number {
  for (let at = 0; at < there.length; at++) {
    const order = there[at];
    const isSame = order?.priceTicks === level.priceTicks && lotsOf(order) === level.sizeLots;
    if (isSame) return at;
  }
  return -1;
}

/** Where the one is whose price is nearest of those within the tolerance, the first of several; below 0: nowhere. */
function nearest<Order extends { readonly priceTicks: Ticks }>(
  priceTicks: Ticks,
  there: readonly Order[],
  within: { isNear(order: Order): boolean; readonly priceTicks: number },
): number {
  let found = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < there.length; at++) {
    const order = there[at];
    if (order === undefined) continue;
    const away = Math.abs(order.priceTicks - priceTicks);
    if (away > within.priceTicks || away >= least || !within.isNear(order)) continue;
    found = at;
    least = away;
  }
  return found;
}

function withSize(levels: readonly QuoteLevel[]): readonly QuoteLevel[] {
  for (const level of levels) if (!(level.sizeLots > 0)) return levels.filter(({ sizeLots }) => sizeLots > 0);
  return levels;
}
