/**
 * @module
 * An entry with its exits (OTO), of which one at most closes the position (OCO): a stop and, if asked for, a take-profit,
 * both reduce-only orders that wait at the exchange for the index price. The exits are there before the entry is sent;
 * each shrinks with what was filled, and what is done cancels the rest. After a restart, which takes all orders away,
 * what is held of the bracket gets its exits again.
 *
 *   enter ─▶ stop, take-profit wait ─▶ entry ─▶ filled: guarded ─▶ one exit filled: the other canceled ─▶ ended
 *   guard ─▶ stop, take-profit wait ─────────────▶ guarded         stop reached and not filled: taken with the market
 */
import type { IntentId, Lots, MarketSymbol, Side, Ticks } from '../../../domain/index.ts';
import type { StrategyContext } from '../context.ts';
import type { OrderUpdate, StrategyHandlers } from '../handlers.ts';
import { order } from '../intents.ts';
import { tradableTouchOf } from '../quoting/touch.ts';
import {
  beyondTicks,
  EXITS,
  type Exit,
  type ExitKind,
  executedLots,
  mayExecute,
  nearestOf,
  newExits,
  type Track,
} from './bracket-orders.ts';
import {
  type BracketEnd,
  type BracketPlan,
  type GuardPlan,
  guardOf,
  type SavedBracket,
  savedPlanOf,
} from './bracket-plan.ts';

/** Which market, and how. */
export interface BracketOptions {
  readonly symbol: MarketSymbol;
  /** How far beyond its trigger the stop may sell or buy, ppm. Default 5,000. */
  readonly throughPpm?: number;
  /** Distinguishes several components; names the timer. */
  readonly name?: string;
  /** Called when nothing of it is open any more. */
  readonly onEnded?: (how: BracketEnd) => void;
}

/** After an order was not accepted, the next one waits for this long. */
const PAUSE_MS = 1_000;
const DEFAULT_THROUGH_PPM = 5_000;

/** See the module. Exits take: they are reduce-only, which risk control P17 (`postOnly`) lets pass. */
export class Bracket {
  readonly #context: StrategyContext;
  readonly #options: BracketOptions;
  readonly #name: string;
  readonly #tracks = new Map<IntentId, Track>();
  #plan: GuardPlan | undefined;
  /** Of a plan with an entry, until it is sent. */
  #waitingEntry: BracketPlan | undefined;
  #entry: Track | undefined;
  #exits: Record<ExitKind, Exit> = newExits();
  /** Held before its orders were placed: of a position that was there. */
  #heldLots = 0;
  #lastExit: ExitKind | undefined;
  #pausedUntilMs = 0;
  #saved: unknown;

  constructor(context: StrategyContext, options: BracketOptions) {
    this.#context = context;
    this.#options = options;
    this.#name = `execution ${options.name ?? 'bracket'}`;
  }

  /** The handlers, for `compose`: with them a bracket is saved and rebuilt. */
  readonly handlers: StrategyHandlers = {
    onStart: () => this.#rebuild(),
    onBook: (view) => {
      if (this.#plan !== undefined && view.symbol === this.#options.symbol && this.isNaked) this.#look();
    },
    onOrder: (update) => this.#onOrder(update),
    onFill: ({ orderId, sizeLots }) => {
      const track = [...this.#tracks.values()].find((one) => one.orderId === orderId);
      if (track !== undefined) this.#onFill(track, sizeLots);
    },
    onDenied: ({ intentId, code, message }) => {
      const track = this.#tracks.get(intentId);
      if (track !== undefined) this.#refused(track, `${code}: ${message}`);
    },
    onTimer: ({ name }) => {
      if (name === this.#name) this.#look();
    },
    onResumed: () => this.#look(),
    onSave: () => this.save(),
    onLoad: (saved) => {
      this.#saved = saved;
    },
  };

  /** True while a bracket is under way. */
  get isActive(): boolean {
    return this.#plan !== undefined;
  }

  /** What is held of it, lots without a sign. */
  get openLots(): number {
    let outLots = 0;
    for (const track of this.#tracks.values()) if (track !== this.#entry) outLots += executedLots(track);
    return Math.max(0, this.#inLots - outLots);
  }

  get #inLots(): number {
    return this.#heldLots + (this.#entry === undefined ? 0 : executedLots(this.#entry));
  }

  /** True while something is held and no stop stands for it. */
  get isNaked(): boolean {
    return this.openLots > 0 && !mayExecute(this.#exits.stop.current) && !mayExecute(this.#exits.stop.next);
  }

  /** Opens a position with its exits. False: a bracket is under way already. */
  enter(plan: BracketPlan): boolean {
    if (!this.#begin(plan)) return false;
    this.#waitingEntry = plan;
    this.#look();
    return true;
  }

  /** Puts exits to a position that the strategy holds. False: a bracket is under way already. */
  guard(plan: GuardPlan): boolean {
    if (!this.#begin(plan)) return false;
    this.#heldLots = plan.sizeLots;
    this.#context.save();
    this.#look();
    return true;
  }

  /** Takes the entry back; what was filled of it stays guarded. */
  cancelEntry(): void {
    this.#waitingEntry = undefined;
    this.#cancel(this.#entry);
    this.#look();
  }

  /** What is kept over a restart; `undefined`: nothing is under way. */
  save(): SavedBracket | undefined {
    return this.#plan && { plan: this.#plan, openLots: this.openLots };
  }

  #begin(plan: GuardPlan): boolean {
    if (this.#plan !== undefined) return false;
    this.#plan = guardOf(plan);
    return true;
  }

  /** The orders of a life that is over are gone: what the strategy holds of the bracket is guarded again. */
  #rebuild(): void {
    const plan = savedPlanOf(this.#saved);
    this.#saved = undefined;
    if (plan === undefined || this.#plan !== undefined) return;
    const { inventoryLots } = this.#context.market(this.#options.symbol);
    const heldLots = Math.min(
      plan.sizeLots,
      Math.max(0, plan.side === 'buy' ? inventoryLots : -inventoryLots),
    );
    if (heldLots === 0) return;
    this.#context.log.warn(`${this.#name} is rebuilt`, { symbol: this.#options.symbol, heldLots });
    this.#plan = plan;
    this.#heldLots = heldLots;
    this.#look();
  }

  #look(): void {
    const plan = this.#plan;
    if (plan === undefined) return;
    const toComeLots = this.#toComeLots(plan);
    const coverLots = this.openLots + toComeLots;
    if (coverLots === 0) {
      for (const track of this.#tracks.values()) this.#cancel(track);
      if ([...this.#tracks.values()].every(({ state }) => state === 'ended')) this.#end();
      return;
    }
    for (const kind of EXITS)
      if (kind === 'stop' || plan.takeProfitTicks !== undefined) this.#keep(kind, plan, coverLots);
    if (this.#waitingEntry !== undefined && this.#isGuarded(plan)) this.#sendEntry(this.#waitingEntry);
  }

  /** What the entry may still bring. */
  #toComeLots({ sizeLots }: GuardPlan): number {
    if (this.#waitingEntry !== undefined) return sizeLots;
    const entry = this.#entry;
    return entry === undefined || entry.state === 'ended' ? 0 : entry.sizeLots - executedLots(entry);
  }

  #isGuarded({ takeProfitTicks }: GuardPlan): boolean {
    const kinds: readonly ExitKind[] = takeProfitTicks === undefined ? ['stop'] : EXITS;
    return kinds.every((kind) => this.#exits[kind].current?.state === 'waiting');
  }

  #sendEntry(plan: BracketPlan): void {
    this.#waitingEntry = undefined;
    const { side, sizeLots, entryTicks: priceTicks, timeInForce = 'postOnly' } = plan;
    const { symbol } = this.#options;
    this.#entry = this.#track(sizeLots, () =>
      this.#context.place({ symbol, side, priceTicks, sizeLots, timeInForce, reduceOnly: false }),
    );
    this.#context.save();
  }

  /** Sees to it that one exit stands for what is to be covered, and for no more. */
  #keep(kind: ExitKind, plan: GuardPlan, coverLots: number): void {
    const exit = this.#exits[kind];
    const { current, next } = exit;
    if (next !== undefined) {
      if (next.state === 'asked') return;
      this.#cancel(current);
      exit.current = next;
      exit.next = undefined;
      this.#keep(kind, plan, coverLots);
      return;
    }
    if (current?.state === 'asked') return;
    if (current === undefined || current.state === 'ended') exit.current = this.#place(kind, plan, coverLots);
    else if (current.state === 'waiting') {
      if (current.sizeLots !== coverLots) exit.next = this.#place(kind, plan, coverLots);
    } else if (current.sizeLots - executedLots(current) > coverLots) this.#cancel(current);
  }

  #place(kind: ExitKind, plan: GuardPlan, lots: number): Track | undefined {
    const view = this.#context.market(this.#options.symbol);
    if (this.#context.now() < this.#pausedUntilMs) return undefined;
    const { symbol } = this.#options;
    const side: Side = plan.side === 'buy' ? 'sell' : 'buy';
    const sizeLots = lots as Lots;
    const throughPpm = this.#options.throughPpm ?? DEFAULT_THROUGH_PPM;
    const limitOf = (ticks: number) => beyondTicks(view, side, { ticks, throughPpm });
    const away = side === 'sell' ? 'atOrBelow' : 'atOrAbove';
    if (kind === 'take profit') {
      const triggerTicks = plan.takeProfitTicks as Ticks;
      const draft = order.reduceOnly(order.limit({ symbol, side, priceTicks: triggerTicks, sizeLots }));
      const when = side === 'sell' ? 'atOrAbove' : 'atOrBelow';
      return this.#track(lots, () => this.#context.placeConditional(draft, { triggerTicks, when }));
    }
    const touch = tradableTouchOf(view);
    const best = side === 'sell' ? touch?.bidTicks : touch?.askTicks;
    const isBeyond =
      best !== undefined && (side === 'sell' ? best <= plan.stopTicks : best >= plan.stopTicks);
    if (isBeyond && this.openLots > 0) {
      // Its trigger is behind the market: what is left is taken with it.
      const priceTicks = limitOf(nearestOf(view, side, best));
      const leftLots = Math.min(lots, this.openLots) as Lots;
      const draft = order.reduceOnlyIoc({ symbol, side, priceTicks, sizeLots: leftLots });
      this.#pause();
      return this.#track(leftLots, () => this.#context.place(draft));
    }
    const draft = order.reduceOnlyIoc({ symbol, side, priceTicks: limitOf(plan.stopTicks), sizeLots });
    return this.#track(lots, () =>
      this.#context.placeConditional(draft, { triggerTicks: plan.stopTicks, when: away }),
    );
  }

  #track(sizeLots: number, ask: () => IntentId): Track {
    const intentId = ask();
    const track: Track = {
      ...{ intentId, sizeLots, orderId: undefined, state: 'asked' },
      ...{ filledLots: 0, toldLots: 0, isCanceling: false },
    };
    this.#tracks.set(intentId, track);
    return track;
  }

  #onOrder({ intentId, orderId, status, order: shown, reason }: OrderUpdate): void {
    const track = intentId === undefined ? undefined : this.#tracks.get(intentId);
    if (track === undefined) return;
    track.orderId ??= orderId;
    const before = executedLots(track);
    if (shown !== undefined) track.toldLots = Math.max(track.toldLots, shown.sizeLots - shown.remainingLots);
    switch (status) {
      case 'working':
        track.state = shown?.trigger === undefined ? 'working' : 'waiting';
        if (track.isCanceling) this.#cancel(track, true);
        break;
      case 'fired':
        track.state = 'working';
        // The exchange makes it no larger than the position.
        if (shown !== undefined) track.sizeLots = Math.min(track.sizeLots, shown.sizeLots);
        break;
      case 'unresolved':
        break;
      case 'cancelRejected':
        track.isCanceling = false;
        break;
      case 'rejected':
      case 'notExecuted':
        this.#refused(track, reason ?? status);
        return;
      default:
        track.state = 'ended';
        // One that was made as small as the position when it fired has closed all of it.
        if (status === 'filled') track.toldLots = track.sizeLots;
    }
    this.#noteExit(track, before);
    this.#look();
  }

  #onFill(track: Track, lots: number): void {
    const before = executedLots(track);
    track.filledLots += lots;
    this.#noteExit(track, before);
    this.#context.save();
    this.#look();
  }

  #noteExit(track: Track, before: number): void {
    if (track !== this.#entry && executedLots(track) > before) this.#lastExit = this.#kindOf(track);
  }

  #kindOf(track: Track): ExitKind {
    const { current, next } = this.#exits['take profit'];
    return track === current || track === next ? 'take profit' : 'stop';
  }

  /** An order was not accepted. Before the entry that is the end of it; later its exits are asked for again. */
  #refused(track: Track, why: string): void {
    track.state = 'ended';
    const { symbol } = this.#options;
    if (this.#waitingEntry !== undefined && track !== this.#entry) {
      this.#context.log.warn(`${this.#name} is not entered, an exit was refused: ${why}`, { symbol });
      this.#waitingEntry = undefined;
    } else if (this.isNaked && track !== this.#entry)
      this.#context.log.error(`${this.#name} holds a position without its stop: ${why}`, { symbol });
    this.#pause();
    this.#look();
  }

  #pause(): void {
    this.#pausedUntilMs = this.#context.now() + PAUSE_MS;
    this.#context.startTimer(this.#name, PAUSE_MS);
  }

  #cancel(track: Track | undefined, isAgain = false): void {
    if (track === undefined || track.state === 'ended' || (track.isCanceling && !isAgain)) return;
    track.isCanceling = true;
    const { symbol } = this.#options;
    const { orderId } = track;
    if (orderId === undefined || track.state === 'asked') return;
    // A fill comes before the end of its order: one of which nothing is left needs no cancel.
    if (executedLots(track) < track.sizeLots) this.#context.cancel({ symbol, orderId });
  }

  #end(): void {
    const how: BracketEnd =
      this.#inLots > 0 ? (this.#lastExit ?? 'stop') : this.#entry === undefined ? 'refused' : 'not entered';
    this.#context.log.info(`${this.#name} ended: ${how}`, { symbol: this.#options.symbol });
    this.#plan = undefined;
    this.#entry = undefined;
    this.#tracks.clear();
    this.#exits = newExits();
    this.#heldLots = 0;
    this.#lastExit = undefined;
    this.#context.save();
    this.#options.onEnded?.(how);
  }
}
