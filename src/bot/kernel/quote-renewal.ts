/**
 * @module
 * Quotes with an end. Only a single placement can carry one (exchange.md#command-bytes), so such quotes are placed one by
 * one: what has no order first, then the successor of an order that will end soon, before all when it is about to. The old one is canceled only when the
 * new one rests, so that a level is never empty while its quote is renewed.
 */
import { added } from '../../core/index.ts';
import type { IntentId, OrderId, OrderRef, OrderSpec, QuoteLevel, WorkingOrder } from '../../domain/index.ts';
import type { WantedQuotes } from './intent-reader.ts';
import type { QuoteReconciler } from './ports.ts';

/** A quote is renewed when this share of its life is left, and this long before its end at the least. */
const RENEW_AT = 0.25;
const RENEW_MS_MIN = 500;
/** With this share of that time left its renewal goes before levels that are empty. */
const URGENT_AT = 0.5;
/** A quote that was denied is asked for again after this. */
const DENIED_PAUSE_MS = 1_000;
/** Ends that are remembered before those of orders that are gone are forgotten. */
const ENDS_MAX = 64;

type NewQuote = ReturnType<QuoteReconciler>['places'][number];

const NO_REFS: readonly OrderRef[] = [];

/** What is to be done about quotes with an end. */
export interface RenewalStep {
  /** Orders that are not wanted, or whose successor rests. */
  readonly cancels: readonly OrderRef[];
  /** The quote that is placed next; `undefined`: none is needed, or it has to wait. */
  readonly place: NewQuote | undefined;
  /** The order that it succeeds; `undefined`: its level is empty. */
  readonly succeeds: OrderRef | undefined;
  /** True: one on its way may be what is needed, or orders on their way out count against it until they are gone. */
  readonly isWaiting: boolean;
}

/** What is there, as the reconciler is told. */
export interface PresentQuotes {
  readonly working: readonly WorkingOrder[];
  readonly inFlight: readonly OrderSpec[];
  isCancelPending(orderId: OrderId): boolean;
}

/** The ends of the quotes of one strategy in one market. All times are monotonic: a clock that is set renews nothing late. */
export class QuoteRenewal {
  readonly #endsAtMs = new Map<IntentId, number>();
  /** When the next quote has to be renewed; `undefined`: none has an end. */
  dueAtMs: number | undefined;

  /** A quote was sent that ends then. */
  note(intentId: IntentId, endsAtMs: number): void {
    this.#endsAtMs.set(intentId, endsAtMs);
  }

  /** The next step, and when the one after it is due where there is nothing to do. */
  step(
    wanted: WantedQuotes,
    present: PresentQuotes,
    { nowMs, reconcile }: { readonly nowMs: number; readonly reconcile: QuoteReconciler },
  ): RenewalStep {
    const { working, inFlight, isCancelPending } = present;
    this.#forget(present);
    const leadMs = renewalLeadMs(wanted.lifetimeMs);
    const isEnding = (order: WorkingOrder): boolean => this.#leftMs(order, nowMs) <= leadMs;
    const lasting = working.filter((order) => !isEnding(order));
    const first = reconcile(wanted, { working: lasting, inFlight, isCancelPending }, wanted.tolerance);
    const missing: WantedQuotes = { ...wanted, ...sidesOf(first.places) };
    const ending = { working: working.filter(isEnding), inFlight: [], isCancelPending };
    const second = reconcile(missing, ending, wanted.tolerance);
    // While the outcome of a successor is not known its predecessor stays: it may be all that there is.
    const cancels = inFlight.length === 0 ? [...first.cancels, ...second.cancels] : first.cancels;
    // A market that moves all the time leaves no write for renewals: what is about to end goes first.
    const isUrgent = ending.working.some(
      (order) => !isCancelPending(order.orderId) && this.#leftMs(order, nowMs) <= leadMs * URGENT_AT,
    );
    const renewal = first.places.find((level) => !second.places.some((empty) => isSame(empty, level)));
    const place = isUrgent ? (renewal ?? second.places[0]) : (second.places[0] ?? renewal);
    const isWaiting =
      inFlight.length > 0 || (place !== undefined && working.some(({ orderId }) => isCancelPending(orderId)));
    this.dueAtMs = this.#nextAtMs(lasting, leadMs);
    const isRenewal = place !== undefined && place === renewal;
    const succeeds = isRenewal ? nearestOf(place, ending.working, isCancelPending) : undefined;
    return {
      cancels: cancels.length === 0 ? NO_REFS : cancels,
      place: isWaiting ? undefined : place,
      succeeds,
      isWaiting,
    };
  }

  /** The quote was denied: it is asked for again, and not at once. */
  denied(nowMs: number): void {
    this.dueAtMs = nowMs + DENIED_PAUSE_MS;
  }

  /** How long an order lives still; 0 of one whose end is not known: it may have none. */
  #leftMs({ intentId }: WorkingOrder, nowMs: number): number {
    const endsAtMs = intentId === undefined ? undefined : this.#endsAtMs.get(intentId);
    return endsAtMs === undefined ? 0 : endsAtMs - nowMs;
  }

  #nextAtMs(lasting: readonly WorkingOrder[], leadMs: number): number | undefined {
    let atMs: number | undefined;
    for (const { intentId } of lasting) {
      const endsAtMs = intentId === undefined ? undefined : this.#endsAtMs.get(intentId);
      if (endsAtMs !== undefined && (atMs === undefined || endsAtMs - leadMs < atMs))
        atMs = endsAtMs - leadMs;
    }
    return atMs;
  }

  #forget({ working, inFlight }: PresentQuotes): void {
    if (this.#endsAtMs.size <= ENDS_MAX) return;
    const known = new Set([...working, ...inFlight].map(({ intentId }) => intentId));
    for (const intentId of this.#endsAtMs.keys()) if (!known.has(intentId)) this.#endsAtMs.delete(intentId);
  }
}

/** How long before its end a quote of this lifetime is renewed, ms. */
function renewalLeadMs(lifetimeMs: number): number {
  return Math.max(RENEW_MS_MIN, lifetimeMs * RENEW_AT);
}

function isSame(a: NewQuote, b: NewQuote): boolean {
  return a.side === b.side && a.priceTicks === b.priceTicks && a.sizeLots === b.sizeLots;
}

function sidesOf(places: readonly NewQuote[]): Pick<WantedQuotes, 'bids' | 'asks'> {
  let [bids, asks]: (readonly QuoteLevel[])[] = [[], []];
  for (const level of places)
    if (level.side === 'buy') bids = added(bids ?? [], level);
    else asks = added(asks ?? [], level);
  return { bids: bids ?? [], asks: asks ?? [] };
}

function nearestOf(
  { side, priceTicks }: NewQuote,
  ending: readonly WorkingOrder[],
  isCancelPending: (orderId: OrderId) => boolean,
): OrderRef | undefined {
  let nearest: WorkingOrder | undefined;
  for (const order of ending) {
    if (order.side !== side || isCancelPending(order.orderId)) continue;
    const away = Math.abs(order.priceTicks - priceTicks);
    if (nearest === undefined || away < Math.abs(nearest.priceTicks - priceTicks)) nearest = order;
  }
  return nearest;
}
