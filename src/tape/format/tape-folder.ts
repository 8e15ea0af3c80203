/**
 * @module
 * The folder of a tape while it is written: the manifest is there from the first moment and is replaced as a whole
 * each time a file is finished, so that a killed writer leaves a tape that can be read.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { assert, makeFolder, PRIVATE_FOLDER } from '../../core/index.ts';
import type { DataQuality } from './data-quality.ts';
import type { TapeMarket } from './events.ts';
import {
  formatManifest,
  MANIFEST_NAME,
  type Manifest,
  makeManifest,
  type SealedFile,
  type TapeHead,
} from './manifest.ts';
import { tapeError } from './tape-error.ts';
import { unwritable } from './write-error.ts';

/** A tape that is being written. Its writers hand over each file when it is whole. */
export interface TapeFolder {
  /** Path of the folder. */
  readonly folder: string;
  /** Source and markets, written first. */
  readonly head: TapeHead;
  /** Says which markets and feeds the rows name, where that was not known at the beginning. Once, before any row. */
  declare(markets: readonly TapeMarket[], feeds?: readonly string[]): void;
  /** Takes a finished file into the manifest. */
  seal(file: SealedFile): void;
  /** Adds a sentence to the notes of the manifest. */
  note(text: string): void;
  /** Seals the tape, with the quality of an imported recording. Its writers must be closed. */
  close(quality?: DataQuality): Manifest;
}

/** What a tape is begun with. */
export interface TapeFolderOptions extends Omit<TapeHead, 'feeds' | 'version'> {
  /** Made if it is not there. */
  readonly folder: string;
  /** Names of custom feeds in index order; absent: none. */
  readonly feeds?: readonly string[];
}

/** Begins a tape. @throws ProtocolError when there is one already in this folder. */
export function createTapeFolder({ folder, markets, feeds = [], source }: TapeFolderOptions): TapeFolder {
  makeTapeFolder(folder);
  if (existsSync(join(folder, MANIFEST_NAME)))
    throw tapeError('TAPE_EXISTS', folder, 'expected a folder without a tape, got one');
  return continueTapeFolder(folder, { markets, feeds, source }, { files: [], notes: [] });
}

function makeTapeFolder(folder: string): void {
  try {
    makeFolder(folder, PRIVATE_FOLDER);
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

/** Resumes a tape of which `files` are complete; the rest of the folder is the caller's. */
export function continueTapeFolder(
  folder: string,
  begun: TapeHead,
  before: { readonly files: readonly SealedFile[]; readonly notes: readonly string[] },
): TapeFolder {
  const files = [...before.files];
  const notes = [...before.notes];
  let head = begun;
  let closed = false;
  const save = (sealed: boolean, quality?: DataQuality): Manifest => {
    const manifest = makeManifest(head, files, { sealed, notes, ...(quality && { quality }) });
    replaceFile(join(folder, MANIFEST_NAME), formatManifest(manifest));
    return manifest;
  };
  save(false);
  return {
    folder,
    get head() {
      return head;
    },
    declare(markets, feeds = []) {
      const { source, markets: known } = head;
      assert(known.length === 0 && head.feeds.length === 0, 'the markets of a tape to be said once');
      head = { source, markets, feeds };
      save(false);
    },
    seal(file) {
      assert(!closed, 'no file to be handed to a tape that is sealed');
      files.push(file);
      save(false);
    },
    note(text) {
      notes.push(text);
    },
    close(quality) {
      assert(!closed, 'a tape to be sealed once');
      closed = true;
      return save(true, quality);
    },
  };
}

/** Name of the `index`-th file of a kind: `events-00001.arrow`. */
export function fileName(prefix: string, index: number, suffix: string): string {
  return `${prefix}-${String(index).padStart(5, '0')}${suffix}`;
}

/** Either the old text or the new one is there, whenever the machine stops. */
function replaceFile(path: string, text: string): void {
  const next = `${path}.next`;
  const descriptor = openSync(next, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, path);
}
