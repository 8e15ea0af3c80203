/**
 * @module
 * Writes the rows of a tape as CSV, JSON lines or Parquet, for other tools. Prices and sizes leave as exact decimals of
 * their market.
 */
import { appendFileSync, closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { openTape, type TimeRange, tapeError, unwritable, writingError } from '../format/index.ts';
import { parquetSink } from './export-parquet.ts';
import { csvLine, EXPORT_COLUMNS, exportRow, jsonLine, type RowSink } from './export-rows.ts';

/** What can be written. */
const EXPORT_FORMATS = ['csv', 'jsonl', 'parquet'] as const;
/** One of {@link EXPORT_FORMATS}. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What to write where. */
export interface ExportOptions {
  /** Path of the tape. */
  readonly tape: string;
  /** Format of the output. */
  readonly format: ExportFormat;
  /** File; must not exist. */
  readonly out: string;
  /** Exported span of time; absent: all. */
  readonly range?: TimeRange;
}

/** Exports a tape. @returns how many rows were written. @throws BotError `TAPE_EXISTS`, `TAPE_FILE_UNWRITABLE`. */
export function exportTape({ tape: folder, format, out, range = {} }: ExportOptions): number {
  const tape = openTape(folder);
  if (existsSync(out)) throw tapeError('TAPE_EXISTS', out, 'expected no file of this name, got one');
  closeSync(openNew(out));
  let rows = 0;
  try {
    const sink = format === 'parquet' ? parquetSink(out, tape) : textSink(out, format);
    for (const batch of tape.batches(range)) {
      for (let row = 0; row < batch.rows; row++) sink.add(exportRow(tape, batch, row));
      rows += batch.rows;
    }
    sink.finish();
  } catch (thrown) {
    // Half a file would be taken for a whole one.
    rmSync(out, { force: true });
    throw writingError(out, thrown);
  }
  return rows;
}

/** Characters that are gathered before they are written. */
const CHUNK_CHARS = 1_048_576;

/** Lines of text; the file is open only while something is written. */
function textSink(out: string, format: 'csv' | 'jsonl'): RowSink {
  let text = format === 'csv' ? `${EXPORT_COLUMNS.join(',')}\n` : '';
  const flush = () => {
    appendFileSync(out, text);
    text = '';
  };
  return {
    add: (row) => {
      text += format === 'csv' ? csvLine(row) : jsonLine(row);
      if (text.length >= CHUNK_CHARS) flush();
    },
    finish: flush,
  };
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}
