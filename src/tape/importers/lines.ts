/**
 * @module A file as lines of text, one after the other, in constant memory: plain or gzip, recognized by its first
 * bytes. What this does not do: continuing after a truncated file. The lines before the cut are handed out, then the
 * tear is an error.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { messageOf, ProtocolError } from '../../core/index.ts';
import { malformed, type Place } from './location.ts';

/** The longest line that is held; a REST snapshot of 1,000 levels has about 50,000 characters. */
const LINE_LENGTH_MAX = 16 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** One line of a file without its end. */
export interface RecordedLine {
  /** Location in the recording. */
  readonly place: Place;
  /** Text without the line break. */
  readonly text: string;
}

/**
 * Reads the lines of the file at `path`; empty lines are left out but counted in the line numbers.
 * @throws ProtocolError naming file and line when the file is truncated, not readable or, by its name, no gzip file.
 */
export async function* readRecordedLines(path: string): AsyncGenerator<RecordedLine> {
  const isGzip = path.endsWith('.gz') || (await beginsAsGzip(path));
  const chunks = isGzip ? gunzipped(path) : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  chunks.setEncoding('utf8');
  let rest = '';
  let line = 0;
  try {
    for await (const chunk of chunks) {
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
    throw cause instanceof ProtocolError ? cause : unreadable({ file: path, line }, isGzip, cause);
  }
  if (rest !== '') yield { place: { file: path, line: line + 1 }, text: rest };
}

function gunzipped(path: string): Gunzip {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // A failure of either end destroys `gunzip` and thereby reaches the reader: nothing is left for the callback.
  pipeline(createReadStream(path), gunzip, () => undefined);
  return gunzip;
}

/** A name need not end in `.gz`; a file that cannot be opened is reported by the reading itself. */
async function beginsAsGzip(path: string): Promise<boolean> {
  const file = await open(path).catch((cause: unknown) => {
    throw unreadable({ file: path, line: 0 }, false, cause);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } catch (cause) {
    throw unreadable({ file: path, line: 0 }, false, cause);
  } finally {
    await file.close();
  }
}

/** A file that cannot be read, or not to its end. */
export function unreadable(place: Place, isGzip: boolean, cause: unknown): ProtocolError {
  return new ProtocolError({
    code: 'TAPE_FILE_UNREADABLE',
    message: `expected a whole ${isGzip ? 'gzip ' : ''}file, got a truncated or damaged one after ${place.file}:${place.line} (${messageOf(cause)})`,
    remedy: 'Fetch the file again and compare its sha256; a truncated recording is not imported in part.',
    details: { file: place.file, line: place.line },
    cause,
  });
}
