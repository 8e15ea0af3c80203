/**
 * @module
 * Records on their way from one thread to another, in memory that both see: one side writes, one reads, neither waits.
 * Each record is in one piece and begins at a multiple of eight bytes, so that arrays of numbers in it can be seen in place.
 * What does not fit is not taken, which the writer hears at once.
 *
 *   place ─▶ bytes written ─▶ commit ─▶ next ─▶ bytes read ─▶ release
 */

/** Where the next record is written and read: counts of bytes, which wrap. */
const HEAD = 0;
const TAIL = 1;
const SLOTS_BYTES = 8;
/** Of a record: its length, or below zero what is passed over at the end of the memory. */
const LENGTH_BYTES = 8;

/** Memory of a ring of `capacity` bytes, a power of two. */
export function byteRingMemory(capacity: number): SharedArrayBuffer {
  return new SharedArrayBuffer(SLOTS_BYTES + capacity);
}

/** One side of a ring: its writer or its reader. */
export class ByteRing {
  /** The records: what `place` and `next` name is here. */
  readonly bytes: Buffer;
  readonly view: DataView;
  /** Bytes of records under way at most. */
  readonly capacity: number;
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** Of the side that this is. */
  #at = 0;
  /** What is passed over before the record that is being written. */
  #passed = 0;

  constructor(memory: SharedArrayBuffer) {
    this.capacity = memory.byteLength - SLOTS_BYTES;
    this.#mask = this.capacity - 1;
    this.#slots = new Int32Array(memory, 0, SLOTS_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.bytes = Buffer.from(memory, SLOTS_BYTES, this.capacity);
    this.view = new DataView(memory, SLOTS_BYTES, this.capacity);
  }

  /** How many bytes the reader has not released yet, seen by the writer. */
  get used(): number {
    return (this.#at - Atomics.load(this.#slots, TAIL)) | 0;
  }

  /** Where a record of at most `lengthMax` bytes may be written; -1: it does not fit now. */
  place(lengthMax: number): number {
    const needed = aligned(LENGTH_BYTES + lengthMax);
    const toEnd = this.capacity - (this.#at & this.#mask);
    this.#passed = toEnd < needed ? toEnd : 0;
    if (this.used + this.#passed + needed > this.capacity) return -1;
    return ((this.#at + this.#passed) & this.#mask) + LENGTH_BYTES;
  }

  /** Hands the record over that was written at the last place. */
  commit(length: number): void {
    if (this.#passed > 0) this.view.setInt32(this.#at & this.#mask, -this.#passed);
    const begin = (this.#at + this.#passed) & this.#mask;
    this.view.setInt32(begin, length);
    this.#at = (this.#at + this.#passed + aligned(LENGTH_BYTES + length)) | 0;
    Atomics.store(this.#slots, HEAD, this.#at);
  }

  /** The oldest record, which stays where it is until `release`; `undefined`: there is none. */
  next(): { readonly at: number; readonly length: number } | undefined {
    if (Atomics.load(this.#slots, HEAD) === this.#at) return undefined;
    const first = this.view.getInt32(this.#at & this.#mask);
    if (first < 0) this.#at = (this.#at - first) | 0;
    const begin = this.#at & this.#mask;
    return { at: begin + LENGTH_BYTES, length: this.view.getInt32(begin) };
  }

  /** Gives the room of the record back that `next` named. */
  release(length: number): void {
    this.#at = (this.#at + aligned(LENGTH_BYTES + length)) | 0;
    Atomics.store(this.#slots, TAIL, this.#at);
  }
}

function aligned(bytes: number): number {
  return (bytes + 7) & ~7;
}
