/**
 * @module
 * From intents to the venue port. Quotes are conflated: while a lane is busy only the newest target of a strategy and
 * market waits, and it is compared with what is there when the lane is free (path of a frame, steps 9 and 10). Single
 * orders wait in line, not for long. Cancels go ahead through the safety lane.
 *
 *   intents ──► quoteStates, lines ──► reconciler ──► risk ──► reserve ──► venue port
 *                                             └──► denials, sent at the end of the turn
 *
 * What this does not do: applying facts, calling handlers; it hands denials to the hosts.
 */
import { isRecord, shown } from '../../core/index.ts';
import type {
  IntentId,
  LaneId,
  Market,
  MarketSymbol,
  OrderId,
  OrderRef,
  OrderSpec,
  VenuePort,
} from '../../domain/index.ts';
import type { Review, RiskGate, RiskRequest, RiskView } from '../risk/index.ts';
import type { Intent, TpslIntents } from '../strategy/index.ts';
import type { Canceler } from './canceler.ts';
import { approvedFields } from './decisions.ts';
import type { DenialQueue } from './denial-queue.ts';
import { draftContextOf } from './draft-context.ts';
import { ExpiringQuotes } from './expiring-quotes.ts';
import type { IntentIds } from './intent-ids.ts';
import { type OrderIntent, readDraft, readTarget, type WantedQuotes } from './intent-reader.ts';
import { isProblem, type ProblemText } from './levels.ts';
import { notRunning, OrderLines, type QueuedOrder, THROTTLE_WAIT_MS_MAX } from './order-lines.ts';
import type { SpecNames } from './order-spec.ts';
import type { QuoteReconciler } from './ports.ts';
import { DueQuotes, QuoteState, type Withdrawal } from './quote-state.ts';
import type { RouterPorts } from './router-ports.ts';
import type { StrategyHost } from './strategy-host.ts';
import { askedLegs } from './tpsl-reader.ts';

const NO_REFS: readonly OrderRef[] = [];
const NO_SPECS: readonly OrderSpec[] = [];
const STOPPING = notRunning('a run that is stopping');
/** Without why: that is another one on paper than over the wire, and `onDegraded` says it. */
const WITHDRAWN: ProblemText = {
  code: 'INTENT_WITHDRAWN',
  message: 'expected its lane to be free before the orders of its strategy were canceled',
};

/** The router of a run. */
export class IntentRouter {
  /** Single orders that wait for their lanes. */
  readonly lines: OrderLines;
  readonly #ports: RouterPorts;
  /** Of the ports, what each order needs. */
  readonly #account: RouterPorts['account'];
  readonly #venue: VenuePort;
  readonly #risk: RiskGate;
  readonly #intentIds: IntentIds;
  readonly #denials: DenialQueue;
  readonly #quoteStates = new Map<StrategyHost, Map<MarketSymbol, QuoteState>>();
  /** That of the newest intent: the next one is mostly for the same. */
  #lastDesk: QuoteState | undefined;
  readonly #due = new DueQuotes();
  readonly #expiring: ExpiringQuotes;
  readonly #canceler: Canceler;
  /** Orders made by `place`: they are not quotes, the reconciler does not touch them. */
  readonly #singles = new Set<IntentId>();
  #isClosed = false;
  #isAsked = false;
  /** Of a take-profit and stop-loss that was taken in last: the ids of what it asked for. */
  #legs: readonly IntentId[] | undefined;
  readonly #isCancelPending = (orderId: OrderId): boolean => this.#account.isCancelPending(orderId);

  constructor(ports: RouterPorts) {
    this.#ports = ports;
    this.#account = ports.account;
    this.#venue = ports.venue;
    this.#risk = ports.risk;
    this.#intentIds = ports.intentIds;
    this.#denials = ports.denials;
    this.lines = new OrderLines(ports.denials);
    this.#canceler = ports.canceler;
    this.#expiring = new ExpiringQuotes(ports, this.#due, {
      isSingle: (intentId) => this.#isSingle(intentId),
      review: (host, request, view) => this.#review(host, request, view),
    });
  }

  /** True while something was asked for that {@link flush} has not carried out. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** All quoteStates, for the status page. */
  *quoteStates(): Iterable<QuoteState> {
    for (const quoteStates of this.#quoteStates.values()) yield* quoteStates.values();
  }

  /** The quoteState of a strategy in one of its markets. */
  quoteState(host: StrategyHost, symbol: MarketSymbol): QuoteState | undefined {
    const last = this.#lastDesk;
    if (last !== undefined && last.host === host && last.symbol === symbol) return last;
    let quoteStates = this.#quoteStates.get(host);
    if (quoteStates === undefined) {
      quoteStates = new Map(host.setup.symbols.map((one) => [one, new QuoteState(host, one)] as const));
      this.#quoteStates.set(host, quoteStates);
    }
    this.#lastDesk = quoteStates.get(symbol);
    return this.#lastDesk;
  }

  /** Takes an intent in; nothing leaves before {@link flush}. */
  accept(host: StrategyHost, instanceId: number, intent: Intent): void {
    this.#ports.collector?.intent();
    this.#intentIds.advance();
    this.#isAsked = true;
    this.#ports.tap?.intent(host.id, this.#intentIds, intent);
    this.#legs = undefined;
    if (intent.kind === 'placeTpsl') {
      this.#intentIds.advance();
      this.#legs = askedLegs(intent.order, this.newestLegs);
    }
    if (this.#isClosed || !host.isRunning || host.instanceId !== instanceId) {
      this.#refuse(host, undefined, this.#isClosed ? STOPPING : notRunning(host.state));
      return;
    }
    switch (intent.kind) {
      case 'quote':
        this.#acceptQuote(host, intent);
        break;
      case 'place':
      case 'placeConditional':
      case 'placeTwap':
      case 'placeTpsl':
        this.#acceptOrder(host, intent);
        break;
      case 'setLeverage': {
        const { symbol, leverage } = intent;
        const names = { intentId: this.newestId, strategyId: host.id };
        this.#enqueue({
          host,
          instanceId,
          names,
          symbol,
          command: { kind: 'setLeverage', symbol, leverage },
        });
        break;
      }
      case 'cancel':
        this.#acceptCancel(host, intent.ref);
        break;
      case 'cancelAll':
        this.cancelAll(host, 'the strategy cancels all', intent.symbol, 'strategy');
        break;
    }
  }

  /** The id of the intent that was taken in last, before anything else is carried out. */
  get newestId(): IntentId {
    return this.#intentIds.newest;
  }

  /** Those of the legs, where it asked for a take-profit and stop-loss. */
  get newestLegs(): TpslIntents {
    return { takeProfit: this.#intentIds.beforeNewest, stopLoss: this.newestId };
  }

  /** Cancels all orders of a strategy, in one market or in all, those on their way included. */
  cancelAll(host: StrategyHost, why: string, symbol?: MarketSymbol, by: Withdrawal['by'] = 'run'): void {
    const symbols = symbol === undefined ? host.setup.symbols : [symbol];
    this.#isAsked = true;
    for (const one of symbols) {
      const quoteState = this.quoteState(host, one);
      if (quoteState !== undefined) this.#withdraw(quoteState, { by, why }, true);
    }
    this.lines.refuse(
      (one) => one.host === host && symbols.includes(one.symbol),
      () => WITHDRAWN,
    );
  }

  /** Pulls all quotes of a market, or of all: targets are void until they are stated again. */
  pull(symbol: MarketSymbol | undefined, reason: string): void {
    for (const quoteState of this.quoteStates()) {
      if (symbol !== undefined && quoteState.symbol !== symbol) continue;
      this.cancelAll(quoteState.host, reason, quoteState.symbol);
    }
  }

  /** Time has passed: quotes that end soon are due again. */
  woke(): void {
    if (this.#expiring.woke()) this.#isAsked = true;
  }

  /** Nothing is taken in any more. */
  close(): void {
    this.#isClosed = true;
    this.#due.clear();
    this.#expiring.clear();
    this.lines.refuse(
      () => true,
      () => STOPPING,
    );
  }

  /** An intent has ended. */
  onEnded(intentId: IntentId | undefined): void {
    if (this.#singles.size > 0 && intentId !== undefined) this.#singles.delete(intentId);
  }

  /** Sends what can be sent, and reports what was denied. */
  flush(): void {
    this.#isAsked = false;
    this.#canceler.flush();
    if (this.#due.quoteStates.length > 0 || !this.lines.isEmpty) {
      if (!this.lines.isEmpty) this.#sendLines();
      this.#sendDue();
      this.#canceler.flush();
      if (this.#due.quoteStates.length > 0 || !this.lines.isEmpty) this.#isAsked = true;
    }
    this.#denials.report();
    // What a strategy takes back for a denial leaves now: in a quiet market the next turn may be half a second away.
    this.#canceler.flush();
  }

  #acceptQuote(host: StrategyHost, intent: Extract<Intent, { kind: 'quote' }>): void {
    const quoteState = this.#deskFor(host, intent.symbol);
    const market = quoteState === undefined ? undefined : this.#marketOf(quoteState);
    if (quoteState === undefined || market === undefined) return;
    const wanted = readTarget(market, intent.target, intent.options, host.setup.orderLifetimeMs);
    if (isProblem(wanted)) {
      // What is open was meant for a moment that the strategy says is over: nothing is better than that.
      const { code, message } = wanted;
      this.#withdraw(quoteState, { by: code, why: `${code}: ${message}` }, false);
      this.#refuse(host, quoteState.symbol, wanted);
    } else if (wanted.bids.length + wanted.asks.length === 0)
      this.#withdraw(quoteState, { by: 'strategy', why: intent.reason ?? 'the strategy wants none' }, false);
    else {
      quoteState.wanted = wanted;
      quoteState.withdrawn = undefined;
      this.#due.join(quoteState);
    }
  }

  #acceptOrder(host: StrategyHost, intent: OrderIntent): void {
    const symbol = (intent.order as { readonly symbol?: MarketSymbol } | null | undefined)?.symbol;
    const quoteState = this.#deskFor(host, symbol);
    const market = quoteState === undefined ? undefined : this.#marketOf(quoteState);
    if (quoteState === undefined || market === undefined) return;
    const asker: SpecNames = { intentId: this.newestId, strategyId: host.id };
    const context = draftContextOf(this.#ports, quoteState, { intent, names: asker, ids: this.newestLegs });
    const orders = readDraft(market, intent, context);
    if (isProblem(orders)) this.#refuse(host, quoteState.symbol, orders);
    else {
      const command = { kind: 'place', orders } as const;
      const names = { ...asker, intentId: orders[0]?.intentId ?? asker.intentId };
      this.#enqueue({ host, instanceId: host.instanceId, names, symbol: quoteState.symbol, command });
    }
  }

  #acceptCancel(host: StrategyHost, ref: unknown): void {
    const orderId = isRecord(ref) ? ref['orderId'] : ref;
    const order = typeof orderId === 'string' ? this.#account.workingOrder(orderId as OrderId) : undefined;
    if (order?.strategyId === host.id) {
      if (!this.#account.isCancelPending(order.orderId)) this.#canceler.cancel(order, 'asked for');
      return;
    }
    this.#refuse(host, order?.symbol, {
      code: 'INTENT_ORDER_UNKNOWN',
      message: `expected a working order of ${host.id}, got ${shown(orderId).slice(0, 40)}`,
    });
  }

  #enqueue(order: Omit<QueuedOrder, 'atMs'>): void {
    const { host, symbol } = order;
    if (this.#deskFor(host, symbol) === undefined) return;
    const problem = this.lines.join({ ...order, atMs: this.#ports.now() });
    if (problem !== undefined) this.#refuse(host, symbol, problem);
  }

  #marketOf(quoteState: QuoteState): Market | undefined {
    // The record of a market is the same object for good.
    quoteState.record ??= this.#ports.markets.get(quoteState.symbol);
    const market = quoteState.record?.market;
    if (market === undefined)
      this.#refuse(quoteState.host, quoteState.symbol, {
        code: 'INTENT_MARKET_UNKNOWN',
        message: `expected a market that the exchange has described, got ${quoteState.symbol}`,
      });
    return market;
  }

  /** Denies the intent that was taken in last. */
  #refuse(host: StrategyHost, symbol: MarketSymbol | undefined, problem: ProblemText): void {
    for (const intentId of this.#legs ?? [this.newestId])
      this.#denials.refuse(host, { intentId, strategyId: host.id }, symbol, problem);
  }

  #deskFor(host: StrategyHost, symbol: MarketSymbol | undefined): QuoteState | undefined {
    const quoteState = symbol === undefined ? undefined : this.quoteState(host, symbol);
    if (quoteState !== undefined) return quoteState;
    this.#refuse(host, undefined, {
      code: 'INTENT_MARKET_UNKNOWN',
      message: `expected one of ${host.setup.symbols.join(', ')}, got ${shown(symbol).slice(0, 64)}`,
    });
    return undefined;
  }

  /** Takes the quotes of a quoteState off, or all of its orders; those on their way as soon as they are known. */
  #withdraw(quoteState: QuoteState, withdrawn: Withdrawal, isAll: boolean): void {
    const { symbol } = quoteState;
    const { why } = withdrawn;
    quoteState.wanted = undefined;
    quoteState.withdrawn = withdrawn;
    quoteState.changed();
    this.#due.leave(quoteState);
    for (const order of this.#account.workingOrders(symbol, quoteState.strategyId)) {
      if (isAll || !this.#isSingle(order.intentId)) this.#canceler.cancel(order, why);
    }
    for (const { spec } of this.#account.reservations()) {
      const isOurs = spec.strategyId === quoteState.strategyId && spec.symbol === symbol;
      if (isOurs && (isAll || !this.#isSingle(spec.intentId))) this.#canceler.doom(spec.intentId);
    }
  }

  #sendLines(): void {
    const nowMs = this.#ports.now();
    this.lines.expire(nowMs);
    this.lines.advance(
      (lane) => this.#venue.isReady(lane),
      (lane, order) => this.#sendNext(lane, order),
    );
    const leftMs = this.lines.leftMs(nowMs);
    // A lane that is not free may bring no turn of its own.
    if (leftMs !== undefined) this.#ports.wake(leftMs);
  }

  /** False: the write budget holds it back for a moment. */
  #sendNext(lane: LaneId, waiting: QueuedOrder): boolean {
    const { host, names, symbol, command, atMs } = waiting;
    const places = command.kind === 'place' ? command.orders : NO_SPECS;
    const view = this.#ports.view();
    const waitMs = this.#risk.waitMs(lane, host.id, view);
    if (waitMs > 0 && this.#ports.now() - atMs + waitMs <= THROTTLE_WAIT_MS_MAX) {
      this.#ports.wake(waitMs);
      return false;
    }
    for (const { intentId } of places) this.#singles.add(intentId);
    const { denied } = this.#review(host, { lane, ...names, command }, view);
    if (places.length > 0) this.quoteState(host, symbol)?.reviewed(places, denied);
    return true;
  }

  #sendDue(): void {
    const { quoteStates } = this.#due;
    for (let at = 0; at < quoteStates.length; ) {
      const quoteState = quoteStates[at] as QuoteState;
      this.#sendQuotes(quoteState);
      if (quoteStates[at] === quoteState) at++;
    }
  }

  #sendQuotes(quoteState: QuoteState): void {
    const { host, symbol, strategyId, lane, wanted } = quoteState;
    if (wanted === undefined || !host.isRunning) {
      this.#due.leave(quoteState);
      return;
    }
    if (!this.#venue.isReady(lane)) return;
    if (wanted.lifetimeMs > 0) {
      this.#expiring.send(quoteState, wanted);
      return;
    }
    const { cancels, places, unwantedInFlight } = this.#diff(quoteState, wanted);
    if (cancels.length === 0 && places.length === 0) {
      // What is under way and not wanted can be canceled once its outcome is known: look again then.
      if (unwantedInFlight.length === 0) this.#due.leave(quoteState);
      return;
    }
    const view = this.#ports.view();
    const waitMs = places.length === 0 ? 0 : this.#risk.waitMs(lane, strategyId, view);
    quoteState.throttledForMs = waitMs;
    if (waitMs > 0) {
      // What is not wanted any more does not rest until its replacement may go.
      if (waitMs > THROTTLE_WAIT_MS_MAX)
        for (const ref of cancels) this.#canceler.cancel(ref, 'its replacement has to wait');
      this.#ports.wake(waitMs);
      return;
    }
    this.#due.leave(quoteState);
    const orders = quoteState.specsOf(places, wanted.timeInForce, this.#intentIds);
    const [first] = orders;
    if (first === undefined) {
      for (const ref of cancels) this.#canceler.cancel(ref, 'not wanted any more');
      return;
    }
    const command: RiskRequest['command'] =
      cancels.length === 0 ? { kind: 'place', orders } : { kind: 'replace', symbol, cancels, orders };
    const request = { lane, strategyId, intentId: first.intentId, command };
    const { denied } = this.#review(host, request, view);
    quoteState.reviewed(orders, denied);
  }

  #diff(quoteState: QuoteState, wanted: WantedQuotes): ReturnType<QuoteReconciler> {
    const account = this.#account;
    const all = account.workingOrders(quoteState.symbol, quoteState.strategyId);
    const working = this.#singles.size === 0 ? all : all.filter((order) => !this.#isSingle(order.intentId));
    const inFlight = quoteState.quotesInFlight(account.reservations(), this.#singles);
    return this.#ports.reconcileQuotes(
      wanted,
      { working, inFlight, isCancelPending: account.hasPendingCancels ? this.#isCancelPending : undefined },
      wanted.tolerance,
    );
  }

  #isSingle(intentId: IntentId | undefined): boolean {
    return this.#singles.size > 0 && intentId !== undefined && this.#singles.has(intentId);
  }

  #review(host: StrategyHost, request: RiskRequest, view: RiskView): Review {
    const { recorder } = this.#ports;
    this.#venue.expect?.();
    const review = this.#risk.review([request], view);
    for (const denial of review.denied) {
      this.#singles.delete(denial.intentId);
      this.#denials.add(host, denial);
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
