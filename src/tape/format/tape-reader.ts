/**
 * @module Opens a tape and reads it, batch by batch, synchronously. Each file is checked against its hash before its
 * first row is handed out, so no changed number is ever seen. A tape whose writer was killed is read to its last whole
 * batch.
 */
import { closeSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BlockFault, must, readLineBlocks } from '../../core/index.ts';
import { ArrowFault, type ReadAt } from './arrow-fault.ts';
import { arrowFiles } from './arrow-format.ts';
import { clipBatch, type TimeRange } from './columns.ts';
import type { EventBatch, TapeMarket } from './events.ts';
import { foundAt, openFile, proveFile, readerOf, withFile } from './file-access.ts';
import type { Manifest, TapeFile } from './manifest.ts';
import { readListedManifest } from './manifest-file.ts';
import { type RawRecord, recordsOf } from './raw-file.ts';
import { type Recovered, recoverManifest, type TruncatedFile } from './recovery.ts';
import { tapeError } from './tape-error.ts';
import { FEEDS_NAME } from './tape-writer.ts';

/** A tape open for reading. */
export interface Tape {
  /** Name of its folder. */
  readonly name: string;
  /** Manifest of the tape. */
  readonly manifest: Manifest;
  /** Hash of the tape: over its manifest and thereby over every byte of its files. */
  readonly hash: string;
  /** Number of rows. */
  readonly rows: number;
  /** First exchange time, Unix us. */
  readonly fromUs: number;
  /** Last exchange time, Unix us. */
  readonly toUs: number;
  /** By their index in the rows. */
  readonly markets: readonly TapeMarket[];
  /** Names of custom feeds in index order. */
  readonly feeds: readonly string[];
  /** Files that a killed writer left; empty: none. */
  readonly truncated: readonly TruncatedFile[];
  /** The rows in order, from the beginning or within `range`. Batches are fresh: a reader may keep them. */
  batches(range?: TimeRange): Generator<EventBatch>;
  /** The value of a custom feed, as JSON. @throws AssertionError when there is no such line. */
  feedLine(id: number): string;
  /** Frames and answers as they came, in order of receipt. */
  raw(): Generator<RawRecord>;
}

/** Opens the tape in `folder`. @throws ProtocolError naming file and place when it cannot be trusted. */
export function openTape(folder: string): Tape {
  const { manifest, truncated } = readManifest(folder);
  const files = new TapeFiles(folder);
  let lines: readonly string[] | undefined;
  return {
    name: basename(folder),
    manifest,
    hash: manifest.hash,
    rows: manifest.rows,
    fromUs: manifest.fromUs,
    toUs: manifest.toUs,
    markets: manifest.markets,
    feeds: manifest.feeds,
    truncated,
    batches: (range) => readRows(files, manifest, range),
    feedLine(id) {
      lines ??= readFeeds(files, manifest);
      return must(lines[id], `line ${id} of ${FEEDS_NAME}`);
    },
    raw: () => readRaw(files, manifest),
  };
}

/** The manifest of `folder`; of a tape that was not sealed, with the files its writer left. */
function readManifest(folder: string): Recovered {
  const manifest = readListedManifest(folder);
  for (const file of manifest.files) checkSize(join(folder, file.name), file.bytes);
  return manifest.sealed ? { manifest, truncated: [] } : recoverManifest(folder, manifest);
}

function checkSize(path: string, bytes: number): void {
  const found = foundAt(path);
  if (found !== 'a file') throw tapeError('TAPE_DAMAGED', path, `expected a file, got ${found}`);
  const { size } = statSync(path);
  if (size !== bytes) throw tapeError('TAPE_DAMAGED', path, `expected ${bytes} bytes, got ${size}`);
}

/** The files of a folder; each is proven once, before it is first read. */
class TapeFiles {
  readonly #folder: string;
  readonly #proven = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  path(file: TapeFile): string {
    return join(this.#folder, file.name);
  }

  /** Hands what `read` yields on, with the file open meanwhile. */
  *read<T>(
    file: TapeFile,
    read: (readAt: ReadAt, faulty: (fault: ArrowFault) => Error) => Generator<T>,
  ): Generator<T> {
    const path = this.path(file);
    const faulty = (fault: ArrowFault | BlockFault): Error =>
      tapeError(fault.foreign ? 'TAPE_NOT_RECOGNIZED' : 'TAPE_DAMAGED', path, fault.message, fault);
    const descriptor = openFile(path);
    try {
      const readAt = readerOf(descriptor, file.bytes);
      if (!this.#proven.has(file.name)) proveFile(path, file, readAt);
      this.#proven.add(file.name);
      yield* read(readAt, faulty);
    } catch (cause) {
      if (!(cause instanceof ArrowFault || cause instanceof BlockFault)) throw cause;
      throw faulty(cause);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Rows of all files. */
function* readRows(files: TapeFiles, manifest: Manifest, range: TimeRange = {}): Generator<EventBatch> {
  let lastUs = 0;
  for (const file of manifest.files) {
    const { events } = file;
    if (events === undefined || events.rows === 0) continue;
    if (range.fromUs !== undefined && events.toUs < range.fromUs) continue;
    if (range.toUs !== undefined && events.fromUs >= range.toUs) return;
    if (events.fromUs < lastUs)
      throw tapeError('TAPE_DAMAGED', files.path(file), 'it begins before the file before it ends');
    lastUs = events.toUs;
    const end = { wholeBytes: 0, batches: 0, truncated: undefined };
    const read = (readAt: ReadAt, late: (fault: ArrowFault) => Error): Generator<EventBatch> =>
      arrowFiles().readArrowFile(readAt, end, late);
    for (const batch of files.read(file, read)) {
      const within = clipBatch(batch, range);
      if (within !== undefined) yield within;
    }
  }
}

function* readRaw(files: TapeFiles, manifest: Manifest): Generator<RawRecord> {
  for (const file of manifest.files) {
    if (file.raw === undefined) continue;
    const end = { wholeBytes: 0, blocks: 0, truncated: undefined };
    for (const block of files.read(file, (readAt) => readLineBlocks(readAt, end))) yield* recordsOf(block);
  }
}

function readFeeds(files: TapeFiles, manifest: Manifest): readonly string[] {
  const file = manifest.files.find(({ name }) => name === FEEDS_NAME);
  if (file === undefined) return [];
  return withFile(files.path(file), (readAt) => {
    proveFile(files.path(file), file, readAt);
    return Buffer.from(readAt(0, file.bytes)).toString('utf8').split('\n').slice(0, -1);
  });
}
