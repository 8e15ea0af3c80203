/**
 * @module
 * What is known of one order, and whose a number is: a replacement may keep the number of the order it replaces (ambiguity
 * A10), so two orders can share one, and are distinguished by their seq in the log. What this does not do: keeping them.
 */
import type { OrderOwner } from './account-change.ts';
import type { Proof, WriteFact } from './fact.ts';
import type { Cursor, IntentId, MarketSymbol, OrderId, RequestId, Seq, StrategyId } from './ids.ts';
import {
  isFilledUp,
  isOutsideBook,
  isPositionLeg,
  openLotsOf,
  type TerminalStatus,
  type WorkingOrder,
} from './order.ts';
import { type Lots, lots } from './units.ts';

const NO_FILLS: readonly PlacedFill[] = [];

/** An order that a write has placed. */
export type PlacedOrder = Extract<WriteFact, { type: 'OrderAccepted' }>;

/** Some of an order that was filled at a position in the log. */
export interface PlacedFill {
  readonly seq: Seq;
  readonly lots: Lots;
}

/** What is known of one order. */
export interface TrackedOrder {
  readonly orderId: OrderId;
  readonly symbol: MarketSymbol;
  /** Whose it is; both absent: it is not one of ours, as far as is known. */
  strategyId: StrategyId | undefined;
  /** The intent that it came from; `undefined`: none is known. */
  intentId: IntentId | undefined;
  /** As it stands; absent while only fills or its end were seen. */
  order: WorkingOrder | undefined;
  /** How it ended; `undefined`: it works or is not known to have ended. */
  endedAs: TerminalStatus | undefined;
  /** Position of the newest state seen; absent: not known. */
  seq: Seq | undefined;
  /** The write that it belongs to; `undefined`: not known. */
  requestId: RequestId | undefined;
  /** Sum of its fills, and the filled size the exchange spoke of: they arrive in any order. */
  fillLots: number;
  /** Filled lots as reported to strategies. */
  reportedLots: number;
  /** What its end left over: all else was filled. Absent: it was not said. */
  remainingLots: Lots | undefined;
  /** Of what was filled, what no fill of our history will show: it was executed before. */
  settledLots: number;
  /** True while an unresolved write cancels it. */
  isCancelPending: boolean;
  /** The exchange does not know it, by the answer to a cancel, and has not shown it since. */
  isUnknown: boolean;
  /** The proof of the write that canceled it, where that was one of ours. */
  canceledBy: string | undefined;
  /** Its fills by their position in the log. */
  fills: readonly PlacedFill[];
  /** Where an order of a previous run was found, and what of it was filled up to there. */
  found: { readonly seq: Seq; readonly filledLots: number } | undefined;
  /** The order whose number this one took over, and the seq from which the number is this one's (ambiguity A10). */
  previous: TrackedOrder | undefined;
  /** Log position from which it has its number; `undefined`: not known. */
  sinceSeq: Seq | undefined;
  /** True if another order has its number now, from an unknown seq on. */
  hasOpenEnd: boolean;
  /** True if it is in the list of its market's working orders. */
  isListed: boolean;
  /** True while not all its fills have come. */
  isOwing: boolean;
  /** As which of all its number was put among those that are kept for a while: see the tracker. */
  keptAs: number;
}

/** An order of which nothing is known yet but whose it was. */
export function newRecord(
  symbol: MarketSymbol,
  orderId: OrderId,
  owner: OrderOwner | undefined,
): TrackedOrder {
  return {
    orderId,
    symbol,
    strategyId: owner?.strategyId,
    intentId: owner?.intentId,
    order: undefined,
    endedAs: undefined,
    seq: undefined,
    requestId: undefined,
    fillLots: 0,
    reportedLots: 0,
    remainingLots: undefined,
    settledLots: 0,
    isCancelPending: false,
    isUnknown: false,
    canceledBy: undefined,
    fills: NO_FILLS,
    found: undefined,
    previous: undefined,
    sinceSeq: undefined,
    hasOpenEnd: false,
    isListed: false,
    isOwing: false,
    keptAs: 0,
  };
}

/** An order and those that had its number before, newest first. */
export function ordersOf(newest: TrackedOrder): readonly TrackedOrder[] {
  const { previous } = newest;
  return previous === undefined ? [newest] : [newest, ...ordersOf(previous)];
}

/** What ends an order, and what its end carries. */
export interface OrderEnding {
  readonly seq: Seq | undefined;
  readonly proof: Proof;
  readonly remainingLots?: Lots | undefined;
  readonly reason?: string | undefined;
}

/**
 * The reason that goes with an order that is gone and is not filled to its size: it may be filled all the same where it waited, as
 * far as is known, since the exchange cuts a reduce-only order to the position when it fires.
 */
function reasonOfGone(record: TrackedOrder | undefined): string | undefined {
  const order = record?.order;
  if (order?.trigger === undefined || !order.reduceOnly || record?.fillLots === 0) return undefined;
  return 'no longer open, and nothing shows how it ended: the exchange may have cut it to the position and filled it';
}

/** An order that is shown no more has ended: filled, if what was filled since it was shown last is all of it; otherwise canceled. */
export function endOfGone(
  record: TrackedOrder | undefined,
  held: { readonly order: WorkingOrder; readonly seq: Seq } | undefined,
): Pick<OrderEnding, 'remainingLots' | 'reason'> & { readonly status: TerminalStatus } {
  const remainingLots = held && lots(Math.max(0, held.order.remainingLots - filledBehind(record, held.seq)));
  if (isFilledUp(record?.order) || isFilledUp(held?.order, remainingLots))
    return { status: 'filled', remainingLots };
  return { status: 'canceled', remainingLots, reason: reasonOfGone(record) };
}

/** Sets the fills of an order. */
export function setFills(record: TrackedOrder, fills: readonly PlacedFill[]): void {
  record.fills = fills;
  record.fillLots = fills.reduce((sum, fill) => sum + fill.lots, 0);
}

/** Adds a fill to those of an order. */
export function addFillTo(record: TrackedOrder, fill: PlacedFill): void {
  record.fills = record.fills.length === 0 ? [fill] : [...record.fills, fill];
  record.fillLots += fill.lots;
}

/** What was filled of an order after `seq`. */
function filledBehind(record: TrackedOrder | undefined, seq: Seq): number {
  return (record?.fills ?? []).reduce((sum, fill) => (fill.seq > seq ? sum + fill.lots : sum), 0);
}

/** Which of the fills of a number came before the order that was found there. */
export function fillsBefore(
  fills: readonly PlacedFill[],
  { seq, filledLots }: { readonly seq: Seq; readonly filledLots: number },
): readonly PlacedFill[] {
  const before: PlacedFill[] = [];
  let ownLots = 0;
  for (const fill of fills.toSorted((a, b) => (a.seq < b.seq ? 1 : -1))) {
    if (fill.seq > seq) continue;
    ownLots += fill.lots;
    if (ownLots > filledLots) before.push(fill);
  }
  return before;
}

/**
 * True if the record was found after the seq of a write that placed an order under its number. Then it is that order or
 * (see {@link isPlacedAs}) one by which writes that no journal holds have replaced it since.
 */
export function isFoundBehind({ found }: TrackedOrder, writeSeq: Seq): boolean {
  return found !== undefined && found.seq >= writeSeq;
}

/** True if a found order can be the one that a write has placed. Not when another of its number was filled since. */
export function isPlacedAs({ order, previous }: TrackedOrder, placed: PlacedOrder): boolean {
  const { side, priceTicks, sizeLots } = placed.spec;
  const isAlike =
    order?.side === side &&
    order.priceTicks === priceTicks &&
    (order.sizeLots <= sizeLots || isPositionLeg(placed.spec));
  return isAlike && previous?.fills.some((fill) => fill.seq >= (placed.seq ?? 0n)) !== true;
}

/**
 * True if `order`, seen at `seq`, is not the one known under its number, but one that has replaced it. It has another price
 * or size, or more is left of it than can be of the one that is being replaced: what is left of an order never grows.
 */
export function isOtherOrder(
  known: TrackedOrder,
  order: WorkingOrder,
  seq: Seq,
  writes: { isReplacing(orderId: OrderId): boolean },
): boolean {
  const { order: before, seq: knownSeq, sinceSeq } = known;
  if (before === undefined || seq <= (knownSeq ?? sinceSeq ?? -1n)) return false;
  // What waits outside the book becomes smaller when it fires, or has another limit with each slice: it is the order of its number.
  if (isOutsideBook(before)) return false;
  if (before.priceTicks !== order.priceTicks || before.sizeLots !== order.sizeLots) return true;
  if (knownSeq === undefined || order.remainingLots <= leftAt(known, seq)) return false;
  return writes.isReplacing(order.orderId);
}

/** What can be left of an order at `seq` at most, after the seq that it is known from. */
function leftAt({ order, fills, reportedLots }: TrackedOrder, seq: Seq): number {
  const filledLots = fills.reduce((sum, fill) => (fill.seq < seq ? sum + fill.lots : sum), 0);
  return (order?.sizeLots ?? 0) - Math.max(filledLots, reportedLots);
}

/**
 * True if `order`, seen again, would be kept as the order of `record` already is. Its owner is the record's where it is known, and what
 * is left of it is the record's to say.
 */
export function isSameOrder(known: WorkingOrder, order: WorkingOrder, record: TrackedOrder): boolean {
  return (
    known.symbol === order.symbol &&
    known.priceTicks === order.priceTicks &&
    known.sizeLots === order.sizeLots &&
    known.side === order.side &&
    known.timeInForce === order.timeInForce &&
    known.reduceOnly === order.reduceOnly &&
    known.clientOrderId === order.clientOrderId &&
    known.strategyId === (record.strategyId ?? order.strategyId) &&
    known.intentId === (record.intentId ?? order.intentId) &&
    (known.trigger === undefined) === (order.trigger === undefined) &&
    isSameProgress(known, order)
  );
}

/** True if no slice of an order that is worked over time has gone out since. An answer does not say when the first one is due. */
function isSameProgress({ twap: known }: WorkingOrder, { twap }: WorkingOrder): boolean {
  return known?.slicesDone === twap?.slicesDone && known?.nextSliceAtMs === twap?.nextSliceAtMs;
}

/** True if an order that waited for its trigger waits no more. */
export function hasFired(before: WorkingOrder | undefined, order: WorkingOrder): boolean {
  return before?.trigger !== undefined && order.trigger === undefined;
}

/** True if an order is the same as before in what can change of it. */
export function isSameWorking(a: WorkingOrder | undefined, b: WorkingOrder | undefined): boolean {
  const isSameSize = a?.remainingLots === b?.remainingLots && a?.sizeLots === b?.sizeLots;
  return isSameSize && a?.priceTicks === b?.priceTicks && a?.twap?.slicesDone === b?.twap?.slicesDone;
}

/**
 * True if the record is that of an order after a write at `seq`: not the one that the write has canceled, but another of its
 * number. What works at the write's seq or later was placed there; what ended later had begun there.
 */
export function isBehind(record: TrackedOrder | undefined, seq: Seq | undefined): boolean {
  if (isTakenOver(record)) return true;
  if (record?.seq === undefined || seq === undefined) return false;
  if (record.found !== undefined && record.found.seq < seq) return false;
  return record.endedAs === undefined
    ? record.order !== undefined && record.seq >= seq
    : record.intentId === undefined && record.seq > seq;
}

/**
 * True if the number is that of an unclaimed order, which took it over. What was canceled is the one before: what was
 * filled was not canceled.
 */
function isTakenOver(record: TrackedOrder | undefined): boolean {
  if (record?.previous === undefined || record.intentId !== undefined) return false;
  return record.endedAs === undefined ? record.order === undefined : record.endedAs === 'filled';
}

/** The position of a fill. */
export function seqOf(id: Cursor): Seq {
  const end = id.indexOf('-');
  return BigInt(end < 0 ? id : id.slice(0, end)) as Seq;
}

/** Executed by the exchange's word, and not booked as a fill: the two come in any order. */
export function owedLots(record: TrackedOrder): number {
  const { order, endedAs, remainingLots, reportedLots, fillLots, settledLots } = record;
  if (order === undefined) return 0;
  // A reduce-only order that fired and ended at once was as large as the position, which nobody has said.
  if (openLotsOf(order, 1) === 0) return 0;
  const filledLots = endedAs === 'filled' && remainingLots === undefined ? order.sizeLots : reportedLots;
  return Math.max(0, filledLots - fillLots - settledLots);
}

/** Gives an order of a write its seq, unless it has one. */
export function placeAt(
  record: TrackedOrder,
  requestId: RequestId,
  seq: Seq,
  unseen: TrackedOrder[] | undefined,
): void {
  // Ids of requests are long and alike: most orders have their seq already.
  if (record.seq !== undefined || record.requestId !== requestId) return;
  record.seq = seq;
  unseen?.push(record);
}

/** True if an order says all that is known of it. Then it needs no copy. */
export function hasAll(
  order: WorkingOrder,
  remainingLots: Lots,
  { strategyId, intentId }: OrderOwner,
): boolean {
  return (
    order.remainingLots === remainingLots &&
    (strategyId === undefined || order.strategyId === strategyId) &&
    (intentId === undefined || order.intentId === intentId)
  );
}
