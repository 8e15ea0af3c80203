/** @module Tapes on disk: rows, raw frames, manifest. */
export { ArrowFault, type FileEnd, type ReadAt } from './arrow-fault.ts';
export { arrowFiles } from './arrow-format.ts';
export type { TimeRange } from './columns.ts';
export type { DataQuality } from './data-quality.ts';
export {
  BATCH_ROWS_MAX,
  EVENT,
  type EventBatch,
  type EventKind,
  type EventRow,
  type EventWriter,
  FLAG_END,
  type TapeMarket,
} from './events.ts';
export { foundAt, hashOf, withFile } from './file-access.ts';
export {
  type EventName,
  type Manifest,
  type RawSummary,
  RowCounter,
  type RowCounts,
  type TapeFile,
} from './manifest.ts';
export { readListedManifest } from './manifest-file.ts';
export { describeQuality } from './quality-text.ts';
export {
  BLOCK_RECORDS_MAX,
  packBlock,
  RawCounter,
  type RawKind,
  type RawRecord,
  type RecordedAnswer,
  recordsOf,
} from './raw-file.ts';
export { formatOfHead, recordingAt } from './recording-head.ts';
export {
  importLine,
  RECORDING_NAMES,
  type RecordingFormat,
} from './recording-names.ts';
export { isTapeFile, recoverManifest, repairTape, type TruncatedFile, unlistedFiles } from './recovery.ts';
export { tapeError } from './tape-error.ts';
export {
  continueTapeFolder,
  createTapeFolder,
  fileName,
  type TapeFolder,
  type TapeFolderOptions,
} from './tape-folder.ts';
export { openTape, type Tape } from './tape-reader.ts';
export {
  createRowsWriter,
  createTapeWriter,
  type RowsWriter,
  type TapeWriter,
  writeAll,
} from './tape-writer.ts';
export { unwritable, writingError } from './write-error.ts';
