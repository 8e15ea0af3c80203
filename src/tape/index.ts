/**
 * @module Recordings of markets: reads foreign ones as one stream that can drive the embedded exchange, and proves
 * the reading by figures.
 */
export { createFactColumns, type FactColumns, tapeMarketOf } from './fact-columns.ts';
export { createFileFeed } from './feeds/file.ts';
export {
  BATCH_ROWS_MAX,
  EVENT,
  type EventBatch,
  type EventRow,
  FLAG_END,
  type TapeMarket,
} from './format/events.ts';
export type { Manifest } from './format/manifest.ts';
export { repairTape, type TornFile } from './format/recovery.ts';
export { openTape, type Tape } from './format/tape-reader.ts';
export { createRowsWriter, createTapeWriter, type RowsWriter } from './format/tape-writer.ts';
export {
  describeImportCounts,
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportResult,
  importTape,
} from './importers/import-tape.ts';
export { plainDecimal } from './importers/plain-decimal.ts';
export { openRecordedMarket } from './open-recording.ts';
export { describeRecordingStats, LOCKED_BOOK_RULE, type RecordedMarket } from './recorded-market.ts';
export { createRecorder, type Recorder } from './recorder.ts';
export { type ExportFormat, exportTape } from './tools/export-tape.ts';
export { mergeTapes } from './tools/merge-tapes.ts';
export { rowsOf } from './tools/row-cursor.ts';
export { sliceTape } from './tools/slice-tape.ts';
export { verifyTape } from './tools/verify-tape.ts';
