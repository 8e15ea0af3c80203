/**
 * @module
 * Who gets the fills of orders of the ledger before, and of writes that a new ledger has closed. Such an order belongs to
 * no strategy in the new ledger, and is canceled there; what is filled until then is its owner's where something shows
 * whose it is: its label, its number, or that it rested where exactly one strategy had a write without an outcome. What
 * nothing shows is nobody's, as in any other block (docs/decisions/0016-fills-of-a-new-ledger.md).
 */
import type { Fill } from './account.ts';
import type { OrderId, StrategyId } from './ids.ts';
import type { OrderSpec, WorkingOrder } from './order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** What had been asked for, and for whom. */
type Left = Pick<OrderSpec, 'symbol' | 'side' | 'priceTicks' | 'strategyId'> & {
  readonly label: string | undefined;
  /** What could still be filled of it. */
  lots: number;
};

/** What was known of an order in a ledger before, by its number. */
export type OrdersBefore = (orderId: OrderId) => TrackedOrder | undefined;

/** An order may have been found in one ledger without an owner, and be there in the next. */
const LEDGERS_MAX = 3;

/** See the module. */
export class Heirs {
  /** Ledgers before, the newest first. An order that ended in one may work again where the exchange lost that. */
  #ledgers: readonly OrdersBefore[] = [];
  /** Orders of this ledger that are known to be somebody's, by number. */
  readonly #orders = new Map<OrderId, Left>();
  /** Placements whose outcome the new ledger has closed. */
  readonly #placements: Left[] = [];

  /** A new ledger. */
  beginEpoch(before: OrdersBefore): void {
    this.#ledgers = [before, ...this.#ledgers].slice(0, LEDGERS_MAX);
    this.#orders.clear();
    this.#placements.length = 0;
  }

  /** The new ledger has closed a placement: what it did shows there. */
  close(spec: OrderSpec): void {
    this.#placements.push(leftOf(spec, spec.strategyId));
  }

  /** Who gets a fill of an order that has no owner. */
  take(record: TrackedOrder, fill: Fill): StrategyId | undefined {
    if (record.strategyId !== undefined || this.#ledgers.length === 0) return undefined;
    const left = this.#leftOf(record, fill);
    if (left === undefined || !couldFill(left, fill)) return undefined;
    // What of it is filled next is the same one's.
    this.#orders.set(record.orderId, left);
    left.lots -= fill.sizeLots;
    return left.strategyId;
  }

  #before(orderId: OrderId): Left | undefined {
    for (const before of this.#ledgers) {
      const { order, strategyId } = before(orderId) ?? {};
      if (order !== undefined && strategyId !== undefined) return leftOf(order, strategyId);
    }
    return undefined;
  }

  #leftOf({ orderId, order }: TrackedOrder, fill: Fill): Left | undefined {
    const known = this.#orders.get(orderId) ?? this.#before(orderId);
    if (order !== undefined) {
      // It was shown: a number may be given again in another ledger, to an order with other terms or another label.
      if (known !== undefined && isAs(known, order)) return known;
      return this.#placements.find(({ label }) => label !== undefined && label === order.clientOrderId);
    }
    if (known !== undefined) return known;
    const rested = this.#placements.filter(
      (left) => fill.role === 'maker' && fill.priceTicks === left.priceTicks && couldFill(left, fill),
    );
    const owners = new Set(rested.map(({ strategyId }) => strategyId));
    return owners.size === 1 ? rested[0] : undefined;
  }
}

type Terms = Pick<WorkingOrder, 'symbol' | 'side' | 'priceTicks' | 'sizeLots' | 'clientOrderId'>;

function leftOf({ symbol, side, priceTicks, sizeLots, clientOrderId }: Terms, strategyId: StrategyId): Left {
  return { symbol, side, priceTicks, strategyId, label: clientOrderId, lots: sizeLots };
}

function isAs(left: Left, { symbol, side, priceTicks, clientOrderId }: WorkingOrder): boolean {
  const isLabel = clientOrderId === undefined || left.label === undefined || clientOrderId === left.label;
  return isLabel && left.symbol === symbol && left.side === side && left.priceTicks === priceTicks;
}

function couldFill(left: Left, { symbol, side, priceTicks, sizeLots }: Fill): boolean {
  const isWithin = side === 'buy' ? priceTicks <= left.priceTicks : priceTicks >= left.priceTicks;
  return left.symbol === symbol && left.side === side && isWithin && sizeLots <= left.lots;
}
