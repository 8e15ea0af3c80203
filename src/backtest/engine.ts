/**
 * @module
 * A backtest: the runtime of live runs on a virtual clock, between a replayed tape and a local venue. Synchronous, and a
 * function of its options: the same tape, seed, configuration and code give the same record, to the byte.
 *
 *   tape ─► replay ─┬─ at exchange time ─► local venue ─► facts about own orders ─┐
 *                   └─ as delivered ─────► facts of the markets ──────────────────┴─► bot ─► commands ─► local venue
 *
 * One loop takes what is earliest. At the same microsecond: rows of the market at the venue first (who was there before
 * us was there before us), then what the venue has to do, then the bot's next frame, then timers of the bot.
 */
import { assert, type Random, seededRandom, silentAudit, silentMeter, VirtualClock } from '../core/index.ts';
import type { Fact, VenuePort } from '../domain/index.ts';
import { diffQuotes } from '../execution/index.ts';
import { createRiskGate } from '../risk/index.ts';
import {
  type Bot,
  createBot,
  createRunCollector,
  DecisionHash,
  type RunCollector,
} from '../runtime/index.ts';
import { createLocalVenue, type LocalVenue } from '../venue/index.ts';
import { assumptionsOf } from './assumptions.ts';
import { Replay } from './replay/replay.ts';
import type { BacktestOptions, BacktestRun } from './types.ts';

const US_PER_MS = 1_000;
/** Rows between two calls of `onProgress`. */
const PROGRESS_ROWS = 100_000;
/** How long answers that are under way at the end of the tape are waited for. */
const AFTERMATH_US_MAX = 60_000_000;
/** Steps of the aftermath at the most: what goes on longer than that goes on for ever. */
const AFTERMATH_STEPS_MAX = 100_000;

/** Runs a backtest from the first row to the last one. @throws what a strategy's construction throws; ConfigError. */
export function runBacktest(options: BacktestOptions): BacktestRun {
  return new Backtest(options).run();
}

class Backtest {
  readonly #options: BacktestOptions;
  readonly #fromUs: number;
  readonly #startUs: number;
  readonly #clock: VirtualClock;
  readonly #venue: LocalVenue;
  readonly #bot: Bot;
  readonly #replay: Replay;
  readonly #collector: RunCollector;
  readonly #decisions: DecisionHash;
  #isOver = false;
  #crash: { readonly thrown: unknown } | undefined;
  #timerUs = Number.POSITIVE_INFINITY;
  #progressRows = PROGRESS_ROWS;

  constructor(options: BacktestOptions) {
    const { tape } = options;
    this.#options = options;
    this.#fromUs = Math.max(tape.fromUs, options.fromUs ?? tape.fromUs);
    // The clock starts at a whole millisecond, so that its time is exact in microseconds from there.
    this.#startUs = Math.floor(this.#fromUs / US_PER_MS) * US_PER_MS;
    this.#clock = new VirtualClock(this.#startUs / US_PER_MS);
    const random = seededRandom(options.seed);
    this.#decisions = new DecisionHash({
      now: () => this.#clock.nowMs(),
      intentOf: (orderId) => this.#bot.account.ownerOf(orderId)?.intentId,
    });
    this.#venue = this.#openVenue(random.fork('venue'));
    this.#collector = this.#openCollector();
    this.#bot = this.#makeBot(random.fork('bot'));
    this.#replay = new Replay({
      tape,
      feed: options.feed,
      random: random.fork('feed'),
      toUs: Math.min(tape.toUs, options.toUs ?? tape.toUs),
      venue: this.#venue,
      sink: this.#bot.sink,
    });
  }

  run(): BacktestRun {
    this.#bot.start();
    this.#venue.nowUs = this.#startUs;
    this.#venue.open(this.#startUs);
    this.#replay.skipTo(this.#fromUs, this.#clock.nowMs());
    this.#noteTimer();
    while (this.#step()) this.#report();
    this.#settle();
    return {
      record: this.#collector.finish(),
      rows: this.#replay.rowCount,
      decisionHash: this.#decisions.hex(),
    };
  }

  /** Does what is next; false when the tape is through. */
  #step(): boolean {
    const { venueAtUs, botAtUs } = this.#replay;
    const { dueUs } = this.#venue;
    const timerUs = this.#timerUs;
    const laterUs = botAtUs < timerUs ? botAtUs : timerUs;
    if (venueAtUs <= dueUs && venueAtUs <= laterUs) {
      if (venueAtUs === Number.POSITIVE_INFINITY) return false;
      this.#replay.feedVenue(dueUs < laterUs ? dueUs : laterUs);
      return true;
    }
    // Nothing happens any more that the bot has not seen.
    if (venueAtUs === Number.POSITIVE_INFINITY && botAtUs === Number.POSITIVE_INFINITY) return false;
    if (dueUs <= laterUs) this.#advanceVenue(dueUs);
    else if (botAtUs <= timerUs) {
      this.#moveTo(botAtUs);
      this.#replay.feedBot(this.#clock.nowMs());
    } else {
      // By the clock's own time: microseconds since 1970 cannot hold all of its fractions.
      this.#venue.nowUs = timerUs;
      this.#clock.step(Number.POSITIVE_INFINITY);
    }
    this.#noteTimer();
    return true;
  }

  /**
   * Answers that are under way when the tape ends still come, so that the bot's books hold all that the venue's do. No
   * timer fires any more, and no order leaves: there is no market for it.
   */
  #settle(): void {
    this.#isOver = true;
    const untilUs = this.#startUs + this.#clock.monotonicMs() * US_PER_MS + AFTERMATH_US_MAX;
    for (let step = 0; this.#venue.dueUs <= untilUs; step++) {
      if (this.#bot.account.ledgerSum === this.#venue.balance().collateral) break;
      assert(step < AFTERMATH_STEPS_MAX, 'an end to what the venue has to do');
      this.#advanceVenue(this.#venue.dueUs);
    }
    this.#throwCrash();
    const { collateral } = this.#venue.balance();
    const { ledgerSum } = this.#bot.account;
    assert(ledgerSum === collateral, `the venue's cash of ${collateral} quantums, was ${ledgerSum}`);
  }

  #advanceVenue(us: number): void {
    this.#moveTo(us);
    this.#venue.advance(us);
  }

  #moveTo(us: number): void {
    this.#clock.moveTo((us - this.#startUs) / US_PER_MS);
    this.#venue.nowUs = us;
  }

  #noteTimer(): void {
    const atMs = this.#clock.nextAtMs();
    this.#timerUs = atMs === undefined ? Number.POSITIVE_INFINITY : this.#startUs + atMs * US_PER_MS;
  }

  #report(): void {
    if (this.#replay.rowCount < this.#progressRows) return;
    this.#progressRows = this.#replay.rowCount + PROGRESS_ROWS;
    this.#throwCrash();
    this.#options.onProgress?.(this.#replay.rowCount);
  }

  #throwCrash(): void {
    if (this.#crash !== undefined) throw this.#crash.thrown;
  }

  #take(fact: Fact): void {
    if (fact.type === 'FillRecorded') this.#decisions.fill(fact.fill);
    this.#bot.sink(fact);
  }

  #openVenue(random: Random): LocalVenue {
    const { tape, fillModel, latency, venue, strategies } = this.#options;
    return createLocalVenue({
      ...venue,
      markets: tape.markets,
      fillModel,
      latency,
      lanes: [...new Set(strategies.map(({ lane }) => lane))],
      random,
      sink: (fact) => this.#take(fact),
    });
  }

  /** The venue as the bot has it: its lanes are busy once the market has ended. */
  #port(): VenuePort {
    const venue = this.#venue;
    return {
      isReady: (lane) => !this.#isOver && venue.isReady(lane),
      submit: (routed) => venue.submit(routed),
      submitSafety: (command) => venue.submitSafety(command),
    };
  }

  #openCollector(): RunCollector {
    const { identity, tape, seed, collateralDecimals, samplePeriodMs } = this.#options;
    return createRunCollector({
      clock: this.#clock,
      identity: {
        ...identity,
        mode: 'backtest',
        tapes: [{ name: tape.name, hash: tape.hash }],
        seed,
        collateralDecimals,
        assumptions: assumptionsOf(this.#options),
      },
      samplePeriodMs,
      queueOf: (orderId) => this.#venue.queueOf(orderId),
    });
  }

  #makeBot(random: Random): Bot {
    const { identity, log, limits, monitor, strategies, guardPeriodMs } = this.#options;
    return createBot({
      runId: identity.runId,
      clock: this.#clock,
      random,
      log,
      meter: silentMeter,
      audit: silentAudit,
      auditLevel: 'off',
      risk: createRiskGate(limits),
      ...(monitor === undefined ? {} : { monitor }),
      ...(guardPeriodMs === undefined ? {} : { guardPeriodMs }),
      venue: this.#port(),
      differ: diffQuotes,
      strategies,
      collector: this.#collector,
      decisions: this.#decisions,
      onCrash: (thrown) => {
        this.#crash ??= { thrown };
      },
    });
  }
}
