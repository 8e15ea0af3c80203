/** @module Third-party recordings to tapes, and the readers of CSV and its numbers for other rooms. */
export { areCandlePrices } from './candle-checks.ts';
export { type CsvRow, readCsv, readFirstRow } from './csv-table.ts';
export {
  describeImportCounts,
  type ImportResult,
  importTape,
} from './import-tape.ts';
export { sha256OfFile } from './lines.ts';
export { FETCH_AGAIN, malformed, priceAt, quoted, rateAt, sizeAt } from './location.ts';
export { plainDecimal } from './plain-decimal.ts';
export { ScaleScan } from './scale-scan.ts';
export { timeToUs } from './times.ts';
