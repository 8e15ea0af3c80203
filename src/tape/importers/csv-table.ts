/**
 * @module
 * A CSV file as rows of text, one after the other. Plain lines are split here; where quotes appear the package csv-parse
 * reads, which is strict about them. Cells come without the blanks around them; rows of empty cells are left out. A
 * first line `sep=;` names the separator, as Excel writes it. A file with other columns than expected is an error at its
 * header and never a shifted number.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { messageOf } from '../../core/index.ts';
import { formatOfHead, importLine } from '../format/index.ts';
import { isBlank, LINE_LENGTH_MAX, type LineBlock, readBlocks } from './lines.ts';
import { malformed, type Place, quoted } from './location.ts';

/** One row: a cell of text a column. */
export interface CsvRow {
  /** Location in the recording: the line on which the row begins. */
  readonly place: Place;
  /** Cells of the row, unquoted. */
  readonly cells: readonly string[];
}

/** How a file is written. */
export interface CsvShape {
  /** Character between cells. */
  readonly separator: string;
  /** Names in the first line; absent: there is no header, and columns are numbered from 1. */
  readonly header: readonly string[] | undefined;
  /** Number of columns; absent: as many as the header has, or any. */
  readonly columns?: number | undefined;
}

/** Separators of programs that save CSV otherwise than with commas. */
const OTHER_SEPARATORS = [';', '\t'];
/** A blank within a line. */
const BLANK = /[^\S\n]/;
const SEPARATOR_LINE = /^"?sep=(.)"?$/i;

/** Plain CSV with exactly these columns. */
export function csvShapeOf(columns: string): CsvShape {
  return { separator: ',', header: columns.split(',') };
}

/**
 * The rows of the file at `path` without the header. @throws ProtocolError naming file and line when header or columns
 * differ, or quotes are not as CSV has them.
 */
export async function* readCsv(path: string, shape: CsvShape): AsyncGenerator<CsvRow> {
  const { separator, header, columns = header?.length } = shape;
  let isHeader = header !== undefined;
  for await (const rows of rowsOf(path, new CsvText(path, separator, isHeader)))
    for (const row of rows) {
      if (isHeader) checkHeader(row, header ?? []);
      else if (columns !== undefined && row.cells.length !== columns)
        throw malformed(row.place, `${columns} columns`, `${row.cells.length}`);
      else yield row;
      isHeader = false;
    }
}

/**
 * The first row of the file at `path`. `hasHeader`: it names the columns, so that it shows a separator other than
 * `separator`. @throws ProtocolError when the file is empty.
 */
export async function readFirstRow(path: string, separator: string, hasHeader: boolean): Promise<CsvRow> {
  for await (const [row] of rowsOf(path, new CsvText(path, separator, hasHeader)))
    if (row !== undefined) return row;
  throw malformed({ file: path, line: 1 }, 'a header', 'an empty file');
}

async function* rowsOf(path: string, text: CsvText): AsyncGenerator<Iterable<CsvRow>> {
  for await (const block of readBlocks(path)) yield text.rows(block);
  yield text.end();
}

/** Turns blocks of lines into rows. */
export class CsvText {
  readonly #file: string;
  readonly #hasHeader: boolean;
  #separator: string;
  #isBegun = false;
  /** Lines whose last quote is still open. */
  #open: LineBlock | undefined;

  constructor(file: string, separator: string, hasHeader: boolean) {
    this.#file = file;
    this.#separator = separator;
    this.#hasHeader = hasHeader;
  }

  /** The rows that end in `block`; they are read before the next block is given. */
  rows(block: LineBlock): Iterable<CsvRow> {
    const { line, text } = this.#isBegun ? block : this.#begin(block);
    const open = this.#open;
    const all = open === undefined ? { line, text } : { line: open.line, text: `${open.text}\n${text}` };
    this.#open = undefined;
    if (!all.text.includes('"')) return this.#plainRows(all);
    if (!hasOpenQuote(all.text) || all.text.length > LINE_LENGTH_MAX) return this.#quotedRows(all);
    this.#open = all;
    return [];
  }

  /** The rows that wait for a quote to close, which is an error. */
  end(): readonly CsvRow[] {
    return this.#open === undefined ? [] : this.#quotedRows(this.#open);
  }

  /** Finds the separator in the first line that is not blank. */
  #begin({ line, text }: LineBlock): LineBlock {
    const lines = text.split('\n');
    const first = lines.findIndex((one) => !isBlank(one));
    if (first < 0) return { line, text: '' };
    this.#isBegun = true;
    const head = lines[first] ?? '';
    const stated = SEPARATOR_LINE.exec(head.trim())?.[1];
    if (stated !== undefined) {
      this.#separator = stated;
      return { line: line + first + 1, text: lines.slice(first + 1).join('\n') };
    }
    const [other, ...more] = OTHER_SEPARATORS.filter((one) => head.includes(one));
    const isOther = this.#hasHeader && !head.includes(this.#separator) && more.length === 0;
    if (isOther && other !== undefined) this.#separator = other;
    return { line, text };
  }

  /** Made one by one, so that a row is forgotten before the next one is made. */
  *#plainRows({ line, text }: LineBlock): Generator<CsvRow> {
    const separator = this.#separator;
    const file = this.#file;
    const isClean = !BLANK.test(text);
    let at = line;
    for (let from = 0; from <= text.length; at++) {
      const end = text.indexOf('\n', from);
      const one = text.slice(from, end < 0 ? text.length : end);
      from = end < 0 ? text.length + 1 : end + 1;
      if (one === '') continue;
      const split = one.split(separator);
      const cells = isClean ? split : split.map(trimmed);
      if (!isEmpty(cells)) yield { place: { file, line: at }, cells };
    }
  }

  #quotedRows({ line, text }: LineBlock): readonly CsvRow[] {
    const rows: CsvRow[] = [];
    let next = line;
    try {
      for (const { record, info } of parsed(text, this.#separator)) {
        const cells = record.map(trimmed);
        if (!isEmpty(cells)) rows.push({ place: { file: this.#file, line: next }, cells });
        next = line + info.lines;
      }
    } catch (cause) {
      const at = cause instanceof CsvError && typeof cause['lines'] === 'number' ? cause['lines'] - 1 : 0;
      throw malformed(
        { file: this.#file, line: line + at },
        'cells in whole double quotes, or without any',
        messageOf(cause),
        'Put the whole cell in double quotes and write a quote within it twice.',
      );
    }
    return rows;
  }
}

/** True for a row of separators only. */
function isEmpty(cells: readonly string[]): boolean {
  return cells[0] === '' && cells.every((cell) => cell === '');
}

function trimmed(cell: string): string {
  return cell.trim();
}

/** True if the quotes of `text` do not come in pairs. */
function hasOpenQuote(text: string): boolean {
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
}

function checkHeader({ place, cells }: CsvRow, header: readonly string[]): void {
  const format = formatOfHead(cells.join(','));
  const other =
    format === undefined ? '' : `Import it in its own format: ${importLine(format, place.file)}. `;
  const remedy = `${other}Files with columns of their own are read as format csv, with a mapping.`;
  for (const [at, name] of header.entries())
    if (cells[at] !== name)
      throw malformed(
        place,
        `the column ${name} as number ${at + 1}`,
        quoted(cells[at] ?? 'nothing'),
        remedy,
      );
  if (cells.length > header.length)
    throw malformed(
      place,
      `${header.length} columns`,
      `${cells.length}, with ${quoted(cells[header.length] ?? '')}`,
      remedy,
    );
}

interface ParsedRecord {
  readonly record: readonly string[];
  /** Lines up to the end of the record. */
  readonly info: { readonly lines: number };
}

function parsed(text: string, delimiter: string): readonly ParsedRecord[] {
  const options = {
    delimiter,
    record_delimiter: '\n',
    relax_column_count: true,
    trim: true,
    info: true,
  } as const;
  // The types of the package do not know what `info` changes.
  return parse(text, options) as unknown as readonly ParsedRecord[];
}
