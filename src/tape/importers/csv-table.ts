/**
 * @module
 * A CSV file with a header as rows of text, one after the other. Columns are found by name, so a file with other
 * columns is an error at its first line and never a shifted number.
 */
import { readRecordedLines } from './lines.ts';
import { malformed, type Place, quoted } from './location.ts';

/** One row: a cell of text a column. */
export interface CsvRow {
  /** Location in the recording. */
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
}

/** Plain CSV with exactly these columns. */
export function csvShapeOf(columns: string): CsvShape {
  return { separator: ',', header: columns.split(',') };
}

/** The rows of the file at `path`. @throws ProtocolError naming file and line when header or columns differ. */
export async function* readCsv(path: string, shape: CsvShape): AsyncGenerator<CsvRow> {
  const { separator, header } = shape;
  const columns = header?.length;
  for await (const { place, text } of readRecordedLines(path)) {
    const cells = splitCells(text, separator);
    if (place.line === 1 && header !== undefined) {
      checkHeader(place, cells, header);
      continue;
    }
    if (columns !== undefined && cells.length !== columns)
      throw malformed(place, `${columns} columns`, `${cells.length}`);
    yield { place, cells };
  }
}

/** The cells of the first line of the file at `path`. @throws ProtocolError when the file is empty. */
export async function readHeader(path: string, separator: string): Promise<readonly string[]> {
  for await (const { text } of readRecordedLines(path)) return splitCells(text, separator);
  throw malformed({ file: path, line: 1 }, 'a header', 'an empty file');
}

/** The cells of one line; a cell in double quotes may hold separators. */
function splitCells(text: string, separator: string): readonly string[] {
  if (!text.includes('"')) return text.split(separator);
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (letter === '"') {
      if (isQuoted && text[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = !isQuoted;
    } else if (letter === separator && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += letter;
  }
  cells.push(cell);
  return cells;
}

function checkHeader(place: Place, cells: readonly string[], header: readonly string[]): void {
  for (const [at, name] of header.entries())
    if (cells[at] !== name)
      throw malformed(place, `the column ${name} as number ${at + 1}`, quoted(cells[at] ?? 'nothing'));
  if (cells.length > header.length)
    throw malformed(
      place,
      `${header.length} columns`,
      `${cells.length}, with ${quoted(cells[header.length] ?? '')}`,
    );
}
