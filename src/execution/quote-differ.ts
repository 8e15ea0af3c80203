/**
 * @module
 * From the quotes a strategy wants to the smallest write that gets there (decision C5): orders that already are what is
 * wanted stay and keep their place in the queue; of the rest the surplus is canceled and what is missing placed, in one
 * write. Pure; it knows no lane and no risk.
 */
import type {
  CancelOrders,
  Lots,
  MarketSymbol,
  OrderId,
  OrderRef,
  OrderSpec,
  Side,
  Ticks,
  TradingCommand,
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
  for (const side of ['buy', 'sell'] as const) {
    const levels = side === 'buy' ? desired.bids : desired.asks;
    const wanted = levels.filter((level) => level.sizeLots > 0);
    const isMine = (order: { readonly symbol: MarketSymbol; readonly side: Side }) =>
      order.symbol === desired.symbol && order.side === side;
    const flying = present.inFlight.filter(isMine);
    const working = present.working.filter(
      (order) => isMine(order) && !present.isCancelPending(order.orderId),
    );
    const first = match(wanted, flying.map(levelOfSpec), tolerance);
    const second = match(first.missing, working.map(levelOfOrder), tolerance);
    for (const index of first.surplus) push(unwantedInFlight, flying[index]);
    for (const index of second.surplus) {
      const order = working[index];
      if (order !== undefined) cancels.push({ symbol: order.symbol, orderId: order.orderId });
    }
    for (const level of second.missing) places.push({ side, ...level });
  }
  return { cancels, places, unwantedInFlight };
}

/** The one write that makes the change; `undefined` when nothing must change. `specOf` names the new orders. */
export function commandOfDiff(
  symbol: MarketSymbol,
  diff: QuoteDiff,
  specOf: (quote: NewQuote) => OrderSpec,
): TradingCommand | CancelOrders | undefined {
  const { cancels } = diff;
  const orders = diff.places.map(specOf);
  if (orders.length === 0) return cancels.length === 0 ? undefined : { kind: 'cancel', orders: cancels };
  return cancels.length === 0 ? { kind: 'place', orders } : { kind: 'replace', symbol, cancels, orders };
}

interface Matching {
  readonly missing: QuoteLevel[];
  /** Indices into what is there. */
  readonly surplus: number[];
}

/** Pairs what is wanted with what is there: exact pairs first, then pairs within the tolerance, nearest prices first. */
function match(
  wanted: readonly QuoteLevel[],
  there: readonly QuoteLevel[],
  tolerance: QuoteTolerance,
): Matching {
  const free = new Set(there.keys());
  const inexact = wanted.filter((level) => !take(free, there, (other) => isSame(level, other)));
  const { priceTicks = 0, sizeLots = 0 } = tolerance;
  if (priceTicks === 0 && sizeLots === 0) return { missing: inexact, surplus: [...free] };
  const missing = inexact.filter((level) => {
    const near = [...free].sort((a, b) => distance(level, there[a]) - distance(level, there[b]));
    const index = near.find((candidate) => {
      const other = there[candidate];
      return (
        other !== undefined &&
        Math.abs(other.priceTicks - level.priceTicks) <= priceTicks &&
        Math.abs(other.sizeLots - level.sizeLots) <= sizeLots
      );
    });
    return index === undefined || !free.delete(index);
  });
  return { missing, surplus: [...free] };
}

function take(
  free: Set<number>,
  there: readonly QuoteLevel[],
  isFit: (level: QuoteLevel) => boolean,
): boolean {
  for (const index of free) {
    const level = there[index];
    if (level !== undefined && isFit(level)) return free.delete(index);
  }
  return false;
}

function isSame(a: QuoteLevel, b: QuoteLevel): boolean {
  return a.priceTicks === b.priceTicks && a.sizeLots === b.sizeLots;
}

function distance(level: QuoteLevel, other: QuoteLevel | undefined): number {
  return other === undefined ? Number.POSITIVE_INFINITY : Math.abs(other.priceTicks - level.priceTicks);
}

function levelOfSpec(spec: OrderSpec): QuoteLevel {
  return { priceTicks: spec.priceTicks, sizeLots: spec.sizeLots };
}

function levelOfOrder(order: WorkingOrder): QuoteLevel {
  return { priceTicks: order.priceTicks, sizeLots: order.remainingLots };
}

function push<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item);
}
