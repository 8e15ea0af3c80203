/**
 * @module
 * A parent order: one that is worked over time in smaller ones, its children. It is what every execution component with
 * a fixed size shares. A policy says how much should be out now and at which price; this keeps it so, and never lets what
 * is filled and what may still be filled be more than the total, whatever is denied, lost, filled late or interrupted.
 *
 *   policy(view, touch, progress) ─▶ target ─▶ cancel what does not fit ─▶ place what is missing
 *        filled + claims of children ≤ total, always
 *
 * Over a restart: the strategy's inventory of the market, which comes from the exchange's own fills, shows what was filled
 * after the last save. So while an order is worked, nothing else of the same strategy may trade in its market.
 */
import { assert } from '../../../core/index.ts';
import type { Denial, Fill, MarketSymbol, Side, Ticks, TimeInForce } from '../../../domain/index.ts';
import type { MarketView, StrategyContext } from '../context.ts';
import type { OrderUpdate } from '../handlers.ts';
import { type Touch, tradableTouchOf } from '../quoting/touch.ts';
import { Children } from './children.ts';
import type { AlgoHandlers } from './handlers.ts';
import { LOOK_MS, Pause } from './pause.ts';
import { type SavedParentOrder, savedOf } from './saved-parent-order.ts';
import { TriedSize } from './tried-size.ts';

/** What is to be worked. */
export interface ParentOrderOptions {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  /** Lots to fill in all. */
  readonly totalLots: number;
  /** The largest child; the limits of risk make it smaller still. Default: none. */
  readonly childLotsMax?: number;
  /** Distinguishes components of one strategy; names the timer. */
  readonly name?: string;
  /** Called once, when it has ended. */
  readonly onEnd?: (report: ParentOrderReport) => void;
}

/** How far it is. */
export interface ParentOrderProgress {
  /** The time base of expiry: the exchange's time at signing, Unix ms. */
  readonly nowMs: number;
  /** When it was begun, perhaps in a previous run. */
  readonly startedAtMs: number;
  /** Lots filled so far. */
  readonly filledLots: number;
  /** Total less filled. */
  readonly remainingLots: number;
  /** Price of what rests, where something does. */
  readonly restingTicks: Ticks | undefined;
}

/** What should be out now. */
export interface ChildTarget {
  readonly priceTicks: Ticks;
  /** All children together. */
  readonly openLots: number;
  readonly timeInForce: TimeInForce;
  /** False: nothing is added while anything is out. Default true. */
  readonly refills?: boolean;
}

/** Says what should be out: a target, nothing at present, or that it is over and why. */
export type ParentOrderPolicy = (
  view: MarketView,
  touch: Touch,
  progress: ParentOrderProgress,
) => ChildTarget | 'nothing' | { readonly end: string };

/** What a component did. */
export interface ParentOrderReport {
  readonly symbol: MarketSymbol;
  readonly side: Side;
  /** Lots to fill in all. */
  readonly totalLots: number;
  /** Lots filled so far. */
  readonly filledLots: number;
  /** Lots not filled yet. */
  readonly remainingLots: number;
  /** Mean price of the fills that were seen, ticks; `undefined` before the first. */
  readonly averageFillTicks: number | undefined;
  /** Fills of a time in which the bot did not run: counted, their prices are not known here. */
  readonly recoveredLots: number;
  /** Child orders placed. */
  readonly children: number;
  /** Orders and intents that risk denied. */
  readonly denials: number;
  /** Whether it waits for its start, works, or has ended. */
  readonly state: 'waiting' | 'working' | 'ended';
  /** Why it ended. */
  readonly reason: string;
}

/** When `onSave` does not return its state for this long, ms, it ends: nothing would be there after a restart. */
const SAVE_MS_MAX = 5_000;

/** See the module. */
export class ParentOrder {
  readonly #context: StrategyContext;
  readonly #options: ParentOrderOptions;
  readonly #policy: ParentOrderPolicy;
  readonly #children: Children;
  readonly #pause: Pause;
  readonly #timer: string;
  #state: ParentOrderReport['state'] = 'waiting';
  #reason = '';
  #startedAtMs = 0;
  #filledLots = 0;
  #recoveredLots = 0;
  #tickLots = 0n;
  #denials = 0;
  #lookedAtMs = 0;
  readonly #tried = new TriedSize();
  /** When it could have placed its first order in this run. */
  #begunAtMs = Number.NaN;
  /** True once it is stored: it may place orders. */
  #isStored = false;
  /** True once `onSave` has asked for it; then a store that takes nothing is to blame. */
  #isSaveAsked = false;
  /** Filled since it was stored. */
  #isChanged = false;
  /** The operator knows that it waits. */
  #isWaitReported = false;

  /** @throws AssertionError unless the total is an integer number of lots above zero. */
  constructor(context: StrategyContext, options: ParentOrderOptions, policy: ParentOrderPolicy) {
    assert(
      Number.isSafeInteger(options.totalLots) && options.totalLots > 0,
      `a size to be worked above zero, got ${options.totalLots} lots`,
    );
    this.#context = context;
    this.#options = options;
    this.#policy = policy;
    this.#children = new Children(context, options.symbol);
    this.#pause = new Pause(context);
    this.#timer = `execution ${options.name ?? 'order'}`;
  }

  /** The handlers. */
  readonly handlers: AlgoHandlers = {
    onBook: (view) => this.#lookIfDue(view.symbol),
    onBbo: (view) => this.#lookIfDue(view.symbol),
    onFill: (fill) => this.#fill(fill),
    onOrder: (update) => this.#order(update),
    onDenied: (denial) => this.#deny(denial),
    onTimer: ({ name }) => {
      if (name !== this.#timer) return;
      // Not in `onFill`: there the inventory may hold fills that are not counted yet.
      if (this.#isChanged && this.#context.save()) this.#isChanged = false;
      this.#look(this.#options.symbol);
    },
    onResumed: () => this.#look(this.#options.symbol),
  };

  /**
   * Begins, or continues where `saved` (of {@link save}, in a previous run) ended. What was saved of another order does not
   * count. To be called from `onStart`, when `onSave` can already return its state: it is stored at once, and only then is
   * the first order placed.
   */
  start(saved?: unknown): void {
    assert(this.#state === 'waiting', 'an order that was not begun yet');
    this.#state = 'working';
    this.#startedAtMs = this.#context.now();
    const known = savedOf(saved, this.#options);
    if (known !== undefined) this.#recall(known);
    if (this.#state === 'working') {
      this.#context.startInterval(this.#timer, LOOK_MS);
      this.#look(this.#options.symbol);
    }
  }

  /** Ends it: cancels what is out. Late fills are counted all the same. */
  end(reason: string): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#reason = reason;
    this.#context.stopTimer(this.#timer);
    this.#children.cancel();
    if (this.#isStored) this.#context.save();
    const report = this.report();
    this.#context.log.info(`${this.#timer} ended: ${reason}`, { ...report });
    this.#options.onEnd?.(report);
  }

  /** What it did so far. */
  report(): ParentOrderReport {
    const { symbol, side, totalLots } = this.#options;
    const seenLots = this.#filledLots - this.#recoveredLots;
    return {
      symbol,
      side,
      totalLots,
      filledLots: this.#filledLots,
      remainingLots: totalLots - this.#filledLots,
      averageFillTicks: seenLots > 0 ? Number(this.#tickLots) / seenLots : undefined,
      recoveredLots: this.#recoveredLots,
      children: this.#children.count,
      denials: this.#denials,
      state: this.#state,
      reason: this.#reason,
    };
  }

  /**
   * What {@link start} needs in a later run; `undefined` before the start. To be part of what `onSave` returns: nothing is
   * placed before it is stored once.
   */
  save(): SavedParentOrder | undefined {
    if (this.#state === 'waiting') return undefined;
    this.#isSaveAsked = true;
    const { symbol, side, totalLots } = this.#options;
    return {
      ...{ symbol, side, totalLots },
      startedAtMs: this.#startedAtMs,
      filledLots: this.#filledLots,
      recoveredLots: this.#recoveredLots,
      tickLots: this.#tickLots.toString(),
      inventoryLots: this.#context.market(symbol).inventoryLots,
      endReason: this.#reason,
    };
  }

  #recall(saved: SavedParentOrder): void {
    const { symbol, side, totalLots } = this.#options;
    const moved = this.#context.market(symbol).inventoryLots - saved.inventoryLots;
    const recoveredLots = side === 'buy' ? moved : -moved;
    const isOurs = recoveredLots >= 0 && recoveredLots <= totalLots - saved.filledLots;
    this.#startedAtMs = saved.startedAtMs;
    this.#filledLots = saved.filledLots + (isOurs ? recoveredLots : 0);
    this.#recoveredLots = saved.recoveredLots + (isOurs ? recoveredLots : 0);
    this.#tickLots = BigInt(saved.tickLots);
    this.#isStored = true;
    if (saved.endReason !== '') {
      this.#state = 'ended';
      this.#reason = saved.endReason;
    } else if (!isOurs) {
      // Something else has traded here: what is left cannot be known, and is not guessed.
      this.end(`the inventory moved by ${moved} lots, which this order cannot have done`);
    }
  }

  #fill(fill: Fill): void {
    const { symbol, side } = this.#options;
    if (fill.symbol !== symbol || fill.side !== side || this.#state === 'waiting') return;
    if (this.#children.onFill(fill) === 'another') return;
    this.#filledLots += fill.sizeLots;
    this.#isChanged = true;
    this.#tickLots += BigInt(fill.priceTicks) * BigInt(fill.sizeLots);
    this.#look(symbol);
  }

  #order(update: OrderUpdate): void {
    if (update.symbol !== this.#options.symbol || !this.#children.onOrder(update)) return;
    if (update.status === 'working') this.#tried.accepted();
    this.#pause.see(update.status);
    if (this.#state === 'ended') this.#children.cancel();
    else this.#look(update.symbol);
  }

  #deny(denial: Denial): void {
    const denied = this.#children.onDenied(denial);
    if (denied === undefined) return;
    this.#denials++;
    this.#tried.denied(denied.sizeLots);
    this.#pause.begin();
  }

  /** Book updates come many times a second; each of them could cost two writes. */
  #lookIfDue(symbol: MarketSymbol): void {
    const sinceMs = this.#context.now() - this.#lookedAtMs;
    if (sinceMs < 0 || sinceMs >= LOOK_MS) this.#look(symbol);
  }

  /** Makes what is out what should be out. */
  #look(symbol: MarketSymbol): void {
    if (this.#state !== 'working' || symbol !== this.#options.symbol) return;
    const { totalLots } = this.#options;
    if (this.#filledLots >= totalLots) {
      this.end('all is filled');
      return;
    }
    const view = this.#context.market(symbol);
    const touch = tradableTouchOf(view);
    // The first book to trade on is looked at when it comes.
    if (touch === undefined) return;
    this.#lookedAtMs = this.#context.now();
    if (!this.#isStored && !this.#storeFirst()) return;
    const target = this.#policy(view, touch, this.#progress());
    if (target === 'nothing') this.#children.cancel();
    else if ('end' in target) this.end(target.end);
    else this.#carryOut(view, target);
  }

  /**
   * Before it is stored a restart would begin it again and trade twice. Its time begins when it is: with the first book to
   * trade on, so that what came due before it does not leave at once.
   */
  #storeFirst(): boolean {
    if (Number.isNaN(this.#begunAtMs)) this.#begunAtMs = this.#context.now();
    this.#startedAtMs = this.#context.now();
    this.#isStored = this.#context.save() && this.#isSaveAsked;
    if (this.#isStored) {
      // Its looks are counted from here, so that slices leave when they are due.
      this.#context.startInterval(this.#timer, LOOK_MS);
      return true;
    }
    const waitedMs = this.#startedAtMs - this.#begunAtMs;
    if (!this.#isSaveAsked) {
      if (waitedMs > SAVE_MS_MAX) this.end('its state is not saved: see save()');
    } else if (!this.#isWaitReported) {
      this.#isWaitReported = true;
      this.#context.log.warn(
        `${this.#timer} waits: its state could not be stored, so it places no order yet`,
      );
    }
    return false;
  }

  #carryOut(view: MarketView, target: ChildTarget): void {
    const { totalLots, side } = this.#options;
    this.#children.cancel(
      (child) => child.priceTicks === target.priceTicks && child.timeInForce === target.timeInForce,
    );
    const claims = this.#children.claimLots(side);
    if (this.#pause.isOn || (target.refills === false && claims > 0)) return;
    const freeLots = Math.min(target.openLots - claims, totalLots - this.#filledLots - claims);
    const { priceTicks, timeInForce } = target;
    const { childLotsMax = Number.MAX_SAFE_INTEGER } = this.#options;
    const sizeLots = this.#tried.of(view, priceTicks, Math.min(freeLots, childLotsMax));
    if (sizeLots > 0) this.#children.place({ side, priceTicks, sizeLots, timeInForce });
  }

  #progress(): ParentOrderProgress {
    return {
      nowMs: this.#context.now(),
      startedAtMs: this.#startedAtMs,
      filledLots: this.#filledLots,
      remainingLots: this.#options.totalLots - this.#filledLots,
      restingTicks: this.#children.live().find((child) => !child.isCancelAsked)?.priceTicks,
    };
  }
}
