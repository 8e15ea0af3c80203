/**
 * @module Makes a tape of a third-party recording: finds its files, reads them once, writes rows in order of exchange
 * time, and says what it dropped, repaired and inferred. A tape that cannot be finished is taken away again.
 */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { makeFolder, PRIVATE_FOLDER, ProtocolError } from '../../core/index.ts';
import type { DataQuality, RecordingFormat, RowCounts, TapeMarket } from '../format/index.ts';
import {
  createRowsWriter,
  createTapeFolder,
  type TapeFolder,
  tapeError,
  unwritable,
  writingError,
} from '../format/index.ts';
import { LOCKED_BOOK_RULE } from './book-repair.ts';
import { openCandleImport } from './candle-tape.ts';
import { openCsvImport } from './csv-tape.ts';
import { openFeedImport } from './feed-tape.ts';
import { FrameOrder } from './frame-order.ts';
import { IMPORT_REASONS, ImportCounts, type ImportReason, type ImportTally } from './import-counts.ts';
import type { ImportRequest, OpenedImport, OpenImport } from './importer.ts';
import { sha256OfFile } from './lines.ts';
import { QualityWatch } from './quality-watch.ts';
import { RecordOrder } from './record-order.ts';
import { openBinanceSpotImport } from './venues/binance-spot-tape.ts';
import { openBinanceUmImport } from './venues/binance-um-tape.ts';
import { openGeminiImport } from './venues/gemini-tape.ts';
import { openHyperliquidImport } from './venues/hyperliquid-tape.ts';
import { inverseMarket, isInverse } from './venues/inverse.ts';
import { openLobsterImport } from './venues/lobster-tape.ts';
import { openStandxImport } from './venues/standx-tape.ts';
import { openTardisImport } from './venues/tardis-tape.ts';

const FORMATS = {
  'binance-um': openBinanceUmImport,
  'binance-spot': openBinanceSpotImport,
  'binance-candles': openCandleImport,
  standx: openStandxImport,
  hyperliquid: openHyperliquidImport,
  gemini: openGeminiImport,
  'tardis-csv': openTardisImport,
  lobster: openLobsterImport,
  csv: openCsvImport,
  feed: openFeedImport,
} as const satisfies Readonly<Record<RecordingFormat, OpenImport>>;

/** More of the records than this are dropped or moved only by `--accept-repairs`. */
const REPAIRED_FRACTION_MAX = 0.01;

/** What to import and where to. */
export interface ImportOptions extends ImportRequest {
  /** Format of the recording. */
  readonly format: RecordingFormat;
  /** Folder of the tape; must not exist, or be empty. */
  readonly out: string;
}

/** What an import made. */
export interface ImportResult {
  /** Format of the recording. */
  readonly format: RecordingFormat;
  /** Folder of the new tape. */
  readonly out: string;
  /** Hash of the tape. */
  readonly hash: string;
  /** Number of rows. */
  readonly rows: number;
  /** First exchange time, Unix us. */
  readonly fromUs: number;
  /** Last exchange time, Unix us. */
  readonly toUs: number;
  /** Markets in index order. */
  readonly markets: readonly TapeMarket[];
  /** Rows by market and kind. */
  readonly kinds: RowCounts;
  /** Paths of the files that were read. */
  readonly files: readonly string[];
  /** Paths of files that were not read. */
  readonly ignored: readonly string[];
  /** What was dropped, repaired or inferred, by reason. */
  readonly counts: ImportTally;
  /** How good the recording is; stored in the tape. */
  readonly quality: DataQuality;
  /** Statistics of the recording as it was read. */
  readonly statistics: Readonly<Record<string, unknown>>;
}

/**
 * Imports a recording. @throws ConfigError when the paths or options do not fit the format, ProtocolError naming file
 * and line when the recording is not what it must be; nothing is left of the tape then.
 */
export async function importTape({ format, out, ...request }: ImportOptions): Promise<ImportResult> {
  const counts = new ImportCounts();
  const quality = new QualityWatch(counts);
  const opened = await FORMATS[format](request, counts);
  const inverse = opened.markets.find(({ symbol }) => isInverse(symbol));
  if (inverse !== undefined) throw inverseMarket(inverse.symbol);
  const source = {
    kind: 'imported',
    description: `${format}: ${namesOf(opened.files)}`,
    details: { format, files: opened.files.length, sha256: await sha256Of(opened.files) },
  };
  await emptyFolder(out);
  try {
    const folder = createTapeFolder({
      ...{ folder: out, markets: opened.markets, source },
      ...(opened.feeds === undefined ? {} : { feeds: opened.feeds }),
    });
    const { files, ignored } = opened;
    const rowsWritten = await writeRows(folder, opened, {
      counts,
      quality,
      sortIn: request.sort ? out : undefined,
    });
    if (rowsWritten === 0) throw nothingIn(files);
    quality.checkSpans();
    const found = quality.quality(opened.markets);
    if (found.repaired.fraction > REPAIRED_FRACTION_MAX && request.acceptRepairs !== true)
      throw tooManyRepairs(found);
    for (const line of describeImportCounts(counts.tally())) folder.note(line);
    const { hash, rows, fromUs, toUs, markets, counts: kinds } = folder.close(found);
    const made = { format, out, hash, rows, fromUs, toUs, markets, kinds, files, ignored };
    return { ...made, counts: counts.tally(), quality: found, statistics: opened.statistics() };
  } catch (thrown) {
    await rm(out, { recursive: true, force: true });
    throw writingError(out, thrown);
  }
}

/** What was dropped, repaired or inferred as lines for people, with the rule of a separated book. */
export function describeImportCounts(tally: ImportTally): readonly string[] {
  const lines = (Object.keys(tally) as ImportReason[]).map(
    (reason) => `${reason}: ${tally[reason]} (${IMPORT_REASONS[reason]})`,
  );
  return tally.booksSeparated === undefined ? lines : [...lines, LOCKED_BOOK_RULE];
}

interface Watched {
  readonly counts: ImportCounts;
  readonly quality: QualityWatch;
  /** Folder for the temporary file of a sort; absent: no sort. */
  readonly sortIn: string | undefined;
}

/** Writes all rows; their number. */
async function writeRows(
  folder: TapeFolder,
  opened: OpenedImport,
  { counts, quality, sortIn }: Watched,
): Promise<number> {
  const writer = createRowsWriter(folder);
  try {
    const order = new FrameOrder({ writer, counts, quality, silenceUs: opened.silenceMs * 1_000 });
    await opened.run(order, new RecordOrder({ quality, sortIn }));
    order.end();
    return writer.rows;
  } finally {
    writer.close();
  }
}

/** The tape's folder, which holds nothing yet. @throws ProtocolError `TAPE_EXISTS`, ConfigError `TAPE_FILE_UNWRITABLE`. */
async function emptyFolder(out: string): Promise<void> {
  let names: readonly string[];
  try {
    makeFolder(out, PRIVATE_FOLDER);
    names = await readdir(out);
  } catch (cause) {
    throw unwritable(out, cause);
  }
  if (names.length === 0) return;
  const holds = `holds ${names.length} files or folders, such as ${names[0]}`;
  throw tapeError('TAPE_EXISTS', out, `expected a new or empty folder for the tape, ${holds}`);
}

function nothingIn(files: readonly string[]): ProtocolError {
  return new ProtocolError({
    code: 'TAPE_EMPTY',
    message: `expected records in ${files.join(', ')}, got none that a tape holds`,
    remedy:
      'Give files with records of the market; the guide import-recordings says what each format brings.',
  });
}

function tooManyRepairs({ records, repaired, counts }: DataQuality): ProtocolError {
  const { dropped, moved, fraction } = repaired;
  const reasons = Object.entries(counts).map(([reason, count]) => `${reason} ${count}`);
  return new ProtocolError({
    code: 'TAPE_REPAIRS_EXCEEDED',
    message: `expected at most ${REPAIRED_FRACTION_MAX * 100} % of the records to be dropped or moved, got ${(fraction * 100).toFixed(2)} %: ${dropped} dropped and ${moved} moved of ${records} (${reasons.join(', ')})`,
    remedy:
      'Look at what is wrong with the recording (the guide import-recordings explains each count), or take it as it is: --accept-repairs.',
    details: { records, dropped, moved },
  });
}

/** The same text for every location of the files: the tape of the same bytes is the same. */
function namesOf(files: readonly string[]): string {
  const names = files.map((file) => basename(file));
  if (names.length <= 4) return names.join(', ');
  return `${names.length} files, ${names[0]} to ${names.at(-1)}`;
}

/** SHA-256 over the SHA-256 of each file, in order. */
async function sha256Of(files: readonly string[]): Promise<string> {
  const all = createHash('sha256');
  for (const file of files) all.update(await sha256OfFile(file));
  return all.digest('hex');
}
