/**
 * @module
 * A backtest: the runtime of live runs on a virtual clock, between a replayed tape and a local venue. Synchronous, and a
 * function of its options: the same tape, seed, configuration and code give the same record, to the byte.
 *
 * One loop takes what is earliest. At the same microsecond: rows of the market at the venue first (who was there before
 * us was there before us), then what the venue has to do, then the bot's next frame, then timers of the bot. What a row
 * at the venue leads to is on its way to the bot for a while, so the bot may go ahead of the venue by that; and the venue
 * ahead of the bot by what its commands are under way at least.
 */

import { createBot } from '../../bot/kernel/index.ts';
import { assert } from '../../core/index.ts';
import { TapeWorld } from './tape-world.ts';
import type { BacktestOptions, BacktestRun } from './types.ts';

/** Rows between two calls of `onProgress`. */
const PROGRESS_ROWS = 100_000;
/** How long answers that are under way at the end of the tape are waited for. */
const AFTERMATH_US_MAX = 60_000_000;
/** Steps of the aftermath at most: what takes longer than that never ends. */
const AFTERMATH_STEPS_MAX = 100_000;

/** Runs a backtest from the first row to the last one. @throws what a strategy's construction throws; ConfigError. */
export function runBacktest(options: BacktestOptions): BacktestRun {
  return new Backtest(options).run();
}

class Backtest {
  readonly #options: BacktestOptions;
  readonly #world: TapeWorld;
  #crash: { readonly thrown: unknown } | undefined;
  #progressRows = PROGRESS_ROWS;

  constructor(options: BacktestOptions) {
    this.#options = options;
    this.#world = new TapeWorld(options, {
      mode: 'backtest',
      makeBot: createBot,
      onCrash: (thrown) => {
        this.#crash ??= { thrown };
      },
    });
  }

  run(): BacktestRun {
    const world = this.#world;
    world.start();
    while (this.#step());
    this.#settle();
    const record = world.finish();
    this.#throwCrash();
    return { record, rows: world.replay.rowCount, decisionHash: world.decisionHash };
  }

  /** Does what is next; false when the tape is through. */
  #step(): boolean {
    const world = this.#world;
    // The venue takes its rows in when they are needed.
    if (world.replay.feedAhead(world)) this.#report();
    const { venueAtUs, botAtUs } = world.replay;
    const { dueUs } = world.venue;
    const { timerUs } = world;
    const laterUs = botAtUs < timerUs ? botAtUs : timerUs;
    // Nothing happens any more that the bot has not seen.
    if (venueAtUs === Number.POSITIVE_INFINITY && botAtUs === Number.POSITIVE_INFINITY) return false;
    if (timerUs < botAtUs && timerUs < dueUs && timerUs < venueAtUs + world.venue.leadUs) {
      // Of what the venue has not taken in yet the bot hears later.
      world.fireTimer(timerUs);
      return true;
    }
    // What the bot does next is under way for a while, and the venue takes in what happens meanwhile.
    const arrivalUs = laterUs + world.venue.entryUs;
    if (venueAtUs <= dueUs && venueAtUs <= arrivalUs) {
      world.replay.feedVenue(dueUs < arrivalUs ? dueUs : arrivalUs);
      this.#report();
      return true;
    }
    if (dueUs <= laterUs) world.advanceVenue(dueUs);
    else if (botAtUs <= timerUs) world.feedBot(botAtUs);
    else world.fireTimer(timerUs);
    return true;
  }

  /**
   * Answers that are under way when the tape ends still come, so that the bot's books hold all that the venue's do. No
   * timer fires any more, and no order leaves: there is no market for it.
   */
  #settle(): void {
    const world = this.#world;
    world.close();
    const untilUs = world.nowUs + AFTERMATH_US_MAX;
    for (let step = 0; world.venue.dueUs <= untilUs; step++) {
      if (world.isSettled) break;
      assert(step < AFTERMATH_STEPS_MAX, 'an end to what the venue has to do');
      world.advanceVenue(world.venue.dueUs);
    }
    this.#throwCrash();
    const { collateral } = world.venue.balance();
    const { ledgerSum } = world.bot.account;
    assert(ledgerSum === collateral, `the venue's cash of ${collateral} quantums, got ${ledgerSum}`);
  }

  #report(): void {
    const { rowCount } = this.#world.replay;
    if (rowCount < this.#progressRows) return;
    this.#progressRows = rowCount + PROGRESS_ROWS;
    this.#throwCrash();
    this.#options.onProgress?.(rowCount);
  }

  #throwCrash(): void {
    if (this.#crash !== undefined) throw this.#crash.thrown;
  }
}
