/** @module Third-party recordings to tapes. */
export {
  describeImportCounts,
  type ImportResult,
  importTape,
} from './import-tape.ts';
export { plainDecimal } from './plain-decimal.ts';
