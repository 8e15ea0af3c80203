/**
 * @module
 * A bot on paper over a tape: the recorded market on virtual time, the local venue with its fill model, and the same
 * kernel, risk gate and switch as on a gateway. Nothing is signed and no key is loaded. Time passes as it is asked to.
 *
 *   tape ─► rows at exchange time ─► local venue ─► facts about own orders ─┐
 *     └───► as delivered ─────────► facts of the markets ───────────────────┴─► bot ─► commands ─► local venue
 *
 * At one microsecond: the venue's rows first, then what the venue has to do, then the bot's next frame, then timers: the
 * order of a backtest, with which a paper run must agree to the last fill.
 */

import { type FeedLatency, Replay, type ReplaySource } from '../backtest/index.ts';
import {
  type Log,
  type Random,
  seededRandom,
  silentAudit,
  silentMeter,
  unixMs,
  VirtualClock,
} from '../core/index.ts';
import type { Fact } from '../domain/index.ts';
import { diffQuotes } from '../execution/index.ts';
import { createRiskGate, type MonitorLimits, type RiskLimits } from '../risk/index.ts';
import {
  type Bot,
  type DecisionTap,
  type RunCollector,
  redReasons,
  type StrategySetup,
} from '../runtime/index.ts';
import { createLocalVenue, type LocalVenue, type LocalVenueOptions } from '../venue/index.ts';
import { type KeptLog, makeBot } from './made-bot.ts';
import type { PaperBooks } from './paper-books.ts';

/** What a world is made of. */
export interface PaperWorldOptions {
  readonly tape: ReplaySource;
  readonly strategies: readonly StrategySetup[];
  readonly limits: RiskLimits;
  readonly monitor: MonitorLimits | undefined;
  readonly seed: number;
  readonly feed: FeedLatency;
  readonly venue: Pick<
    LocalVenueOptions,
    'fillModel' | 'latency' | 'fees' | 'feeTiers' | 'collateral' | 'fundingHours'
  >;
  readonly runId: string;
  readonly log: Log;
  /** The switch: how often it is renewed and how far ahead; absent: it is armed once and for ever, as in a backtest. */
  readonly switch?: { readonly periodMs: number; readonly timeoutMs: number } | undefined;
  readonly keptLog?: KeptLog | undefined;
  readonly decisions?: DecisionTap | undefined;
  /** Is told what the venue tells, before the bot. */
  readonly onFact?: ((fact: Fact) => void) | undefined;
  readonly collector?: ((clock: VirtualClock, venue: () => LocalVenue) => RunCollector) | undefined;
  /** Of the machine, for what is counted by it. */
  readonly books: PaperBooks;
  /** A bug of ours stops the run. */
  onCrash(thrown: unknown): void;
}

const US_PER_MS = 1_000;
/** How long a stop may take, by the time of the tape. */
const STOP_MS_MAX = 10_000;
const STOP_STEP_US = 100_000;

/** See the module. */
export class PaperWorld {
  readonly bot: Bot;
  readonly venue: LocalVenue;
  readonly clock: VirtualClock;
  /** When the tape begins, Unix us. */
  readonly startUs: number;
  readonly #replay: Replay;
  readonly #options: PaperWorldOptions;
  #beat: { cancel(): void } | undefined;

  constructor(options: PaperWorldOptions) {
    const { tape, books, seed, feed, limits } = options;
    this.#options = options;
    this.startUs = Math.floor(tape.fromUs / US_PER_MS) * US_PER_MS;
    this.clock = new VirtualClock(this.startUs / US_PER_MS);
    const random = seededRandom(seed);
    const take = (fact: Fact): void => {
      books.take(fact);
      options.onFact?.(fact);
      this.bot.sink(fact);
    };
    this.venue = createLocalVenue({
      ...options.venue,
      markets: tape.markets,
      lanes: [...new Set(options.strategies.map(({ lane }) => lane))],
      random: random.fork('venue'),
      sink: take,
    });
    this.bot = this.#makeBot(random.fork('bot'), limits);
    this.#replay = new Replay({
      tape,
      feed,
      random: random.fork('feed'),
      toUs: tape.toUs,
      venue: this.venue,
      sink: this.bot.sink,
    });
  }

  /** The account is opened, strategies may begin. */
  start(): void {
    this.bot.start();
    this.venue.nowUs = this.startUs;
    this.venue.open(this.startUs);
    this.#replay.skipTo(this.#options.tape.fromUs, this.clock.nowMs());
    const { periodMs } = this.#options.switch ?? {};
    if (periodMs === undefined) return;
    this.#renewSwitch();
    this.#beat = this.clock.every(periodMs, () => this.#renewSwitch());
  }

  /** Lets everything happen up to `us`. False: the tape is through. */
  advanceTo(us: number): boolean {
    for (;;) {
      const { venueAtUs, botAtUs } = this.#replay;
      if (venueAtUs === Number.POSITIVE_INFINITY && botAtUs === Number.POSITIVE_INFINITY) return false;
      const timerUs = this.#timerUs();
      const { dueUs } = this.venue;
      const laterUs = Math.min(botAtUs, timerUs);
      const nextUs = Math.min(venueAtUs, dueUs, laterUs);
      if (nextUs > us) break;
      if (venueAtUs <= dueUs && venueAtUs <= laterUs) this.#replay.feedVenue(Math.min(dueUs, laterUs, us));
      else this.#doNext(nextUs, dueUs <= laterUs, botAtUs <= timerUs);
    }
    this.#moveTo(us);
    return true;
  }

  /** Ends the run: everything is canceled while the market goes on. True: nothing is out any more. */
  async stop(reason: string): Promise<boolean> {
    this.#beat?.cancel();
    let isEmpty: boolean | undefined;
    const stopped = this.bot.stop(reason).then((report) => {
      isEmpty = report.isEmpty;
    });
    const untilUs = this.#nowUs + STOP_MS_MAX * US_PER_MS;
    // Answers that are under way belong to the run.
    const isOver = () => isEmpty !== undefined && this.bot.account.pendingWrites().length === 0;
    for (let us = this.#nowUs; !isOver() && us < untilUs; us += STOP_STEP_US) {
      if (!this.advanceTo(us)) this.#goOnWithout(us);
      await Promise.resolve();
    }
    await stopped;
    return isEmpty ?? false;
  }

  /** Behind the end of the tape only venue and timers are left. */
  #goOnWithout(us: number): void {
    for (;;) {
      const timerUs = this.#timerUs();
      const { dueUs } = this.venue;
      const nextUs = Math.min(dueUs, timerUs);
      if (nextUs > us) break;
      this.#doNext(nextUs, dueUs <= timerUs, false);
    }
    this.#moveTo(us);
  }

  #doNext(us: number, isVenue: boolean, isFrame: boolean): void {
    this.#moveTo(us);
    if (isVenue) this.venue.advance(us);
    else if (isFrame) this.#replay.feedBot(this.clock.nowMs());
    else this.clock.step(this.clock.monotonicMs());
  }

  get #nowUs(): number {
    return this.startUs + this.clock.monotonicMs() * US_PER_MS;
  }

  #moveTo(us: number): void {
    if (us < this.#nowUs) return;
    this.clock.moveTo((us - this.startUs) / US_PER_MS);
    this.venue.nowUs = us;
  }

  #timerUs(): number {
    const atMs = this.clock.nextAtMs();
    return atMs === undefined ? Number.POSITIVE_INFINITY : this.startUs + atMs * US_PER_MS;
  }

  /** The heartbeat of the switch: never without a green health (decision C4). */
  #renewSwitch(): void {
    const { timeoutMs = 0 } = this.#options.switch ?? {};
    const reasons = redReasons(this.bot.health());
    if (reasons.length > 0) {
      this.bot.sink({ type: 'SwitchHeld', reasons });
      return;
    }
    const triggerAtMs = unixMs(this.clock.nowMs() + timeoutMs);
    this.venue.submitSafety({ kind: 'scheduleCancel', triggerAtMs });
  }

  #makeBot(random: Random, limits: RiskLimits): Bot {
    const { runId, log, monitor, strategies, keptLog, decisions, collector, onCrash } = this.#options;
    return makeBot(
      {
        runId,
        clock: this.clock,
        random,
        log,
        meter: silentMeter,
        audit: silentAudit,
        auditLevel: 'off',
        risk: createRiskGate(limits),
        ...(monitor === undefined ? {} : { monitor }),
        venue: this.venue,
        differ: diffQuotes,
        strategies,
        ...(decisions === undefined ? {} : { decisions }),
        ...(collector === undefined ? {} : { collector: collector(this.clock, () => this.venue) }),
        onCrash,
      },
      keptLog,
    ).bot;
  }
}
