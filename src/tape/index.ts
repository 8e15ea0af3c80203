/**
 * @module Recordings of markets: reads foreign ones as one stream that can drive the embedded exchange, and proves
 * the reading by figures.
 */
export { createFactColumns, type FactColumns, tapeMarketOf } from './fact-columns.ts';
export { createFileFeed, type FileFeedListener, type FileFeedOptions } from './feeds/file.ts';
export type { TimeRange } from './format/columns.ts';
export {
  BATCH_ROWS_MAX,
  EVENT,
  type EventBatch,
  type EventKind,
  type EventRow,
  type EventWriter,
  FLAG_END,
  type TapeMarket,
} from './format/events.ts';
export type {
  EventName,
  KindCounts,
  Manifest,
  RowCounts,
  RowSummary,
  TapeFile,
  TapeSource,
} from './format/manifest.ts';
export { type MemoryFeeds, memoryTape } from './format/memory-tape.ts';
export type { RawAnswer, RawRecord } from './format/raw-file.ts';
export { repairTape, type TornFile } from './format/recovery.ts';
export type { TapeFolder, TapeFolderOptions } from './format/tape-folder.ts';
export { openTape, type Tape } from './format/tape-reader.ts';
export {
  createRowsWriter,
  createTapeWriter,
  type RowsWriter,
  type RowsWriterOptions,
  type TapeWriter,
} from './format/tape-writer.ts';
export type { BinanceUmSummary } from './importers/binance-um-summary.ts';
export { IMPORT_REASONS, type ImportReason, type ImportTally } from './importers/import-counts.ts';
export {
  describeImportCounts,
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportOptions,
  type ImportResult,
  importTape,
} from './importers/import-tape.ts';
export { plainDecimal } from './importers/plain-decimal.ts';
export type { StandxHourSummary } from './importers/standx-summary.ts';
export {
  inspectRecording,
  type OpenRecordingOptions,
  openRecordedMarket,
  type RecordingFolder,
  type RecordingSummary,
  summarizeRecording,
} from './open-recording.ts';
export {
  describeRecordingStats,
  LOCKED_BOOK_RULE,
  type RecordedEvent,
  type RecordedHoleEvent,
  type RecordedLevel,
  type RecordedLevels,
  type RecordedLevelsEvent,
  type RecordedMarkEvent,
  type RecordedMarket,
  type RecordedTradeEvent,
  type RecordingFormat,
  type RecordingStats,
} from './recorded-market.ts';
export { createRecorder, type Recorder, type RecorderOptions } from './recorder.ts';
export { type ExportFormat, type ExportOptions, exportTape } from './tools/export-tape.ts';
export { type MergeOptions, mergeTapes } from './tools/merge-tapes.ts';
export { rowsOf } from './tools/row-cursor.ts';
export { type SliceOptions, sliceTape } from './tools/slice-tape.ts';
export { type TapeCheck, type TapeFinding, verifyTape } from './tools/verify-tape.ts';
