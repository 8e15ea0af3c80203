/**
 * @module
 * What time it is at the exchange. The offset is kept against the monotonic clock, so a step of the machine's wall clock
 * moves nothing (obligations O11, O47). Of the recent samples the one with the shortest round trip is believed: its
 * error is at most half of it. One sample far from what was known is a doubt, two that agree are a jump: a single wrong
 * pong must not move the time at which the dead man's switch fires. Frames that cannot be of this time are a doubt, too:
 * readings that were all wrong stand until the next pong otherwise. Does not ask on its own: samples come from `/v1/time`
 * and from pongs, and {@link ServerClock.onDoubt} says when one more is wanted.
 */
import { assert, type Clock, type Log, type Metrics, type UnixMs } from '../../core/index.ts';

/** One reading of the exchange's clock; both ends by `Clock.monotonicMs`. */
export interface ClockSample {
  /** The exchange's time, Unix ms. */
  readonly serverMs: number;
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

/** How well the exchange's time is known. */
export interface ServerClockState {
  /** False until the first sample: nothing may be signed with a time in it before. */
  readonly isKnown: boolean;
  /** Exchange time minus this machine's wall time now, in milliseconds. */
  readonly offsetMs: number;
  /** Half the round trip of the sample in use. */
  readonly errorMs: number;
  /** The size of the last jump that both clocks' drift cannot explain, 0 when there was none. */
  readonly lastJumpMs: number;
  /** When it was seen, monotonic milliseconds. */
  readonly lastJumpAtMs: number | undefined;
}

/** Samples that are weighed against each other. */
const SAMPLES_MAX = 8;
/** Two clocks may run apart by this much: 500 ppm on each side (obligation O11). */
const DRIFT_PER_MS = 0.001;
/** Slower round trips say too little. */
const ROUND_TRIP_MS_MAX = 2_000;
/** Frames ask for a reading no oftener than this: they are late as well where the network is slow and the time is right. */
const SUSPICION_MS = 5_000;

interface Reading {
  readonly offsetMs: number;
  readonly errorMs: number;
  readonly atMs: number;
}

/** The exchange's clock as seen from here. */
export class ServerClock {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #meter: Metrics;
  #readings: Reading[] = [];
  #best: Reading | undefined;
  /** Far from the best one; believed when the next one agrees with it. */
  #doubtful: Reading | undefined;
  /** Frames say that the time is wrong; one more reading answers them, whatever it says. */
  #isSuspected = false;
  #suspectedAtMs = Number.NEGATIVE_INFINITY;
  /** Called when a reading was put aside, or the time suspected: another one would settle it. */
  onDoubt: () => void = () => undefined;
  #lastJumpMs = 0;
  #lastJumpAtMs: number | undefined;

  constructor(options: { readonly clock: Clock; readonly log: Log; readonly meter: Metrics }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#meter = options.meter;
  }

  /** Takes a sample in; one with a slow round trip is left out unless it is the first. */
  observe({ serverMs, sentAtMs, receivedAtMs }: ClockSample): void {
    const roundTripMs = receivedAtMs - sentAtMs;
    assert(roundTripMs >= 0, `an answer after its question, got ${roundTripMs} ms`);
    this.#isSuspected = false;
    if (!Number.isSafeInteger(serverMs) || serverMs <= 0) return;
    if (roundTripMs > ROUND_TRIP_MS_MAX && this.#best !== undefined) return;
    const reading: Reading = {
      offsetMs: serverMs - (sentAtMs + receivedAtMs) / 2,
      errorMs: roundTripMs / 2,
      atMs: receivedAtMs,
    };
    const jumpMs = this.#best === undefined ? 0 : distance(this.#best, reading);
    const doubtful = this.#doubtful;
    this.#doubtful = undefined;
    if (jumpMs !== 0 && (doubtful === undefined || distance(doubtful, reading) !== 0)) {
      this.#doubtful = reading;
      this.#log.info('a reading of the clock of the exchange is far from the others', {
        jumpMs: Math.round(jumpMs),
      });
      this.onDoubt();
      return;
    }
    if (jumpMs !== 0) {
      this.#lastJumpMs = jumpMs;
      this.#lastJumpAtMs = receivedAtMs;
      this.#readings = [];
      this.#log.warn('the clock of the exchange jumped against ours', { jumpMs: Math.round(jumpMs) });
    }
    this.#readings.push(reading);
    if (this.#readings.length > SAMPLES_MAX) this.#readings.shift();
    this.#best = this.#readings.reduce((best, next) =>
      worth(next, reading) <= worth(best, reading) ? next : best,
    );
    this.#meter.gauge('gateway_clock_offset_ms', this.state().offsetMs);
  }

  /** What has come is not of the time that is known, unless it was held back on its way: asks for a reading. */
  suspect(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#suspectedAtMs < SUSPICION_MS) return;
    this.#suspectedAtMs = nowMs;
    this.#isSuspected = true;
    this.onDoubt();
  }

  /** True while one more reading is wanted. */
  get isInDoubt(): boolean {
    return this.#isSuspected || this.#doubtful !== undefined;
  }

  /** The exchange's time; this machine's own until a sample has come (see {@link state}). */
  serverNowMs(): UnixMs {
    if (this.#best === undefined) return this.#clock.nowMs();
    return Math.max(0, Math.round(this.#clock.monotonicMs() + this.#best.offsetMs)) as UnixMs;
  }

  /** The exchange's time; `undefined` until a sample has come. */
  knownNowMs(): UnixMs | undefined {
    return this.#best === undefined ? undefined : this.serverNowMs();
  }

  /** How old an instant of the exchange is at least, in ms; `undefined` while its time is not known. */
  ageOf(serverMs: number): number | undefined {
    if (this.#best === undefined) return undefined;
    return this.#clock.monotonicMs() + this.#best.offsetMs - serverMs - this.#best.errorMs;
  }

  /** What is known and how well. */
  state(): ServerClockState {
    return {
      isKnown: this.#best !== undefined,
      offsetMs: this.#best === undefined ? 0 : this.serverNowMs() - this.#clock.nowMs(),
      errorMs: this.#best?.errorMs ?? Number.POSITIVE_INFINITY,
      lastJumpMs: this.#lastJumpMs,
      lastJumpAtMs: this.#lastJumpAtMs,
    };
  }
}

/** By how much `next` is outside of what errors and drift allow after `before`; 0 when it is inside. */
function distance(before: Reading, next: Reading): number {
  const allowedMs = before.errorMs + next.errorMs + (next.atMs - before.atMs) * DRIFT_PER_MS + 1;
  const movedMs = next.offsetMs - before.offsetMs;
  return Math.abs(movedMs) > allowedMs ? movedMs : 0;
}

/** The error of an old reading grows with drift; the smallest is the best. */
function worth(reading: Reading, newest: Reading): number {
  return reading.errorMs + (newest.atMs - reading.atMs) * DRIFT_PER_MS;
}
