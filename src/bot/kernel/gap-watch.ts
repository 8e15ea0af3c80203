/**
 * @module
 * Follows which sides of a market a strategy has no order on, and since when for which reason. A side is looked at again at the
 * end of a turn that changed its orders, what is asked of it or the state of the run, and with each look of the guard. The
 * journal gets a row when a stretch of one reason ends, and one while it lasts, so that no moment of a run is left out.
 */
import type { UnixMs } from '../../core/index.ts';
import type { AccountState, StrategyId } from '../../domain/index.ts';
import type { Recorder } from './audit-recorder.ts';
import { type GapReason, type GapSources, gapReasonOf } from './gap-reasons.ts';
import type { IntentRouter } from './intent-router.ts';
import type { CourseObserver } from './ports.ts';
import type { QuoteState } from './quote-state.ts';
import type { StrategyHost } from './strategy-host.ts';

/** A side of a market, as people name it. */
export type QuoteSide = 'bid' | 'ask';

/** What a watch works with. */
export interface GapWatchParts extends Omit<GapSources, 'account'> {
  readonly account: AccountState;
  readonly router: IntentRouter;
  /** The strategies of the run by their id. */
  readonly hosts: ReadonlyMap<StrategyId, StrategyHost>;
  readonly recorder: Recorder;
  readonly course: CourseObserver | undefined;
}

/** A side without an order. */
export interface QuoteGap {
  readonly strategyId: StrategyId;
  readonly symbol: string;
  readonly side: QuoteSide;
  readonly reason: GapReason;
  /** Since when for this reason, Unix ms. */
  readonly sinceMs: number;
}

interface OpenGap extends QuoteGap {
  reason: GapReason;
  sinceMs: UnixMs;
  /** The journal has a row of this stretch. */
  isKept: boolean;
}

interface Watched {
  readonly state: QuoteState;
  bid: OpenGap | undefined;
  ask: OpenGap | undefined;
}

/** See the module. */
export class GapWatch {
  readonly #parts: GapWatchParts;
  readonly #watched = new Map<QuoteState, Watched>();
  readonly #due: Watched[] = [];
  /** Open gaps that the next data of their market may end. */
  #waitingForData = 0;
  #hasEnded = false;

  constructor(parts: GapWatchParts) {
    this.#parts = parts;
  }

  /** True while a side may have changed that {@link settle} has not looked at. */
  get isDue(): boolean {
    return this.#due.length > 0;
  }

  /** True while a side waits for data of its market: who takes data in calls {@link touchMarket}. */
  get isWaitingForData(): boolean {
    return this.#waitingForData > 0;
  }

  /** Data of a market has come. */
  touchMarket(symbol: string): void {
    for (const { state } of this.#watched.values()) if (state.symbol === symbol) state.changed();
  }

  /** Something has changed that concerns every side. */
  touchAll(): void {
    for (const { state } of this.#watched.values()) state.changed();
  }

  /** The run starts: from here on every side is watched. */
  begin(): void {
    const { hosts, router } = this.#parts;
    for (const host of hosts.values())
      for (const symbol of host.setup.symbols) {
        const state = router.quoteState(host, symbol);
        if (state === undefined) continue;
        const watched: Watched = { state, bid: undefined, ask: undefined };
        this.#watched.set(state, watched);
        state.onChange = () => this.#touch(watched);
      }
    this.touchAll();
  }

  /** Writes down what lasts: a crash leaves that much. */
  keep(): void {
    for (const { bid, ask } of this.#watched.values())
      for (const gap of [bid, ask]) if (gap !== undefined && !gap.isKept) this.#began(gap);
  }

  /** Looks at the sides that may have changed in this turn. */
  settle(): void {
    const nowMs = this.#parts.now();
    for (const watched of this.#due) {
      watched.state.isChanged = false;
      this.#update(watched, nowMs);
    }
    this.#due.length = 0;
  }

  /** The run has ended: all stretches end with it. */
  end(): void {
    if (this.#hasEnded) return;
    const nowMs = this.#parts.now();
    for (const watched of this.#watched.values()) this.#update(watched, nowMs);
    this.#hasEnded = true;
    for (const { bid, ask } of this.#watched.values()) for (const gap of [bid, ask]) this.#ended(gap, nowMs);
  }

  /** The sides without an order now, with their reasons as of now. */
  gaps(): readonly QuoteGap[] {
    if (!this.#hasEnded) {
      const nowMs = this.#parts.now();
      for (const watched of this.#watched.values()) this.#update(watched, nowMs);
    }
    return [...this.#watched.values()].flatMap(({ bid, ask }) =>
      [bid, ask].flatMap((gap) => (gap === undefined ? [] : [{ ...gap }])),
    );
  }

  #touch(watched: Watched): void {
    if (!this.#hasEnded) this.#due.push(watched);
  }

  #update(watched: Watched, nowMs: UnixMs): void {
    if (this.#hasEnded) return;
    const { state } = watched;
    this.#waitingForData -= waitingIn(watched);
    const { account } = this.#parts;
    const hasBid = account.isRestingOn(state.symbol, state.strategyId, 'buy');
    if (!hasBid || watched.bid !== undefined) watched.bid = this.#follow(watched, 'bid', hasBid, nowMs);
    const hasAsk = account.isRestingOn(state.symbol, state.strategyId, 'sell');
    if (!hasAsk || watched.ask !== undefined) watched.ask = this.#follow(watched, 'ask', hasAsk, nowMs);
    this.#waitingForData += waitingIn(watched);
  }

  /** The gap of a side as it is now. */
  #follow(watched: Watched, side: QuoteSide, isQuoted: boolean, nowMs: UnixMs): OpenGap | undefined {
    const { course } = this.#parts;
    const { state, [side]: gap } = watched;
    const { strategyId, symbol } = state;
    if (isQuoted) {
      this.#ended(gap, nowMs);
      course?.noQuotes(strategyId, symbol, side, undefined);
      return undefined;
    }
    const reason = gapReasonOf(state, side === 'bid' ? 'buy' : 'sell', this.#parts);
    if (gap?.reason.code === reason.code && gap.reason.about === reason.about) {
      gap.reason = reason;
      return gap;
    }
    this.#ended(gap, nowMs);
    course?.noQuotes(strategyId, symbol, side, reason);
    return { strategyId, symbol, side, reason, sinceMs: nowMs, isKept: false };
  }

  #began(gap: OpenGap): void {
    gap.isKept = true;
    this.#parts.recorder.record('QuoteGapBegan', fieldsOf(gap), gapName(gap));
  }

  #ended(gap: OpenGap | undefined, nowMs: number): void {
    // One that came and went with one answer of the exchange was none.
    if (gap === undefined || (nowMs <= gap.sinceMs && !gap.isKept)) return;
    const fields = { ...fieldsOf(gap), forMs: nowMs - gap.sinceMs };
    this.#parts.recorder.record('QuoteGapEnded', fields, gapName(gap));
  }
}

/** By which the rows of a side are found. @example gapName({ strategyId, symbol: 'BTC-USD', side: 'bid' }) // 'gap maker BTC-USD bid' */
function gapName({ strategyId, symbol, side }: Pick<QuoteGap, 'strategyId' | 'symbol' | 'side'>): string {
  return `gap ${strategyId} ${symbol} ${side}`;
}

/** How many gaps of a strategy in a market the data of that market may end. */
function waitingIn({ bid, ask }: Watched): number {
  return Number(bid?.reason.code === 'marketStale') + Number(ask?.reason.code === 'marketStale');
}

function fieldsOf({ strategyId, symbol, side, reason, sinceMs }: OpenGap): Record<string, unknown> {
  const { code, detail } = reason;
  return { strategy: strategyId, symbol, side, code, detail, sinceMs };
}
