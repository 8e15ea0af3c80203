/**
 * @module
 * The exchange of an examination: it takes commands, answers after a while, and does what a scenario tells it to, such as
 * refusing the next orders, or losing an answer. What this does not do: queues, fees, margins.
 */
import type { Clock, UnixMs } from '../../core/index.ts';
import {
  type Approved,
  type Cursor,
  cancelsOf,
  type Fact,
  type FactSink,
  isOutsideBook,
  isPositionLeg,
  type LaneId,
  type Lots,
  lots,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  orderFromSpec,
  type Proof,
  placesOf,
  quantums,
  type RequestId,
  type RoutedCommand,
  type SafetyCommand,
  type Seq,
  type Side,
  type Ticks,
  type TradingCommand,
  type TwapPlan,
  type VenuePort,
} from '../../domain/index.ts';
import type { RestingOrder, StageMarket } from './stage-market.ts';

/** An own order at the exchange. */
export interface StageOrder extends RestingOrder {
  readonly orderId: OrderId;
  readonly spec: OrderSpec;
  remainingLots: number;
}

/** What becomes of a write: `lost` ones are unresolved for a while first. */
export type WriteFate = 'executed' | 'refused' | 'lost-executed' | 'lost-never';

/** How long an answer is missing of a lost write, ms. */
const LOST_MS = 4_000;

/** What a venue is made of. */
export interface StageVenueParts {
  readonly clock: Clock;
  readonly markets: ReadonlyMap<string, StageMarket>;
  /** Facts that a new bot needs to know what was before; not kept without it. */
  readonly history?: Fact[];
  /** A write is about to leave. */
  onWrite(command: TradingCommand): void;
  /** Own orders in the book of a market have changed. */
  onBook(symbol: StageOrder['symbol']): void;
}

/** See the module. */
export class StageVenue implements VenuePort {
  readonly #parts: StageVenueParts;
  readonly resting = new Map<OrderId, StageOrder>();
  /** Orders outside the book: those that wait for the index price, which is the middle of the book here, and those in slices. */
  readonly #waiting = new Map<OrderId, StageOrder>();
  readonly #held = new Map<StageOrder['symbol'], number>();
  sink: FactSink = () => undefined;
  /** From a write to its answer. */
  latencyMs = 20;
  /** The reason to reject an order with; `undefined`: it is accepted. */
  rejection: (spec: OrderSpec) => string | undefined = () => undefined;
  /** What becomes of the next writes. */
  fate: () => WriteFate = () => 'executed';
  /** Fills come before the answer that accepts their order. */
  isFillFirst = false;
  /** Cancels come too late: their orders are filled just before. */
  areCancelsLate = false;
  readonly #busy = new Set<LaneId>();
  #count = 0;
  #isDead = false;
  #isMatching = false;

  constructor(parts: StageVenueParts) {
    this.#parts = parts;
  }

  isReady(lane: LaneId): boolean {
    return !this.#busy.has(lane);
  }

  submit(routed: Approved<RoutedCommand<TradingCommand>>): void {
    const { lane, command } = routed;
    this.#parts.onWrite(command);
    this.#busy.add(lane);
    const requestId = `0x${(++this.#count).toString(16).padStart(64, '0')}` as RequestId;
    const [places, cancels] = [placesOf(command), cancelsOf(command)];
    this.tell({ type: 'WriteSent', lane, requestId, places, cancels, atMs: this.#parts.clock.nowMs() });
    const fate = this.fate();
    if (fate === 'executed' || fate === 'refused') {
      this.#after(this.latencyMs, () => this.#resolve(lane, requestId, command, fate));
      return;
    }
    this.#after(this.latencyMs, () =>
      this.tell({ type: 'WriteUnresolved', lane, requestId, why: 'no answer came' }),
    );
    this.#after(this.latencyMs + LOST_MS, () => this.#resolve(lane, requestId, command, fate));
  }

  submitSafety(command: SafetyCommand): void {
    if (command.kind === 'scheduleCancel') return;
    const all = [...this.resting.values(), ...this.#waiting.values()];
    const refs = command.kind === 'cancel' ? command.orders : all;
    this.#after(this.latencyMs, () => {
      for (const { symbol, orderId } of refs) this.#cancel({ symbol, orderId });
      for (const symbol of new Set(refs.map((ref) => ref.symbol))) this.#show(symbol);
    });
  }

  /** Nothing of it reaches a bot any more, and what is under way is settled in silence; the history has it. */
  die(): void {
    this.#isDead = true;
  }

  /** Another bot takes over what rests. */
  revive(sink: FactSink): void {
    this.#isDead = false;
    this.#busy.clear();
    this.sink = sink;
  }

  /** Fills a resting order, by default whole. */
  fill(order: StageOrder, sizeLots: number = order.remainingLots): void {
    const size = Math.min(sizeLots, order.remainingLots);
    if (size <= 0) return;
    order.remainingLots -= size;
    this.tell(this.fillOf(order, order.priceTicks, size, 'maker'));
    if (order.remainingLots === 0) this.end(order, 'filled');
    else this.#show(order.symbol);
  }

  /** An execution as a fact; of any order, known or not. */
  fillOf(
    {
      orderId,
      symbol,
      side,
    }: { readonly orderId: OrderId; readonly symbol: StageOrder['symbol']; readonly side: Side },
    priceTicks: number,
    sizeLots: number,
    role: 'maker' | 'taker',
  ): Fact {
    const heldLots = (this.#held.get(symbol) ?? 0) + (side === 'buy' ? sizeLots : -sizeLots);
    this.#held.set(symbol, heldLots);
    if (heldLots === 0) this.#after(0, () => this.#endLegs({ symbol }));
    return {
      type: 'FillRecorded',
      fill: {
        ...{ id: `${this.nextSeq()}-0-0` as Cursor, orderId, symbol, side, role, fee: quantums(0n) },
        ...{ priceTicks: priceTicks as Ticks, sizeLots: sizeLots as Lots, atMs: this.#parts.clock.nowMs() },
      },
    };
  }

  /** Ends a resting order without being asked to. */
  end(order: StageOrder, status: 'filled' | 'canceled' | 'expired'): void {
    this.resting.delete(order.orderId);
    const { symbol, orderId, remainingLots } = order;
    const seq = this.nextSeq();
    this.tell({
      ...{ type: 'OrderEnded', ref: { symbol, orderId }, status, remainingLots: lots(remainingLots), seq },
      proof: { by: 'stream', id: `${seq}` },
    });
    this.#show(symbol);
  }

  /** Fills what the book of others trades through. */
  match(market: StageMarket): void {
    this.#isMatching = true;
    const [bid = 0] = market.bids[0] ?? [];
    const [ask = Number.POSITIVE_INFINITY] = market.asks[0] ?? [];
    for (const order of [...this.resting.values()]) {
      if (order.symbol !== market.symbol) continue;
      if (order.side === 'buy' ? order.priceTicks >= ask : order.priceTicks <= bid) this.fill(order);
    }
    for (const order of [...this.#waiting.values()])
      if (order.symbol === market.symbol && isReached(order.spec, (bid + ask) / 2)) this.#fire(order);
    this.#isMatching = false;
  }

  /** A fact that the bot has, and a later one finds in the history. */
  tell(fact: Fact): void {
    this.#parts.history?.push(fact);
    if (!this.#isDead) this.sink(fact);
  }

  #resolve(lane: LaneId, requestId: RequestId, command: TradingCommand, fate: WriteFate): void {
    this.#busy.delete(lane);
    if (fate === 'executed' || fate === 'lost-executed') {
      for (const ref of cancelsOf(command)) this.#cancel(ref);
      for (const spec of placesOf(command)) this.#place(spec);
      this.tell({ type: 'WriteResolved', lane, requestId, outcome: 'executed', seq: this.nextSeq() });
    } else if (fate === 'refused') {
      for (const spec of placesOf(command)) this.#reject(spec, 'the whole write was refused');
      this.tell({
        type: 'WriteResolved',
        lane,
        requestId,
        outcome: 'rejected',
        seq: this.nextSeq(),
        reason: 'refused',
      });
    } else {
      for (const spec of placesOf(command))
        this.tell({ type: 'OrderNotExecuted', spec, proof: this.#proof('conflict') });
      this.tell({ type: 'WriteResolved', lane, requestId, outcome: 'superseded', seq: undefined });
    }
    this.tell({ type: 'LaneReady', lane });
    for (const symbol of new Set([...cancelsOf(command), ...placesOf(command)].map((one) => one.symbol)))
      this.#show(symbol);
  }

  /** The book as it is now, unless it is about to be shown anyway. */
  #show(symbol: StageOrder['symbol']): void {
    if (!this.#isMatching && !this.#isDead) this.#parts.onBook(symbol);
  }

  #place(spec: OrderSpec): void {
    const reason = this.rejection(spec) ?? this.#crossing(spec);
    if (reason !== undefined) {
      this.#reject(spec, reason);
      return;
    }
    const orderId = `${1_000 + ++this.#count}` as OrderId;
    const { symbol, side, priceTicks, sizeLots, timeInForce } = spec;
    const order: StageOrder = { ...{ orderId, spec, symbol, side, priceTicks }, remainingLots: sizeLots };
    if (isOutsideBook(spec)) {
      if (isPositionLeg(spec) && this.#closableLots(order) === 0) {
        this.#reject(spec, 'ReduceOnlyNoPosition');
        return;
      }
      const [seq, proof] = [this.nextSeq(), this.#proof('answer')];
      this.#waiting.set(orderId, order);
      const told = {
        spec,
        orderId,
        acceptedLots: sizeLots,
        filledLots: lots(0),
        isResting: false,
        seq,
        proof,
      };
      this.tell({ type: 'OrderAccepted', ...told });
      if (spec.twap !== undefined) this.#after(0, () => this.#slice(order, spec.twap, 1));
      return;
    }
    const taken = timeInForce === 'postOnly' ? [] : this.#takes(spec);
    const takenLots = taken.reduce((sum, [, size]) => sum + size, 0);
    const isResting = (timeInForce === 'gtc' || timeInForce === 'postOnly') && takenLots < sizeLots;
    const seq = this.nextSeq();
    const fills = taken.map(([price, size]) => this.fillOf(order, price, size, 'taker'));
    const accepted: Fact = {
      ...{
        type: 'OrderAccepted',
        spec,
        orderId,
        acceptedLots: sizeLots,
        seq,
        filledLots: lots(takenLots),
        isResting,
      },
      proof: this.#proof('answer'),
    };
    for (const fact of this.isFillFirst ? [...fills, accepted] : [accepted, ...fills]) this.tell(fact);
    order.remainingLots -= takenLots;
    if (!isResting) return;
    this.resting.set(orderId, order);
    if (this.isFillFirst) this.fill(order, Math.ceil(sizeLots / 2));
  }

  /** A slice of an order that is worked over time takes what is there up to its limit; what it leaves goes to the next. */
  #slice(order: StageOrder, twap: TwapPlan | undefined, slicesDone: number): void {
    if (twap === undefined || !this.#waiting.has(order.orderId)) return;
    const { spec, symbol } = order;
    const dueLots = Math.floor((spec.sizeLots * slicesDone) / twap.slices);
    const left = lots(dueLots - (spec.sizeLots - order.remainingLots));
    for (const [price, size] of this.#takes({ ...spec, sizeLots: left })) {
      this.tell(this.fillOf(order, price, size, 'taker'));
      order.remainingLots -= size;
    }
    if (order.remainingLots === 0 || slicesDone === twap.slices) {
      this.#waiting.delete(order.orderId);
      this.end(order, order.remainingLots === 0 ? 'filled' : 'canceled');
      return;
    }
    const nextSliceAtMs = (this.#parts.clock.nowMs() + twap.intervalMs) as UnixMs;
    const shown = {
      ...orderFromSpec(spec, order.orderId, spec.sizeLots),
      ...{ remainingLots: lots(order.remainingLots), twap: { ...twap, slicesDone, nextSliceAtMs } },
    };
    this.tell({ type: 'OrderOpened', order: shown, seq: this.nextSeq() });
    this.#show(symbol);
    this.#after(twap.intervalMs, () => this.#slice(order, twap, slicesDone + 1));
  }

  /** An order that waited enters the book, no larger than what it closes where it may only close. */
  #fire(order: StageOrder): void {
    this.#waiting.delete(order.orderId);
    const { spec } = order;
    const closable = this.#closableLots(order);
    if (isPositionLeg(spec)) {
      order.remainingLots = closable;
      this.#endLegs(order);
    } else if (spec.reduceOnly) order.remainingLots = Math.min(order.remainingLots, closable);
    if (order.remainingLots === 0 || this.#crossing(spec) !== undefined) {
      this.end(order, 'canceled');
      return;
    }
    const left = lots(order.remainingLots);
    for (const [price, size] of spec.timeInForce === 'postOnly'
      ? []
      : this.#takes({ ...spec, sizeLots: left })) {
      this.tell(this.fillOf(order, price, size, 'taker'));
      order.remainingLots -= size;
    }
    const canRest = spec.timeInForce === 'gtc' || spec.timeInForce === 'postOnly';
    if (order.remainingLots === 0 || !canRest)
      this.end(order, order.remainingLots === 0 ? 'filled' : 'canceled');
    else {
      this.resting.set(order.orderId, order);
      const { trigger: _fired, ...plain } = orderFromSpec(spec, order.orderId, spec.sizeLots);
      const shown = { ...plain, remainingLots: lots(order.remainingLots) };
      this.tell({ type: 'OrderOpened', order: shown, seq: this.nextSeq() });
    }
  }

  #closableLots({ symbol, side }: StageOrder): number {
    const held = this.#held.get(symbol) ?? 0;
    return Math.max(0, side === 'sell' ? held : -held);
  }

  /** Legs of a position go with the one that fires, and when the position is closed. */
  #endLegs({ symbol }: Pick<StageOrder, 'symbol'>): void {
    for (const leg of [...this.#waiting.values()]) {
      if (leg.symbol !== symbol || !isPositionLeg(leg.spec)) continue;
      this.#waiting.delete(leg.orderId);
      this.end(leg, 'canceled');
    }
  }

  /** Why an order cannot stay as it is: post-only that would take, or fill-or-kill that would not be filled. */
  #crossing(spec: OrderSpec): string | undefined {
    const takes = this.#takes(spec);
    if (spec.timeInForce === 'postOnly') return takes.length > 0 ? 'PostOnlyWouldCross' : undefined;
    if (spec.timeInForce !== 'fok') return undefined;
    return takes.reduce((sum, [, size]) => sum + size, 0) < spec.sizeLots ? 'FillOrKillNotFilled' : undefined;
  }

  /** What an order would take of others. */
  #takes({ symbol, side, priceTicks, sizeLots }: OrderSpec): readonly (readonly [number, number])[] {
    const market = this.#parts.markets.get(symbol);
    const levels = (side === 'buy' ? market?.asks : market?.bids) ?? [];
    const taken: (readonly [number, number])[] = [];
    let left: number = sizeLots;
    for (const [price, size] of levels) {
      if (left <= 0 || (side === 'buy' ? price > priceTicks : price < priceTicks)) break;
      taken.push([price, Math.min(left, size)]);
      left -= size;
    }
    return taken;
  }

  #cancel(ref: OrderRef): void {
    const order = this.resting.get(ref.orderId) ?? this.#waiting.get(ref.orderId);
    if (order !== undefined && this.areCancelsLate && !this.#waiting.has(ref.orderId)) this.fill(order);
    if (order === undefined || (this.areCancelsLate && !this.#waiting.has(ref.orderId))) {
      this.tell({ type: 'CancelRejected', ref, reason: 'UnknownOrder', proof: this.#proof('answer') });
      return;
    }
    this.resting.delete(ref.orderId);
    this.#waiting.delete(ref.orderId);
    const canceledLots = lots(order.remainingLots);
    this.tell({
      type: 'CancelExecuted',
      ref,
      canceledLots,
      seq: this.nextSeq(),
      proof: this.#proof('answer'),
    });
  }

  #reject(spec: OrderSpec, reason: string): void {
    this.tell({ type: 'OrderRejected', spec, reason, proof: this.#proof('answer') });
  }

  #proof(by: Proof['by']): Proof {
    return { by, id: `${++this.#count}` };
  }

  /** The next position in the exchange's log. */
  nextSeq(): Seq {
    return BigInt(++this.#count) as Seq;
  }

  #after(delayMs: number, action: () => void): void {
    this.#parts.clock.after(delayMs, action);
  }
}

function isReached({ trigger }: OrderSpec, indexTicks: number): boolean {
  if (trigger === undefined || !Number.isFinite(indexTicks)) return false;
  return trigger.isAbove ? indexTicks >= trigger.priceTicks : indexTicks <= trigger.priceTicks;
}
