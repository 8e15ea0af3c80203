/**
 * @module
 * A bot on paper over a tape: the recorded market on virtual time, the local venue with its fill model, and the same
 * kernel, risk gate and switch as on a gateway. Nothing is signed and no key is loaded. Time passes as it is asked to.
 *
 * At one microsecond: the venue's rows first, then what the venue has to do, then the bot's next frame, then timers: the
 * order of a backtest, with which a paper run must agree to the last fill.
 */

import type { Bot } from '../../bot/kernel/index.ts';
import { type KeptLog, makeBot } from '../../bot/replay/index.ts';
import { type BotError, unixMs, type VirtualClock } from '../../core/index.ts';
import type { RunRecord } from '../../domain/index.ts';
import { TapeWorld, type TapeWorldOptions } from '../backtest/index.ts';
import type { LocalVenue } from '../venue/index.ts';
import type { PaperBooks } from './paper-books.ts';
import { beatSwitch } from './paper-report.ts';

/** What a world is made of: what a backtest is made of, and what only a paper run has. */
export interface PaperWorldOptions extends TapeWorldOptions {
  /**
   * The switch: how often it is renewed and how far ahead; absent: it is armed once and never expires, as in a
   * backtest.
   */
  readonly switch?: { readonly periodMs: number; readonly timeoutMs: number } | undefined;
  readonly keptLog?: KeptLog | undefined;
  /** Accounts of the run. */
  readonly books: PaperBooks;
  /** A bug of ours stops the run. */
  onCrash(thrown: unknown): void;
  /** Every strategy has ended and none starts again. */
  onNoStrategyLeft?(why: BotError): void;
}

/** How long a stop, or the answers after the end of a tape, may take by the time of the tape. */
const STOP_US_MAX = 10_000_000;
const STOP_STEP_US = 100_000;

/** See the module. */
export class PaperWorld {
  readonly #options: PaperWorldOptions;
  readonly #world: TapeWorld;
  #beat: { cancel(): void } | undefined;

  constructor(options: PaperWorldOptions) {
    this.#options = options;
    this.#world = new TapeWorld(options, {
      mode: 'paper',
      makeBot: (botOptions) => makeBot(botOptions, options.keptLog).bot,
      onVenueFact: (fact) => options.books.take(fact),
      onCrash: (thrown) => options.onCrash(thrown),
      onNoStrategyLeft: (why) => options.onNoStrategyLeft?.(why),
    });
  }

  get bot(): Bot {
    return this.#world.bot;
  }

  get venue(): LocalVenue {
    return this.#world.venue;
  }

  get clock(): VirtualClock {
    return this.#world.clock;
  }

  /** When the run begins, Unix us. */
  get startUs(): number {
    return this.#world.startUs;
  }

  /** SHA-256 over every decision and fill so far: equal to that of a backtest that decided the same. */
  get decisionHash(): string {
    return this.#world.decisionHash;
  }

  /** What the run leaves for reports. Once, at its end. */
  finish(): RunRecord {
    return this.#world.finish();
  }

  /** The account is opened, strategies may begin. */
  start(): void {
    this.#world.start();
    const { periodMs } = this.#options.switch ?? {};
    if (periodMs === undefined) return;
    this.#renewSwitch();
    this.#beat = this.clock.every(periodMs, () => this.#renewSwitch());
  }

  /** Lets everything happen up to `us`. False: the tape is through. */
  advanceTo(us: number): boolean {
    const world = this.#world;
    for (;;) {
      const { venueAtUs, botAtUs } = world.replay;
      if (venueAtUs === Number.POSITIVE_INFINITY && botAtUs === Number.POSITIVE_INFINITY) return false;
      const { timerUs } = world;
      const { dueUs } = world.venue;
      const laterUs = Math.min(botAtUs, timerUs);
      if (Math.min(venueAtUs, dueUs, laterUs) > us) break;
      if (venueAtUs <= dueUs && venueAtUs <= laterUs) world.replay.feedVenue(Math.min(dueUs, laterUs, us));
      else if (dueUs <= laterUs) world.advanceVenue(dueUs);
      else if (botAtUs <= timerUs) world.feedBot(botAtUs);
      else world.fireTimer(timerUs);
    }
    this.#passTo(us);
    return true;
  }

  /** Ends the run: everything is canceled while the market continues. True: no order is open any more. */
  async stop(reason: string): Promise<boolean> {
    this.#beat?.cancel();
    let isEmpty: boolean | undefined;
    const stopped = this.bot.stop(reason).then((report) => {
      isEmpty = report.isEmpty;
    });
    const untilUs = this.#world.nowUs + STOP_US_MAX;
    // Answers that are under way belong to the run.
    const isOver = () => isEmpty !== undefined && this.bot.account.pendingWrites().length === 0;
    for (let us = this.#world.nowUs; !isOver() && us < untilUs; us += STOP_STEP_US) {
      if (!this.advanceTo(us)) this.#goOnWithout(us);
      await Promise.resolve();
    }
    await stopped;
    return isEmpty ?? false;
  }

  /** Instead of a stop, as a backtest ends: answers that are under way still come, no order leaves any more. */
  settle(): void {
    const world = this.#world;
    world.close();
    this.#beat?.cancel();
    const untilUs = world.nowUs + STOP_US_MAX;
    while (world.venue.dueUs <= untilUs && !world.isSettled) world.advanceVenue(world.venue.dueUs);
  }

  /** After the end of the tape only venue and timers are left. */
  #goOnWithout(us: number): void {
    const world = this.#world;
    for (;;) {
      const { timerUs } = world;
      const { dueUs } = world.venue;
      if (Math.min(dueUs, timerUs) > us) break;
      if (dueUs <= timerUs) world.advanceVenue(dueUs);
      else world.fireTimer(timerUs);
    }
    this.#passTo(us);
  }

  /** The end of a stretch; what happened last may be after it. */
  #passTo(us: number): void {
    if (us >= this.#world.nowUs) this.#world.moveTo(us);
  }

  #renewSwitch(): void {
    const { timeoutMs = 0 } = this.#options.switch ?? {};
    const arm = (atMs: number): void =>
      this.venue.submitSafety({ kind: 'scheduleCancel', triggerAtMs: unixMs(atMs) });
    beatSwitch(this.bot, this.clock.nowMs(), arm, timeoutMs);
  }
}
