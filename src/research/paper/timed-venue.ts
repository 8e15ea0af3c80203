/**
 * @module The local venue by the machine's clock: advanced to the current time before each call, woken when it has
 * something to do.
 */
import { type Clock, type Timer, unixMs } from '../../core/index.ts';
import type { Fact, VenuePort } from '../../domain/index.ts';
import type { LocalVenue } from '../venue/index.ts';

const US_PER_MS = 1_000;

/** See the module. */
export class TimedVenue {
  readonly local: LocalVenue;
  /** Receives what the venue reports. */
  sink: (fact: Fact) => void = () => undefined;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #timerUs = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(clock: Clock, make: (sink: (fact: Fact) => void) => LocalVenue) {
    this.#clock = clock;
    this.local = make((fact) => this.sink(fact));
  }

  /** The venue as the bot has it. */
  get port(): VenuePort {
    const { local } = this;
    return {
      isReady: (lane) => {
        this.#tick();
        return local.isReady(lane);
      },
      submit: (routed) => {
        this.#tick();
        local.submit(routed);
        this.#wake();
      },
      submitSafety: (command) => {
        this.#tick();
        local.submitSafety(command);
        this.#wake();
      },
    };
  }

  /** Opens the account. */
  open(): void {
    this.#tick();
    this.local.open(this.local.nowUs);
    this.#wake();
  }

  /** Arms the switch, Unix ms. */
  arm(triggerAtMs: number): void {
    this.port.submitSafety({ kind: 'scheduleCancel', triggerAtMs: unixMs(triggerAtMs) });
  }

  /** Takes a row of the market in, at the time it is. */
  onRow(row: { kind: number; flags: number; market: number; price: number; size: number; id: number }): void {
    const us = this.#tick();
    this.local.onRow(row.kind, row.flags, row.market, us, row.price, row.size, row.id);
    this.#wake();
  }

  /** Wakes no more. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** Time of the venue never falls, whatever the clock of the machine does. */
  #tick(): number {
    this.local.nowUs = Math.max(this.local.nowUs, this.#clock.nowMs() * US_PER_MS);
    return this.local.nowUs;
  }

  #wake(): void {
    const { dueUs } = this.local;
    if (this.#isClosed || dueUs >= this.#timerUs) return;
    this.#timer?.cancel();
    this.#timerUs = dueUs;
    this.#timer = this.#clock.after(Math.max(0, dueUs / US_PER_MS - this.#clock.nowMs()), () => {
      this.#timerUs = Number.POSITIVE_INFINITY;
      this.local.advance(this.#tick());
      this.#wake();
    });
  }
}
