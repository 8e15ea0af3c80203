/**
 * @module
 * How one recorded level is kept by orders of one account, so that others keep their queue position. An order of this
 * exchange cannot shrink in place (modify loses priority, exchange.md#market-rules), so a level is held by several
 * orders of falling size: a reduction cancels whole orders, an increase queues up after all orders.
 *
 *   100 lots arrive     -> 50 25 13 12
 *   70 lots remain      -> 50 .. 13 ..  + 7 behind      (12 would be too few, so 25 + 12 go and 7 come back)
 *
 * Assumption: a recording does not name who leaves a queue; here the largest orders that fit leave first, at any queue
 * position, and fewer lots than the smallest order of the level go to the back. Nothing of this knows the book.
 */

/** An order of the recorded account at one level. */
export interface CrowdOrder {
  /** Order number (exchange.md#order-numbers). */
  readonly orderSeq: bigint;
  /** Size that has not traded, in lots. */
  readonly remainingLots: number;
}

/** What has to be done so that a level holds its target. */
export interface LevelChange {
  /** Orders to cancel. */
  readonly cancels: readonly CrowdOrder[];
  /** Sizes of new orders at the end of the queue, in order. */
  readonly adds: readonly number[];
  /** Lots of the level that lose their queue position because no order can shrink. */
  readonly requeuedLots: number;
}

/** Sizes of orders must be multiples of `stepLots` and at least `minLots`. */
export interface SizeRule {
  /** Step of an order size, in lots. */
  readonly stepLots: number;
  /** Smallest order size, in lots. */
  readonly minLots: number;
}

/** Orders that one addition is split into at most. */
const PIECES_MAX = 4;

/** Orders of one level at most; beyond it the smallest are put together at the back. */
const ORDERS_PER_LEVEL_MAX = 12;

/** The smallest change after which `orders` (oldest first) hold `targetLots`. */
export function planLevel(orders: readonly CrowdOrder[], targetLots: number, rule: SizeRule): LevelChange {
  const total = sumOf(orders);
  const { cancels, kept } = shrink(orders, Math.max(0, total - targetLots));
  const isGrowing = sumOf(kept) < targetLots;
  const isFull = kept.length + PIECES_MAX > ORDERS_PER_LEVEL_MAX;
  const merged = isGrowing && isFull ? smallest(kept, kept.length - ORDERS_PER_LEVEL_MAX / 2) : [];
  const keptLots = sumOf(kept) - sumOf(merged);
  return {
    cancels: [...cancels, ...merged],
    adds: piecesOf(targetLots - keptLots, rule),
    requeuedLots: Math.min(total, targetLots) - keptLots,
  };
}

/** `lots` in halves of falling size, at most {@link PIECES_MAX}, none below the minimum; nothing when all of it is. */
export function piecesOf(lots: number, rule: SizeRule): readonly number[] {
  const { stepLots, minLots } = rule;
  const pieces: number[] = [];
  let rest = Math.floor(lots / stepLots) * stepLots;
  if (rest < minLots || rest <= 0) return pieces;
  while (pieces.length < PIECES_MAX - 1) {
    const piece = Math.ceil(rest / 2 / stepLots) * stepLots;
    if (piece < minLots || rest - piece < minLots || rest === piece) break;
    pieces.push(piece);
    rest -= piece;
  }
  pieces.push(rest);
  return pieces;
}

/** Chooses the largest orders that fit into `excess`, newest first among equals, and the smallest that covers the rest. */
function shrink(orders: readonly CrowdOrder[], excess: number) {
  const cancels: CrowdOrder[] = [];
  let left = excess;
  for (const order of bySize(orders)) {
    if (left === 0) break;
    if (order.remainingLots > left) continue;
    cancels.push(order);
    left -= order.remainingLots;
  }
  let kept = without(orders, cancels);
  if (left > 0) {
    const broken = smallest(kept, 1);
    cancels.push(...broken);
    kept = without(kept, broken);
  }
  return { cancels, kept };
}

/** The `count` smallest, newest first among equals. */
function smallest(orders: readonly CrowdOrder[], count: number): readonly CrowdOrder[] {
  const newestFirst = [...orders].reverse();
  return newestFirst.sort((a, b) => a.remainingLots - b.remainingLots).slice(0, count);
}

function bySize(orders: readonly CrowdOrder[]): readonly CrowdOrder[] {
  const newestFirst = [...orders].reverse();
  return newestFirst.sort((a, b) => b.remainingLots - a.remainingLots);
}

function without(orders: readonly CrowdOrder[], gone: readonly CrowdOrder[]): readonly CrowdOrder[] {
  const numbers = new Set(gone.map((order) => order.orderSeq));
  return orders.filter((order) => !numbers.has(order.orderSeq));
}

function sumOf(orders: readonly CrowdOrder[]): number {
  return orders.reduce((sum, order) => sum + order.remainingLots, 0);
}
