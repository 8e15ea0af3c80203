/**
 * @module `manifest.json` of a tape: what it holds, where it came from, and the hashes that bind it. The chain begins
 * with what gives the rows their meaning (markets, decimals, feeds, source), each file adds its own hash to the one
 * before, and the tape's hash is over the whole manifest: a changed byte of any file changes the hash of the tape.
 */
import { isRecord, messageOf, sha256 } from '../../core/index.ts';
import type { DataQuality } from './data-quality.ts';
import { EVENT, type EventBatch, type EventKind, type TapeMarket } from './events.ts';
import { tapeError } from './tape-error.ts';

/** The name of the file. */
export const MANIFEST_NAME = 'manifest.json';
/** What a manifest calls itself. */
const TAPE_FORMAT = 'ballast-tape';
/** The version that is written, and the last one that is read. Version 1 has its rows in columns of eight bytes. */
export const TAPE_VERSION = 2;

/** Names of {@link EVENT}. */
export type EventName = keyof typeof EVENT;

/** Rows by kind; kinds without rows are left out. */
export type KindCounts = Readonly<Partial<Record<EventName, number>>>;

/** Rows by symbol, and by `feed:<name>` for custom feeds; then by kind. */
export type RowCounts = Readonly<Record<string, KindCounts>>;

/** Where a tape came from. */
export interface TapeSource {
  /** `recorded`, `imported`, `sliced`, `merged`, or what the maker calls it. */
  readonly kind: string;
  /** In words: of which exchange, files, tapes, run. */
  readonly description: string;
  /** More facts, as they are: counts of an importer, hashes of the tapes it was made of. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** Rows of one file. */
export interface RowSummary {
  /** Number of rows. */
  readonly rows: number;
  /** First exchange time, Unix us. */
  readonly fromUs: number;
  /** Last exchange time, Unix us. */
  readonly toUs: number;
  /** Number of rows by kind. */
  readonly counts: RowCounts;
}

/** A file as its writer hands it over. */
export interface SealedFile {
  /** File name within the tape. */
  readonly name: string;
  /** `events`, `raw`, `feeds`, or what else is beside them. */
  readonly kind: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of the content, hexadecimal. */
  readonly sha256: string;
  /** Of `events`. */
  readonly events?: RowSummary;
  /** Of `raw`: frames and answers in it, and what was left out. */
  readonly raw?: RawSummary;
}

/** Raw records of one file. */
export interface RawSummary {
  /** Number of raw frames. */
  readonly frames: number;
  /** Number of raw responses. */
  readonly answers: number;
  /** Frames that the recorder could not write, reported by gap markers. */
  readonly leftOut: number;
  /** First receive time, Unix ms. */
  readonly fromMs: number;
  /** End, Unix ms. */
  readonly toMs: number;
}

/** A file in a manifest. */
export interface TapeFile extends SealedFile {
  /** SHA-256 over the chain so far, this file's name and this file's hash. */
  readonly chain: string;
}

/** What makes a manifest, before any file. */
export interface TapeHead {
  /** Origin of the data. */
  readonly source: TapeSource;
  /** Markets in index order. */
  readonly markets: readonly TapeMarket[];
  /** Names of custom feeds. */
  readonly feeds: readonly string[];
  /** Absent: {@link TAPE_VERSION}. A tape keeps its version when it is repaired. */
  readonly version?: number;
}

/** The manifest of a tape. */
export interface Manifest extends TapeHead {
  /** Name of the format. */
  readonly format: typeof TAPE_FORMAT;
  /** Version of the format. */
  readonly version: number;
  /** False: its writer was not closed; files that are not listed may be beside it. */
  readonly sealed: boolean;
  /** Number of rows. */
  readonly rows: number;
  /** First exchange time, Unix us; 0 without rows. */
  readonly fromUs: number;
  /** Last exchange time, Unix us. */
  readonly toUs: number;
  /** Number of rows by kind. */
  readonly counts: RowCounts;
  /** What was repaired and what was cut off, in words. */
  readonly notes: readonly string[];
  /** How good the recording is; absent: the tape was not imported. */
  readonly quality?: DataQuality;
  /** All files of the tape but the manifest. */
  readonly files: readonly TapeFile[];
  /** Head of the chain of files. */
  readonly chain: string;
  /** SHA-256 over this manifest without this field: the hash of the tape. */
  readonly hash: string;
}

/** A manifest of `head` and `files`, with chain and hash. */
export function makeManifest(
  head: TapeHead,
  files: readonly SealedFile[],
  { sealed, notes, quality }: Pick<Manifest, 'sealed' | 'notes' | 'quality'>,
): Manifest {
  const { version = TAPE_VERSION, source, markets, feeds } = head;
  const top = { format: TAPE_FORMAT, version, source, markets, feeds } as const;
  let chain = sha256(JSON.stringify(top));
  const linked: TapeFile[] = [];
  for (const { name, kind, bytes, sha256: own, events, raw } of files) {
    chain = sha256(`${chain} ${own} ${name}`);
    linked.push({ name, kind, bytes, sha256: own, ...(events && { events }), ...(raw && { raw }), chain });
  }
  const found = quality === undefined ? {} : { quality };
  const body = { ...top, sealed, ...totalsOf(files), notes, ...found, files: linked, chain };
  return { ...body, hash: sha256(JSON.stringify(body)) };
}

/** Its text, the only one that is valid: a manifest with other bytes was changed. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Totals over the files with rows. */
function totalsOf(files: readonly SealedFile[]): RowSummary {
  let rows = 0;
  let fromUs = 0;
  let toUs = 0;
  const counts: Record<string, KindCounts> = {};
  for (const { events } of files) {
    if (events === undefined || events.rows === 0) continue;
    if (rows === 0) fromUs = events.fromUs;
    toUs = events.toUs;
    rows += events.rows;
    for (const [name, byKind] of Object.entries(events.counts))
      counts[name] = addCounts(counts[name] ?? {}, byKind);
  }
  return { rows, fromUs, toUs, counts };
}

/** In the order of the kinds, so that the same rows give the same text however they came. */
function addCounts(a: KindCounts, b: KindCounts): KindCounts {
  const sum: Partial<Record<EventName, number>> = {};
  for (const name of Object.keys(EVENT) as EventName[]) {
    const count = (a[name] ?? 0) + (b[name] ?? 0);
    if (count > 0) sum[name] = count;
  }
  return sum;
}

const KIND_NAMES = new Map<number, EventName>(
  (Object.entries(EVENT) as [EventName, EventKind][]).map(([name, kind]) => [kind, name]),
);
const KINDS = 256;

/** Counts rows by market and kind without an object a row. */
export class RowCounter {
  readonly #head: TapeHead;
  readonly #byMarket: Float64Array;
  readonly #byFeed: Float64Array;
  #rows = 0;
  #fromUs = 0;
  #toUs = 0;

  constructor(head: TapeHead) {
    this.#head = head;
    this.#byMarket = new Float64Array(head.markets.length * KINDS);
    this.#byFeed = new Float64Array(head.feeds.length);
  }

  /** Takes the rows of `batch`. */
  add(batch: EventBatch): void {
    if (batch.rows === 0) return;
    if (this.#rows === 0) this.#fromUs = batch.exchangeUs[0] ?? 0;
    this.#toUs = batch.exchangeUs[batch.rows - 1] ?? 0;
    this.#rows += batch.rows;
    for (let row = 0; row < batch.rows; row++) {
      const kind = batch.kind[row] ?? 0;
      const market = batch.market[row] ?? 0;
      const counts = kind === EVENT.feed ? this.#byFeed : this.#byMarket;
      const at = kind === EVENT.feed ? market : market * KINDS + kind;
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }

  /** What was counted so far. */
  summary(): RowSummary {
    const counts: Record<string, KindCounts> = {};
    this.#head.markets.forEach(({ symbol }, market) => {
      const byKind: Partial<Record<EventName, number>> = {};
      for (const [kind, name] of KIND_NAMES) {
        const count = this.#byMarket[market * KINDS + kind] ?? 0;
        if (count > 0) byKind[name] = count;
      }
      if (Object.keys(byKind).length > 0) counts[symbol] = byKind;
    });
    this.#head.feeds.forEach((name, feed) => {
      const count = this.#byFeed[feed] ?? 0;
      if (count > 0) counts[`feed:${name}`] = { feed: count };
    });
    return { rows: this.#rows, fromUs: this.#fromUs, toUs: this.#toUs, counts };
  }
}

/**
 * `text` of the manifest at `place` as it is. Its hashes are not proven here: see {@link provenManifest}.
 * @throws ProtocolError when it is no manifest, of a later version, or lacks what it must hold.
 */
export function parseManifest(text: string, place: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw tapeError('TAPE_DAMAGED', place, `expected JSON (${messageOf(cause)})`, cause);
  }
  if (!isRecord(value) || value['format'] !== TAPE_FORMAT)
    throw tapeError(
      'TAPE_NOT_RECOGNIZED',
      place,
      `expected the manifest of a tape (format: ${TAPE_FORMAT}), got another document`,
    );
  const version = value['version'];
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw tapeError('TAPE_DAMAGED', place, `expected a version, got ${JSON.stringify(version)}`);
  if (version > TAPE_VERSION)
    throw tapeError(
      'TAPE_VERSION_UNKNOWN',
      place,
      `this tape has version ${version}; known are 1 to ${TAPE_VERSION}`,
    );
  const { markets, feeds, files, notes, source } = value;
  const whole =
    Array.isArray(markets) &&
    Array.isArray(feeds) &&
    Array.isArray(files) &&
    Array.isArray(notes) &&
    isRecord(source);
  if (!whole) throw tapeError('TAPE_DAMAGED', place, 'expected markets, feeds, files, notes and source');
  return value as unknown as Manifest;
}

/**
 * `manifest`, whose hashes are right. Only then do its fields have the types they claim, since its writer made it.
 * @throws ProtocolError when they are not: it was changed after it was written.
 */
export function provenManifest(manifest: Manifest, text: string, place: string): Manifest {
  const { hash, ...body } = manifest;
  if (sha256(JSON.stringify(body)) !== hash)
    throw tapeError(
      'TAPE_DAMAGED',
      place,
      'its hash does not fit what it says: it was changed after it was written',
    );
  if (formatManifest(makeManifest(manifest, manifest.files, manifest)) !== text)
    throw tapeError('TAPE_DAMAGED', place, 'its chain of hashes or its totals do not fit its files');
  return manifest;
}
