/**
 * @module Time-weighted orders: in no book and without margin; one slice at a time goes out as a separate order.
 */
import type { UnixMs } from '../../../core/index.ts';
import { type Side, twapLimitTicks } from '../../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import type { MarketState } from '../prices/market-state.ts';
import type { RejectReason } from '../reasons.ts';
import type { VenueOrder } from '../types.ts';

/** What a time-weighted order is made of. */
export interface TwapTerms {
  /** Account that owns the order. */
  readonly account: AccountState;
  /** Market of the order. */
  readonly market: MarketState;
  /** Order number (exchange.md#order-numbers). */
  readonly orderSeq: bigint;
  /** Buy or sell. */
  readonly side: Side;
  /** Total size, in lots. */
  readonly lots: number;
  /** Number of slices of the TWAP order. */
  readonly slices: number;
  /** Time between two slices, ms. */
  readonly intervalMs: number;
  /** Distance of a slice's limit from the index price, in parts per million. */
  readonly priceTolerancePpm: number;
  /** True if the order may only reduce a position. */
  readonly reduceOnly: boolean;
  /** Time of placement, Unix ms. */
  readonly createdAtMs: UnixMs;
}

/** One of them while it lives. */
export class TwapOrder {
  readonly terms: TwapTerms;
  filledLots = 0;
  slicesDone = 0;
  /** Its next slice goes out with the first block at or after this time. */
  nextSliceAtMs: number;
  status: VenueOrder['status'] = 'open';
  /** Log position of the last change. */
  seq: number;

  constructor(terms: TwapTerms, seq: number) {
    this.terms = terms;
    this.nextSliceAtMs = terms.createdAtMs;
    this.seq = seq;
  }

  /** The worst price of a slice now: the index price and the tolerance, on the tick that is inside. */
  limitTicks(): number {
    const { market, side, priceTolerancePpm } = this.terms;
    return twapLimitTicks(market.market, side, { indexTicks: market.indexTicks, priceTolerancePpm });
  }

  /** Lots of the next slice: what is due after it, less what was filled; a slice's remainder goes to the next. */
  nextLots(): number {
    const { lots, slices, market } = this.terms;
    const steps = BigInt(lots) / BigInt(market.market.lotStep);
    const due = (steps * BigInt(this.slicesDone + 1)) / BigInt(slices);
    return Number(due) * market.market.lotStep - this.filledLots;
  }

  /** Begins the next slice: what it is to trade, and its limit. */
  next(blockAtMs: number, seq: number): { readonly lots: number; readonly priceTicks: number } {
    const slice = { lots: this.nextLots(), priceTicks: this.limitTicks() };
    const { intervalMs } = this.terms;
    const onTime = this.nextSliceAtMs + intervalMs;
    this.nextSliceAtMs = onTime > blockAtMs ? onTime : blockAtMs + intervalMs;
    this.slicesDone++;
    this.seq = seq;
    return slice;
  }

  /** Its slice has traded so much. */
  traded(lots: number): void {
    this.filledLots += lots;
    if (this.filledLots === this.terms.lots) this.status = 'filled';
  }

  /** The order as it is shown. */
  snapshot(): VenueOrder {
    const { terms } = this;
    return {
      account: terms.account.number,
      market: terms.market.number,
      orderSeq: terms.orderSeq,
      side: terms.side,
      priceTicks: this.limitTicks(),
      lots: terms.lots,
      remainingLots: terms.lots - this.filledLots,
      tif: 'ioc',
      reduceOnly: terms.reduceOnly,
      goodTilMs: 0,
      createdAtMs: terms.createdAtMs,
      status: this.status,
      seq: this.seq,
      waiting: {
        kind: 'twap',
        slices: terms.slices,
        slicesDone: this.slicesDone,
        intervalMs: terms.intervalMs,
        priceTolerancePpm: terms.priceTolerancePpm,
        nextSliceAtMs: this.nextSliceAtMs,
      },
    };
  }
}

/** After these the order continues with its next slice. */
const PASSING: ReadonlySet<RejectReason> = new Set<RejectReason>(['MarketNotTrading', 'BelowMinNotional']);

/** Why an order ends with its slice, which was refused for `refusal`; `undefined`: it goes on. */
export function sliceEnd(order: TwapOrder, refusal: RejectReason | undefined): string | undefined {
  if (refusal !== undefined && !PASSING.has(refusal)) return refusal;
  if (order.status === 'filled') return 'Filled';
  return order.slicesDone === order.terms.slices ? 'SlicesDone' : undefined;
}

/** All of them, oldest first. */
export class TwapOrders {
  readonly #live = new Map<number, TwapOrder>();

  get size(): number {
    return this.#live.size;
  }

  add(order: TwapOrder): void {
    this.#live.set(Number(order.terms.orderSeq), order);
  }

  /** The one of this number. */
  get(orderSeq: bigint): TwapOrder | undefined {
    return this.#live.get(Number(orderSeq));
  }

  remove(order: TwapOrder): void {
    this.#live.delete(Number(order.terms.orderSeq));
  }

  /** Those of one account. */
  of(account: AccountState): readonly TwapOrder[] {
    if (this.#live.size === 0) return [];
    return [...this.#live.values()].filter(({ terms }) => terms.account === account);
  }

  /** Those whose next slice is due. */
  due(nowMs: number): readonly TwapOrder[] {
    if (this.#live.size === 0) return [];
    return [...this.#live.values()].filter(({ nextSliceAtMs }) => nextSliceAtMs <= nowMs);
  }
}
