/**
 * @module
 * The items of an answer compared with what was asked (obligation O58): matched by kind and input index, never by
 * position; cancels and placements are numbered separately. What is absent or null is taken from what was asked. One
 * contradiction makes the whole answer worthless: it is unknown then, not success.
 */
import { ID, isRecord, parseScaledNumber } from '../../core/index.ts';
import {
  isPositionLeg,
  type Lots,
  type Market,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type OrderSpec,
} from '../../domain/index.ts';
import { orderIdOf } from './bodies.ts';
import type { Expected } from './expected.ts';

/** The outcome of one item. */
export type ItemOutcome =
  | {
      readonly kind: 'placed';
      readonly spec: OrderSpec;
      readonly orderId: OrderId;
      readonly acceptedLots: Lots;
      readonly filledLots: Lots;
      /** True if the order rests in the book. */
      readonly isResting: boolean;
    }
  | { readonly kind: 'placeRejected'; readonly spec: OrderSpec; readonly reason: string }
  | { readonly kind: 'canceled'; readonly ref: OrderRef; readonly canceledLots: Lots }
  | { readonly kind: 'cancelRejected'; readonly ref: OrderRef; readonly reason: string };

/** The outcomes of all items, or what does not fit. */
export type MatchedItems =
  | { readonly isMatched: true; readonly outcomes: readonly ItemOutcome[] }
  | { readonly isMatched: false; readonly contradiction: string };

type Item = Readonly<Record<string, unknown>>;

class Contradiction extends Error {}

const STATES = { place: ['accepted', 'rejected'], cancel: ['canceled', 'rejected'] } as const;

/** Holds `items` of an answer with this `status` against `expected`. Outcomes come cancels first, in input order. */
export function matchItems(
  items: unknown,
  status: 'executed' | 'rejected',
  expected: Expected,
): MatchedItems {
  try {
    return { isMatched: true, outcomes: outcomesOf(items, status, expected) };
  } catch (thrown) {
    if (thrown instanceof Contradiction) return { isMatched: false, contradiction: thrown.message };
    throw thrown;
  }
}

function outcomesOf(items: unknown, status: 'executed' | 'rejected', expected: Expected): ItemOutcome[] {
  const list: unknown = items ?? [];
  if (!Array.isArray(list)) throw new Contradiction('items are no list');
  if (expected.hasUnknownItems) return [];
  const ofKind = (kind: string) =>
    list.filter((item): item is Item => isRecord(item) && kindOf(item, expected) === kind);
  const cancels = byIndex(
    ofKind('cancel'),
    'cancel',
    expected.hasOpenItems ? undefined : expected.cancels.length,
  );
  const places = byIndex(ofKind('place'), 'place', expected.places.length);
  if (cancels.size + places.size !== list.length)
    throw new Contradiction('an item is neither place nor cancel');
  const outcomes: ItemOutcome[] = [];
  if (expected.hasOpenItems) {
    for (const item of cancels.values()) outcomes.push(...openCancelOutcome(item, expected));
  } else {
    for (const [index, ref] of expected.cancels.entries())
      outcomes.push(cancelOutcome(present(cancels, index), ref, expected));
  }
  for (const [index, spec] of expected.places.entries())
    outcomes.push(placeOutcome(present(places, index), spec, expected));
  checkWhole(outcomes, status);
  return outcomes;
}

/** The kind of an item; where it names none, the only one that was asked for, or that of its state. */
function kindOf({ kind, state }: Item, { places, cancels, hasOpenItems }: Expected): unknown {
  if (isThere(kind)) return kind;
  if (places.length === 0) return 'cancel';
  if (cancels.length === 0 && !hasOpenItems) return 'place';
  if (state === 'accepted') return 'place';
  return state === 'canceled' ? 'cancel' : undefined;
}

function byIndex(
  list: readonly Item[],
  kind: 'place' | 'cancel',
  count: number | undefined,
): Map<number, Item> {
  const found = new Map<number, Item>();
  for (const [at, item] of list.entries()) {
    // The orders that a cancel-all names are told apart by their numbers.
    const index = count === undefined ? at : indexOf(item, count);
    if (index === undefined) throw new Contradiction(`a ${kind} item has no input index`);
    if (count !== undefined && index >= count)
      throw new Contradiction(`${kind} item ${index} was not asked for`);
    if (found.has(index)) throw new Contradiction(`${kind} item ${index} is there twice`);
    if (!(STATES[kind] as readonly unknown[]).includes(item['state']))
      throw new Contradiction(`${kind} item ${index} has the state ${String(item['state'])}`);
    found.set(index, item);
  }
  if (count !== undefined && found.size !== count)
    throw new Contradiction(`expected ${count} ${kind} items, got ${found.size}`);
  return found;
}

/** The index of one of `count` items, as text too; the only one needs none. `undefined`: it says no whole number. */
function indexOf({ inputIndex }: Item, count: number): number | undefined {
  if (!isThere(inputIndex)) return count === 1 ? 0 : undefined;
  const text = ID.read(inputIndex) ?? '';
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function present(items: ReadonlyMap<number, Item>, index: number): Item {
  const item = items.get(index);
  if (item === undefined) throw new Contradiction(`item ${index} is missing`);
  return item;
}

function placeOutcome(item: Item, spec: OrderSpec, expected: Expected): ItemOutcome {
  const market = marketOf(item, spec.symbol, expected);
  const label = item['clientOrderId'];
  if (typeof label === 'string' && label !== spec.clientOrderId)
    throw new Contradiction(`the placement ${spec.clientOrderId} has the label ${label}`);
  if (item['state'] === 'rejected') return { kind: 'placeRejected', spec, reason: reasonOf(item) };
  const acceptedLots = lotsOf(item, 'size', market) ?? spec.sizeLots;
  const filledLots = lotsOf(item, 'filledSize', market) ?? (0 as Lots);
  const isClamped = (acceptedLots < spec.sizeLots && spec.reduceOnly) || isPositionLeg(spec);
  if (acceptedLots !== spec.sizeLots && !isClamped)
    throw new Contradiction(`${spec.sizeLots} lots were asked for and ${acceptedLots} accepted`);
  if (filledLots > acceptedLots) throw new Contradiction(`${filledLots} of ${acceptedLots} lots were filled`);
  const resting = item['resting'];
  const isResting = typeof resting === 'boolean' ? resting : filledLots < acceptedLots;
  return { kind: 'placed', spec, orderId: numberOf(item), acceptedLots, filledLots, isResting };
}

function cancelOutcome(item: Item, ref: OrderRef, expected: Expected): ItemOutcome {
  const market = marketOf(item, ref.symbol, expected);
  if (isThere(item['orderId']) && orderIdOf(item) !== ref.orderId)
    throw new Contradiction(`the cancel of order ${ref.orderId} names ${String(item['orderId'])}`);
  if (item['state'] === 'rejected') return { kind: 'cancelRejected', ref, reason: reasonOf(item) };
  return { kind: 'canceled', ref, canceledLots: lotsOf(item, 'canceledSize', market) ?? (0 as Lots) };
}

/** The outcome of an order that a cancel-all names. None without its market: the stream of orders tells its end. */
function openCancelOutcome(item: Item, expected: Expected): ItemOutcome[] {
  const orderId = numberOf(item);
  const symbol = item['symbol'];
  if (!isThere(symbol)) return [];
  if (typeof symbol !== 'string') throw new Contradiction(`the cancel of order ${orderId} names no market`);
  return [cancelOutcome(item, { symbol: symbol as MarketSymbol, orderId }, expected)];
}

/**
 * A batch that was rejected as a unit has no item that succeeded; no order is placed or canceled twice
 * (exchange.md#write-answers).
 */
function checkWhole(outcomes: readonly ItemOutcome[], status: 'executed' | 'rejected'): void {
  const seen = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome.kind !== 'placed' && outcome.kind !== 'canceled') continue;
    if (status === 'rejected') throw new Contradiction('a rejected write has an item that succeeded');
    const orderId = outcome.kind === 'placed' ? outcome.orderId : outcome.ref.orderId;
    const key = `${outcome.kind} ${orderId}`;
    if (seen.has(key)) throw new Contradiction(`order ${orderId} is ${outcome.kind} twice`);
    seen.add(key);
  }
}

function marketOf(item: Item, symbol: MarketSymbol, expected: Expected): Market | undefined {
  if (isThere(item['symbol']) && item['symbol'] !== symbol)
    throw new Contradiction(`an item of ${symbol} names ${String(item['symbol'])}`);
  return expected.market(symbol);
}

function lotsOf(item: Item, field: string, market: Market | undefined): Lots | undefined {
  const text = item[field];
  if (!isThere(text) || market === undefined) return undefined;
  const value = typeof text === 'string' ? parseScaledNumber(text, market.sizeDecimals) : Number.NaN;
  if (Number.isNaN(value)) throw new Contradiction(`${field} is ${String(text)}`);
  return value as Lots;
}

function numberOf(item: Item): OrderId {
  const orderId = orderIdOf(item);
  if (orderId === undefined) throw new Contradiction('an item has no order number');
  return orderId;
}

function reasonOf(item: Item): string {
  const reason = item['reason'];
  return typeof reason === 'string' && reason !== '' ? reason : 'Unknown';
}
