/**
 * @module Collects the events of one call and numbers them: identity is (seq, sub, idx). Public events come first, one
 * after the other (as in recorded receipts: the fill of an order has idx 1), ledger entries after them.
 */
import { assert, unixMs } from '../../core/index.ts';
import { quantums } from '../../domain/index.ts';
import type { CancelReason } from './reasons.ts';
import type { LogPosition, VenueEvent, VenueEventBody, VenueOrder } from './types.ts';

/** One change of cash. */
export interface CashChange {
  readonly kind: string;
  /** Amount in the smallest unit of its token. */
  readonly amount: bigint;
  /** Signing id of the market; absent: the change belongs to no market. */
  readonly market?: number;
  /** Number of the order that caused the change; absent: none. */
  readonly orderSeq?: bigint;
  /** Of a slice: the time-weighted order that it is of; absent: it is none. */
  readonly parentSeq?: bigint | undefined;
  /** Number of the order on the other side; absent: none. */
  readonly counterOrderSeq?: bigint;
}

type BodyOf<K extends VenueEventBody['kind']> = Extract<VenueEventBody, { kind: K }>;

/** A ledger entry before its position after the public events is known. */
type LedgerEvent = BodyOf<'LedgerAppended'> &
  Omit<VenueEvent, keyof VenueEventBody | 'idx'> & { idx: number };

const SEQ_MAX = 0xffff_ffff;
const NO_TIME = unixMs(0);
/** Reserves the position of an event until the call ends. */
const RESERVED: VenueEvent = { kind: 'BlockBegun', seq: 0, sub: 0, idx: 0, blockAtMs: NO_TIME };

/** The events of the call that runs. */
export class EventLog {
  /** Where the running call is. */
  at: LogPosition = { seq: 0, sub: 0, blockAtMs: NO_TIME };
  #events: VenueEvent[] = [];
  #ledger: LedgerEvent[] = [];
  #firstIdx = 0;
  #nextRecordSub = 0;
  #isOpen = false;

  /** Starts a call. Calls at the same (seq, sub) continue counting. */
  begin(at: LogPosition): void {
    assert(!this.#isOpen, 'no other call to be under way');
    assert(Number.isInteger(at.seq) && at.seq >= 0 && at.seq <= SEQ_MAX, 'seq from 0 to 2^32 - 1');
    if (at.seq !== this.at.seq) {
      this.#firstIdx = 0;
      this.#nextRecordSub = 0;
    } else if (at.sub !== this.at.sub) this.#firstIdx = 0;
    this.at = at;
    this.#isOpen = true;
  }

  /** Takes `count` record numbers of this log entry and gives the first (exchange.md#write-answers, recordSub). */
  takeRecordSubs(count: number): number {
    const first = this.#nextRecordSub;
    this.#nextRecordSub += count;
    return first;
  }

  /** Notes an event. The four kinds that orders cause again and again have their own methods, see below. */
  emit(body: VenueEventBody): void {
    const { seq, sub, blockAtMs } = this.at;
    this.#events.push({ ...body, seq, sub, idx: this.#nextIdx(), blockAtMs });
  }

  /** Replaces an `OrderAccepted` before its fills, for {@link accepted}. */
  reserve(): number {
    return this.#events.push(RESERVED) - 1;
  }

  /** An order was accepted; `place` was reserved, or is the next. */
  accepted(order: VenueOrder, isResting: boolean, place = this.#events.length): void {
    const { seq, sub, blockAtMs } = this.at;
    const idx = this.#firstIdx + place;
    const filledLots = order.lots - order.remainingLots;
    this.#events[place] = {
      kind: 'OrderAccepted',
      order,
      filledLots,
      isResting,
      seq,
      sub,
      idx,
      blockAtMs,
    };
  }

  /** Two orders traded. Gives the position for {@link endTaker}. */
  filled(fill: Omit<BodyOf<'Fill'>, 'kind'>): number {
    const { seq, sub, blockAtMs } = this.at;
    const { market, priceTicks, lots, takerSide, maker, taker, makerOrder, takerOrder } = fill;
    const idx = this.#nextIdx();
    return (
      this.#events.push({
        kind: 'Fill',
        market,
        priceTicks,
        lots,
        takerSide,
        maker,
        taker,
        makerOrder,
        takerOrder,
        seq,
        sub,
        idx,
        blockAtMs,
      }) - 1
    );
  }

  /** Says in the fill at `place` how the taker order ended. */
  endTaker(place: number, takerOrder: VenueOrder): void {
    const fill = this.#events[place];
    if (fill?.kind === 'Fill') this.#events[place] = { ...fill, takerOrder };
  }

  /** An order was canceled. */
  canceled(order: VenueOrder, reason: CancelReason): void {
    const { seq, sub, blockAtMs } = this.at;
    const canceledLots = order.remainingLots;
    const idx = this.#nextIdx();
    this.#events.push({ kind: 'OrderCanceled', order, canceledLots, reason, seq, sub, idx, blockAtMs });
  }

  /** Notes a change of cash. */
  onCash(account: number, change: CashChange): void {
    const { seq, sub, blockAtMs } = this.at;
    this.#ledger.push({
      kind: 'LedgerAppended',
      account,
      entryKind: change.kind,
      amount: quantums(change.amount),
      market: change.market,
      orderSeq: change.orderSeq,
      ...(change.parentSeq === undefined ? {} : { parentSeq: change.parentSeq }),
      counterOrderSeq: change.counterOrderSeq,
      seq,
      sub,
      idx: 0,
      blockAtMs,
    });
  }

  /** Ends the call and gives its events. */
  finish(): readonly VenueEvent[] {
    const events = this.#events;
    for (const entry of this.#ledger) {
      entry.idx = this.#nextIdx();
      events.push(entry);
    }
    if (this.#ledger.length > 0) this.#ledger = [];
    this.#firstIdx += events.length;
    this.#events = [];
    this.#isOpen = false;
    return events;
  }

  #nextIdx(): number {
    return this.#firstIdx + this.#events.length;
  }
}
