/**
 * @module
 * The checks that candles of every format pass, and files of bars: prices around each other, one candle after the other
 * without overlap, a hole where some are missing, and rows that are as far apart as the candles are long.
 */
import { isoOfUs } from '../../core/index.ts';
import type { FrameOrder } from './frame-order.ts';
import { malformed, type Place } from './location.ts';

/** Rows that are needed to see how far apart they are. */
const STEPS_MIN = 3;
/** Below this share of equal distances, missing candles explain them. */
const SHARE_MIN = 0.5;

/** True if low and high are around open and close. */
export function areCandlePrices<T extends number | bigint>(open: T, high: T, low: T, close: T): boolean {
  return low <= open && low <= close && high >= open && high >= close;
}

/** What candles are checked against. */
export interface CandleChecksOptions {
  /** Length of a candle, ms. */
  readonly lengthMs: number;
  /** Index of the market. */
  readonly market: number;
  /** False: missing candles are no hole of the market, as for mark prices. */
  readonly hasHoles: boolean;
}

/** The checks of one market's candles of one length, from all files that hold them, in order of time. */
export class CandleChecks {
  readonly #options: CandleChecksOptions;
  #beganMs: number | undefined;
  #steps = 0;
  #shortestMs = Number.POSITIVE_INFINITY;
  #shortestSteps = 0;
  /** Where the shortest distance came up first. */
  #shortestAt: Place | undefined;

  constructor(options: CandleChecksOptions) {
    this.#options = options;
  }

  /**
   * Takes the candle that began at `atUs`, Unix us, and was received `latencyUs` after its end. Returns its beginning in
   * ms. @throws ProtocolError naming the location when it overlaps or repeats the one before.
   */
  take(place: Place, atUs: number, order: FrameOrder, latencyUs = 0): number {
    const { lengthMs, market, hasHoles } = this.#options;
    if (atUs % 1_000 !== 0) throw malformed(place, 'candles that begin at a whole millisecond', `${atUs} us`);
    const atMs = atUs / 1_000;
    const beganMs = this.#beganMs;
    this.#beganMs = atMs;
    if (beganMs === undefined) return atMs;
    const dueMs = beganMs + lengthMs;
    if (atMs < dueMs)
      throw malformed(
        place,
        `candles of ${lengthMs} ms, one after the other, from ${isoOfUs(dueMs * 1_000)} on`,
        isoOfUs(atUs),
        'Sort the rows by time (--sort does) and leave out those that are there twice; candles of another length are a file of their own.',
      );
    this.#addStep(place, atMs - beganMs);
    if (atMs === dueMs || !hasHoles) return atMs;
    // It is known when the missing candle should have come.
    const sinceUs = (dueMs + lengthMs) * 1_000;
    order.addGap(market, (atMs - dueMs) * 1_000, {
      exchangeUs: sinceUs,
      receivedUs: sinceUs + latencyUs,
      untilUs: (atMs + lengthMs) * 1_000,
    });
    return atMs;
  }

  /** All candles were taken. @throws ProtocolError when their rows are regularly further apart than they are long. */
  end(): void {
    const { lengthMs } = this.#options;
    const place = this.#shortestAt;
    const isRegular = this.#steps >= STEPS_MIN && this.#shortestSteps > this.#steps * SHARE_MIN;
    if (place === undefined || !isRegular || this.#shortestMs === lengthMs) return;
    throw malformed(
      place,
      `rows as far apart as candles of ${lengthMs} ms are long`,
      `${this.#shortestSteps} of ${this.#steps} rows ${this.#shortestMs} ms after the one before, none nearer`,
      `Name the length that the candles have, ${this.#shortestMs} ms: the interval of the mapping, or the one in the file's name.`,
    );
  }

  #addStep(place: Place, stepMs: number): void {
    this.#steps++;
    if (stepMs < this.#shortestMs) {
      this.#shortestMs = stepMs;
      this.#shortestSteps = 0;
      this.#shortestAt = place;
    }
    if (stepMs === this.#shortestMs) this.#shortestSteps++;
  }
}
