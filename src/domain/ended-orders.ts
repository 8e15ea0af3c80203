/**
 * @module
 * Orders that have ended and of which nothing more is to be expected, in columns: thousands are remembered (obligation O82),
 * and hardly ever is one of them asked for again. As objects they would be most of what a run keeps alive, and be moved from
 * one half of the heap to the other by each collection of garbage. What this does not do: finding one by its number.
 */
import { NO_CODE, NumberedTexts } from '../core/index.ts';
import type { ClientOrderId, IntentId, MarketSymbol, OrderId, Seq, StrategyId } from './ids.ts';
import { type TerminalStatus, TIMES_IN_FORCE, type TimeInForce, type WorkingOrder } from './order.ts';
import { newRecord, type TrackedOrder } from './tracked-order.ts';
import { lots, type Ticks } from './units.ts';

const ENDS = ['canceled', 'filled', 'expired', 'rejected'] as const satisfies readonly TerminalStatus[];

/**
 * Numbers of an order: price, size, what is left, what the exchange said was filled, what its end left, its seq, and the
 * codes of its number and its intent.
 */
const NUMBERS = 8;
const CODE = 6;
/** In place of a number that is not there. */
const ABSENT = -1;
/** Bits of a mark: side, reduce-only, two for how long it would have lived, two for how it ended, its label, its owner. */
const SELL = 1;
const REDUCE_ONLY = 2;
const LIFE_SHIFT = 2;
const END_SHIFT = 4;
const TWO_BITS = 3;
/** It is labeled with its intent; else it has no label. */
const LABELED = 64;
const OWNER_SHIFT = 7;
const OWNERS_MAX = 256;
const PLACES_AT_FIRST = 64;

/** Where orders were, and whose. */
interface Owner {
  readonly symbol: MarketSymbol;
  readonly strategyId: StrategyId | undefined;
}

/** Number of slots; an order put in a used slot replaces the one before. */
export class EndedOrders {
  readonly #placesMax: number;
  #numbers = new Float64Array(PLACES_AT_FIRST * NUMBERS);
  #marks = new Uint16Array(PLACES_AT_FIRST);
  readonly #intents = new NumberedTexts();
  readonly #owners: Owner[] = [];
  #lastOwner = 0;

  constructor(placesMax: number) {
    this.#placesMax = placesMax;
  }

  /** Notes the code of the number that a slot is for from now on; {@link NO_CODE}: it has none, and its order is not put there. */
  note(place: number, code: number): void {
    while (place >= this.#marks.length) this.#grow();
    this.#numbers[place * NUMBERS + CODE] = code;
  }

  /** Puts the order of a slot there; false, when there is more to be known of it than that can hold. */
  put(place: number, record: TrackedOrder): boolean {
    const { order, endedAs, seq, remainingLots, intentId } = record;
    if (this.codeAt(place) === NO_CODE || order === undefined || endedAs === undefined) return false;
    if (!isPlain(record) || !isOwn(order, record)) return false;
    const isLabeled = order.clientOrderId !== undefined;
    const intent = intentId === undefined ? ABSENT : this.#intents.codeOf(intentId);
    if (
      (isLabeled && order.clientOrderId !== (intentId as string | undefined)) ||
      order.intentId !== intentId
    )
      return false;
    const owner = this.#ownerOf(record);
    const seqNumber = seq === undefined ? ABSENT : Number(seq);
    const isKnown = owner >= 0 && (intent >= 0 || intentId === undefined);
    if (!isKnown || seqNumber > Number.MAX_SAFE_INTEGER) return false;
    let at = place * NUMBERS;
    const numbers = this.#numbers;
    numbers[at++] = order.priceTicks;
    numbers[at++] = order.sizeLots;
    numbers[at++] = order.remainingLots;
    numbers[at++] = record.reportedLots;
    numbers[at++] = remainingLots ?? ABSENT;
    numbers[at] = seqNumber;
    numbers[at + 2] = intent;
    this.#marks[place] =
      (order.side === 'sell' ? SELL : 0) |
      (order.reduceOnly ? REDUCE_ONLY : 0) |
      (TIMES_IN_FORCE.indexOf(order.timeInForce) << LIFE_SHIFT) |
      ((endedAs === 'canceled' ? 0 : ENDS.indexOf(endedAs)) << END_SHIFT) |
      (isLabeled ? LABELED : 0) |
      (owner << OWNER_SHIFT);
    return true;
  }

  /** The code of the order in a slot. */
  codeAt(place: number): number {
    return this.#numbers[place * NUMBERS + CODE] as number;
  }

  /** The order in a slot, as it was put there, without the write that placed it: no caller asks for that of an ended order. */
  take(place: number, orderId: OrderId): TrackedOrder {
    const mark = this.#marks[place] ?? 0;
    const { symbol, strategyId } = this.#owners[mark >>> OWNER_SHIFT] as Owner;
    const at = place * NUMBERS;
    const intent = this.#numbers[at + CODE + 1] as number;
    const intentId = intent === ABSENT ? undefined : (this.#intents.textOf(intent) as IntentId);
    const clientOrderId =
      (mark & LABELED) === 0 ? undefined : (intentId as string | undefined as ClientOrderId);
    const record = newRecord(symbol, orderId, { strategyId, intentId });
    record.order = {
      symbol,
      orderId,
      side: (mark & SELL) === 0 ? 'buy' : 'sell',
      priceTicks: this.#numbers[at] as Ticks,
      sizeLots: lots(this.#numbers[at + 1] as number),
      remainingLots: lots(this.#numbers[at + 2] as number),
      timeInForce: TIMES_IN_FORCE[(mark >> LIFE_SHIFT) & TWO_BITS] as TimeInForce,
      reduceOnly: (mark & REDUCE_ONLY) !== 0,
      ...(clientOrderId === undefined ? {} : { clientOrderId }),
      ...(intentId === undefined ? {} : { intentId }),
      ...(strategyId === undefined ? {} : { strategyId }),
    };
    record.endedAs = ENDS[(mark >> END_SHIFT) & TWO_BITS];
    record.reportedLots = this.#numbers[at + 3] as number;
    const left = this.#numbers[at + 4] as number;
    if (left !== ABSENT) record.remainingLots = lots(left);
    const seq = this.#numbers[at + 5] as number;
    if (seq !== ABSENT) record.seq = BigInt(seq) as Seq;
    return record;
  }

  /** Which of the owners a record has; below 0: one too many. */
  #ownerOf({ symbol, strategyId }: TrackedOrder): number {
    const owners = this.#owners;
    // Mostly it is that of the last one.
    const last = owners[this.#lastOwner];
    if (last !== undefined && last.symbol === symbol && last.strategyId === strategyId)
      return this.#lastOwner;
    let at = owners.findIndex((owner) => owner.symbol === symbol && owner.strategyId === strategyId);
    if (at < 0) {
      if (owners.length === OWNERS_MAX) return -1;
      at = owners.push({ symbol, strategyId }) - 1;
    }
    this.#lastOwner = at;
    return at;
  }

  #grow(): void {
    const places = Math.min(this.#placesMax, this.#marks.length * 2);
    const numbers = new Float64Array(places * NUMBERS);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const marks = new Uint16Array(places);
    marks.set(this.#marks);
    this.#marks = marks;
  }
}

/** True if it was never filled and its number was its own. */
function isPlain(record: TrackedOrder): boolean {
  return (
    record.fills.length === 0 &&
    record.canceledBy === undefined &&
    record.settledLots === 0 &&
    record.previous === undefined &&
    record.found === undefined &&
    record.sinceSeq === undefined &&
    !record.hasOpenEnd &&
    !record.isOwing &&
    !record.isCancelPending
  );
}

/** True if an order names its owner as far as it is known. */
function isOwn(order: WorkingOrder, { symbol, strategyId, intentId }: TrackedOrder): boolean {
  return order.symbol === symbol && order.strategyId === strategyId && order.intentId === intentId;
}
