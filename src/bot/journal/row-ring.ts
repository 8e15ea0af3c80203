/**
 * @module
 * Rows on their way to the thread, in memory that both see: written as text and read as text, which takes a quarter of
 * the time of a message. One side writes, one reads, neither waits. A row that does not fit is not taken: it goes as a
 * message, and so does every row after it until none is under way, so that rows keep their order.
 */
import { must } from '../../core/index.ts';
import { type JournalRow, ROW_TYPES } from './records.ts';

/** Bytes of text under way at most; a power of two. */
const CAPACITY = 1 << 18;
const MASK = CAPACITY - 1;
/** Where the next row is written and read: counts of bytes, which wrap. */
const HEAD = 0;
const TAIL = 1;
const SLOTS_BYTES = 8;
/** Of a row: its length in all, type and laziness, bytes of its scope, bytes of its body. */
const ROW_HEAD_BYTES = 16;
/** The most that UTF-8 takes for one character of a text. */
const CHARACTER_BYTES_MAX = 3;

/** A row as it comes out. `isLazy`: no caller waits for it. */
export interface HandedRow {
  readonly row: JournalRow;
  /** True if no caller waits for the row. */
  readonly isLazy: boolean;
}

/** Memory of a ring. */
export function rowRingMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(SLOTS_BYTES + CAPACITY);
}

/** One side of a ring: its writer or its reader. */
export class RowRing {
  readonly #slots: Int32Array;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  /** Of the side that this is. */
  #at = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#slots = new Int32Array(memory, 0, SLOTS_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#bytes = Buffer.from(memory, SLOTS_BYTES, CAPACITY);
    this.#view = new DataView(memory, SLOTS_BYTES, CAPACITY);
  }

  /** Puts a row in; false when it does not fit. */
  write({ type, scope, body }: JournalRow, isLazy: boolean): boolean {
    const lengthMax = aligned(ROW_HEAD_BYTES + CHARACTER_BYTES_MAX * (scope.length + body.length));
    const toEnd = CAPACITY - (this.#at & MASK);
    // A row is stored in one piece: what is left at the end is passed over.
    const passed = toEnd < lengthMax ? toEnd : 0;
    const taken = (this.#at - Atomics.load(this.#slots, TAIL)) | 0;
    if (taken + passed + lengthMax > CAPACITY) return false;
    if (passed > 0) this.#view.setInt32(this.#at & MASK, -passed);
    const place = (this.#at + passed) & MASK;
    const scopeBytes = this.#bytes.write(scope, place + ROW_HEAD_BYTES);
    const bodyBytes = this.#bytes.write(body, place + ROW_HEAD_BYTES + scopeBytes);
    const length = aligned(ROW_HEAD_BYTES + scopeBytes + bodyBytes);
    this.#view.setInt32(place, length);
    this.#view.setInt32(place + 4, ROW_TYPES.indexOf(type) * 2 + Number(isLazy));
    this.#view.setInt32(place + 8, scopeBytes);
    this.#view.setInt32(place + 12, bodyBytes);
    this.#at = (this.#at + passed + length) | 0;
    Atomics.store(this.#slots, HEAD, this.#at);
    return true;
  }

  /** Takes the oldest row out. */
  read(): HandedRow | undefined {
    if (Atomics.load(this.#slots, HEAD) === this.#at) return undefined;
    const first = this.#view.getInt32(this.#at & MASK);
    if (first < 0) this.#at = (this.#at - first) | 0;
    const place = this.#at & MASK;
    const length = this.#view.getInt32(place);
    const kind = this.#view.getInt32(place + 4);
    const scopeAt = place + ROW_HEAD_BYTES;
    const bodyAt = scopeAt + this.#view.getInt32(place + 8);
    const row = {
      type: must(ROW_TYPES[kind >> 1], 'the type of a row'),
      scope: this.#bytes.toString('utf8', scopeAt, bodyAt),
      body: this.#bytes.toString('utf8', bodyAt, bodyAt + this.#view.getInt32(place + 12)),
    };
    this.#at = (this.#at + length) | 0;
    Atomics.store(this.#slots, TAIL, this.#at);
    return { row, isLazy: (kind & 1) === 1 };
  }
}

function aligned(bytes: number): number {
  return (bytes + 3) & ~3;
}
