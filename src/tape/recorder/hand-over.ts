/**
 * @module
 * What a run hands over to the thread that records it, in memory that both see. The hand-over never waits: where there is
 * no room, what may be lost is not taken, which the caller hears; what may not be lost waits on this side, and everything
 * after it that may not be lost, so that the order stays. What may be lost leaves a part of the room to what may not.
 *
 *   kind, bytes of text (4 each) │ time (8) │ text │ lengths of four lists (4 each) │ lists of numbers (8 each)
 */
import { ByteRing } from '../../core/index.ts';

/** What a record is. */
export const RECORD = {
  /** A raw frame, as it came. */
  frame: 1,
  /** An answer over REST, as JSON. */
  answer: 2,
  /** Frames and answers that were not taken before it: their count as text. */
  gap: 3,
  /** Markets and feeds of the rows, as JSON. */
  begin: 4,
  /** A fact about a market, as JSON. */
  fact: 5,
  /** A book that was shown: its market as text, bids and asks as lists. */
  book: 6,
  /** A value of a feed: its place, a space, and JSON. */
  feed: 7,
  /** A line of the log of the run. */
  line: 8,
  /** A line of that log whose lists of numbers are lists here. */
  numbers: 9,
} as const;

/** One of {@link RECORD}. */
export type RecordKind = (typeof RECORD)[keyof typeof RECORD];

/** Bids and asks of a book, ticks and lots: each an array and how much of it counts. */
export interface BookLists {
  readonly bidTicks: Float64Array;
  readonly bidLots: Float64Array;
  readonly askTicks: Float64Array;
  readonly askLots: Float64Array;
  readonly bidCount: number;
  readonly askCount: number;
}

/** A record as it comes out. Its bytes and lists are those of the ring: they are gone with the next one. */
export interface Handed {
  readonly kind: RecordKind;
  readonly atMs: number;
  readonly text: Buffer;
  readonly lists: readonly Float64Array[];
}

interface Waiting {
  readonly kind: RecordKind;
  readonly atMs: number;
  readonly text: string;
  readonly book: BookLists | undefined;
}

/** Bytes under way at most; a power of two. */
export const HAND_OVER_BYTES = 1 << 25;
const HEAD_BYTES = 16;
const LISTS = 4;
const LISTS_BYTES = LISTS * 4;
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** The most that UTF-8 takes for one character of a text. */
const CHARACTER_BYTES_MAX = 3;
/** A text that is longer is measured before a place is looked for. */
const MEASURED_FROM = 1 << 16;
/** The part of the room that what may be lost can fill. */
const LOSSY_SHARE = 0.75;
/** Of what waits on this side and could be lost, so many at most. */
const WAITING_MAX = 500_000;

/** The side of the run. */
export class HandOver {
  readonly #ring: ByteRing;
  readonly #numbers: Float64Array;
  readonly #lossyMax: number;
  #waiting: Waiting[] = [];
  /** Of {@link #waiting}, so many are handed over. */
  #done = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#ring = new ByteRing(memory);
    const { bytes, capacity } = this.#ring;
    this.#numbers = new Float64Array(memory, bytes.byteOffset, capacity / NUMBER_BYTES);
    this.#lossyMax = capacity * LOSSY_SHARE;
  }

  /** What waits on this side. */
  get waiting(): number {
    return this.#waiting.length - this.#done;
  }

  /** The other side has room for what may be lost. */
  get hasRoom(): boolean {
    return this.waiting === 0 && this.#ring.used < this.#lossyMax;
  }

  /** Hands over what may be lost; false: it is. */
  offer(kind: RecordKind, text: string, atMs: number, book?: BookLists): boolean {
    return this.hasRoom && this.#put(kind, text, atMs, book);
  }

  /** Hands over what may not be lost: now, or when there is room. */
  owe(kind: RecordKind, text: string, atMs: number): void {
    if (this.waiting === 0 && this.#put(kind, text, atMs, undefined)) return;
    this.#waiting.push({ kind, atMs, text, book: undefined });
    this.drain();
  }

  /** As {@link owe}, for what may be lost where very much waits; false: it is. A book is overwritten by its store, so it is copied. */
  oweUnlessMany(kind: RecordKind, text: string, atMs: number, book?: BookLists): boolean {
    if (this.waiting === 0 && this.#put(kind, text, atMs, book)) return true;
    if (this.waiting >= WAITING_MAX) return false;
    this.#waiting.push({ kind, atMs, text, book: book && copyOf(book) });
    this.drain();
    return true;
  }

  /** Hands over what waits, as far as there is room. */
  drain(): void {
    for (;;) {
      const next = this.#waiting[this.#done];
      if (next === undefined) break;
      if (!this.#put(next.kind, next.text, next.atMs, next.book)) return;
      this.#done++;
    }
    this.#waiting = [];
    this.#done = 0;
  }

  /** Forgets what waits. @returns how much that was. */
  drop(): number {
    const count = this.waiting;
    this.#waiting = [];
    this.#done = 0;
    return count;
  }

  #put(kind: RecordKind, text: string, atMs: number, book: BookLists | undefined): boolean {
    const ring = this.#ring;
    const textMax = text.length < MEASURED_FROM ? CHARACTER_BYTES_MAX * text.length : Buffer.byteLength(text);
    const listsMax =
      book === undefined
        ? 0
        : LISTS_BYTES + 2 * NUMBER_BYTES * (book.bidCount + book.askCount) + NUMBER_BYTES;
    const at = ring.place(HEAD_BYTES + textMax + listsMax);
    if (at < 0) return false;
    const textBytes = ring.bytes.write(text, at + HEAD_BYTES);
    ring.view.setInt32(at, kind, true);
    ring.view.setInt32(at + 4, textBytes, true);
    ring.view.setFloat64(at + 8, atMs, true);
    let end = HEAD_BYTES + textBytes;
    if (book !== undefined) end = this.#putLists(at, aligned(end), book);
    ring.commit(end);
    return true;
  }

  #putLists(at: number, offset: number, book: BookLists): number {
    const { view } = this.#ring;
    const place = at + offset;
    view.setInt32(place, book.bidCount, true);
    view.setInt32(place + 4, book.bidCount, true);
    view.setInt32(place + 8, book.askCount, true);
    view.setInt32(place + 12, book.askCount, true);
    let slot = (place + LISTS_BYTES) / NUMBER_BYTES;
    slot = this.#putNumbers(slot, book.bidTicks, book.bidCount);
    slot = this.#putNumbers(slot, book.bidLots, book.bidCount);
    slot = this.#putNumbers(slot, book.askTicks, book.askCount);
    slot = this.#putNumbers(slot, book.askLots, book.askCount);
    return slot * NUMBER_BYTES - at;
  }

  /** Few numbers: to copy them one by one takes less than to ask for a view of them. */
  #putNumbers(slot: number, values: Float64Array, count: number): number {
    for (let index = 0; index < count; index++) this.#numbers[slot + index] = values[index] as number;
    return slot + count;
  }
}

/** The side of the thread. */
export class HandOverReader {
  readonly #ring: ByteRing;
  readonly #memory: SharedArrayBuffer;

  constructor(memory: SharedArrayBuffer) {
    this.#ring = new ByteRing(memory);
    this.#memory = memory;
  }

  /** Shows `take` what is there, oldest first. */
  takeAll(take: (handed: Handed) => void): void {
    for (let next = this.#ring.next(); next !== undefined; next = this.#ring.next()) {
      take(this.#read(next.at, next.length));
      this.#ring.release(next.length);
    }
  }

  #read(at: number, length: number): Handed {
    const { bytes, view } = this.#ring;
    const textEnd = HEAD_BYTES + view.getInt32(at + 4, true);
    return {
      kind: view.getInt32(at, true) as RecordKind,
      atMs: view.getFloat64(at + 8, true),
      text: bytes.subarray(at + HEAD_BYTES, at + textEnd),
      lists: textEnd === length ? [] : this.#lists(at + aligned(textEnd)),
    };
  }

  #lists(at: number): readonly Float64Array[] {
    const { bytes, view } = this.#ring;
    const lists: Float64Array[] = [];
    let offset = bytes.byteOffset + at + LISTS_BYTES;
    for (let list = 0; list < LISTS; list++) {
      const count = view.getInt32(at + 4 * list, true);
      lists.push(new Float64Array(this.#memory, offset, count));
      offset += count * NUMBER_BYTES;
    }
    return lists;
  }
}

function aligned(bytes: number): number {
  return (bytes + NUMBER_BYTES - 1) & -NUMBER_BYTES;
}

function copyOf(book: BookLists): BookLists {
  const { bidCount, askCount } = book;
  return {
    ...{ bidCount, askCount },
    bidTicks: book.bidTicks.slice(0, bidCount),
    bidLots: book.bidLots.slice(0, bidCount),
    askTicks: book.askTicks.slice(0, askCount),
    askLots: book.askLots.slice(0, askCount),
  };
}
