/**
 * @module
 * From the quotes a strategy wants to the smallest write that gets there (decision C5): orders that already are what is
 * wanted stay and keep their place in the queue; of the rest the surplus is canceled and what is missing placed, in one
 * write. Pure; it knows no lane and no risk.
 */
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
  tolerance: QuoteTolerance = {},
): QuoteDiff {
  const cancels: OrderRef[] = [];
  const places: NewQuote[] = [];
  const unwantedInFlight: OrderSpec[] = [];
  for (const side of SIDES) {
    const wanted = withSize(side === 'buy' ? desired.bids : desired.asks);
    const flying = present.inFlight.length === 0 ? NONE : ofSide(present.inFlight, desired.symbol, side);
    const working: Standing[] = [];
    for (const order of present.working) {
      const { symbol, orderId, priceTicks, remainingLots: sizeLots } = order;
      if (order.side !== side || symbol !== desired.symbol || present.isCancelPending(orderId)) continue;
      working.push({ symbol, orderId, priceTicks, sizeLots });
    }
    const first = match(wanted, flying, tolerance);
    const second = match(first.missing, working, tolerance);
    for (const index of first.surplus) push(unwantedInFlight, flying[index]);
    for (const index of second.surplus) {
      const order = working[index];
      if (order !== undefined) cancels.push({ symbol: order.symbol, orderId: order.orderId });
    }
    for (const { priceTicks, sizeLots } of second.missing) places.push({ side, priceTicks, sizeLots });
  }
  return { cancels, places, unwantedInFlight };
}

interface Matching {
  readonly missing: readonly QuoteLevel[];
  /** Indices into what is there. */
  readonly surplus: readonly number[];
}

/** A working order with what is left of it. */
interface Standing extends QuoteLevel, OrderRef {}

const SIDES = ['buy', 'sell'] as const;
const NONE: readonly OrderSpec[] = [];
const NO_INDICES: readonly number[] = [];

/** Pairs what is wanted with what is there: exact pairs first, then pairs within the tolerance, nearest prices first. */
function match(
  wanted: readonly QuoteLevel[],
  there: readonly QuoteLevel[],
  tolerance: QuoteTolerance,
): Matching {
  if (there.length === 0) return { missing: wanted, surplus: NO_INDICES };
  const isTaken: boolean[] = [];
  for (let index = 0; index < there.length; index++) isTaken.push(false);
  const inexact: QuoteLevel[] = [];
  for (const level of wanted) if (!takeSame(level, there, isTaken)) inexact.push(level);
  const { priceTicks = 0, sizeLots = 0 } = tolerance;
  const missing =
    priceTicks === 0 && sizeLots === 0
      ? inexact
      : inexact.filter((level) => !takeNearest(level, there, { isTaken, priceTicks, sizeLots }));
  const surplus: number[] = [];
  for (let index = 0; index < there.length; index++) if (isTaken[index] === false) surplus.push(index);
  return { missing, surplus };
}

/** Takes the first that is the same; false: there is none. */
function takeSame(level: QuoteLevel, there: readonly QuoteLevel[], isTaken: boolean[]): boolean {
  for (let index = 0; index < there.length; index++) {
    const other = there[index];
    if (isTaken[index] === true || other === undefined || !isSame(level, other)) continue;
    isTaken[index] = true;
    return true;
  }
  return false;
}

/** Takes the one whose price is nearest of those within the tolerance, the first of several. */
function takeNearest(
  level: QuoteLevel,
  there: readonly QuoteLevel[],
  bounds: { readonly isTaken: boolean[]; readonly priceTicks: number; readonly sizeLots: number },
): boolean {
  const { isTaken, priceTicks, sizeLots } = bounds;
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < there.length; index++) {
    const other = there[index];
    if (isTaken[index] === true || other === undefined) continue;
    const away = Math.abs(other.priceTicks - level.priceTicks);
    const isNear = away <= priceTicks && Math.abs(other.sizeLots - level.sizeLots) <= sizeLots;
    if (!isNear || away >= least) continue;
    nearest = index;
    least = away;
  }
  if (nearest < 0) return false;
  isTaken[nearest] = true;
  return true;
}

function withSize(levels: readonly QuoteLevel[]): readonly QuoteLevel[] {
  return levels.every(({ sizeLots }) => sizeLots > 0)
    ? levels
    : levels.filter(({ sizeLots }) => sizeLots > 0);
}

function ofSide<T extends { readonly symbol: MarketSymbol; readonly side: Side }>(
  orders: readonly T[],
  symbol: MarketSymbol,
  side: Side,
): T[] {
  return orders.filter((order) => order.symbol === symbol && order.side === side);
}

function isSame(a: QuoteLevel, b: QuoteLevel): boolean {
  return a.priceTicks === b.priceTicks && a.sizeLots === b.sizeLots;
}

function push<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item);
}
