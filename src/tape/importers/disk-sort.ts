/**
 * @module Any number of records in order of exchange time, within bounded memory: records are gathered, sorted and
 * written to one temporary file in runs, and the runs are merged. The file has no name after it was opened, so that the
 * system takes it away however the process ends.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { assert, must } from '../../core/index.ts';
import { writeAll } from '../format/index.ts';

/** Bytes of serialized records that are gathered before they are written as a run. */
const RUN_BYTES = 32 * 1024 * 1024;
/** Runs that are merged at once; more are merged into longer ones first. */
const MERGED_RUNS_MAX = 64;
/** Bytes that are read from a run at once. */
const READ_BYTES = 256 * 1024;
/** Before each record: its time as a double, its length as a uint32. */
const HEAD_BYTES = 12;
const LENGTH_AT = 8;

/** A section of the file: records in order. */
interface Run {
  readonly from: number;
  readonly to: number;
}

interface Timed {
  readonly exchangeUs: number;
}

/** A serialized record. */
interface Stored {
  readonly exchangeUs: number;
  readonly bytes: Uint8Array;
}

/** A serialized record among those that are gathered. */
interface Gathered {
  readonly exchangeUs: number;
  readonly from: number;
  readonly to: number;
}

/** See the module. Records of one instant keep the order in which they came. */
export class DiskSort<T extends Timed> {
  readonly #descriptor: number;
  #gathered: Gathered[] = [];
  /** The gathered records: one piece of memory, since a buffer for each would take a multiple of it. */
  #bytes: Buffer;
  #used = 0;
  #runs: Run[] = [];
  #end = 0;

  /** The temporary file is made in `folder`; `runBytes` is smaller in tests. */
  constructor(folder: string, runBytes = RUN_BYTES) {
    this.#bytes = Buffer.alloc(runBytes);
    const place = mkdtempSync(join(folder, '.sorting-'));
    try {
      this.#descriptor = openSync(join(place, 'records'), 'wx+', 0o600);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }

  /** Takes `record`, which must be plain data. */
  add(record: T): void {
    const bytes = serialize(record);
    if (this.#used + bytes.length > this.#bytes.length) this.#writeRun();
    if (bytes.length > this.#bytes.length) this.#bytes = Buffer.alloc(bytes.length);
    const from = this.#used;
    this.#used += bytes.copy(this.#bytes, from);
    this.#gathered.push({ exchangeUs: record.exchangeUs, from, to: this.#used });
  }

  /** All records in order. Nothing may be added from then on. */
  *sorted(): Generator<T> {
    this.#writeRun();
    for (const { bytes } of this.#merged(this.#runs)) yield deserialize(bytes) as T;
  }

  /** Gives the file back to the system. */
  close(): void {
    closeSync(this.#descriptor);
  }

  #writeRun(): void {
    if (this.#gathered.length === 0) return;
    // The sort is stable: records of one instant keep their order.
    this.#gathered.sort((a, b) => a.exchangeUs - b.exchangeUs);
    this.#runs.push(this.#write(this.#stored()));
    this.#gathered = [];
    this.#used = 0;
    if (this.#runs.length === MERGED_RUNS_MAX) this.#runs = [this.#write(this.#merged(this.#runs))];
  }

  *#stored(): Generator<Stored> {
    for (const { exchangeUs, from, to } of this.#gathered)
      yield { exchangeUs, bytes: this.#bytes.subarray(from, to) };
  }

  #write(records: Iterable<Stored>): Run {
    const from = this.#end;
    let parts: Uint8Array[] = [];
    let size = 0;
    const flush = () => {
      writeAll(this.#descriptor, Buffer.concat(parts));
      this.#end += size;
      parts = [];
      size = 0;
    };
    for (const { exchangeUs, bytes } of records) {
      const head = Buffer.allocUnsafe(HEAD_BYTES);
      head.writeDoubleLE(exchangeUs);
      head.writeUInt32LE(bytes.length, LENGTH_AT);
      parts.push(head, bytes);
      size += HEAD_BYTES + bytes.length;
      if (size >= READ_BYTES) flush();
    }
    flush();
    return { from, to: this.#end };
  }

  /** The records of `runs` in order; at one instant those of the earlier run come first. */
  *#merged(runs: readonly Run[]): Generator<Stored> {
    const readers = runs.map((run) => this.#records(run));
    const heads = readers.map((reader) => reader.next().value);
    for (;;) {
      let first = -1;
      let firstUs = Number.POSITIVE_INFINITY;
      for (const [at, head] of heads.entries()) {
        if (head === undefined || head.exchangeUs >= firstUs) continue;
        first = at;
        firstUs = head.exchangeUs;
      }
      if (first < 0) return;
      yield must(heads[first], 'the first record');
      heads[first] = must(readers[first], 'its run').next().value;
    }
  }

  *#records({ from, to }: Run): Generator<Stored, undefined> {
    let rest: Buffer = Buffer.alloc(0);
    let at = from;
    for (;;) {
      const length = HEAD_BYTES + (rest.length < HEAD_BYTES ? 0 : rest.readUInt32LE(LENGTH_AT));
      if (rest.length >= length) {
        yield { exchangeUs: rest.readDoubleLE(), bytes: rest.subarray(HEAD_BYTES, length) };
        rest = rest.subarray(length);
        continue;
      }
      if (at === to) return undefined;
      const more = Buffer.alloc(Math.min(to - at, Math.max(READ_BYTES, length)));
      const read = readSync(this.#descriptor, more, 0, more.length, at);
      assert(read > 0, 'the bytes of a run that was written');
      at += read;
      rest = Buffer.concat([rest, more.subarray(0, read)]);
    }
  }
}
