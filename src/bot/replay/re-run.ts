/**
 * @module
 * Runs a bot again on the log of its run: the same inputs at the same times, a venue that only compares. The first
 * decision that is not the recorded one ends it.
 */
import { assert, type UnixMs } from '../../core/index.ts';
import type { Book, LaneId, VenuePort } from '../../domain/index.ts';
import type { Bot, BotOptions, StopProof } from '../kernel/index.ts';
import { createBot } from '../kernel/index.ts';
import { TradingStates } from '../risk/index.ts';
import { approvedText, denialText, intentText, messageText, safetyText } from './decision-text.ts';
import type { DecisionKind, Instant, LogEntry, LogEvent } from './entry.ts';
import { callBot, LoggedBooks } from './logged-inputs.ts';
import { ReplayClock } from './replay-clock.ts';

/** What a bot is made of that runs again: all that is not an input of the run. */
export type ReRunOptions = Omit<
  BotOptions,
  'clock' | 'venue' | 'store' | 'decisions' | 'serverNowMs' | 'proveNoOpenOrders'
> & {
  /** When the bot of the run was made. */
  readonly madeAt: Instant;
  /** True if the run proved at the end that no order was open. */
  readonly isProving: boolean;
};

/** One decision, or that there was none. */
export interface Decision {
  /** Kind of the decision; `nothing`: the run decided nothing more. */
  readonly what: DecisionKind | 'nothing';
  /** The decision as one line of text. */
  readonly text: string;
}

/** Where a run and its re-run differ. */
export interface Divergence {
  /** Decisions that were equal before. */
  readonly after: number;
  readonly atMs: UnixMs;
  /** What the run decided, and what the re-run did. */
  readonly recorded: Decision;
  readonly decided: Decision;
  /** The last inputs before, oldest first; the last of them led to the decision. */
  readonly inputs: readonly LogEntry[];
}

/** The result of a re-run. */
export interface ReRunResult {
  /** Turns that were fed, and decisions that were equal. */
  readonly turns: number;
  /** Decisions compared. */
  readonly decisions: number;
  /** First decision that differs; `undefined`: none. */
  readonly divergence: Divergence | undefined;
  /** The log has a gap: so many events were not recorded. */
  readonly missing: number;
  /** What could not be judged for it: from the last input before the gap to the end of the log; `undefined`: all was. */
  readonly unjudged: { readonly fromMs: UnixMs; readonly toMs: UnixMs } | undefined;
}

/** Inputs that a divergence shows. */
const INPUTS_SHOWN = 8;
/** What was read in a run, and is no decision. */
const READS: ReadonlySet<LogEvent['kind']> = new Set(['ready', 'server', 'load', 'stored']);
const NOTHING: Decision = { what: 'nothing', text: '' };

/** Feeds `entries` to a bot made of `options`, until they end or the decisions differ. */
export async function reRun(entries: Iterable<LogEntry>, options: ReRunOptions): Promise<ReRunResult> {
  return await new ReRun(entries, options).run();
}

class ReRun {
  readonly #entries: Iterator<LogEntry>;
  readonly #clock: ReplayClock;
  readonly #options: ReRunOptions;
  readonly #bot: Bot;
  readonly #books = new LoggedBooks();
  readonly #ready = new Map<LaneId, boolean>();
  readonly #recent: LogEntry[] = [];
  #next: LogEntry | undefined;
  #aheadMs = 0;
  #isStored = true;
  #turns = 0;
  #decisions = 0;
  #missing = 0;
  #unjudged: ReRunResult['unjudged'];
  #divergence: Divergence | undefined;
  #proved: ((proof: StopProof) => void) | undefined;

  constructor(entries: Iterable<LogEntry>, options: ReRunOptions) {
    this.#entries = entries[Symbol.iterator]();
    this.#options = options;
    this.#clock = new ReplayClock(options.madeAt);
    this.#step();
    this.#bot = createBot({
      ...options,
      clock: this.#clock,
      venue: this.#venue(),
      store: {
        load: () => {
          const event = this.#takeIf('load');
          return event?.json;
        },
        save: () => {
          this.#isStored = this.#takeIf('stored')?.isStored ?? this.#isStored;
          return this.#isStored;
        },
      },
      decisions: {
        intent: (strategyId, ids, intent) =>
          this.#compare('intent', intentText(strategyId, ids.newest, intent)),
        denied: (denial) => this.#compare('denied', denialText(denial)),
        approved: (routed) => this.#compare('approved', approvedText(routed)),
        safety: (command) => this.#compare('safety', safetyText(command)),
        message: (message) => this.#compare('message', messageText(message)),
      },
      serverNowMs: () => this.#serverNowMs(),
      ...(options.isProving ? { proveNoOpenOrders: () => this.#prove() } : {}),
    });
  }

  async run(): Promise<ReRunResult> {
    this.#endTurn();
    while (this.#next !== undefined && this.#divergence === undefined) {
      const entry = this.#next;
      if (entry.event.kind === 'gap') {
        this.#passRest(this.#clock.nowMs());
        break;
      }
      assert(entry.at !== undefined, `an input of a run, got ${entry.event.kind}`);
      this.#step();
      this.#clock.moveTo(entry.at);
      this.#turns++;
      this.#remember(entry);
      this.#feed(entry.event);
      this.#endTurn();
      // The end of a run continues in what waits for the proof.
      if (entry.event.kind === 'proved') await this.#clock.settled();
    }
    return {
      turns: this.#turns,
      decisions: this.#decisions,
      divergence: this.#divergence,
      missing: this.#missing,
      unjudged: this.#unjudged,
    };
  }

  /** What follows a gap depends on what is missing: no decision of it can be compared. */
  #passRest(fromMs: UnixMs): void {
    let toMs = fromMs;
    for (; this.#next !== undefined; this.#step()) {
      const { at, event } = this.#next;
      toMs = at?.nowMs ?? toMs;
      if (event.kind === 'gap') this.#missing += event.events;
    }
    this.#unjudged = { fromMs, toMs };
  }

  #feed(event: LogEvent): void {
    switch (event.kind) {
      case 'fact':
        this.#bot.sink(event.fact);
        return;
      case 'book':
        this.#show(event.book, event.isShown);
        return;
      case 'timer':
        if (!this.#clock.fire(event.number))
          this.#part(NOTHING, NOTHING, `timer ${event.number} was not set`);
        return;
      case 'call':
        callBot(this.#bot, event);
        return;
      case 'proved':
        this.#proved?.(event.proof);
        return;
      case 'review':
        this.#options.risk.review(event.requests, {
          nowMs: this.#clock.nowMs(),
          serverNowMs: event.serverNowMs,
          account: this.#bot.account,
          markets: this.#bot.markets,
          trading: new TradingStates(),
        });
        return;
      case 'ready':
        this.#ready.set(event.lane, event.isReady);
        return;
      case 'server':
        this.#aheadMs = event.aheadMs;
        return;
      case 'stored':
        this.#isStored = event.isStored;
        return;
      case 'load':
      case 'decision':
      case 'gap':
        return;
    }
  }

  /** What was recorded up to the next input: a decision among it was not made again. */
  #endTurn(): void {
    while (this.#next !== undefined && this.#next.at === undefined && this.#divergence === undefined) {
      const { event } = this.#next;
      if (event.kind === 'gap') return;
      this.#step();
      if (event.kind === 'decision') this.#part(event, NOTHING);
      else this.#feed(event);
    }
  }

  /** Facts that came back while a command was handed over. */
  #feedNested(): void {
    while (this.#next?.at === undefined && this.#divergence === undefined) {
      const event = this.#next?.event;
      if (event?.kind !== 'fact' && event?.kind !== 'book') return;
      this.#step();
      this.#feed(event);
    }
  }

  #compare(what: DecisionKind, text: string): void {
    if (this.#divergence !== undefined) return;
    const next = this.#skipReads();
    // What the run decided here, and on what, is not all there: nothing can be said of it.
    if (next?.event.kind === 'gap') return;
    const event = next?.at === undefined ? next?.event : undefined;
    const recorded = event?.kind === 'decision' ? event : NOTHING;
    if (recorded.what === what && recorded.text === text) {
      this.#decisions++;
      this.#step();
      return;
    }
    this.#part(recorded, { what, text });
  }

  /** What was read in the run and not in the re-run is no decision. */
  #skipReads(): LogEntry | undefined {
    while (this.#next?.at === undefined) {
      const event = this.#next?.event;
      if (event === undefined || !READS.has(event.kind)) break;
      this.#step();
      this.#feed(event);
    }
    return this.#next;
  }

  #part(recorded: Decision, decided: Decision, why = ''): void {
    this.#divergence ??= {
      after: this.#decisions,
      atMs: this.#clock.nowMs(),
      recorded: { what: recorded.what, text: recorded.text },
      decided: why === '' ? decided : { what: 'nothing', text: why },
      inputs: [...this.#recent],
    };
  }

  #venue(): VenuePort {
    return {
      isReady: (lane) => {
        const event = this.#takeIf('ready', (one) => one.lane === lane);
        if (event !== undefined) this.#ready.set(lane, event.isReady);
        return this.#ready.get(lane) ?? false;
      },
      submit: () => this.#feedNested(),
      submitSafety: () => this.#feedNested(),
    };
  }

  #serverNowMs(): UnixMs {
    const event = this.#takeIf('server');
    if (event !== undefined) this.#aheadMs = event.aheadMs;
    return (this.#clock.nowMs() + this.#aheadMs) as UnixMs;
  }

  #prove(): Promise<StopProof> {
    this.#feedNested();
    return new Promise((resolve) => {
      this.#proved = resolve;
    });
  }

  /** The next entry, if it is of this kind and belongs to this turn. */
  #takeIf<Kind extends LogEvent['kind']>(
    kind: Kind,
    isMeant: (event: Extract<LogEvent, { kind: Kind }>) => boolean = () => true,
  ): Extract<LogEvent, { kind: Kind }> | undefined {
    const event = this.#next?.at === undefined ? this.#next?.event : undefined;
    if (event === undefined || event.kind !== kind) return undefined;
    const meant = event as Extract<LogEvent, { kind: Kind }>;
    if (!isMeant(meant)) return undefined;
    this.#step();
    return meant;
  }

  #show(copy: Book, isShown: boolean): void {
    const book = this.#books.show(copy);
    if (isShown) this.#bot.sink({ type: 'BookUpdated', book });
  }

  #remember(entry: LogEntry): void {
    this.#recent.push(entry);
    if (this.#recent.length > INPUTS_SHOWN) this.#recent.shift();
  }

  #step(): void {
    const { value, done } = this.#entries.next();
    this.#next = done === true ? undefined : value;
  }
}
