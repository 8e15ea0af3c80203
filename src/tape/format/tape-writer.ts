/**
 * @module
 * Writes the rows of a tape into `events-*.arrow`, batch by batch, a new file when one is large. Synchronous: an
 * importer writes as fast as it reads; a live run flushes small batches now and then.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../core/index.ts';
import type { ArrowFileWriter } from './arrow-file.ts';
import { arrowFiles } from './arrow-format.ts';
import { Columns, checkRow, type Places } from './columns.ts';
import { BATCH_ROWS_MAX, type EventRow, type EventWriter } from './events.ts';
import { type Manifest, RowCounter } from './manifest.ts';
import { createTapeFolder, fileName, type TapeFolder, type TapeFolderOptions } from './tape-folder.ts';

/** Bytes of a file of rows before the next one is begun: about five million rows. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;
/** Lines of custom feeds; one a row. */
export const FEEDS_NAME = 'feeds.jsonl';

/** Takes rows and puts them into files. */
export interface RowsWriter extends EventWriter {
  /** Keeps a line of a custom feed. @returns the `id` of its row. */
  feedLine(json: string): number;
  /** Rows written so far. */
  readonly rows: number;
  /** Puts the rows that wait into a batch, so that a kill cannot take them. */
  flush(): void;
  /** Finishes the last file. */
  close(): void;
}

/** A writer that owns its tape. */
export interface TapeWriter extends Omit<RowsWriter, 'close'> {
  /** Finishes the last file and seals the tape. */
  close(): Manifest;
}

/** Begins a tape of rows only. @throws ProtocolError when there is one already in this folder. */
export function createTapeWriter(options: TapeFolderOptions & RowsWriterOptions): TapeWriter {
  const tape = createTapeFolder(options);
  const writer = createRowsWriter(tape, options);
  return {
    write: writer.write,
    feedLine: writer.feedLine,
    flush: writer.flush,
    get rows() {
      return writer.rows;
    },
    close() {
      writer.close();
      return tape.close();
    },
  };
}

/** Sizes, for tests and live runs. */
export interface RowsWriterOptions {
  /** Default {@link BATCH_ROWS_MAX}. */
  readonly batchRows?: number;
  /** Default 32 MiB. */
  readonly fileBytes?: number;
}

/** Writes rows beside other writers of `tape`. */
export function createRowsWriter(tape: TapeFolder, options: RowsWriterOptions = {}): RowsWriter {
  const { batchRows = BATCH_ROWS_MAX, fileBytes = FILE_BYTES_MAX } = options;
  assert(batchRows >= 1 && batchRows <= BATCH_ROWS_MAX, `batches of 1 to ${BATCH_ROWS_MAX} rows`);
  const places: Places = { markets: tape.head.markets.length, feeds: tape.head.feeds.length };
  const columns = new Columns();
  const feeds = new FeedLines(tape);
  let file: RowsFile | undefined;
  let files = 0;
  let lastUs = 0;
  let rows = 0;
  let closed = false;

  const flush = (): void => {
    if (columns.rows === 0) return;
    feeds.flush();
    if (file === undefined) {
      files += 1;
      file = new RowsFile(tape, fileName('events', files, '.arrow'));
    }
    file.write(columns);
    columns.rows = 0;
    if (file.bytes >= fileBytes) {
      file.close();
      file = undefined;
    }
  };
  return {
    write(row: EventRow) {
      assert(!closed, 'no row for a writer that is closed');
      checkRow(row, lastUs, places);
      lastUs = row.exchangeUs;
      columns.push(row);
      rows += 1;
      if (columns.rows >= batchRows) flush();
    },
    feedLine: (json) => feeds.add(json),
    get rows() {
      return rows;
    },
    flush,
    close() {
      if (closed) return;
      closed = true;
      flush();
      file?.close();
      feeds.close();
    },
  };
}

/** One file of rows while it is written. */
class RowsFile {
  readonly #tape: TapeFolder;
  readonly #name: string;
  readonly #descriptor: number;
  readonly #arrow: ArrowFileWriter;
  readonly #hash: Hash = createHash('sha256');
  readonly #counter: RowCounter;
  #parts: Uint8Array[] = [];

  constructor(tape: TapeFolder, name: string) {
    this.#tape = tape;
    this.#name = name;
    this.#descriptor = openSync(join(tape.folder, name), 'wx', 0o600);
    this.#counter = new RowCounter(tape.head);
    const { ArrowFileWriter } = arrowFiles();
    this.#arrow = new ArrowFileWriter((bytes) => void this.#parts.push(bytes), tape.head.version);
    this.#drain();
  }

  get bytes(): number {
    return this.#arrow.position;
  }

  write(columns: Columns): void {
    const batch = columns.view();
    this.#counter.add(batch);
    this.#arrow.writeRows(batch);
    this.#drain();
  }

  close(): void {
    this.#arrow.end();
    this.#drain();
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    this.#tape.seal({
      name: this.#name,
      kind: 'events',
      bytes: this.#arrow.position,
      sha256: this.#hash.digest('hex'),
      events: this.#counter.summary(),
    });
  }

  /** One call for a batch, so that a kill leaves either all of it or a truncated end. */
  #drain(): void {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#hash.update(bytes);
    writeAll(this.#descriptor, bytes);
  }
}

/** The texts of custom feeds, in the order of their rows. */
class FeedLines {
  readonly #tape: TapeFolder;
  readonly #waiting: string[] = [];
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;
  #descriptor: number | undefined;
  #lines = 0;

  constructor(tape: TapeFolder) {
    this.#tape = tape;
  }

  add(json: string): number {
    assert(!json.includes('\n'), 'the value of a feed on one line');
    this.#waiting.push(`${json}\n`);
    return this.#lines++;
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.from(this.#waiting.join(''), 'utf8');
    this.#waiting.length = 0;
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
    this.#descriptor ??= openSync(join(this.#tape.folder, FEEDS_NAME), 'wx', 0o600);
    writeAll(this.#descriptor, bytes);
  }

  close(): void {
    this.flush();
    if (this.#descriptor === undefined) return;
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    const hash = this.#hash.digest('hex');
    this.#tape.seal({ name: FEEDS_NAME, kind: 'feeds', bytes: this.#bytes, sha256: hash });
  }
}

/** Writes all of `bytes`, however many calls the system needs. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done);
}
