/**
 * @module
 * Opens a tape and reads its rows, batch by batch, synchronously. Each file is held against its hash before its first
 * row is handed out, so no changed number is ever seen. A tape whose writer was killed is read to its last whole batch.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf, must } from '../../core/index.ts';
import { ArrowFault, type FileEnd, type ReadAt, readArrowFile } from './arrow-file.ts';
import { clipBatch, type TimeRange } from './columns.ts';
import type { EventBatch, TapeMarket } from './events.ts';
import {
  MANIFEST_NAME,
  type Manifest,
  makeManifest,
  parseManifest,
  provenManifest,
  RowCounter,
  type SealedFile,
  type TapeFile,
  type TapeHead,
} from './manifest.ts';
import { tapeError } from './tape-error.ts';
import { FEEDS_NAME } from './tape-writer.ts';

/** A file whose writer was killed: what of it is whole. */
export interface TornFile {
  readonly name: string;
  /** Bytes up to the end of the last whole batch or block, and bytes behind it. */
  readonly wholeBytes: number;
  readonly cutBytes: number;
  /** In words: what is missing, behind which batch or block. */
  readonly what: string;
}

/** A tape open for reading. */
export interface Tape {
  /** Name of its folder. */
  readonly name: string;
  readonly manifest: Manifest;
  /** Hash of the tape: over its manifest and thereby over every byte of its files. */
  readonly hash: string;
  readonly rows: number;
  /** Exchange times of the first and the last row, Unix us. */
  readonly fromUs: number;
  readonly toUs: number;
  /** By their place in the rows. */
  readonly markets: readonly TapeMarket[];
  readonly feeds: readonly string[];
  /** Files that a killed writer left; empty: none. */
  readonly torn: readonly TornFile[];
  /** The rows in order, from the beginning or within `range`. Batches are fresh: a reader may keep them. */
  batches(range?: TimeRange): Generator<EventBatch>;
  /** The value of a custom feed, as JSON. @throws AssertionError when there is no such line. */
  feedLine(id: number): string;
}

/** Opens the tape in `folder`. @throws ProtocolError naming file and place when it cannot be trusted. */
export function openTape(folder: string): Tape {
  const { manifest, torn } = readManifest(folder);
  const checked = new Set<string>();
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
    torn,
    batches: (range) => readRows(folder, manifest, checked, range),
    feedLine(id) {
      lines ??= readFeeds(folder, manifest);
      return must(lines[id], `line ${id} of ${FEEDS_NAME}`);
    },
  };
}

/** The manifest of `folder`; of a tape that was not sealed, with the files its writer left behind. */
export function readManifest(folder: string): {
  readonly manifest: Manifest;
  readonly torn: readonly TornFile[];
} {
  const path = join(folder, MANIFEST_NAME);
  if (!existsSync(path))
    throw tapeError('TAPE_FOREIGN', folder, `there is no ${MANIFEST_NAME}: this is no tape`);
  const text = readFileSync(path, 'utf8');
  const manifest = provenManifest(parseManifest(text, path), text, path);
  for (const file of manifest.files) checkSize(join(folder, file.name), file.bytes);
  return manifest.sealed ? { manifest, torn: [] } : recoverManifest(folder, manifest);
}

function checkSize(path: string, bytes: number): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw tapeError('TAPE_DAMAGED', path, 'it is missing');
  if (size !== bytes) throw tapeError('TAPE_DAMAGED', path, `expected ${bytes} bytes, was ${size}`);
}

/** What lies in the folder beside the listed files: rows that a killed writer left. */
function recoverManifest(
  folder: string,
  manifest: Manifest,
): { readonly manifest: Manifest; readonly torn: readonly TornFile[] } {
  const files: SealedFile[] = [...manifest.files];
  const torn: TornFile[] = [];
  for (const name of unlistedFiles(folder, manifest)) {
    const found = /^events-\d+\.arrow$/.test(name) ? surveyRows(folder, name, manifest) : undefined;
    if (found === undefined) continue;
    files.push(found.file);
    torn.push(found.torn);
  }
  const { notes } = manifest;
  return { manifest: makeManifest(manifest, files, { sealed: false, notes }), torn };
}

/** Names in `folder` that its manifest does not know, in order. */
export function unlistedFiles(folder: string, manifest: Manifest): readonly string[] {
  const known = new Set([MANIFEST_NAME, ...manifest.files.map(({ name }) => name)]);
  return readdirSync(folder)
    .filter((name) => !known.has(name))
    .sort();
}

/** Walks a file of rows that is in no manifest. */
function surveyRows(folder: string, name: string, head: TapeHead): { file: SealedFile; torn: TornFile } {
  const path = join(folder, name);
  const counter = new RowCounter(head);
  const end: FileEnd = { wholeBytes: 0, batches: 0, torn: undefined };
  return withFile(path, (readAt, size) => {
    try {
      for (const batch of readArrowFile(readAt, end)) counter.add(batch);
    } catch (cause) {
      if (!(cause instanceof ArrowFault)) throw cause;
      // Behind a kill of the machine, the tail may be anything; what was whole before it still stands.
      end.torn = cause.message;
    }
    const file: SealedFile = {
      name,
      kind: 'events',
      bytes: end.wholeBytes,
      sha256: hashOf(readAt, end.wholeBytes),
      events: counter.summary(),
    };
    const what = `${end.torn ?? 'nothing but its place in the manifest'} is missing behind batch ${end.batches}`;
    return { file, torn: { name, wholeBytes: end.wholeBytes, cutBytes: size - end.wholeBytes, what } };
  });
}

/** Rows of all files, each proven first. */
function* readRows(
  folder: string,
  manifest: Manifest,
  checked: Set<string>,
  range: TimeRange = {},
): Generator<EventBatch> {
  let lastUs = 0;
  for (const file of manifest.files) {
    const { events } = file;
    if (events === undefined || events.rows === 0) continue;
    if (range.fromUs !== undefined && events.toUs < range.fromUs) continue;
    if (range.toUs !== undefined && events.fromUs >= range.toUs) return;
    const path = join(folder, file.name);
    if (events.fromUs < lastUs)
      throw tapeError('TAPE_DAMAGED', path, 'it begins before the file before it ends');
    lastUs = events.toUs;
    const descriptor = openSync(path, 'r');
    try {
      const readAt = readerOf(descriptor, file.bytes);
      if (!checked.has(file.name)) proveFile(path, file, readAt);
      checked.add(file.name);
      for (const batch of readWhole(path, readAt)) {
        const within = clipBatch(batch, range);
        if (within !== undefined) yield within;
      }
    } finally {
      closeSync(descriptor);
    }
  }
}

/** @throws ProtocolError unless the bytes of `file` are those of the manifest. */
function proveFile(path: string, file: TapeFile, readAt: ReadAt): void {
  if (hashOf(readAt, file.bytes) !== file.sha256)
    throw tapeError(
      'TAPE_DAMAGED',
      path,
      'its bytes do not fit their hash: they were changed after they were written',
    );
}

function* readWhole(path: string, readAt: ReadAt): Generator<EventBatch> {
  try {
    yield* readArrowFile(readAt, { wholeBytes: 0, batches: 0, torn: undefined });
  } catch (cause) {
    if (!(cause instanceof ArrowFault)) throw cause;
    throw tapeError(cause.foreign ? 'TAPE_FOREIGN' : 'TAPE_DAMAGED', path, cause.message, cause);
  }
}

function readFeeds(folder: string, manifest: Manifest): readonly string[] {
  const path = join(folder, FEEDS_NAME);
  const file = manifest.files.find(({ name }) => name === FEEDS_NAME);
  if (file === undefined && manifest.sealed) return [];
  if (file !== undefined) withFile(path, (readAt) => proveFile(path, file, readAt));
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1);
  } catch (cause) {
    throw tapeError('TAPE_DAMAGED', path, messageOf(cause), cause);
  }
}

const CHUNK_BYTES = 1_048_576;

/** SHA-256 over the first `length` bytes, hex. */
export function hashOf(readAt: ReadAt, length: number): string {
  const hash = createHash('sha256');
  for (let position = 0; position < length; position += CHUNK_BYTES) {
    hash.update(readAt(position, Math.min(CHUNK_BYTES, length - position)));
  }
  return hash.digest('hex');
}

/** Calls `work` with a reader of the file and its size. */
export function withFile<T>(path: string, work: (readAt: ReadAt, size: number) => T): T {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    return work(readerOf(descriptor, size), size);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads pieces of the first `size` bytes into one buffer, which the next piece overwrites. */
function readerOf(descriptor: number, size: number): ReadAt {
  let buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
  return (position, length) => {
    const wanted = Math.max(0, Math.min(length, size - position));
    if (buffer.length < wanted) buffer = Buffer.allocUnsafe(wanted);
    let done = 0;
    while (done < wanted) {
      const count = readSync(descriptor, buffer, done, wanted - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return buffer.subarray(0, done);
  };
}
