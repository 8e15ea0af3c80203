/**
 * @module
 * When the bot sees a row. As recorded (`in-data`): the recorder's time plus a shift, for its clock may be wrong; or the
 * exchange's time plus a modeled latency. Never before the row in front of it, and never before it happened.
 */
import { assert, must, type Random } from '../../../core/index.ts';
import { FLAG_END } from '../../../tape/format/index.ts';
import type { FeedLatency } from '../types.ts';

/** The columns that a delivery is worked out from. */
export interface DeliveryInput {
  /** Flags of each row. */
  readonly flags: Uint8Array;
  /** Exchange time of each row, Unix us. */
  readonly exchangeUs: Float64Array;
  /** Receive time of each row, Unix us. */
  readonly receivedUs: Float64Array;
}

/** Always this long after the exchange's time, which never falls: nothing has to be worked out. */
export interface ConstantDelivery {
  /** Delay, us. */
  readonly delayUs: number;
}

/** The recorder's clock against the exchange's, over the rows that were read. */
export interface FeedClockCheck {
  /** Rows that were read. */
  readonly rows: number;
  /** Rows that were received before they happened: they are delivered when they happened. */
  readonly early: number;
  /** How early at most, us; 0: none was. */
  readonly earliestUs: number;
}

/** Works out delivery times, row after row of one tape. */
export interface TimedDelivery {
  /** Of times as recorded; absent: they are modeled. */
  readonly feedClock?: FeedClockCheck;
  /** Writes the times of the first rows of `input`, as many as `into` holds. */
  times(input: DeliveryInput, into: Float64Array): void;
}

/** When rows are delivered. */
export type Delivery = ConstantDelivery | TimedDelivery;

/** Delivery times under `feed`; `random` is drawn from by a sampled latency only, once a frame. */
export function createDelivery(feed: FeedLatency, random: Random): Delivery {
  switch (feed.kind) {
    case 'in-data':
      return new InData(feed.shiftUs);
    case 'constant': {
      assert(feed.us >= 0, `a feed latency of at least 0 us, got ${feed.us}`);
      return { delayUs: feed.us };
    }
    case 'sampled': {
      const values = feed.us;
      assert(values.length > 0, 'at least one sample of the feed latency');
      return new Modeled(() => must(values[random.integer(0, values.length - 1)], 'a sample'));
    }
    case 'recorded':
      return new Modeled(recordedLatency(feed));
  }
}

/** Before all times, and no small integer: a loop that begins with one of these takes four times as long. */
const NEVER = Number.NEGATIVE_INFINITY;

/** As it was received. */
class InData implements TimedDelivery {
  readonly #shiftUs: number;
  #lastUs = NEVER;
  #rows = 0;
  #early = 0;
  #earliestUs = 0;

  constructor(shiftUs: number) {
    this.#shiftUs = shiftUs;
  }

  get feedClock(): FeedClockCheck {
    return { rows: this.#rows, early: this.#early, earliestUs: this.#earliestUs };
  }

  times({ exchangeUs, receivedUs }: DeliveryInput, into: Float64Array): void {
    let last = this.#lastUs;
    for (let row = 0; row < into.length; row++) {
      const received = (receivedUs[row] as number) + this.#shiftUs;
      const happened = exchangeUs[row] as number;
      if (received > last) last = received;
      if (happened > last) last = happened;
      if (received < happened) this.#takeEarly(happened - received);
      into[row] = last;
    }
    this.#rows += into.length;
    this.#lastUs = last;
  }

  #takeEarly(us: number): void {
    this.#early++;
    if (us > this.#earliestUs) this.#earliestUs = us;
  }
}

/** The exchange's time and a latency, the same for all rows of a frame. */
class Modeled implements TimedDelivery {
  readonly #latencyUs: (atUs: number) => number;
  #lastUs = NEVER;
  #isBegun = false;
  #us = 0;

  constructor(latencyUs: (atUs: number) => number) {
    this.#latencyUs = latencyUs;
  }

  times({ flags, exchangeUs }: DeliveryInput, into: Float64Array): void {
    let last = this.#lastUs;
    for (let row = 0; row < into.length; row++) {
      const happened = exchangeUs[row] as number;
      if (!this.#isBegun) this.#us = this.#latencyUs(happened);
      this.#isBegun = ((flags[row] as number) & FLAG_END) === 0;
      const delivered = happened + this.#us;
      if (delivered > last) last = delivered;
      into[row] = last;
    }
    this.#lastUs = last;
  }
}

/** What was in force at a time that never falls: the newest entry at or before it, the first one before that. */
function recordedLatency(feed: { readonly atUs: Float64Array; readonly us: Float64Array }) {
  const { atUs, us } = feed;
  assert(us.length > 0 && us.length === atUs.length, 'a recorded latency with as many values as times');
  let at = 0;
  return (nowUs: number): number => {
    while (at + 1 < atUs.length && (atUs[at + 1] as number) <= nowUs) at++;
    return us[at] as number;
  };
}
