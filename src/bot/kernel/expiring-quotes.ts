/**
 * @module
 * Sends quotes with an end (`quote-renewal.ts` says what is next): one order a write, each renewed before it ends. What
 * this does not do: deciding what is wanted.
 */
import { must, type UnixMs } from '../../core/index.ts';
import type { AccountState, IntentId, OrderId } from '../../domain/index.ts';
import type { Review, RiskGate, RiskRequest, RiskView } from '../risk/index.ts';
import type { Canceler } from './canceler.ts';
import type { IntentIds } from './intent-ids.ts';
import type { WantedQuotes } from './intent-reader.ts';
import type { QuoteReconciler } from './ports.ts';
import { QuoteRenewal } from './quote-renewal.ts';
import type { DueQuotes, QuoteState } from './quote-state.ts';
import type { StrategyHost } from './strategy-host.ts';

const NO_SINGLES: ReadonlySet<IntentId> = new Set();

/** Of the router, what quotes with an end need. */
export interface ExpiringPorts {
  readonly account: AccountState;
  readonly risk: RiskGate;
  readonly canceler: Canceler;
  readonly intentIds: IntentIds;
  readonly reconcileQuotes: QuoteReconciler;
  view(): RiskView;
  wake(delayMs: number): void;
  /** Time that never runs backwards, ms. */
  monotonicMs(): number;
}

/** What the router does for every order. */
export interface ExpiringActions {
  /** True of an order that is no quote. */
  isSingle(intentId: IntentId | undefined): boolean;
  /** Reviews a command, and sends what passes. */
  review(host: StrategyHost, request: RiskRequest, view: RiskView): Review;
}

/** See the module. */
export class ExpiringQuotes {
  readonly #ports: ExpiringPorts;
  readonly #due: DueQuotes;
  readonly #actions: ExpiringActions;
  /** Those that have nothing to do before one of their quotes ends. */
  readonly #waiting = new Set<QuoteState>();
  readonly #isCancelPending = (orderId: OrderId): boolean => this.#ports.account.isCancelPending(orderId);

  constructor(ports: ExpiringPorts, due: DueQuotes, actions: ExpiringActions) {
    this.#ports = ports;
    this.#due = due;
    this.#actions = actions;
  }

  /** Time has passed: those whose quotes end soon are due again. True if any is. */
  woke(): boolean {
    let isAny = false;
    for (const quoteState of this.#waiting) {
      const atMs = quoteState.wanted && quoteState.renewal?.dueAtMs;
      const leftMs = atMs === undefined ? undefined : atMs - this.#ports.monotonicMs();
      if (leftMs !== undefined && leftMs > 0) {
        this.#ports.wake(leftMs);
        continue;
      }
      this.#waiting.delete(quoteState);
      if (leftMs === undefined) continue;
      this.#due.join(quoteState);
      isAny = true;
    }
    return isAny;
  }

  /** Forgets all. */
  clear(): void {
    this.#waiting.clear();
  }

  /** The next write of quotes that end: they stay due until there is nothing to do before one of them ends. */
  send(quoteState: QuoteState, wanted: WantedQuotes): void {
    const { host, strategyId, lane } = quoteState;
    const { canceler, risk, intentIds, reconcileQuotes: reconcile } = this.#ports;
    const view = this.#ports.view();
    const nowMs = this.#ports.monotonicMs();
    quoteState.renewal ??= new QuoteRenewal();
    const { renewal } = quoteState;
    const next = renewal.step(wanted, this.#present(quoteState), { nowMs, reconcile });
    for (const ref of next.cancels) canceler.cancel(ref, 'not wanted any more, or renewed');
    const { place, succeeds } = next;
    if (place === undefined) {
      if (!next.isWaiting) this.#wait(quoteState, renewal, nowMs);
      return;
    }
    const waitMs = risk.waitMs(lane, strategyId, view);
    quoteState.throttledForMs = waitMs;
    if (waitMs > 0) {
      this.#ports.wake(waitMs);
      return;
    }
    // The exchange ends an order by its own clock.
    const expiresAtMs = ((view.serverNowMs ?? view.nowMs) + wanted.lifetimeMs) as UnixMs;
    const orders = quoteState.specsOf([place], wanted.timeInForce, intentIds, expiresAtMs);
    const { intentId } = must(orders[0], 'the order of a quote');
    const command = { kind: 'place', orders } as const;
    const { denied } = this.#actions.review(host, { lane, strategyId, intentId, command }, view);
    quoteState.reviewed(orders, denied);
    if (denied.length === 0) renewal.note(intentId, nowMs + wanted.lifetimeMs);
    else if (succeeds !== undefined) canceler.cancel(succeeds, 'its successor has no room beside it');
    else {
      renewal.denied(nowMs);
      this.#wait(quoteState, renewal, nowMs);
    }
  }

  #wait(quoteState: QuoteState, { dueAtMs }: QuoteRenewal, nowMs: number): void {
    this.#due.leave(quoteState);
    if (dueAtMs === undefined) return;
    this.#waiting.add(quoteState);
    this.#ports.wake(Math.max(0, dueAtMs - nowMs));
  }

  #present(quoteState: QuoteState) {
    const { account } = this.#ports;
    const isSingle = ({ intentId }: { readonly intentId?: IntentId }) => this.#actions.isSingle(intentId);
    const all = account.workingOrders(quoteState.symbol, quoteState.strategyId);
    const inFlight = quoteState.quotesInFlight(account.reservations(), NO_SINGLES);
    return {
      working: all.filter((order) => !isSingle(order)),
      inFlight: inFlight.filter((spec) => !isSingle(spec)),
      isCancelPending: this.#isCancelPending,
    };
  }
}
