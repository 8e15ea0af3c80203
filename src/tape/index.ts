/**
 * @module Recordings of markets: reads foreign ones as one stream that can drive the embedded exchange, and proves
 * the reading by figures.
 */
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
export type { BinanceUmSummary } from './importers/binance-um-summary.ts';
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
  HOLE_MS_MIN,
  LOCKED_BOOK_RULE,
  RECORDED_LEVELS_MAX,
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
