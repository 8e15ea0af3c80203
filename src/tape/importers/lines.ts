/**
 * @module A file as lines of text, in constant memory: UTF-8, plain or gzip, recognized by its first bytes. A byte order
 * mark is left out; lines end with LF, CRLF or CR. What this does not do: continuing after a truncated file. The lines
 * before the cut are handed out, then the tear is an error.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { isOfSystem, messageOf, ProtocolError } from '../../core/index.ts';
import { malformed, type Place } from './location.ts';

/** The longest line that is held; a REST snapshot of 1,000 levels has about 50,000 characters. */
export const LINE_LENGTH_MAX = 16 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const BYTE_ORDER_MARK = 0xfeff;

/** Files that hold no text: their first bytes, and what makes text of them. */
const PACKED: readonly (readonly [name: string, bytes: readonly number[], remedy: string])[] = [
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04], 'Unpack it, and name the file inside: unzip <file>.'],
  ['an empty zip archive', [0x50, 0x4b, 0x05, 0x06], 'Fetch the file again.'],
  ['a file packed by zstd', [0x28, 0xb5, 0x2f, 0xfd], 'Unpack it, or pack it with gzip: unzstd <file>.'],
  ['a file packed by bzip2', [0x42, 0x5a, 0x68], 'Unpack it, or pack it with gzip: bunzip2 <file>.'],
  ['a file packed by xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a], 'Unpack it, or pack it with gzip: unxz <file>.'],
  ['a Parquet file', [0x50, 0x41, 0x52, 0x31], 'Export its table as CSV.'],
];

/** One line of a file without its end. */
export interface RecordedLine {
  /** Location in the recording. */
  readonly place: Place;
  /** Text without the line break. */
  readonly text: string;
}

/** Whole lines that follow each other. */
export interface LineBlock {
  /** Number of the first line, from 1. */
  readonly line: number;
  /** The lines with LF between them. */
  readonly text: string;
}

/**
 * Reads the lines of the file at `path`; blank lines are left out but counted in the line numbers.
 * @throws ProtocolError naming file and line when the file is truncated or not readable, packed otherwise, or no text.
 */
export async function* readRecordedLines(path: string): AsyncGenerator<RecordedLine> {
  for await (const { line, text: block } of readBlocks(path)) {
    const lines = block.split('\n');
    for (const [at, text] of lines.entries())
      if (!isBlank(text)) yield { place: { file: path, line: line + at }, text };
  }
}

/** True if `text` holds blanks only. */
export function isBlank(text: string): boolean {
  return text === '' || (text.charCodeAt(0) <= 32 && text.trim() === '');
}

/** The lines of the file at `path`, blank ones too, many at a time. @throws as {@link readRecordedLines}. */
export async function* readBlocks(path: string): AsyncGenerator<LineBlock> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let line = 1;
  let isFirst = true;
  try {
    for await (const chunk of readUnpacked(path)) {
      if (isFirst && isUtf16(chunk)) throw notUtf8(path, 'UTF-16');
      const zero = chunk.indexOf(0);
      rest += decoder.write(zero < 0 ? chunk : chunk.subarray(0, zero));
      if (isFirst && rest.charCodeAt(0) === BYTE_ORDER_MARK) rest = rest.slice(1);
      isFirst = false;
      // A CR at the end may be the first half of a CRLF.
      const held = zero < 0 && rest.endsWith('\r') ? '\r' : '';
      rest = withLf(held === '' ? rest : rest.slice(0, -1));
      const end = rest.lastIndexOf('\n');
      if (end >= 0) {
        const text = rest.slice(0, end);
        yield { line, text };
        line += breaksIn(text) + 1;
      }
      rest = rest.slice(end + 1) + held;
      if (zero >= 0) throw notText({ file: path, line });
      if (rest.length > LINE_LENGTH_MAX)
        throw malformed({ file: path, line }, `a line below ${LINE_LENGTH_MAX} characters`, 'more');
    }
  } catch (cause) {
    throw cause instanceof ProtocolError ? cause : unreadable({ file: path, line: line - 1 }, cause);
  }
  rest = withLf(rest + decoder.end());
  if (rest !== '') yield { line, text: rest };
}

/** The bytes of the file at `path`, unpacked. @throws ProtocolError when it is packed otherwise than by gzip. */
export async function* readUnpacked(path: string): AsyncGenerator<Buffer> {
  const first = await firstBytes(path);
  const packed = PACKED.find(([, bytes]) => bytes.every((byte, at) => first[at] === byte));
  if (packed !== undefined) throw packedOtherwise(path, packed[0], packed[2]);
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  // An empty file with this name was cut off.
  if (!isGzip && !(path.endsWith('.gz') && first.length === 0))
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
  else {
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
    // A failure of either end destroys `gunzip` and thereby reaches the reader: nothing is left for the callback.
    pipeline(createReadStream(path), gunzip, () => undefined);
    yield* gunzip;
  }
}

/** SHA-256 of the bytes of the file at `path`. @throws ProtocolError when it cannot be read. */
export async function sha256OfFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  } catch (cause) {
    throw unreadable({ file: path, line: 0 }, cause);
  }
  return hash.digest();
}

/** A file that cannot be opened is reported by the caller. */
async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function withLf(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

function breaksIn(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++;
  return breaks;
}

function isUtf16(chunk: Buffer): boolean {
  return (chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff);
}

function notUtf8(file: string, found: string): ProtocolError {
  return malformed(
    { file, line: 1 },
    'text in UTF-8',
    found,
    'Save the file as UTF-8: iconv -f UTF-16 -t UTF-8 <file>.',
  );
}

function notText(place: Place): ProtocolError {
  const remedy = 'Name a file of text in UTF-8; a file that ends with zeros was not written to its end.';
  return malformed(place, 'text', 'a byte of zero', remedy);
}

function packedOtherwise(file: string, found: string, remedy: string): ProtocolError {
  return malformed({ file, line: 1 }, 'text, plain or packed by gzip', found, remedy);
}

/** A file that cannot be read, or not to its end. */
export function unreadable(place: Place, cause: unknown): ProtocolError {
  const isRefused = isOfSystem(cause);
  const message = isRefused
    ? `expected a readable file at ${place.file}, got ${messageOf(cause)}`
    : `expected a whole file, got a truncated or damaged one after ${place.file}:${place.line} (${messageOf(cause)})`;
  return new ProtocolError({
    code: 'TAPE_FILE_UNREADABLE',
    message,
    remedy: isRefused
      ? 'Name a file that can be read.'
      : 'Fetch the file again and compare its sha256; a truncated recording is not imported in part.',
    details: { file: place.file, line: place.line },
    cause,
  });
}
