/**
 * @module
 * Takes the frames that a reader makes of records and writes their rows in order of exchange time. Records come in order
 * (RecordOrder); what a reader derives of them (gaps, settlements) may belong to an earlier moment, so frames wait in a
 * window. A silence of the book becomes a gap.
 *
 *   format reader ──► frames ──► FrameOrder (window, gaps) ──► EventWriter
 */
import { must } from '../../core/index.ts';
import type { RowsWriter } from '../format/index.ts';
import { EVENT, type EventWriter, FLAG_END } from '../format/index.ts';
import { type Frame, RANK } from './frame.ts';
import type { ImportCounts } from './import-counts.ts';
import type { QualityWatch } from './quality-watch.ts';
import { TimeWindow } from './time-window.ts';

/** A time in which nothing is known of a book. */
export interface Hole {
  /** Its beginning, Unix us of the exchange. */
  readonly exchangeUs: number;
  /** When a bot would have known of it, Unix us of the recorder. */
  readonly receivedUs: number;
  /** Its end, Unix us of the exchange. */
  readonly untilUs: number;
}

/** What a {@link FrameOrder} is made of. */
export interface FrameOrderOptions {
  readonly writer: EventWriter & Pick<RowsWriter, 'feedLine'>;
  /** Counts of what was dropped, repaired and inferred. */
  readonly counts: ImportCounts;
  readonly quality: QualityWatch;
  /** A silence of a market's book (or quotes, where it has no book) longer than this is a gap; Infinity: none. */
  readonly silenceUs: number;
}

/** See the module. */
export class FrameOrder {
  readonly #options: FrameOrderOptions;
  readonly #window = new TimeWindow<Frame>();
  #writtenUs = 0;
  /** By market: times of the latest frame of its book. */
  readonly #bookAt = new Map<number, { exchangeUs: number; receivedUs: number }>();

  constructor(options: FrameOrderOptions) {
    this.#options = options;
  }

  /** Takes `frame`; writes what can no longer be overtaken. */
  add(frame: Frame): void {
    this.#window.add(frame);
    const holdUs = this.#gapMayBeginAtUs();
    for (let next = this.#window.next(holdUs); next !== undefined; next = this.#window.next(holdUs))
      this.#write(next);
  }

  /**
   * A frame of a market's book comes at these times: a gap is put after a silence. It begins when the silence was long
   * enough to be one, so that a reader learns no sooner than a bot would have. True if there was one.
   */
  sawBook(market: number, exchangeUs: number, receivedUs: number): boolean {
    const last = this.#bookAt.get(market);
    this.#bookAt.set(market, { exchangeUs, receivedUs });
    const { silenceUs } = this.#options;
    if (last === undefined || !(exchangeUs - last.exchangeUs > silenceUs)) return false;
    this.addGap(market, exchangeUs - last.exchangeUs, {
      exchangeUs: last.exchangeUs + silenceUs,
      receivedUs: last.receivedUs + silenceUs,
      untilUs: exchangeUs,
    });
    return true;
  }

  /** A silence of `lengthUs`, of which `hole` is the part that readers must know of. */
  addGap(market: number, lengthUs: number, hole: Hole): void {
    this.#options.quality.sawGap(lengthUs);
    this.addHole(market, hole);
  }

  /** Marks that nothing is known of a market's book for a while. */
  addHole(market: number, { exchangeUs, receivedUs, untilUs }: Hole): void {
    const rows = [[EVENT.hole, 0, 0, untilUs]] as const;
    this.add({ exchangeUs, receivedUs, rank: RANK.hole, market, rows });
  }

  /** Writes all that waits. */
  end(): void {
    for (let next = this.#window.last(); next !== undefined; next = this.#window.last()) this.#write(next);
  }

  /** Frames from here on wait, as long as the window has room: a gap that the next book shows begins before them. */
  #gapMayBeginAtUs(): number {
    const { silenceUs } = this.#options;
    let earliestUs = Number.POSITIVE_INFINITY;
    if (silenceUs !== Number.POSITIVE_INFINITY)
      for (const { exchangeUs } of this.#bookAt.values())
        earliestUs = Math.min(earliestUs, exchangeUs + silenceUs);
    return earliestUs;
  }

  #write(frame: Frame): void {
    const { exchangeUs, receivedUs, market, rows, line } = frame;
    const { writer, counts, quality } = this.#options;
    if (exchangeUs < this.#writtenUs) counts.add('lateMoved');
    else this.#writtenUs = exchangeUs;
    quality.wroteFrame(frame, this.#writtenUs);
    const last = rows.length - 1;
    for (let at = 0; at <= last; at++) {
      const [kind, price, size, ownId] = must(rows[at], 'a row of the frame');
      const id = line === undefined ? ownId : writer.feedLine(line);
      const flags = at === last ? FLAG_END : 0;
      writer.write({ kind, flags, market, exchangeUs: this.#writtenUs, receivedUs, price, size, id });
    }
  }
}
