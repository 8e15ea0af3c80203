/**
 * @module
 * Collects the events of one call and numbers them: identity is (seq, sub, idx). Public events come first, one after
 * the other (as in recorded receipts: the fill of an order has idx 1), ledger entries behind them.
 */
import { assert, unixMs } from '../core/index.ts';
import { quantums } from '../domain/index.ts';
import type { LogPosition, VenueEvent, VenueEventBody } from './types.ts';

/** One change of cash. */
export interface CashChange {
  readonly kind: string;
  readonly amount: bigint;
  readonly market?: number;
  readonly orderSeq?: bigint;
  readonly counterOrderSeq?: bigint;
}

const SEQ_MAX = 0xffff_ffff;

/** The events of the call that runs. */
export class EventLog {
  /** Where the running call is. */
  at: LogPosition = { seq: 0, sub: 0, blockAtMs: unixMs(0) };
  #events: VenueEvent[] = [];
  #ledger: [account: number, change: CashChange][] = [];
  #firstIdx = 0;
  #nextRecordSub = 0;
  #isOpen = false;

  /** Starts a call. Calls at the same (seq, sub) go on counting. */
  begin(at: LogPosition): void {
    assert(!this.#isOpen, 'no other call to be under way');
    assert(Number.isInteger(at.seq) && at.seq >= 0 && at.seq <= SEQ_MAX, `seq in 0..2^32-1, was ${at.seq}`);
    if (at.seq !== this.at.seq) {
      this.#firstIdx = 0;
      this.#nextRecordSub = 0;
    } else if (at.sub !== this.at.sub) this.#firstIdx = 0;
    this.at = at;
    this.#isOpen = true;
  }

  /** Takes `count` record numbers of this log entry and gives the first (wire-facts 3.3, recordSub). */
  takeRecordSubs(count: number): number {
    const first = this.#nextRecordSub;
    this.#nextRecordSub += count;
    return first;
  }

  /** Notes an event and gives its place for {@link replace}. */
  emit(body: VenueEventBody): number {
    const { seq, sub, blockAtMs } = this.at;
    const place = this.#events.length;
    this.#events.push({ ...body, seq, sub, idx: this.#firstIdx + place, blockAtMs });
    return place;
  }

  /** Puts another body in the place of an event of this call. */
  replace(place: number, body: VenueEventBody): void {
    const { seq, sub, blockAtMs } = this.at;
    this.#events[place] = { ...body, seq, sub, idx: this.#firstIdx + place, blockAtMs };
  }

  /** Notes a change of cash. */
  onCash(account: number, change: CashChange): void {
    this.#ledger.push([account, change]);
  }

  /** Ends the call and gives its events. */
  finish(): readonly VenueEvent[] {
    for (const [account, { kind, amount, market, orderSeq, counterOrderSeq }] of this.#ledger) {
      this.emit({
        kind: 'LedgerAppended',
        account,
        entryKind: kind,
        amount: quantums(amount),
        market,
        orderSeq,
        counterOrderSeq,
      });
    }
    const events = this.#events;
    this.#firstIdx += events.length;
    this.#events = [];
    this.#ledger = [];
    this.#isOpen = false;
    return events;
  }
}
