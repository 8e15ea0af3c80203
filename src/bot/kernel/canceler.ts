/**
 * @module
 * Cancels on their way through the safety lane: each order once, and intents that are to be canceled as soon as they
 * become orders.
 */
import { added, FewMap } from '../../core/index.ts';
import {
  type AccountState,
  type IntentId,
  isOutsideBook,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type SafetyCommand,
  type VenuePort,
  type WorkingOrder,
} from '../../domain/index.ts';
import type { Recorder } from './audit-recorder.ts';

const NO_REFS: readonly OrderRef[] = [];

/** What cancels go through. */
export interface CancelerPorts {
  readonly account: AccountState;
  readonly venue: VenuePort;
  readonly recorder: Recorder;
}

/** The cancels of a run. */
export class Canceler {
  readonly #account: AccountState;
  readonly #venue: VenuePort;
  readonly #recorder: Recorder;
  /** First what was sent through the safety lane and is not decided yet, then what is asked for and not sent yet. */
  readonly #asked = new FewMap<OrderId, OrderRef>();
  #sentCount = 0;
  /** Why the last of what waits was asked for. */
  #why = '';
  readonly #doomed = new Set<IntentId>();

  constructor(ports: CancelerPorts) {
    this.#account = ports.account;
    this.#venue = ports.venue;
    this.#recorder = ports.recorder;
  }

  /** True while a cancel is asked for that {@link flush} has not sent. */
  get isAsked(): boolean {
    return this.#asked.size > this.#sentCount;
  }

  /** Asks for the cancel of a working order, unless the exchange has said that it does not know it. A cancel of it in a trading lane that may be stuck is no reason to wait. */
  cancel(ref: OrderRef, why: string): void {
    const { symbol, orderId } = ref;
    if (this.#account.isUnknown(orderId)) return;
    const asked = this.#asked.size === 0 ? undefined : this.#asked.get(orderId);
    if (asked === undefined) this.#asked.add(orderId, { symbol, orderId });
    else if (!this.#isUnsent(asked)) return;
    this.#why = why;
  }

  /** Cancels an intent as soon as it is an order. */
  doom(intentId: IntentId): void {
    this.#doomed.add(intentId);
  }

  /** The exchange began a new ledger: everything in it is canceled, whose it was. */
  beginEpoch(why: string): void {
    this.#asked.clear();
    this.#sentCount = 0;
    this.send({ kind: 'cancelAll' }, why);
  }

  /** An intent became an order. */
  onWorking(intentId: IntentId | undefined, symbol: MarketSymbol, orderId: OrderId): void {
    if (this.#doomed.size === 0 || intentId === undefined) return;
    if (this.#doomed.delete(intentId)) this.cancel({ symbol, orderId }, 'asked for before it was known');
  }

  /** An order or an intent has ended. */
  onEnded(intentId: IntentId | undefined, orderId: OrderId | undefined): void {
    if (this.#doomed.size > 0 && intentId !== undefined) this.#doomed.delete(intentId);
    if (this.#sentCount > 0 && orderId !== undefined) this.#forget(orderId);
  }

  /** A cancel was rejected: it may be asked for again. */
  onCancelRejected(orderId: OrderId | undefined): void {
    if (this.#sentCount > 0 && orderId !== undefined) this.#forget(orderId);
  }

  /** Sends what was asked for, in one command. */
  flush(): void {
    if (!this.isAsked) return;
    const account = this.#account;
    const asked = this.#asked.values;
    let orders = NO_REFS;
    while (this.#sentCount < asked.length) {
      const ref = asked[this.#sentCount] as OrderRef;
      if (account.workingOrder(ref.orderId) === undefined) this.#asked.delete(ref.orderId);
      else {
        orders = added(orders, ref);
        this.#sentCount++;
      }
    }
    if (orders.length === 0) return;
    account.reserveCancels(orders);
    this.#submit({ kind: 'cancel', orders }, orders, this.#why);
  }

  /** Sends a safety command, and records it. Orders that wait outside the book are canceled by number after a cancel-all: a gateway may spare them (ambiguity A13). */
  send(command: SafetyCommand, why: string): void {
    if (command.kind !== 'cancelAll')
      this.#submit(command, command.kind === 'cancel' ? command.orders : NO_REFS, why);
    else {
      const outside = this.#outsideBook();
      this.#cover(outside);
      this.#submit(command, NO_REFS, why);
      for (const order of outside) this.cancel(order, why);
    }
  }

  #submit(command: SafetyCommand, refs: readonly OrderRef[], why: string): void {
    if (this.#recorder.isOn) {
      const orders = refs.map(({ orderId }) => orderId);
      this.#recorder.record('SafetyCommandSent', { kind: command.kind, orders, why });
    }
    this.#venue.submitSafety(command);
  }

  /** Orders outside the book, of strategies and of nobody. */
  #outsideBook(): readonly WorkingOrder[] {
    const orders: WorkingOrder[] = [];
    for (const symbol of this.#account.activeSymbols())
      orders.push(...this.#account.workingOrders(symbol).filter(isOutsideBook));
    return orders;
  }

  /** What is asked for and not sent goes with everything else, but for what waits outside the book. */
  #cover(outside: readonly WorkingOrder[]): void {
    for (const { orderId } of outside) {
      const ref = this.#asked.get(orderId);
      if (ref !== undefined && this.#isUnsent(ref)) this.#asked.delete(orderId);
    }
    const refs = this.#asked.values.slice(this.#sentCount);
    this.#sentCount = this.#asked.size;
    this.#account.reserveCancels(refs);
  }

  /** True if this is one of those that are not sent yet. */
  #isUnsent(ref: OrderRef): boolean {
    return this.isAsked && this.#asked.values.indexOf(ref, this.#sentCount) >= 0;
  }

  /** What was sent is decided. */
  #forget(orderId: OrderId): void {
    const ref = this.#asked.get(orderId);
    if (ref === undefined || this.#isUnsent(ref)) return;
    this.#asked.delete(orderId);
    this.#sentCount--;
  }
}
