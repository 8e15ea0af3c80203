/**
 * @module Looks at every byte of a tape and says all that is wrong with it, each finding with its file and place. What
 * the manifest says of rows and records is counted again.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { BlockFault, type BlocksEnd, isoOfUs, messageOf, readLineBlocks } from '../../core/index.ts';
import {
  ArrowFault,
  arrowFiles,
  EVENT,
  type EventBatch,
  type FileEnd,
  foundAt,
  hashOf,
  isTapeFile,
  type Manifest,
  RawCounter,
  type ReadAt,
  RowCounter,
  readListedManifest,
  recordsOf,
  recoverManifest,
  type TapeFile,
  type TruncatedFile,
  unlistedFiles,
  withFile,
} from '../format/index.ts';

/** Something that is wrong. */
export interface TapeFinding {
  /** Path of the file. */
  readonly file: string;
  /** With the byte, batch, row or block where it is known. */
  readonly what: string;
}

/** What a look at every byte gave. */
export interface TapeCheck {
  /** Of the tape as it can be read. */
  readonly hash: string;
  /** False: its writer was not closed. */
  readonly sealed: boolean;
  /** Number of files. */
  readonly files: number;
  /** Size in bytes. */
  readonly bytes: number;
  /** Number of rows. */
  readonly rows: number;
  /** Number of raw frames. */
  readonly frames: number;
  /** Number of raw responses. */
  readonly answers: number;
  /** Records that the recorder could not write, by its own markers. */
  readonly leftOut: number;
  /** Where the recorder could not follow or had no market to trust, in its own words. The tape is whole all the same. */
  readonly gaps: readonly TapeFinding[];
  /** Empty: the tape is as it was written. */
  readonly findings: readonly TapeFinding[];
  /** Ends that a killed writer left; what is after them is not read. */
  readonly truncated: readonly TruncatedFile[];
}

/** Checks the tape in `folder`. @throws ProtocolError when there is no manifest that can be believed. */
export function verifyTape(folder: string): TapeCheck {
  const listed = readListedManifest(folder);
  const { manifest, truncated } = listed.sealed
    ? { manifest: listed, truncated: [] }
    : recoverManifest(folder, listed);
  const check = new Check(folder, manifest);
  for (const file of manifest.files) {
    const isTruncated = truncated.some(({ name }) => name === file.name);
    check.file(file, isTruncated);
  }
  if (listed.sealed) {
    for (const name of unlistedFiles(folder, manifest).filter(isTapeFile))
      check.find(name, 'the manifest does not know this file');
  }
  return check.result(truncated);
}

class Check {
  readonly #folder: string;
  readonly #manifest: Manifest;
  readonly #findings: TapeFinding[] = [];
  readonly #gaps: TapeFinding[] = [];
  #bytes = 0;
  #rows = 0;
  #frames = 0;
  #answers = 0;
  #leftOut = 0;
  #lastUs = 0;

  constructor(folder: string, manifest: Manifest) {
    this.#folder = folder;
    this.#manifest = manifest;
  }

  find(file: string, what: string): void {
    this.#findings.push({ file, what });
  }

  file(file: TapeFile, isTruncated: boolean): void {
    const path = join(this.#folder, file.name);
    const found = foundAt(path);
    if (found !== 'a file') {
      this.find(file.name, `expected a file, got ${found}`);
      return;
    }
    const size = statSync(path).size;
    if (isTruncated ? size < file.bytes : size !== file.bytes)
      this.find(file.name, `expected ${file.bytes} bytes, got ${size}`);
    withFile(path, (readAt) => this.#content(file, readAt), Math.min(size, file.bytes));
    this.#bytes += Math.min(size, file.bytes);
  }

  #content(file: TapeFile, readAt: ReadAt): void {
    const before = this.#findings.length;
    if (file.events !== undefined) this.#events(file, readAt);
    if (file.raw !== undefined) this.#raw(file, readAt);
    const isHashRight = hashOf(readAt, file.bytes) === file.sha256;
    // Where a location was found already, that the hash differs too is no news.
    if (!isHashRight && this.#findings.length === before)
      this.find(
        file.name,
        'expected the bytes of its hash, got others: the file was changed after it was written',
      );
  }

  #events({ name, events }: TapeFile, readAt: ReadAt): void {
    const counter = new RowCounter(this.#manifest);
    const end: FileEnd = { wholeBytes: 0, batches: 0, truncated: undefined };
    try {
      for (const batch of arrowFiles().readArrowFile(readAt, end)) {
        const flaw = this.#flawOf(batch);
        if (flaw !== undefined) {
          this.find(name, `batch ${end.batches - 1}, ${flaw}`);
          return;
        }
        counter.add(batch);
        this.#holes(name, batch);
        this.#rows += batch.rows;
      }
    } catch (cause) {
      if (!(cause instanceof ArrowFault)) throw cause;
      this.find(name, cause.message);
      return;
    }
    if (JSON.stringify(counter.summary()) !== JSON.stringify(events))
      this.find(name, 'its rows are not those that the manifest counts');
  }

  #holes(name: string, { rows, kind, market, exchangeUs }: EventBatch): void {
    for (let row = 0; row < rows; row++) {
      if (kind[row] !== EVENT.hole) continue;
      const symbol = this.#manifest.markets[market[row] ?? 0]?.symbol ?? '';
      this.#gap(name, `${symbol} is not known from ${isoOfUs(exchangeUs[row] ?? 0)} to its next whole book`);
    }
  }

  #gap(file: string, what: string): void {
    this.#gaps.push({ file, what });
  }

  /** The first row that no writer would have written. */
  #flawOf(batch: EventBatch): string | undefined {
    const { markets, feeds } = this.#manifest;
    for (let row = 0; row < batch.rows; row++) {
      const us = batch.exchangeUs[row] ?? Number.NaN;
      const kind = batch.kind[row] ?? 0;
      const places = kind === EVENT.feed ? feeds.length : markets.length;
      if (!(us >= this.#lastUs)) return `row ${row}: the time falls from ${this.#lastUs} to ${us}`;
      if (!KINDS.has(kind)) return `row ${row}: kind ${kind} is not known`;
      if ((batch.market[row] ?? 0) >= places) return `row ${row}: there is no market ${batch.market[row]}`;
      this.#lastUs = us;
    }
    return undefined;
  }

  #raw({ name, raw }: TapeFile, readAt: ReadAt): void {
    const counter = new RawCounter();
    const end: BlocksEnd = { wholeBytes: 0, blocks: 0, truncated: undefined };
    try {
      for (const block of readLineBlocks(readAt, end))
        for (const record of recordsOf(block)) {
          counter.add(record);
          if ('gap' in record)
            this.#gap(name, `${record.gap} frames and answers were left out before ${isoOfMs(record.atMs)}`);
        }
    } catch (cause) {
      this.find(name, cause instanceof BlockFault ? cause.message : messageOf(cause));
    }
    const found = counter.summary();
    this.#frames += found.frames;
    this.#answers += found.answers;
    this.#leftOut += found.leftOut;
    if (end.truncated !== undefined) this.find(name, `${end.truncated} is missing after block ${end.blocks}`);
    else if (JSON.stringify(found) !== JSON.stringify(raw) && this.#findings.at(-1)?.file !== name)
      this.find(name, 'its records are not those that the manifest counts');
  }

  result(truncated: readonly TruncatedFile[]): TapeCheck {
    const { hash, sealed, files } = this.#manifest;
    return {
      ...{ hash, sealed, files: files.length, bytes: this.#bytes, rows: this.#rows },
      ...{ frames: this.#frames, answers: this.#answers, leftOut: this.#leftOut },
      ...{ gaps: this.#gaps, findings: this.#findings, truncated },
    };
  }
}

const isoOfMs = (ms: number): string => isoOfUs(ms * 1_000);
const KINDS: ReadonlySet<number> = new Set(Object.values(EVENT));
