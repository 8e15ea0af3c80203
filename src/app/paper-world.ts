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
import { assumptionsOf, type BacktestOptions, Replay } from '../backtest/index.ts';
import { type Random, seededRandom, silentAudit, silentMeter, unixMs, VirtualClock } from '../core/index.ts';
import type { Fact, RunRecord, VenuePort } from '../domain/index.ts';
import { diffQuotes } from '../execution/index.ts';
import { createRiskGate } from '../risk/index.ts';
import { type Bot, createRunCollector, DecisionHash, type RunCollector } from '../runtime/index.ts';
import { createLocalVenue, type LocalVenue } from '../venue/index.ts';
import { type KeptLog, makeBot } from './made-bot.ts';
import type { PaperBooks } from './paper-books.ts';
import { beatSwitch } from './paper-report.ts';

/** What a world is made of: what a backtest is made of, and what a paper run has besides. */
export interface PaperWorldOptions extends Omit<BacktestOptions, 'onProgress'> {
  /** The switch: how often it is renewed and how far ahead; absent: it is armed once and for ever, as in a backtest. */
  readonly switch?: { readonly periodMs: number; readonly timeoutMs: number } | undefined;
  readonly keptLog?: KeptLog | undefined;
  readonly books: PaperBooks;
  /** A bug of ours stops the run. */
  onCrash(thrown: unknown): void;
}

const US_PER_MS = 1_000;
/** How long a stop, or the answers behind the end of a tape, may take by the time of the tape. */
const STOP_MS_MAX = 10_000;
const STOP_STEP_US = 100_000;

/** See the module. */
export class PaperWorld {
  readonly bot: Bot;
  readonly venue: LocalVenue;
  readonly clock: VirtualClock;
  /** When the run begins, Unix us. */
  readonly startUs: number;
  readonly #fromUs: number;
  readonly #replay: Replay;
  readonly #options: PaperWorldOptions;
  readonly #collector: RunCollector;
  readonly #decisions: DecisionHash;
  #beat: { cancel(): void } | undefined;
  #isSettling = false;

  constructor(options: PaperWorldOptions) {
    const { tape, books, seed, feed } = options;
    this.#options = options;
    this.#fromUs = Math.max(tape.fromUs, options.fromUs ?? tape.fromUs);
    this.startUs = Math.floor(this.#fromUs / US_PER_MS) * US_PER_MS;
    this.clock = new VirtualClock(this.startUs / US_PER_MS);
    const random = seededRandom(seed);
    this.#decisions = new DecisionHash({
      now: () => this.clock.nowMs(),
      intentOf: (orderId) => this.bot.account.ownerOf(orderId)?.intentId,
    });
    this.venue = createLocalVenue({
      ...options.venue,
      markets: tape.markets,
      fillModel: options.fillModel,
      latency: options.latency,
      lanes: [...new Set(options.strategies.map(({ lane }) => lane))],
      random: random.fork('venue'),
      sink: (fact) => {
        books.take(fact);
        if (fact.type === 'FillRecorded') this.#decisions.fill(fact.fill);
        this.bot.sink(fact);
      },
    });
    this.#collector = this.#openCollector();
    this.bot = this.#makeBot(random.fork('bot'));
    this.#replay = new Replay({
      tape,
      feed,
      random: random.fork('feed'),
      toUs: Math.min(tape.toUs, options.toUs ?? tape.toUs),
      venue: this.venue,
      sink: (fact: Fact) => this.bot.sink(fact),
    });
  }

  /** SHA-256 over every decision and fill so far: equal to that of a backtest that decided the same. */
  get decisionHash(): string {
    return this.#decisions.hex();
  }

  /** What the run leaves for reports. Once, at its end. */
  finish(): RunRecord {
    return this.#collector.finish();
  }

  /** The account is opened, strategies may begin. */
  start(): void {
    this.bot.start();
    this.venue.nowUs = this.startUs;
    this.venue.open(this.startUs);
    this.#replay.skipTo(this.#fromUs, this.clock.nowMs());
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
      if (Math.min(venueAtUs, dueUs, laterUs) > us) break;
      if (venueAtUs <= dueUs && venueAtUs <= laterUs) this.#replay.feedVenue(Math.min(dueUs, laterUs, us));
      else if (dueUs <= laterUs) this.#advanceVenue(dueUs);
      else if (botAtUs <= timerUs) {
        this.#moveTo(botAtUs);
        this.#replay.feedBot(this.clock.nowMs());
      } else this.#fireTimer(timerUs);
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

  /** In place of a stop, as a backtest ends: answers that are under way still come, no order leaves any more. */
  settle(): void {
    this.#isSettling = true;
    this.#beat?.cancel();
    const untilUs = this.#nowUs + STOP_MS_MAX * US_PER_MS;
    while (this.venue.dueUs <= untilUs && this.bot.account.ledgerSum !== this.venue.balance().collateral)
      this.#advanceVenue(this.venue.dueUs);
  }

  /** Behind the end of the tape only venue and timers are left. */
  #goOnWithout(us: number): void {
    for (;;) {
      const timerUs = this.#timerUs();
      const { dueUs } = this.venue;
      if (Math.min(dueUs, timerUs) > us) break;
      if (dueUs <= timerUs) this.#advanceVenue(dueUs);
      else this.#fireTimer(timerUs);
    }
    this.#moveTo(us);
  }

  #advanceVenue(us: number): void {
    this.#moveTo(us);
    this.venue.advance(us);
  }

  /** By the clock's own time: microseconds since 1970 cannot hold all of its fractions. */
  #fireTimer(us: number): void {
    this.venue.nowUs = Math.max(this.venue.nowUs, us);
    this.clock.step(Number.POSITIVE_INFINITY);
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

  #renewSwitch(): void {
    const { timeoutMs = 0 } = this.#options.switch ?? {};
    const arm = (atMs: number): void =>
      this.venue.submitSafety({ kind: 'scheduleCancel', triggerAtMs: unixMs(atMs) });
    beatSwitch(this.bot, this.clock.nowMs(), arm, timeoutMs);
  }

  #port(): VenuePort {
    const { venue } = this;
    return {
      isReady: (lane) => !this.#isSettling && venue.isReady(lane),
      submit: (routed) => venue.submit(routed),
      submitSafety: (command) => venue.submitSafety(command),
    };
  }

  #openCollector(): RunCollector {
    const { identity, tape, seed, collateralDecimals, samplePeriodMs } = this.#options;
    return createRunCollector({
      clock: this.clock,
      identity: {
        ...identity,
        mode: 'paper',
        tapes: [{ name: tape.name, hash: tape.hash }],
        seed,
        collateralDecimals,
        assumptions: assumptionsOf(this.#options),
      },
      samplePeriodMs,
      queueOf: (orderId) => this.venue.queueOf(orderId),
    });
  }

  #makeBot(random: Random): Bot {
    const { identity, log, limits, monitor, strategies, keptLog, onCrash } = this.#options;
    const options = {
      runId: identity.runId,
      clock: this.clock,
      random,
      log,
      meter: silentMeter,
      audit: silentAudit,
      auditLevel: 'off',
      risk: createRiskGate(limits),
      ...(monitor === undefined ? {} : { monitor }),
      venue: this.#port(),
      differ: diffQuotes,
      strategies,
      collector: this.#collector,
      decisions: this.#decisions,
      onCrash,
    } as const;
    return makeBot(options, keptLog).bot;
  }
}
