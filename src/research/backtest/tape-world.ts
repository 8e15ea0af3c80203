/**
 * @module
 * A bot between a tape and a local venue on a virtual clock, put together: what backtests and paper runs have in common.
 * Who drives it says what is next; this knows how each step is done. Same options, same steps: same record, to the byte.
 *
 *   tape ─► replay ─┬─ at exchange time ─► local venue ─► facts about own orders ─┐
 *                   └─ as delivered ─────► facts of the markets ──────────────────┴─► bot ─► commands ─► local venue
 */

import { diffQuotes } from '../../bot/execution/index.ts';
import type { Bot, BotOptions } from '../../bot/kernel/index.ts';
import { DecisionHash } from '../../bot/replay/index.ts';
import { createRiskGate } from '../../bot/risk/index.ts';
import {
  type BotError,
  type Random,
  seededRandom,
  silentAudit,
  silentMeter,
  VirtualClock,
} from '../../core/index.ts';
import type { Fact, RunRecord } from '../../domain/index.ts';
import { createRunCollector, type RunCollector, type RunIdentity } from '../../report/collect/index.ts';
import { createLocalVenue, type LocalVenue } from '../venue/index.ts';
import { assumptionsOf, describeFeedClock } from './assumptions.ts';
import { ClosableVenue } from './closable-venue.ts';
import { Replay } from './replay/replay.ts';
import type { BacktestOptions, FeedLatency } from './types.ts';

/** What a world is made of. */
export type TapeWorldOptions = Omit<BacktestOptions, 'onProgress'>;

/** What a backtest and a paper run bring with them. */
export interface TapeWorldPorts {
  /** Mode of the run. */
  readonly mode: RunIdentity['mode'];
  /** Creates the bot of the run. */
  makeBot(options: BotOptions): Bot;
  /** Receives each fact of the venue before the bot does. */
  onVenueFact?(fact: Fact): void;
  /** A bug of ours stops the run. */
  onCrash(thrown: unknown): void;
  /** Every strategy has ended and none starts again. */
  onNoStrategyLeft?(why: BotError): void;
}

const US_PER_MS = 1_000;

/** See the module. */
export class TapeWorld {
  readonly bot: Bot;
  readonly venue: LocalVenue;
  readonly clock: VirtualClock;
  readonly replay: Replay;
  /** When the run begins, Unix us. */
  readonly startUs: number = Number.NaN;
  readonly #fromUs: number;
  readonly #feed: FeedLatency;
  readonly #collector: RunCollector;
  readonly #decisions: DecisionHash;
  /** The venue as the bot sees it. */
  readonly #port: ClosableVenue;
  /** Of all up to the end: what strategies ask for in their last call is no decision. */
  #endHash: string | undefined;

  constructor(options: TapeWorldOptions, ports: TapeWorldPorts) {
    const { tape } = options;
    this.#feed = options.feed;
    this.#fromUs = Math.max(tape.fromUs, options.fromUs ?? tape.fromUs);
    // The clock starts at a whole millisecond, so that its time is exact in microseconds from there.
    this.startUs = Math.floor(this.#fromUs / US_PER_MS) * US_PER_MS;
    this.clock = new VirtualClock(this.startUs / US_PER_MS);
    options.onClock?.(() => this.clock.nowMs());
    const random = seededRandom(options.seed);
    this.#decisions = new DecisionHash({
      now: () => this.clock.nowMs(),
      intentOf: (orderId) => this.bot.account.ownerOf(orderId)?.intentId,
    });
    this.venue = this.#openVenue(options, random.fork('venue'), ports);
    this.#port = new ClosableVenue(this.venue);
    this.#collector = this.#openCollector(options, ports);
    this.bot = ports.makeBot(this.#botOptions(options, random.fork('bot'), ports));
    this.replay = new Replay({
      tape,
      feed: options.feed,
      random: random.fork('feed'),
      clock: this.clock,
      toUs: Math.min(tape.toUs, options.toUs ?? tape.toUs),
      venue: this.venue,
      sink: this.bot.sink,
      marketSink: this.bot.marketSink,
    });
  }

  /** SHA-256 over every decision and fill so far. */
  get decisionHash(): string {
    return this.#endHash ?? this.#decisions.hex();
  }

  /** When the run is, Unix us. */
  get nowUs(): number {
    return this.startUs + this.clock.monotonicMs() * US_PER_MS;
  }

  /** When the next timer of the bot is due, Unix us; without one, infinity. */
  get timerUs(): number {
    return this.startUs + this.clock.dueMs * US_PER_MS;
  }

  /** When the next timer of the bot is due, by its clock. */
  get dueMs(): number {
    return this.clock.dueMs;
  }

  /** The account is opened, strategies may begin. */
  start(): void {
    this.bot.start();
    this.venue.nowUs = this.startUs;
    this.venue.open(this.startUs);
    this.replay.skipTo(this.#fromUs);
  }

  /** Lets time pass up to `us`. Nothing is done for it. */
  moveTo(us: number): void {
    this.venue.nowUs = us;
    this.clock.moveToUs(us - this.startUs);
  }

  /** The venue does what it has to do at `us`. */
  advanceVenue(us: number): void {
    this.moveTo(us);
    this.venue.advance(us);
  }

  /** The bot sees the next frames of the tape, which are due at `us`. */
  feedBot(us: number): void {
    this.moveTo(us);
    this.replay.feedBot();
  }

  /** Fires the next timer, due at `us`, by the clock's own time: microseconds since 1970 cannot hold all of its fractions. */
  fireTimer(us: number): void {
    this.venue.nowUs = Math.max(this.venue.nowUs, us);
    this.clock.step(Number.POSITIVE_INFINITY);
  }

  /** The market has ended: every lane is busy, no order leaves any more. */
  close(): void {
    this.#port.isClosed = true;
  }

  /** True if the bot's accounts hold all the cash that the venue's do. */
  get isSettled(): boolean {
    return this.bot.account.ledgerSum === this.venue.balance().collateral;
  }

  /**
   * What the run leaves for reports. Once, at its end: strategies that still run get their last call, whose orders have no
   * market any more.
   */
  finish(): RunRecord {
    this.#collector.close();
    this.close();
    this.#port.isEnded = true;
    this.#endHash ??= this.#decisions.hex();
    this.bot.end('end of the tape');
    const record = countedByVenue(this.#collector.finish(), this.venue);
    const note = describeFeedClock(this.replay.feedClock, this.#feed);
    return note === undefined ? record : { ...record, assumptions: [...record.assumptions, note] };
  }

  #openVenue(options: TapeWorldOptions, random: Random, ports: TapeWorldPorts): LocalVenue {
    return createLocalVenue({
      ...options.venue,
      markets: options.tape.markets,
      fillModel: options.fillModel,
      latency: options.latency,
      lanes: [...new Set(options.strategies.map(({ lane }) => lane))],
      random,
      sink: (fact) => {
        ports.onVenueFact?.(fact);
        if (fact.type === 'FillRecorded') this.#decisions.fill(fact.fill);
        this.bot.sink(fact);
      },
      ...(ports.onVenueFact === undefined
        ? { sinkAll: (facts, from, to) => this.bot.sinkAll(facts, from, to) }
        : {}),
    });
  }

  #openCollector(options: TapeWorldOptions, { mode }: TapeWorldPorts): RunCollector {
    const { identity, tape, seed, collateralDecimals, samplePeriodMs } = options;
    return createRunCollector({
      clock: this.clock,
      identity: {
        parameters: {},
        ...identity,
        mode,
        tapes: [{ name: tape.name, hash: tape.hash, quality: tape.quality }],
        seed,
        collateralDecimals,
        assumptions: assumptionsOf(options),
      },
      samplePeriodMs,
      queueOf: (orderId) => this.venue.queueOf(orderId),
    });
  }

  #botOptions(options: TapeWorldOptions, random: Random, ports: TapeWorldPorts): BotOptions {
    const { identity, log, limits, monitor, strategies } = options;
    return {
      runId: identity.runId,
      clock: this.clock,
      random,
      log,
      meter: silentMeter,
      audit: silentAudit,
      auditLevel: 'off',
      risk: createRiskGate(limits),
      ...(monitor === undefined ? {} : { monitor }),
      venue: this.#port,
      reconcileQuotes: diffQuotes,
      strategies,
      collector: this.#collector,
      decisions: this.#decisions,
      onNoStrategyLeft: (why) => ports.onNoStrategyLeft?.(why),
      onCrash: (thrown) => ports.onCrash(thrown),
    };
  }
}

/** The record with the counts that only the local venue has. */
export function countedByVenue(record: RunRecord, { ordersBetweenLevels }: LocalVenue): RunRecord {
  if (ordersBetweenLevels === undefined) return record;
  return { ...record, counts: { ...record.counts, ordersBetweenLevels } };
}
