/**
 * @module
 * Frames of the `orders` channel as facts: a snapshot replaces the full set, events are applied by order, what ended
 * stays ended (obligations O81, O82, O91, O93). Knows no intents: whose order it is, others know.
 */
import type { FactSink, MarketSymbol, OrderId, Seq } from '../../../domain/index.ts';
import type { OrderEnd, OrderState } from '../../protocol/index.ts';

/** Orders whose end is remembered against late events. */
const ENDED_MAX = 10_000;

/** What is remembered of an open order. */
interface OpenOrder {
  readonly symbol: MarketSymbol;
  readonly seq: Seq;
}

/** Turns states of orders into facts. */
export class OrderFacts {
  readonly #sink: FactSink;
  /** The position of the last snapshot; `undefined`: none on this connection yet. */
  #snapshotSeq: Seq | undefined;
  readonly #open = new Map<OrderId, OpenOrder>();
  readonly #ended = new Map<OrderId, Seq>();

  constructor(sink: FactSink) {
    this.#sink = sink;
  }

  /** How many orders are open. */
  get openCount(): number {
    return this.#open.size;
  }

  /** The connection went: events mean nothing again until a snapshot has come. */
  interrupt(): void {
    this.#snapshotSeq = undefined;
  }

  /** Forgets everything: another ledger numbers its orders again. */
  clear(): void {
    this.interrupt();
    this.#open.clear();
    this.#ended.clear();
  }

  /** The whole set of open orders at `seq`. True if one that was open is not among them: its end was not heard. */
  replace(states: readonly OrderState[], seq: Seq): boolean {
    const orders = states.filter(({ status }) => status === 'open');
    this.#snapshotSeq = seq;
    const before = [...this.#open.keys()];
    this.#open.clear();
    for (const { orderId, symbol, seq: orderSeq } of orders)
      this.#open.set(orderId, { symbol, seq: orderSeq ?? seq });
    this.#sink({ type: 'OrdersReplaced', orders, seq, isComplete: true });
    return before.some((orderId) => !this.#open.has(orderId));
  }

  /** Does a list of open orders at `seq` differ from what is known of then? What was heard of later says nothing. */
  differ(states: readonly OrderState[], seq: Seq): boolean {
    const listed = new Set(states.filter(({ status }) => status === 'open').map(({ orderId }) => orderId));
    for (const [orderId, known] of this.#open) if (known.seq <= seq && !listed.has(orderId)) return true;
    return [...listed].some((orderId) => !this.#open.has(orderId) && (this.#ended.get(orderId) ?? 0n) <= seq);
  }

  /** One event. */
  apply(state: OrderState | OrderEnd, frameSeq: Seq | undefined): void {
    if (this.#snapshotSeq === undefined) return;
    const seq = frameSeq ?? state.seq ?? this.#snapshotSeq;
    if (isOpen(state)) this.#openOrder(state, seq, this.#snapshotSeq);
    else this.#endOrder(state, seq);
  }

  #openOrder(order: OrderState, seq: Seq, snapshotSeq: Seq): void {
    const endedSeq = this.#ended.get(order.orderId);
    if (endedSeq !== undefined && seq <= endedSeq) return;
    const knownSeq = this.#open.get(order.orderId)?.seq;
    // Not in a snapshot that includes its position: it ended in between, unseen.
    if (knownSeq === undefined && seq <= snapshotSeq) return;
    // Several changes of one log entry share its position, so equal is news.
    if (knownSeq !== undefined && seq < knownSeq) return;
    this.#open.set(order.orderId, { symbol: order.symbol, seq });
    this.#sink({ type: 'OrderOpened', order, seq });
  }

  /** An event may say no more than the number: the market is that of the open order, where that was heard. */
  #endOrder({ orderId, status, remainingLots, ...end }: OrderEnd, seq: Seq): void {
    const known = this.#open.get(orderId);
    if (this.#ended.has(orderId) && known === undefined) return;
    if (known !== undefined && seq < known.seq) return;
    this.#open.delete(orderId);
    this.#ended.set(orderId, seq);
    if (this.#ended.size > ENDED_MAX) this.#forgetOldest();
    this.#sink({
      type: 'OrderEnded',
      // That it was open was perhaps not heard: an answer knows its market, or will.
      ref: { symbol: end.symbol ?? known?.symbol, orderId },
      status,
      // Nothing left of an order that was not filled: it was not said.
      ...(status === 'filled' || remainingLots === undefined || remainingLots === 0 ? {} : { remainingLots }),
      seq,
      proof: { by: 'stream', id: `${seq}` },
    });
  }

  #forgetOldest(): void {
    for (const orderId of this.#ended.keys()) {
      this.#ended.delete(orderId);
      return;
    }
  }
}

function isOpen(state: OrderState | OrderEnd): state is OrderState {
  return state.status === 'open';
}
