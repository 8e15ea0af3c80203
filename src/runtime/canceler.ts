/**
 * @module
 * Cancels on their way through the safety lane: each order once (peers-and-features U29), and intents that are to be
 * canceled as soon as they become orders.
 */
import { added, FewMap } from '../core/index.ts';
import type {
  AccountState,
  IntentId,
  MarketSymbol,
  OrderId,
  OrderRef,
  SafetyCommand,
  VenuePort,
} from '../domain/index.ts';
import type { Recorder } from './recorder.ts';

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
  /** Asked for and not sent yet, with why. */
  readonly #waiting = new FewMap<OrderId, OrderRef>();
  #why = '';
  /** Sent through the safety lane and not decided yet. */
  readonly #sent = new FewMap<OrderId, OrderRef>();
  readonly #doomed = new Set<IntentId>();

  constructor(ports: CancelerPorts) {
    this.#account = ports.account;
    this.#venue = ports.venue;
    this.#recorder = ports.recorder;
  }

  /** Is a cancel asked for that {@link flush} has not sent? */
  get isAsked(): boolean {
    return this.#waiting.size > 0;
  }

  /** Asks for the cancel of a working order. A cancel of it in a trading lane that may be stuck is no reason to wait. */
  cancel(ref: OrderRef, why: string): void {
    if (this.#sent.size > 0 && this.#sent.get(ref.orderId) !== undefined) return;
    this.#waiting.set(ref.orderId, { symbol: ref.symbol, orderId: ref.orderId });
    this.#why = why;
  }

  /** Cancels an intent as soon as it is an order. */
  doom(intentId: IntentId): void {
    this.#doomed.add(intentId);
  }

  /** The exchange began a new ledger: everything in it is canceled, whose it was. */
  beginEpoch(why: string): void {
    this.#waiting.clear();
    this.#sent.clear();
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
    if (this.#sent.size > 0 && orderId !== undefined) this.#sent.delete(orderId);
  }

  /** A cancel was rejected: it may be asked for again. */
  onCancelRejected(orderId: OrderId | undefined): void {
    if (orderId !== undefined) this.#sent.delete(orderId);
  }

  /** Sends what was asked for, in one command. */
  flush(): void {
    if (this.#waiting.size === 0) return;
    const account = this.#account;
    let orders = NO_REFS;
    for (const ref of this.#waiting.values)
      if (account.workingOrder(ref.orderId) !== undefined) orders = added(orders, ref);
    this.#waiting.clear();
    if (orders.length === 0) return;
    for (const ref of orders) this.#sent.set(ref.orderId, ref);
    account.reserveCancels(orders);
    this.#submit({ kind: 'cancel', orders }, orders, this.#why);
  }

  /** Sends a safety command, and records it. */
  send(command: SafetyCommand, why: string): void {
    if (command.kind === 'cancelAll') this.#cover();
    this.#submit(command, command.kind === 'cancel' ? command.orders : NO_REFS, why);
  }

  #submit(command: SafetyCommand, refs: readonly OrderRef[], why: string): void {
    if (this.#recorder.isOn) {
      const orders = refs.map(({ orderId }) => orderId);
      this.#recorder.record('SafetyCommandSent', { kind: command.kind, orders, why });
    }
    this.#venue.submitSafety(command);
  }

  /** What waits to be canceled goes with everything else. */
  #cover(): void {
    const refs = [...this.#waiting.values];
    this.#waiting.clear();
    for (const ref of refs) this.#sent.set(ref.orderId, ref);
    this.#account.reserveCancels(refs);
  }
}
