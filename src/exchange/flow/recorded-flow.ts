/**
 * @module
 * A recorded market as the market of the embedded exchange: recorded levels rest, recorded trades arrive as takers,
 * recorded prices are the index. A bot that quotes there is among the recorded levels with its own queue position.
 *
 *   source ─▶ events due by now ─┬─ levels ─▶ crowd account: cancels, then placements (recorded-book.ts)
 *                                ├─ trade  ─▶ taker account: one IOC at the recorded price
 *                                ├─ mark   ─▶ index price
 *                                └─ gap    ─▶ said; levels and index stay, exchange time continues
 *
 * Rules
 *   - Recorded time starts at the attachment with the first event and runs `speed` times as fast as exchange time.
 *   - A recorded trade takes at its recorded price or better, of any account; what finds no order is counted.
 *   - Without published prices the index is the mid of the recorded levels, set once per second of exchange time.
 *   - At the end of the recording its last levels stay; nothing is repeated.
 *
 * The market must have the recording's price and size decimals; without a minimum notional no recorded size is lost.
 * What this does not do: read files, repair books.
 */
import { assert, assertNever, type Log, silentLog, type UnixMs } from '../../core/index.ts';
import { type Quantums, quantums } from '../../domain/index.ts';
import type { CommandOutcome, VenueEvent } from '../engine/index.ts';
import { FlowAccount } from './flow-account.ts';
import type { FlowHost, Participants } from './flow-port.ts';
import { RecordedBook, type RecordedBookCounters, zeroCounters } from './recorded-book.ts';
import type {
  RecordedFlowBook,
  RecordedFlowEvent,
  RecordedFlowGap,
  RecordedFlowTrade,
  RecordedSource,
} from './recorded-source.ts';

/** What a recorded flow is made of. */
export interface RecordedFlowSettings {
  /** `signingMarketId` of the market that the recording drives. */
  readonly market: number;
  /** The recorded market data. */
  readonly source: RecordedSource;
  /** Recorded ms per ms of exchange time; 1 when left out. */
  readonly speed?: number;
  /** Cash of each of the two accounts in quantums; 10^15 (a billion USDC) when left out. */
  readonly cash?: Quantums;
  /** Hears of gaps and the end; silent when left out. */
  readonly log?: Log;
  readonly name?: string;
}

/** What a recorded flow has done so far. */
export interface RecordedFlowStats extends Readonly<RecordedBookCounters> {
  /** Recorded trades that were sent, and those of them for which too little was there, with the lots left over. */
  readonly tradesApplied: number;
  /** Recorded trades that found no order at all. */
  readonly tradesUnfilled: number;
  /** Size of recorded trades that found no order, in lots. */
  readonly unfilledLots: number;
  /** Index prices that were set. */
  readonly marksApplied: number;
  /** Gaps of the recording that were met, and their whole length in recorded ms. */
  readonly gaps: number;
  /** Total time within gaps, ms. */
  readonly gapsMs: number;
  /** As the source counts them. */
  readonly tradesMoved: number;
  /** Orders that the exchange rejected, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Number of deposits to the flow's accounts. */
  readonly topUps: number;
  /** Recorded time reached, Unix ms; 0: not begun. */
  readonly recordedAtMs: number;
  /** Everything has been played. */
  readonly ended: boolean;
}

/** A {@link Participants} with metrics. */
export type RecordedFlow = Participants & { stats(): RecordedFlowStats };

const INDEX_EVERY_MS = 1_000;
const CASH = quantums(10n ** 15n);

/** A flow that plays a recording. @throws AssertionError when the speed is not above zero. */
export function createRecordedFlow(settings: RecordedFlowSettings): RecordedFlow {
  return new RecordedMarketFlow(settings);
}

class RecordedMarketFlow implements RecordedFlow {
  readonly name: string;
  readonly #settings: RecordedFlowSettings;
  readonly #speed: number;
  readonly #log: Log;
  readonly #counts = {
    tradesApplied: 0,
    tradesUnfilled: 0,
    unfilledLots: 0,
    marksApplied: 0,
    gaps: 0,
    gapsMs: 0,
  };
  readonly #rejected = new Map<string, number>();
  #book: RecordedBook | undefined;
  #accounts: { readonly crowd: FlowAccount; readonly taker: FlowAccount } | undefined;
  #blockAtMs = 0;
  /** Recorded time; `undefined` until the first event. */
  #recordedAtMs: number | undefined;
  #appliedAtMs = 0;
  #indexTicks = 0;
  #indexToldAtMs = 0;
  #hasMarks = false;
  #isEnded = false;

  constructor(settings: RecordedFlowSettings) {
    this.#settings = settings;
    this.#speed = settings.speed ?? 1;
    this.#log = settings.log ?? silentLog;
    this.name = settings.name ?? 'recording';
    assert(this.#speed > 0, `a speed above zero, got ${this.#speed}`);
  }

  start(host: FlowHost): void {
    assert(this.#book === undefined, 'a flow to be attached once');
    const { market, cash = CASH } = this.#settings;
    const crowd = new FlowAccount(host, cash);
    const taker = new FlowAccount(host, cash);
    this.#accounts = { crowd, taker };
    this.#book = new RecordedBook(host, { account: crowd, tapeTaker: taker.number, market });
    this.#blockAtMs = host.nowMs();
    this.onBlock(host, host.nowMs());
  }

  onEvents(_host: FlowHost, events: readonly VenueEvent[]): void {
    this.#book?.onEvents(events);
  }

  onBlock(host: FlowHost, blockAtMs: UnixMs): void {
    const elapsedMs = (blockAtMs - this.#blockAtMs) * this.#speed;
    this.#blockAtMs = blockAtMs;
    if (!this.#isEnded) this.#play(host, elapsedMs);
    if (this.#indexTicks > 0 && blockAtMs - this.#indexToldAtMs >= INDEX_EVERY_MS) {
      this.#tellIndex(host, this.#indexTicks);
      this.#accounts?.crowd.topUpIfDrained();
      this.#accounts?.taker.topUpIfDrained();
    }
  }

  stats(): RecordedFlowStats {
    const { crowd, taker } = this.#accounts ?? {};
    return {
      ...(this.#book?.counters ?? zeroCounters()),
      ...this.#counts,
      tradesMoved: this.#settings.source.tradesMoved ?? 0,
      rejected: Object.fromEntries(this.#rejected),
      topUps: (crowd?.topUps ?? 0) + (taker?.topUps ?? 0),
      recordedAtMs: this.#recordedAtMs ?? 0,
      ended: this.#isEnded,
    };
  }

  /** Moves recorded time on and applies what is due. */
  #play(host: FlowHost, elapsedMs: number): void {
    const { source } = this.#settings;
    let event = source.peek();
    const dueAtMs = this.#recordedAtMs === undefined ? event?.atMs : this.#recordedAtMs + elapsedMs;
    this.#recordedAtMs = dueAtMs;
    while (event !== undefined && dueAtMs !== undefined && event.atMs <= dueAtMs) {
      source.shift();
      this.#appliedAtMs = event.atMs;
      this.#apply(host, event);
      event = source.peek();
    }
    if (event === undefined) this.#end();
  }

  #end(): void {
    this.#isEnded = true;
    this.#log.info('the recording has ended; its last levels stay', { recordedAtMs: this.#appliedAtMs });
  }

  #apply(host: FlowHost, event: RecordedFlowEvent): void {
    switch (event.kind) {
      case 'levels':
        this.#applyLevels(host, event);
        break;
      case 'trade':
        this.#applyTrade(event);
        break;
      case 'mark':
        this.#counts.marksApplied++;
        this.#hasMarks = true;
        this.#tellIndex(host, event.indexTicks);
        break;
      case 'gap':
        this.#applyGap(event);
        break;
      default:
        assertNever(event);
    }
  }

  #applyGap({ atMs, untilMs }: RecordedFlowGap): void {
    const lengthMs = untilMs - atMs;
    this.#counts.gaps++;
    this.#counts.gapsMs += lengthMs;
    this.#log.warn('gap in the tape: levels and index are frozen', {
      recordedAtMs: atMs,
      lengthMs,
    });
  }

  #applyLevels(host: FlowHost, book: RecordedFlowBook): void {
    const [bid] = book.bids;
    const [ask] = book.asks;
    if (!this.#hasMarks && bid !== undefined && ask !== undefined) {
      const isFirst = this.#indexTicks === 0;
      this.#indexTicks = Math.round((bid.priceTicks + ask.priceTicks) / 2);
      if (isFirst) this.#tellIndex(host, this.#indexTicks);
    }
    const outcome = this.#book?.apply(book);
    if (outcome !== undefined) this.#countRejected(outcome);
  }

  #applyTrade(trade: RecordedFlowTrade): void {
    const outcome = this.#accounts?.taker.take({
      market: this.#settings.market,
      side: trade.aggressor,
      limitTicks: trade.priceTicks,
      lots: trade.sizeLots,
    });
    if (outcome === undefined) return;
    this.#counts.tradesApplied++;
    const unfilledLots = trade.sizeLots - (outcome.items[0]?.filledLots ?? 0);
    if (unfilledLots > 0) this.#counts.tradesUnfilled++;
    this.#counts.unfilledLots += unfilledLots;
    this.#countRejected(outcome);
  }

  #tellIndex(host: FlowHost, indexTicks: number): void {
    this.#indexTicks = indexTicks;
    this.#indexToldAtMs = host.nowMs();
    if (indexTicks > 0) host.setIndexPrice(this.#settings.market, indexTicks);
  }

  /** Counts each reason; the first time it is said. */
  #countRejected(outcome: CommandOutcome): void {
    const reasons = outcome.items
      .filter((item) => item.state === 'rejected')
      .map((item) => item.reason ?? 'unknown');
    if (reasons.length === 0 && outcome.status === 'rejected') reasons.push(outcome.reason ?? 'unknown');
    for (const reason of reasons) {
      if (!this.#rejected.has(reason))
        this.#log.warn('replayed order rejected', { reason, recordedAtMs: this.#appliedAtMs });
      this.#rejected.set(reason, (this.#rejected.get(reason) ?? 0) + 1);
    }
  }
}
