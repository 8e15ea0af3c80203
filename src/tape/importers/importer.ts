/** @module What each format of recordings gives to an import, and its settings. */
import type { TapeMarket } from '../format/index.ts';
import type { CsvMapping } from './csv-mapping.ts';
import type { FrameOrder } from './frame-order.ts';
import type { ImportCounts } from './import-counts.ts';
import type { RecordOrder } from './record-order.ts';

/** What to read. */
export interface ImportRequest {
  /** Files, or folders whose files of this format are taken. */
  readonly paths: readonly string[];
  /** The market's name where the files name none. */
  readonly symbol?: string;
  /** Decimals of prices and sizes where the format does not fix them; absent: the fewest that hold all of them. */
  readonly priceDecimals?: number;
  /** Decimals of a size; absent: found by reading the data. */
  readonly sizeDecimals?: number;
  /** Treatment of a recorded book that is locked or crossed; `separate`: see LOCKED_BOOK_RULE. */
  readonly locked: 'keep' | 'separate';
  /** A silence of the book longer than this is a gap; absent: as the format needs. */
  readonly silenceMs?: number;
  /** Columns of format `csv`. */
  readonly mapping?: CsvMapping;
  /** Sorts the records on disk, however far they are out of order; absent: 30 s are put right in memory. */
  readonly sort?: boolean;
  /** Takes a recording of which more than 1 % must be dropped or moved; absent: that is an error. */
  readonly acceptRepairs?: boolean;
}

/** A recording that was looked at and can be read once. */
export interface OpenedImport {
  /** Markets in index order. */
  readonly markets: readonly TapeMarket[];
  /** Names of custom feeds; absent: none. */
  readonly feeds?: readonly string[];
  /** Paths of the files that are read. */
  readonly files: readonly string[];
  /** Paths of files that were not read. */
  readonly ignored: readonly string[];
  /** Silence of the book that counts as a gap, ms. */
  readonly silenceMs: number;
  /** Reads everything through `records` and hands its frames over. @throws ProtocolError naming file and line. */
  run(order: FrameOrder, records: RecordOrder): Promise<void>;
  /** Statistics of what was read, by symbol, hour or file; whole once `run` is over. */
  statistics(): Readonly<Record<string, unknown>>;
}

/** Looks at a recording. @throws ConfigError or ProtocolError when it is not of the format. */
export type OpenImport = (request: ImportRequest, counts: ImportCounts) => Promise<OpenedImport>;
