/**
 * @module
 * Fills and trades of a run over bars in columns. A trade is a position from flat to flat; one that turns ends a trade and
 * begins the next with the same fill. What the trades made adds up to all that was booked.
 */
import type { BarExit } from '../../bot/strategy/index.ts';
import { NumberColumn } from './columns.ts';

/** Why a fill happened, by its number in the columns. */
export const FILL_REASONS = ['rule', 'stop', 'take', 'liquidation'] as const satisfies readonly (
  | 'rule'
  | BarExit
)[];
/** One of {@link FILL_REASONS}. */
export type FillReason = (typeof FILL_REASONS)[number];

/** Fills, equal lengths. */
export interface FillColumns {
  /** The bar in which it happened: at its open for `rule`, inside it otherwise. */
  readonly bar: Float64Array;
  /** Signed: above 0 bought. */
  readonly lots: Float64Array;
  /** Fill price in ticks. */
  readonly priceTicks: Float64Array;
  /** Before slippage. */
  readonly referenceTicks: Float64Array;
  /** Quantums. */
  readonly fee: readonly bigint[];
  /** Index in {@link FILL_REASONS}. */
  readonly reason: Float64Array;
}

/** Trades, equal lengths; the last one may be open. */
export interface TradeColumns {
  /** Index of the opening bar. */
  readonly openBar: Float64Array;
  /** NaN: still open. */
  readonly closeBar: Float64Array;
  /** The largest position of the trade, signed. */
  readonly lots: Float64Array;
  /** Price of the first fill, in ticks. */
  readonly openTicks: Float64Array;
  /** Price of the last fill, in ticks; NaN: still open. */
  readonly closeTicks: Float64Array;
  /** Realized PnL with funding, less fees, in quantums. */
  readonly pnl: readonly bigint[];
  /** Of the last fill, index in {@link FILL_REASONS}; NaN: still open. */
  readonly reason: Float64Array;
}

/** One fill as the engine reports it. */
export interface BarFill {
  /** Index of the bar. */
  readonly bar: number;
  /** Size in lots. */
  readonly lots: number;
  /** Price in ticks. */
  readonly priceTicks: number;
  /** Price before slippage, in ticks. */
  readonly referenceTicks: number;
  /** Cause of the fill. */
  readonly reason: FillReason;
}

/** Writes both. */
export class TradeLog {
  readonly #bar = new NumberColumn();
  readonly #lots = new NumberColumn();
  readonly #price = new NumberColumn();
  readonly #reference = new NumberColumn();
  readonly #fee: bigint[] = [];
  readonly #reason = new NumberColumn();
  readonly #openBar = new NumberColumn();
  readonly #closeBar = new NumberColumn();
  readonly #largest = new NumberColumn();
  readonly #openTicks = new NumberColumn();
  readonly #closeTicks = new NumberColumn();
  readonly #pnl: bigint[] = [];
  readonly #closeReason = new NumberColumn();
  #held = 0;
  #most = 0;
  /** What was booked when the open trade began. */
  #before = 0n;

  /** Notes a fill. `booked` is the profit booked up to it, less the fee of what it opened. */
  add(fill: BarFill, fee: bigint, booked: bigint): void {
    const reason = FILL_REASONS.indexOf(fill.reason);
    this.#bar.push(fill.bar);
    this.#lots.push(fill.lots);
    this.#price.push(fill.priceTicks);
    this.#reference.push(fill.referenceTicks);
    this.#fee.push(fee);
    this.#reason.push(reason);
    const before = this.#held;
    this.#held = before + fill.lots;
    if (before !== 0 && Math.sign(this.#held) !== Math.sign(before)) {
      this.#end(fill.bar, fill.priceTicks, reason);
      this.#pnl.push(booked - this.#before);
      this.#before = booked;
    }
    if (this.#held === 0) return;
    if (Math.sign(this.#held) !== Math.sign(before)) {
      this.#openBar.push(fill.bar);
      this.#openTicks.push(fill.priceTicks);
      this.#most = this.#held;
    } else if (Math.abs(this.#held) > Math.abs(this.#most)) this.#most = this.#held;
  }

  /** The columns, with what is open as the last trade. */
  done(booked: bigint): { readonly fills: FillColumns; readonly trades: TradeColumns } {
    if (this.#held !== 0) {
      this.#end(Number.NaN, Number.NaN, Number.NaN);
      this.#pnl.push(booked - this.#before);
    }
    return {
      fills: {
        bar: this.#bar.done(),
        lots: this.#lots.done(),
        priceTicks: this.#price.done(),
        referenceTicks: this.#reference.done(),
        fee: this.#fee,
        reason: this.#reason.done(),
      },
      trades: {
        openBar: this.#openBar.done(),
        closeBar: this.#closeBar.done(),
        lots: this.#largest.done(),
        openTicks: this.#openTicks.done(),
        closeTicks: this.#closeTicks.done(),
        pnl: this.#pnl,
        reason: this.#closeReason.done(),
      },
    };
  }

  #end(bar: number, priceTicks: number, reason: number): void {
    this.#closeBar.push(bar);
    this.#closeTicks.push(priceTicks);
    this.#closeReason.push(reason);
    this.#largest.push(this.#most);
  }
}
