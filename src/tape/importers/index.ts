/** @module Foreign recordings to tapes. */
export {
  describeImportCounts,
  type ImportFormat,
  type ImportResult,
  importTape,
} from './import-tape.ts';
export { openRecordedMarket } from './open-recording.ts';
export { plainDecimal } from './plain-decimal.ts';
export { describeRecordingStats, LOCKED_BOOK_RULE, type RecordedMarket } from './recorded-market.ts';
