/**
 * @module What a file or a folder holds if it is a recording of a format: by the names of files, and by their first bytes
 * where names do not tell. For errors that say how to import it; a recording is proven by its reader only.
 */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import {
  importLine,
  RECORDING_NAMES,
  type RecordingFormat,
  recordingFormatOf,
  shellWord,
} from './recording-names.ts';

/** So much of a file is looked at. */
const HEAD_BYTES = 65_536;
/** So many files of a folder are looked at. */
const FILES_MAX = 20;

/** The beginnings of files by format; of the streams of Binance {@link formatOfHead} says the venue. */
const HEADS: readonly (readonly [RecordingFormat, RegExp])[] = [
  ['binance-candles', /^ts_ms,(?:open,high,low,close|funding_rate)/],
  ['standx', /^exch_ms,recv_us,/],
  ['hyperliquid', /^timestamp,(?:sequence,exchange_timestamp|price,size,side),/],
  ['gemini', /^time_seconds,/],
  ['tardis-csv', /^exchange,symbol,timestamp,local_timestamp,/],
  ['feed', /^\{"atMs":/],
  ['lobster', /^\d+\.\d+,[1-7],\d+,\d+,-?\d+,-?1\b/],
  ['binance-spot', /^\d+,[\d.]+,[\d.]+,(?:[\d.]+|\d+,\d+),\d{13,16},(?:true|false),(?:true|false)\b/i],
];
/** A table with a time in its second line: any CSV. */
const TABLE = /^[^\n]+[,;\t][^\n]+[,;\t][^\n]*\n[^\n]*(?:\b\d{10}(?:\d{3}){0,3}\b|\d{4}-\d\d-\d\d)/;

/** A recording that was recognized. */
export interface FoundRecording {
  readonly format: RecordingFormat;
  /** What to do to have a tape of it, with the line that imports it. */
  readonly remedy: string;
}

/** The recording at `place`, a file or a folder; `undefined`: nothing that is known. */
export function recordingAt(place: string): FoundRecording | undefined {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const names = isFolder ? namesIn(place) : [basename(place)];
  const byName = recordingFormatOf(names);
  const isNamed = (format: RecordingFormat, name: string) =>
    RECORDING_NAMES[format].some((pattern) => pattern.test(name));
  const looked = byName === undefined ? names : names.filter((name) => isNamed(byName, name));
  for (const name of looked.slice(0, FILES_MAX)) {
    const head = headOf(isFolder ? join(place, name) : place);
    const format = formatOfHead(head) ?? (isFolder || !TABLE.test(head) ? undefined : 'csv');
    if (format === undefined || (byName !== undefined && isNamed(format, name) === false)) continue;
    // Names of candles are the same at Binance and Hyperliquid, and so is their reading.
    if (byName === undefined || (byName === 'binance-um' && format !== byName))
      return found(format, place, name);
  }
  return byName === undefined ? undefined : found(byName, place, looked[0] ?? '');
}

function found(format: RecordingFormat, place: string, name: string): FoundRecording {
  if (format === 'csv')
    return {
      format,
      remedy: `Write down which column holds what (docs/guides/import-recordings.md has an example), then: ${importLine(format, place)} --mapping <mapping.yaml>`,
    };
  const patterns: readonly RegExp[] = RECORDING_NAMES[format];
  const line = importLine(format, place);
  const isNamed = patterns.some((pattern) => pattern.test(name));
  if (isNamed) return { format, remedy: `Import it, then name the tape: ${line}` };
  return {
    format,
    remedy: `Give ${shellWord(name)} the name that files of ${format} have (docs/guides/import-recordings.md), then import it: ${line}`,
  };
}

/** The format of a text that begins with `head`; `undefined`: not known. */
export function formatOfHead(head: string): RecordingFormat | undefined {
  if (!/^\d{13,19} \{/.test(head)) return HEADS.find(([, pattern]) => pattern.test(head))?.[0];
  if (/"pu":|"X":"|"markPriceUpdate"/.test(head)) return 'binance-um';
  return /"M":(?:true|false)|"depthUpdate"|"lastUpdateId"/.test(head) ? 'binance-spot' : undefined;
}

/** The files of a folder; none where it cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The first characters of a file, unpacked; none of one that cannot be read. */
function headOf(path: string): string {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      const head = bytes.subarray(0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
      const isGzip = head[0] === 0x1f && head[1] === 0x8b;
      // What is cut off is left out.
      const text = isGzip ? gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }) : head;
      return text.toString('utf8').replace(/^\uFEFF?\s*/, '');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
