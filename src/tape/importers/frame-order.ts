/**
 * @module
 * Takes the frames of a recording as they were received and writes their rows in order of exchange time. Streams are
 * each in order but run ahead of one another, so frames wait in a window; a silence of the book becomes a gap.
 *
 *   format reader ──► frames as received ──► FrameOrder (window, gaps) ──► EventWriter
 */
import { must } from '../../core/index.ts';
import type { RowsWriter } from '../format/index.ts';
import { EVENT, type EventKind, type EventWriter, FLAG_END } from '../format/index.ts';
import type { ImportCounts } from './import-counts.ts';

/** How far one stream may run ahead of another, in microseconds of exchange time. */
const WINDOW_US = 30_000_000;
/** The most frames that wait; beyond it the oldest is written early. */
const WINDOW_FRAMES_MAX = 200_000;
/** Frames that were written stay in the array up to here before it is cut. */
const WRITTEN_FRAMES_MAX = 4_096;

/** Places among frames of one instant: levels show what its trades have left, best quotes run ahead of levels. */
export const RANK = { price: 0, trade: 1, levels: 2, best: 3, hole: 4 } as const;

/** A row of a frame: kind, price, size, id. */
export type FrameRow = readonly [kind: EventKind, price: number, size: number, id: number];

/** Rows that happened together. */
export interface Frame {
  /** Exchange time, Unix us. */
  readonly exchangeUs: number;
  /** Receive time, Unix us. */
  readonly receivedUs: number;
  readonly rank: (typeof RANK)[keyof typeof RANK];
  /** Index of the market. */
  readonly market: number;
  /** Rows of the frame, in order. */
  readonly rows: readonly FrameRow[];
  /** Of the one row of a custom feed, whose market is its index: its value as JSON. */
  readonly line?: string;
}

/** What a {@link FrameOrder} is made of. */
export interface FrameOrderOptions {
  readonly writer: EventWriter & Pick<RowsWriter, 'feedLine'>;
  /** Counts of what was dropped, repaired and inferred. */
  readonly counts: ImportCounts;
  /** A silence of a market's book (or quotes, where it has no book) longer than this is a gap; Infinity: none. */
  readonly silenceUs: number;
}

/** See the module. */
export class FrameOrder {
  readonly #options: FrameOrderOptions;
  #window: Frame[] = [];
  #head = 0;
  #newestUs = 0;
  #writtenUs = 0;
  /** By market: times of the latest frame of its book. */
  readonly #bookAt = new Map<number, { exchangeUs: number; receivedUs: number }>();

  constructor(options: FrameOrderOptions) {
    this.#options = options;
  }

  /** Takes `frame`; writes what can no longer be overtaken. */
  add(frame: Frame): void {
    this.#insert(frame);
    this.#newestUs = Math.max(this.#newestUs, frame.exchangeUs);
    for (let first = this.#window[this.#head]; first !== undefined; first = this.#window[this.#head]) {
      const waiting = this.#window.length - this.#head;
      if (first.exchangeUs > this.#newestUs - WINDOW_US && waiting <= WINDOW_FRAMES_MAX) break;
      this.#head++;
      this.#write(first);
    }
    if (this.#head > WRITTEN_FRAMES_MAX) {
      this.#window = this.#window.slice(this.#head);
      this.#head = 0;
    }
  }

  /**
   * A frame of a market's book comes at these times: a gap is put after a silence. It begins when the silence was long
   * enough to be one, so that a reader learns no sooner than a bot would have. True if there was one.
   */
  sawBook(market: number, exchangeUs: number, receivedUs: number): boolean {
    const last = this.#bookAt.get(market);
    this.#bookAt.set(market, { exchangeUs, receivedUs });
    const { silenceUs, counts } = this.#options;
    if (last === undefined || !(exchangeUs - last.exchangeUs > silenceUs)) return false;
    counts.add('gaps');
    counts.add('gapsMs', Math.round((exchangeUs - last.exchangeUs) / 1_000));
    this.addHole(market, last.exchangeUs + silenceUs, last.receivedUs + silenceUs, exchangeUs);
    return true;
  }

  /** A gap from `exchangeUs` until `untilUs`, known at `receivedUs`. */
  addHole(market: number, exchangeUs: number, receivedUs: number, untilUs: number): void {
    const rows = [[EVENT.hole, 0, 0, untilUs]] as const;
    this.add({ exchangeUs, receivedUs, rank: RANK.hole, market, rows });
  }

  /** Writes all that waits. */
  end(): void {
    const waiting = this.#window.slice(this.#head);
    this.#window = [];
    this.#head = 0;
    for (const frame of waiting) this.#write(frame);
  }

  /** Puts `frame` after all that are not later, looking from the end and not before what was written. */
  #insert(frame: Frame): void {
    let at = this.#window.length;
    while (at > this.#head) {
      const before = must(this.#window[at - 1], 'a frame of the window');
      if (before.exchangeUs < frame.exchangeUs) break;
      if (before.exchangeUs === frame.exchangeUs && before.rank <= frame.rank) break;
      at--;
    }
    if (at === this.#window.length) this.#window.push(frame);
    else this.#window.splice(at, 0, frame);
  }

  #write({ exchangeUs, receivedUs, market, rows, line }: Frame): void {
    const { writer, counts } = this.#options;
    if (exchangeUs < this.#writtenUs) counts.add('lateMoved');
    else this.#writtenUs = exchangeUs;
    const last = rows.length - 1;
    for (let at = 0; at <= last; at++) {
      const [kind, price, size, ownId] = must(rows[at], 'a row of the frame');
      const id = line === undefined ? ownId : writer.feedLine(line);
      const flags = at === last ? FLAG_END : 0;
      writer.write({ kind, flags, market, exchangeUs: this.#writtenUs, receivedUs, price, size, id });
    }
  }
}
