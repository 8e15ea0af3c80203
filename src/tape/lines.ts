/**
 * @module
 * A gzip file as lines of text, one after the other, in constant memory. What this does not do: going on behind a
 * torn file. The lines before the tear are handed out, then the tear is an error.
 */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf, ProtocolError } from '../core/index.ts';
import { malformed, type Place } from './place.ts';

/** The longest line that is held; a REST snapshot of 1,000 levels has about 50,000 characters. */
const LINE_LENGTH_MAX = 16 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** One line of a file without its end. */
export interface Line {
  readonly place: Place;
  readonly text: string;
}

/**
 * Reads the lines of the gzip file at `path`; empty lines are left out but counted in the line numbers.
 * @throws ProtocolError naming file and line when the file is torn, no gzip file or not readable.
 */
export async function* readGzipLines(path: string): AsyncGenerator<Line> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  gunzip.setEncoding('utf8');
  // A failure of either end destroys `gunzip` and thereby reaches the loop below: nothing is left for the callback.
  pipeline(createReadStream(path), gunzip, () => undefined);
  let rest = '';
  let line = 0;
  try {
    for await (const chunk of gunzip) {
      rest += String(chunk);
      let from = 0;
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
        const text = rest.slice(from, rest.charCodeAt(end - 1) === 13 ? Math.max(from, end - 1) : end);
        from = end + 1;
        line++;
        if (text !== '') yield { place: { file: path, line }, text };
      }
      rest = rest.slice(from);
      if (rest.length > LINE_LENGTH_MAX)
        throw malformed({ file: path, line: line + 1 }, `a line below ${LINE_LENGTH_MAX} characters`, 'more');
    }
  } catch (cause) {
    throw cause instanceof ProtocolError ? cause : unreadable({ file: path, line }, cause);
  }
  if (rest !== '') yield { place: { file: path, line: line + 1 }, text: rest };
}

/** The last `count` lines of the gzip file at `path`; reads all of it, so a torn file is noticed here. */
export async function readLastGzipLines(path: string, count: number): Promise<readonly Line[]> {
  let lines: Line[] = [];
  for await (const line of readGzipLines(path)) {
    lines.push(line);
    if (lines.length >= 2 * count) lines = lines.slice(-count);
  }
  return lines.slice(-count);
}

function unreadable(place: Place, cause: unknown): ProtocolError {
  return new ProtocolError({
    code: 'TAPE_FILE_UNREADABLE',
    message: `expected a whole gzip file, was torn or damaged after ${place.file}:${place.line} (${messageOf(cause)})`,
    remedy: 'Fetch the file again and compare its sha256; a torn recording is not used from its middle.',
    details: { file: place.file, line: place.line },
    cause,
  });
}
