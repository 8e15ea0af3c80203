/**
 * @module
 * A tape whose writer was killed: the manifest is there, some files are not in it. The complete part of each is found
 * by walking it; the rest is named. `repairTape` cuts it off for good.
 */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { BlockFault, type BlocksEnd, readLineBlocks } from '../../core/index.ts';
import { ArrowFault, type FileEnd, type ReadAt } from './arrow-fault.ts';
import type { ArrowFileWriter } from './arrow-file.ts';
import { arrowFiles } from './arrow-format.ts';
import { hashOf, reading, withFile } from './file-access.ts';
import {
  MANIFEST_NAME,
  type Manifest,
  makeManifest,
  RowCounter,
  type SealedFile,
  type TapeHead,
} from './manifest.ts';
import { readListedManifest } from './manifest-file.ts';
import { RawCounter, recordsOf } from './raw-file.ts';
import { continueTapeFolder } from './tape-folder.ts';
import { FEEDS_NAME, writeAll } from './tape-writer.ts';
import { writingError } from './write-error.ts';

/** A file whose writer was killed, and where its complete part ends. */
export interface TruncatedFile {
  /** File name within the tape. */
  readonly name: string;
  /** Bytes up to the end of the last complete batch or block. */
  readonly wholeBytes: number;
  /** Bytes after that: a repair cuts them off. */
  readonly cutBytes: number;
  /** In words: what is missing, after which batch or block. */
  readonly what: string;
}

/** A manifest with what a killed writer left. */
export interface Recovered {
  /** Manifest of the tape. */
  readonly manifest: Manifest;
  /** Files that were truncated. */
  readonly truncated: readonly TruncatedFile[];
}

interface Survey {
  readonly file: SealedFile;
  readonly truncated: TruncatedFile;
}

const EVENTS_FILE = /^events-\d+\.arrow$/;
const RAW_FILE = /^raw-\d+\.jsonl\.zst$/;

/** True if only a manifest may list the file `name`. Others may be beside a tape. */
export function isTapeFile(name: string): boolean {
  return EVENTS_FILE.test(name) || RAW_FILE.test(name) || name === FEEDS_NAME;
}

/** Names in `folder` that its manifest does not know, in order. */
export function unlistedFiles(folder: string, manifest: Manifest): readonly string[] {
  const known = new Set([MANIFEST_NAME, ...manifest.files.map(({ name }) => name)]);
  return reading(folder, () => readdirSync(folder))
    .filter((name) => !known.has(name))
    .sort();
}

/** `manifest`, which was not sealed, with all that is whole in `folder`. */
export function recoverManifest(folder: string, manifest: Manifest): Recovered {
  const surveys = unlistedFiles(folder, manifest).flatMap((name) => survey(folder, name, manifest));
  const files = [...manifest.files, ...surveys.map(({ file }) => file)];
  const { notes } = manifest;
  return {
    manifest: makeManifest(manifest, files, { sealed: false, notes }),
    truncated: surveys.map(({ truncated }) => truncated),
  };
}

function survey(folder: string, name: string, head: TapeHead): readonly Survey[] {
  if (EVENTS_FILE.test(name)) return [surveyRows(folder, name, head)];
  if (RAW_FILE.test(name)) return [surveyRaw(folder, name)];
  return name === FEEDS_NAME ? [surveyFeeds(folder)] : [];
}

/** Walks a file of rows that is in no manifest. */
function surveyRows(folder: string, name: string, head: TapeHead): Survey {
  const counter = new RowCounter(head);
  const end: FileEnd = { wholeBytes: 0, batches: 0, truncated: undefined };
  return withFile(join(folder, name), (readAt, size) => {
    try {
      for (const batch of arrowFiles().readArrowFile(readAt, end)) counter.add(batch);
    } catch (cause) {
      if (!(cause instanceof ArrowFault)) throw cause;
      // After a power cut the tail may be anything; what was complete before it remains.
      end.truncated = cause.message;
    }
    const { wholeBytes: bytes } = end;
    const file = { name, kind: 'events', bytes, sha256: hashOf(readAt, bytes), events: counter.summary() };
    return {
      file,
      truncated: truncatedOf(
        file,
        size,
        `${end.truncated ?? 'its end'} is missing after batch ${end.batches}`,
      ),
    };
  });
}

/** Walks a file of raw records that is in no manifest. */
function surveyRaw(folder: string, name: string): Survey {
  const counter = new RawCounter();
  const end: BlocksEnd = { wholeBytes: 0, blocks: 0, truncated: undefined };
  return withFile(join(folder, name), (readAt, size) => {
    try {
      for (const block of readLineBlocks(readAt, end))
        for (const record of recordsOf(block)) counter.add(record);
    } catch (cause) {
      if (!(cause instanceof BlockFault)) throw cause;
      end.truncated = cause.message;
    }
    const { wholeBytes: bytes } = end;
    const file = { name, kind: 'raw', bytes, sha256: hashOf(readAt, bytes), raw: counter.summary() };
    return {
      file,
      truncated: truncatedOf(
        file,
        size,
        `${end.truncated ?? 'its end'} is missing after block ${end.blocks}`,
      ),
    };
  });
}

/** Lines that end are whole. */
function surveyFeeds(folder: string): Survey {
  return withFile(join(folder, FEEDS_NAME), (readAt, size) => {
    const text = Buffer.from(readAt(0, size));
    const bytes = text.lastIndexOf('\n') + 1;
    const file = { name: FEEDS_NAME, kind: 'feeds', bytes, sha256: hashOf(readAt, bytes) };
    return { file, truncated: truncatedOf(file, size, 'a line is missing its end') };
  });
}

function truncatedOf({ name, bytes }: SealedFile, size: number, what: string): TruncatedFile {
  return { name, wholeBytes: bytes, cutBytes: size - bytes, what };
}

/**
 * Cuts off what is truncated in `folder` and seals the tape; a sealed one stays as it is. @returns what was cut.
 * @throws ProtocolError when it cannot be believed; ConfigError `TAPE_FILE_UNWRITABLE`: it can be tried again.
 */
export function repairTape(folder: string): readonly TruncatedFile[] {
  const manifest = readListedManifest(folder);
  if (manifest.sealed) return [];
  try {
    return cutAndSeal(folder, manifest);
  } catch (thrown) {
    throw writingError(folder, thrown);
  }
}

function cutAndSeal(folder: string, manifest: Manifest): readonly TruncatedFile[] {
  const surveys = unlistedFiles(folder, manifest).flatMap((name) => survey(folder, name, manifest));
  const files = surveys.map(({ file }) =>
    file.events === undefined ? cutFile(folder, file) : closeRows(folder, file, manifest.version),
  );
  const notes = surveys.map(
    ({ truncated: { name, what, cutBytes } }) => `${name}: ${what}; ${cutBytes} bytes were cut`,
  );
  const tape = continueTapeFolder(folder, manifest, {
    files: [...manifest.files, ...files],
    notes: [...manifest.notes, ...notes],
  });
  tape.close();
  return surveys.map(({ truncated }) => truncated);
}

function cutFile(folder: string, file: SealedFile): SealedFile {
  truncateSync(join(folder, file.name), file.bytes);
  return file;
}

/** Writes the batches in the first `bytes` of the file at `path` again, with the end that Arrow readers look for. */
function copyRows(path: string, bytes: number, arrow: ArrowFileWriter): void {
  const { readArrowFile } = arrowFiles();
  const copy = (readAt: ReadAt): void => {
    for (const batch of readArrowFile(readAt, { wholeBytes: 0, batches: 0, truncated: undefined }))
      arrow.writeRows(batch);
  };
  withFile(path, copy, bytes);
  arrow.end();
}

/** Writes the whole batches of a file as a separate file, in the layout of the tape's version. */
function closeRows(folder: string, file: SealedFile, version: number): SealedFile {
  const { ArrowFileWriter } = arrowFiles();
  const path = join(folder, file.name);
  const next = `${path}.next`;
  const descriptor = openSync(next, 'w', 0o600);
  try {
    copyRows(path, file.bytes, new ArrowFileWriter((part) => writeAll(descriptor, part), version));
    fsyncSync(descriptor);
  } catch (thrown) {
    // The truncated file is as it was, so that this can be tried again.
    rmSync(next, { force: true });
    throw thrown;
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, path);
  return withFile(path, (readAt, bytes) => ({ ...file, bytes, sha256: hashOf(readAt, bytes) }));
}
