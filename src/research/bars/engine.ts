/**
 * @module
 * Runs a rule over bars in columns: no book, no queue, no latency, thousands of runs a minute. What a rule wants at the
 * close of a bar is filled at the next bar's open; a bar in which no money moves makes no object.
 *
 *   settlements up to the open ─► what was wanted, at the open ─► settlements inside ─► stop before take ─► close ─► rule
 *
 * The rule sees a copy that ends with the bar that has just closed: what is ahead is NaN. What this does not do: more than
 * one market in an account, resting orders beside a stop and a take-profit, partial fills.
 */

import type { BarExit, BarRule, Bars } from '../../bot/strategy/index.ts';
import { assert, BotError, isoOfUs } from '../../core/index.ts';
import type { Market, Pnl, Quantums } from '../../domain/index.ts';
import { BarAccount, type BarTerms } from './account.ts';
import { type BarColumns, emptyBars, NO_SETTLEMENTS, type SettlementColumns } from './columns.ts';
import { type FillColumns, type FillReason, type TradeColumns, TradeLog } from './trades.ts';

/** What a run over bars is made of. */
export interface BarRunOptions {
  /** The traded market. */
  readonly market: Market;
  /** At least one, in order: `checkBars` has seen them. */
  readonly bars: BarColumns;
  /** Funding settlements; `undefined`: no funding is paid. */
  readonly settlements?: SettlementColumns | undefined;
  /** Computes the target position. */
  readonly rule: BarRule;
  /** Collateral, fees and limits. */
  readonly terms: BarTerms;
}

/** What a run over bars gives. */
export interface BarRun {
  /** By bar, at its close: equity in quantums (exact up to 2^53), the position, what the rule wanted then. */
  readonly equity: Float64Array;
  /** Position after each bar, in lots. */
  readonly heldLots: Float64Array;
  /** Target position of each bar, in lots. */
  readonly wantedLots: Float64Array;
  /** All fills. */
  readonly fills: FillColumns;
  /** All round trips. */
  readonly trades: TradeColumns;
  /** Profit and loss, split by cause. */
  readonly pnl: Pnl;
  /** Equity at the start, in quantums. */
  readonly equityStart: Quantums;
  /** With what is open at the last close. */
  readonly equityEnd: Quantums;
  /** equityEnd - equityStart - (realized + unrealized + funding - fees): 0 or a fault. */
  readonly residual: Quantums;
  /** Traded notional in quantums. */
  readonly turnover: Quantums;
  /** Targets that the position limit or the margin cut, and those that were below the smallest notional. */
  readonly cut: number;
  /** Targets that were below the market's minimum order. */
  readonly tooSmall: number;
}

/**
 * Runs a rule over bars. A function of its options. @throws BotError `STRATEGY_TARGET_INVALID` for a target that is not
 * a number.
 */
export function runBars(options: BarRunOptions): BarRun {
  return new BarEngine(options).run();
}

class BarEngine {
  readonly #market: Market;
  readonly #perTickLot: number;
  readonly #tickStep: number;
  readonly #bars: BarColumns;
  readonly #settlements: SettlementColumns;
  readonly #rule: BarRule;
  readonly #terms: BarTerms;
  readonly #account: BarAccount;
  readonly #log = new TradeLog();
  readonly #seen: Bars;
  readonly #equity: Float64Array;
  readonly #held: Float64Array;
  readonly #wanted: Float64Array;
  #nextSettlement = 0;
  #settlementUs: number;
  #cut = 0;
  #tooSmall = 0;

  constructor({ market, bars, settlements = NO_SETTLEMENTS, rule, terms }: BarRunOptions) {
    assert(bars.rows > 0, 'at least one bar');
    this.#market = market;
    this.#perTickLot = Number(market.quantumsPerTickLot);
    this.#tickStep = market.tickStep;
    this.#bars = bars;
    this.#settlements = settlements;
    this.#rule = rule;
    this.#terms = terms;
    this.#account = new BarAccount(market, terms);
    this.#seen = emptyBars(bars.rows);
    this.#equity = new Float64Array(bars.rows);
    this.#held = new Float64Array(bars.rows);
    this.#wanted = new Float64Array(bars.rows);
    this.#settlementUs = settlements.atUs[0] ?? Number.POSITIVE_INFINITY;
  }

  run(): BarRun {
    const { rows, openUs, barUs, open, close } = this.#bars;
    const account = this.#account;
    let wanted = 0;
    for (let at = 0; at < rows; at++) {
      const beganUs = openUs[at] ?? Number.NaN;
      const openTicks = open[at] ?? Number.NaN;
      if (this.#settlementUs <= beganUs) this.#settle(beganUs, close[at - 1] ?? openTicks);
      if (wanted !== account.lots) this.#rebalance(at, wanted);
      if (this.#settlementUs < beganUs + barUs) this.#settle(beganUs + barUs - 1, openTicks);
      if (account.lots !== 0) this.#protect(at);
      this.#reveal(at);
      const { lots } = account;
      this.#held[at] = lots;
      this.#equity[at] = account.cash + lots * (close[at] ?? Number.NaN) * this.#perTickLot;
      wanted = this.#round(this.#rule.targetLots(this.#seen, at, lots), at);
      this.#wanted[at] = wanted;
    }
    return {
      ...{ equity: this.#equity, heldLots: this.#held, wantedLots: this.#wanted },
      ...this.#log.done(account.booked),
      ...account.close(close[rows - 1] ?? 0),
      ...{ turnover: account.turnover, cut: this.#cut, tooSmall: this.#tooSmall },
    };
  }

  /** Shows the rule the bar that has closed. */
  #reveal(at: number): void {
    const [from, to] = [this.#bars, this.#seen];
    to.openUs[at] = from.openUs[at] ?? Number.NaN;
    to.open[at] = from.open[at] ?? Number.NaN;
    to.high[at] = from.high[at] ?? Number.NaN;
    to.low[at] = from.low[at] ?? Number.NaN;
    to.close[at] = from.close[at] ?? Number.NaN;
    to.volume[at] = from.volume[at] ?? Number.NaN;
  }

  /** Settles what is due up to `untilUs`, at its own price or at the last one that is known. */
  #settle(untilUs: number, knownTicks: number): void {
    const { atUs, ratePpb, priceTicks } = this.#settlements;
    while (this.#settlementUs <= untilUs) {
      const at = this.#nextSettlement++;
      this.#settlementUs = atUs[at + 1] ?? Number.POSITIVE_INFINITY;
      const own = priceTicks[at] ?? 0;
      if (this.#account.lots !== 0) this.#account.settle(ratePpb[at] ?? 0, own > 0 ? own : knownTicks);
    }
  }

  /** A target in whole steps, towards 0. */
  #round(target: number, at: number): number {
    const step = this.#market.lotStep;
    // Plus zero: -0 is no separate position.
    const whole = Math.trunc(target / step) * step + 0;
    if (!(Math.abs(whole) <= Number.MAX_SAFE_INTEGER)) throw invalidTarget(target, at, this.#bars);
    return whole;
  }

  /** Brings the position to what is wanted, at the open of bar `at`, as far as limits let it. */
  #rebalance(at: number, wanted: number): void {
    const account = this.#account;
    const openTicks = this.#bars.open[at] ?? Number.NaN;
    const priceTicks = this.#slipped(openTicks, wanted - account.lots);
    const lots = this.#limited(wanted, priceTicks);
    const change = lots - account.lots;
    if (change === 0) return;
    if (lots !== 0 && account.notional(Math.abs(change), priceTicks) < this.#market.minNotional) {
      this.#tooSmall++;
      return;
    }
    this.#fill(at, change, { priceTicks, referenceTicks: openTicks, reason: 'rule' });
  }

  /** What is wanted, cut to the position limit and to what the margin carries; what is held is never cut. */
  #limited(wanted: number, priceTicks: number): number {
    const { lots } = this.#account;
    const size = Math.abs(wanted);
    const heldSize = Math.sign(lots) === Math.sign(wanted) ? Math.abs(lots) : 0;
    if (size <= heldSize) return wanted;
    const step = this.#market.lotStep;
    const most = Math.floor(this.#account.affordableLots(priceTicks) / step) * step;
    if (size <= most) return wanted;
    this.#cut++;
    return Math.sign(wanted) * Math.max(most, heldSize);
  }

  /** Gives the position up where the bar reaches a level of the rule or of the margin; the stop comes first. */
  #protect(at: number): void {
    const { lots, averageEntryTicks, liquidationTicks } = this.#account;
    const rule = this.#rule;
    const stop = rule.stopTicks?.(this.#seen, at - 1, lots, averageEntryTicks) ?? Number.NaN;
    const take = rule.takeTicks?.(this.#seen, at - 1, lots, averageEntryTicks) ?? Number.NaN;
    const openTicks = this.#bars.open[at] ?? Number.NaN;
    const step = this.#tickStep;
    if (lots > 0) {
      const lowTicks = this.#bars.low[at] ?? Number.NaN;
      const isGone = lowTicks <= liquidationTicks && !(stop > liquidationTicks);
      const level = isGone ? liquidationTicks : Math.floor(stop / step) * step;
      if (lowTicks <= level) this.#exit(at, Math.min(openTicks, level), isGone ? 'liquidation' : 'stop');
      else if ((this.#bars.high[at] ?? 0) >= take) this.#exit(at, Math.ceil(take / step) * step, 'take');
    } else {
      const highTicks = this.#bars.high[at] ?? Number.NaN;
      const isGone = highTicks >= liquidationTicks && !(stop < liquidationTicks);
      const level = isGone ? liquidationTicks : Math.ceil(stop / step) * step;
      if (highTicks >= level) this.#exit(at, Math.max(openTicks, level), isGone ? 'liquidation' : 'stop');
      else if ((this.#bars.low[at] ?? 0) <= take) this.#exit(at, Math.floor(take / step) * step, 'take');
    }
  }

  /** A take-profit rests: it has its own price and no slippage. */
  #exit(at: number, referenceTicks: number, why: BarExit): void {
    const change = -this.#account.lots;
    const priceTicks = why === 'take' ? referenceTicks : this.#slipped(referenceTicks, change);
    this.#fill(at, change, { priceTicks, referenceTicks, reason: why });
    this.#rule.onExit?.(why);
  }

  #slipped(priceTicks: number, change: number): number {
    const { slippageTicks } = this.#terms;
    return change > 0 ? priceTicks + slippageTicks : Math.max(this.#tickStep, priceTicks - slippageTicks);
  }

  #fill(
    bar: number,
    lots: number,
    how: { readonly priceTicks: number; readonly referenceTicks: number; readonly reason: FillReason },
  ): void {
    const openedUs = this.#bars.openUs[bar] ?? 0;
    const { fee, openingFee } = this.#account.fill(lots, how.priceTicks, openedUs);
    this.#log.add({ bar, lots, ...how }, fee, this.#account.booked + openingFee);
  }
}

function invalidTarget(target: number, at: number, bars: BarColumns): BotError {
  const when = isoOfUs(bars.openUs[at] ?? 0);
  return new BotError({
    code: 'STRATEGY_TARGET_INVALID',
    message: `expected a number of lots from the rule at bar ${at} (${when}), got ${target}`,
    remedy: 'A rule answers targetLots with a number; what lies ahead of its bar is NaN.',
    details: { bar: at },
  });
}
