/**
 * @module
 * From intents to the venue port. Quotes are conflated: while a lane is busy only the newest target of a strategy and
 * market waits, and it is compared with what is there when the lane is free (path of a frame, steps 9 and 10). Single
 * orders wait in line, not for long. Cancels go ahead through the safety lane.
 *
 *   intents ──► desks, lines ──► differ ──► risk ──► reserve ──► venue port
 *                                             └──► denials, told at the end of the turn
 *
 * What this does not do: folding facts, calling handlers; it hands denials to the seats.
 */
import type { UnixMs } from '../../core/index.ts';
import type {
  AccountState,
  IntentId,
  LaneId,
  Market,
  MarketState,
  MarketSymbol,
  OrderId,
  OrderRef,
  OrderSpec,
  VenuePort,
} from '../../domain/index.ts';
import type { Review, RiskGate, RiskRequest, RiskView } from '../risk/index.ts';
import type { Intent } from '../strategy/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { Canceler } from './canceler.ts';
import { approvedFields, type DecisionTap } from './decisions.ts';
import type { DenialBox } from './denial-queue.ts';
import type { IntentIds } from './intent-ids.ts';
import { readDraft, readTarget, type SpecNames, type WantedQuotes } from './intent-reader.ts';
import { isProblem, type ProblemText } from './levels.ts';
import {
  LINE_AGE_MS_MAX,
  LINE_ORDERS_MAX,
  OrderLines,
  THROTTLE_WAIT_MS_MAX,
  type WaitingOrder,
} from './order-lines.ts';
import type { QuoteDiffer, RunObserver } from './ports.ts';
import { DueDesks, QuoteDesk } from './quote-state.ts';
import type { Seat } from './strategy-slot.ts';

const NO_REFS: readonly OrderRef[] = [];
const NO_SPECS: readonly OrderSpec[] = [];

/** What the router of a run works with. */
export interface RouterPorts {
  readonly account: AccountState;
  readonly markets: MarketState;
  readonly risk: RiskGate;
  readonly venue: VenuePort;
  readonly differ: QuoteDiffer;
  readonly recorder: Recorder;
  readonly canceler: Canceler;
  readonly denials: DenialBox;
  readonly tap: DecisionTap | undefined;
  /** Counts every intent. */
  readonly collector: Pick<RunObserver, 'intent'> | undefined;
  now(): UnixMs;
  /** What risk sees now. */
  view(): RiskView;
  readonly intentIds: IntentIds;
  /** Asks for a turn after `delayMs`, to send what the write budget holds back. */
  wake(delayMs: number): void;
}

/** The router of a run. */
export class Router {
  readonly #ports: RouterPorts;
  /** Of the ports, what each order needs. */
  readonly #account: RouterPorts['account'];
  readonly #venue: VenuePort;
  readonly #risk: RiskGate;
  readonly #intentIds: IntentIds;
  readonly #denials: DenialBox;
  readonly #desks = new Map<Seat, Map<MarketSymbol, QuoteDesk>>();
  /** That of the newest intent: the next one is mostly for the same. */
  #lastDesk: QuoteDesk | undefined;
  readonly #due = new DueDesks();
  readonly #lines = new OrderLines();
  readonly #canceler: Canceler;
  /** Orders made by `place`: they are not quotes, the differ leaves them alone. */
  readonly #singles = new Set<IntentId>();
  #isClosed = false;
  #isAsked = false;
  readonly #isCancelPending = (orderId: OrderId): boolean => this.#account.isCancelPending(orderId);

  constructor(ports: RouterPorts) {
    this.#ports = ports;
    this.#account = ports.account;
    this.#venue = ports.venue;
    this.#risk = ports.risk;
    this.#intentIds = ports.intentIds;
    this.#denials = ports.denials;
    this.#canceler = ports.canceler;
  }

  /** Has anything been asked for that {@link flush} has not carried out? */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** All desks, for the status page. */
  *desks(): Iterable<QuoteDesk> {
    for (const desks of this.#desks.values()) yield* desks.values();
  }

  /** The desk of a strategy in one of its markets. */
  desk(seat: Seat, symbol: MarketSymbol): QuoteDesk | undefined {
    const last = this.#lastDesk;
    if (last !== undefined && last.seat === seat && last.symbol === symbol) return last;
    let desks = this.#desks.get(seat);
    if (desks === undefined) {
      desks = new Map(
        seat.setup.symbols.map((one) => [one, new QuoteDesk(seat, one, this.#ports.recorder)] as const),
      );
      this.#desks.set(seat, desks);
    }
    this.#lastDesk = desks.get(symbol);
    return this.#lastDesk;
  }

  /** Takes an intent in; nothing leaves before {@link flush}. */
  accept(seat: Seat, life: number, intent: Intent): void {
    this.#ports.collector?.intent();
    this.#intentIds.advance();
    this.#isAsked = true;
    this.#ports.tap?.intent(seat.id, this.#intentIds, intent);
    if (this.#isClosed || !seat.isRunning || seat.life !== life) {
      this.#refuse(seat, undefined, {
        code: 'INTENT_STRATEGY_NOT_RUNNING',
        message: `expected a running strategy, got ${this.#isClosed ? 'a run that is stopping' : seat.state}`,
      });
      return;
    }
    switch (intent.kind) {
      case 'quote':
        this.#acceptQuote(seat, intent);
        break;
      case 'place':
        this.#acceptOrder(seat, intent.order);
        break;
      case 'setLeverage': {
        const { symbol, leverage } = intent;
        const names = { intentId: this.newestId, strategyId: seat.id };
        this.#enqueue({ seat, life, names, symbol, what: { kind: 'setLeverage', symbol, leverage } });
        break;
      }
      case 'cancel':
        this.#acceptCancel(seat, intent.ref);
        break;
      case 'cancelAll':
        this.cancelAll(seat, 'the strategy cancels all', intent.symbol);
        break;
    }
  }

  /** The id of the intent that was taken in last, before anything else is carried out. */
  get newestId(): IntentId {
    return this.#intentIds.newest;
  }

  /** Cancels all orders of a strategy, in one market or in all, those on their way included. */
  cancelAll(seat: Seat, why: string, symbol?: MarketSymbol): void {
    const symbols = symbol === undefined ? seat.setup.symbols : [symbol];
    this.#isAsked = true;
    for (const one of symbols) {
      const desk = this.desk(seat, one);
      if (desk !== undefined) this.#withdraw(desk, why, true);
    }
    this.#lines.drop(seat, symbols);
  }

  /** Pulls all quotes of a market, or of all: targets are void until they are stated anew. */
  pull(symbol: MarketSymbol | undefined, reason: string): void {
    for (const desk of this.desks()) {
      if (symbol !== undefined && desk.symbol !== symbol) continue;
      this.cancelAll(desk.seat, reason, desk.symbol);
      desk.silent(reason, this.#ports.now());
    }
  }

  /** Nothing is taken in any more. */
  close(): void {
    this.#isClosed = true;
    this.#due.clear();
    this.#lines.clear();
  }

  /** An intent has ended. */
  onEnded(intentId: IntentId | undefined): void {
    if (this.#singles.size > 0 && intentId !== undefined) this.#singles.delete(intentId);
  }

  /** Sends what can be sent, and tells what was denied. */
  flush(): void {
    this.#isAsked = false;
    this.#canceler.flush();
    if (this.#due.desks.length > 0 || !this.#lines.isEmpty) {
      if (!this.#lines.isEmpty) this.#sendLines();
      this.#sendDue();
      this.#canceler.flush();
      if (this.#due.desks.length > 0 || !this.#lines.isEmpty) this.#isAsked = true;
    }
    this.#denials.tell();
  }

  #acceptQuote(seat: Seat, intent: Extract<Intent, { kind: 'quote' }>): void {
    const desk = this.#deskFor(seat, intent.symbol);
    const market = desk === undefined ? undefined : this.#marketOf(desk);
    if (desk === undefined || market === undefined) return;
    const wanted = readTarget(market, intent.target, intent.options);
    if (isProblem(wanted)) {
      // What stands was meant for a moment that the strategy says is over: nothing is better than that.
      this.#withdraw(desk, wanted.code, false);
      this.#refuse(seat, desk.symbol, wanted);
    } else if (wanted.bids.length + wanted.asks.length === 0)
      this.#withdraw(desk, intent.reason ?? 'the strategy wants none', false);
    else {
      desk.wanted = wanted;
      this.#due.join(desk);
    }
  }

  #acceptOrder(seat: Seat, draft: unknown): void {
    const symbol = (draft as { readonly symbol?: MarketSymbol } | null | undefined)?.symbol;
    const desk = this.#deskFor(seat, symbol);
    const market = desk === undefined ? undefined : this.#marketOf(desk);
    if (desk === undefined || market === undefined) return;
    const { nowMs, serverNowMs = nowMs } = this.#ports.view();
    const names: SpecNames = { intentId: this.newestId, strategyId: seat.id };
    const spec = readDraft(market, draft, { names, serverNowMs });
    if (isProblem(spec)) this.#refuse(seat, desk.symbol, spec);
    else this.#enqueue({ seat, life: seat.life, names, symbol: desk.symbol, what: spec });
  }

  #acceptCancel(seat: Seat, ref: OrderRef | undefined): void {
    const order = ref === undefined ? undefined : this.#account.workingOrder(ref.orderId);
    if (order?.strategyId === seat.id) {
      if (!this.#account.isCancelPending(order.orderId)) this.#canceler.cancel(order, 'asked for');
      return;
    }
    this.#refuse(seat, order?.symbol, {
      code: 'INTENT_ORDER_UNKNOWN',
      message: `expected a working order of ${seat.id}, got ${String(ref?.orderId).slice(0, 40)}`,
    });
  }

  #enqueue(order: Omit<WaitingOrder, 'atMs'>): void {
    const { seat, symbol } = order;
    if (this.#deskFor(seat, symbol) === undefined) return;
    if (this.#lines.join({ ...order, atMs: this.#ports.now() })) return;
    this.#refuse(seat, symbol, {
      code: 'INTENT_QUEUE_FULL',
      message: `expected at most ${LINE_ORDERS_MAX} orders waiting for lane ${seat.setup.lane}, got one more`,
    });
  }

  #marketOf(desk: QuoteDesk): Market | undefined {
    // The record of a market is the same object for good.
    desk.record ??= this.#ports.markets.get(desk.symbol);
    const market = desk.record?.market;
    if (market === undefined)
      this.#refuse(desk.seat, desk.symbol, {
        code: 'INTENT_MARKET_UNKNOWN',
        message: `expected a market that the exchange has described, got ${desk.symbol}`,
      });
    return market;
  }

  /** Denies the intent that was taken in last. */
  #refuse(seat: Seat, symbol: MarketSymbol | undefined, problem: ProblemText): void {
    this.#denials.refuse(seat, { intentId: this.newestId, strategyId: seat.id }, symbol, problem);
  }

  #deskFor(seat: Seat, symbol: MarketSymbol | undefined): QuoteDesk | undefined {
    const desk = symbol === undefined ? undefined : this.desk(seat, symbol);
    if (desk !== undefined) return desk;
    this.#refuse(seat, undefined, {
      code: 'INTENT_MARKET_UNKNOWN',
      message: `expected one of ${seat.setup.symbols.join(', ')}, got ${String(symbol).slice(0, 64)}`,
    });
    return undefined;
  }

  /** Takes the quotes of a desk off, or all of its orders; those on their way as soon as they are known. */
  #withdraw(desk: QuoteDesk, why: string, isAll: boolean): void {
    const { symbol } = desk;
    desk.wanted = undefined;
    this.#due.leave(desk);
    desk.silent(why, this.#ports.now());
    for (const order of this.#account.workingOrders(symbol, desk.strategyId)) {
      if (isAll || !this.#isSingle(order.intentId)) this.#canceler.cancel(order, why);
    }
    for (const { spec } of this.#account.reservations()) {
      const isOurs = spec.strategyId === desk.strategyId && spec.symbol === symbol;
      if (isOurs && (isAll || !this.#isSingle(spec.intentId))) this.#canceler.doom(spec.intentId);
    }
  }

  #sendLines(): void {
    this.#lines.advance(
      (lane) => this.#venue.isReady(lane),
      (lane, order) => this.#sendNext(lane, order),
    );
  }

  /** False: the write budget holds it back for a moment. */
  #sendNext(lane: LaneId, waiting: WaitingOrder): boolean {
    const { seat, life, names, symbol, what, atMs } = waiting;
    if (!seat.isRunning || seat.life !== life) return true;
    const nowMs = this.#ports.now();
    const ageMs = nowMs - atMs;
    if (ageMs > LINE_AGE_MS_MAX) {
      this.#denials.refuse(seat, names, symbol, {
        code: 'INTENT_EXPIRED',
        message: `expected to be sent within ${LINE_AGE_MS_MAX} ms, got ${ageMs} ms old`,
      });
      return true;
    }
    const view = this.#ports.view();
    const waitMs = this.#risk.waitMs(lane, seat.id, view);
    if (waitMs > 0 && ageMs + waitMs <= THROTTLE_WAIT_MS_MAX) {
      this.#ports.wake(waitMs);
      return false;
    }
    const command = 'kind' in what ? what : { kind: 'place' as const, orders: [what] };
    if (!('kind' in what)) this.#singles.add(what.intentId);
    this.#review(seat, { lane, ...names, command }, view);
    return true;
  }

  #sendDue(): void {
    const { desks } = this.#due;
    for (let at = 0; at < desks.length; ) {
      const desk = desks[at] as QuoteDesk;
      this.#sendQuotes(desk);
      if (desks[at] === desk) at++;
    }
  }

  #sendQuotes(desk: QuoteDesk): void {
    const { seat, symbol, strategyId, lane, wanted } = desk;
    if (wanted === undefined || !seat.isRunning) {
      this.#due.leave(desk);
      return;
    }
    if (!this.#venue.isReady(lane)) return;
    const { cancels, places, unwantedInFlight } = this.#diff(desk, wanted);
    if (cancels.length === 0 && places.length === 0) {
      // What is under way and not wanted can be canceled once its outcome is known: look again then.
      if (unwantedInFlight.length === 0) this.#due.leave(desk);
      return;
    }
    const view = this.#ports.view();
    const waitMs = places.length === 0 ? 0 : this.#risk.waitMs(lane, strategyId, view);
    if (waitMs > 0) {
      // What is not wanted any more does not rest until its replacement may go.
      if (waitMs > THROTTLE_WAIT_MS_MAX)
        for (const ref of cancels) this.#canceler.cancel(ref, 'its replacement has to wait');
      this.#ports.wake(waitMs);
      return;
    }
    this.#due.leave(desk);
    const orders = desk.specsOf(places, wanted.timeInForce, this.#intentIds);
    const [first] = orders;
    if (first === undefined) {
      for (const ref of cancels) this.#canceler.cancel(ref, 'not wanted any more');
      return;
    }
    const command: RiskRequest['command'] =
      cancels.length === 0 ? { kind: 'place', orders } : { kind: 'replace', symbol, cancels, orders };
    const request = { lane, strategyId, intentId: first.intentId, command };
    const { approved, denied } = this.#review(seat, request, view);
    const isQuoting = approved.length > 0 || this.#account.workingOrders(symbol, strategyId).length > 0;
    if (isQuoting) desk.quoting(view.nowMs);
    else desk.silent(denied[0]?.code ?? 'denied', view.nowMs);
  }

  #diff(desk: QuoteDesk, wanted: WantedQuotes): ReturnType<QuoteDiffer> {
    const account = this.#account;
    const all = account.workingOrders(desk.symbol, desk.strategyId);
    const working = this.#singles.size === 0 ? all : all.filter((order) => !this.#isSingle(order.intentId));
    const inFlight = desk.quotesInFlight(account.reservations(), this.#singles);
    return this.#ports.differ(
      wanted,
      { working, inFlight, isCancelPending: account.hasPendingCancels ? this.#isCancelPending : undefined },
      wanted.tolerance,
    );
  }

  #isSingle(intentId: IntentId | undefined): boolean {
    return this.#singles.size > 0 && intentId !== undefined && this.#singles.has(intentId);
  }

  #review(seat: Seat, request: RiskRequest, view: RiskView): Review {
    const { recorder } = this.#ports;
    this.#venue.expect?.();
    const review = this.#risk.review([request], view);
    for (const denial of review.denied) {
      this.#singles.delete(denial.intentId);
      this.#denials.add(seat, denial);
    }
    for (const approved of review.approved) {
      const { command, lane } = approved;
      const places = command.kind === 'setLeverage' ? NO_SPECS : command.orders;
      const cancels = command.kind === 'replace' ? command.cancels : NO_REFS;
      if (command.kind === 'replace' && places.length === 0) {
        for (const ref of cancels) this.#canceler.cancel(ref, 'its replacement was denied');
        continue;
      }
      this.#account.reserve({ lane, places, cancels, atMs: view.nowMs });
      if (recorder.isOn)
        recorder.record('CommandApproved', approvedFields(request.strategyId, approved), request.intentId);
      this.#venue.submit(approved);
    }
    return review;
  }
}
