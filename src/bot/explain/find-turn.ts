/**
 * @module
 * Finds the turn of a run at an instant in its log without reading all of it: lines stand in the order of time, so the place
 * is found by halving. The seals are not checked here; `ballast replay` does.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type JsonObject } from '../../core/index.ts';

/** What is sought. */
export interface SoughtTurn {
  /** A text that one of the lines of the turn has. */
  readonly wanted: string;
  /** How the line of an intent of the strategy begins, and the market that it names. */
  readonly intent: string;
  readonly symbol: string;
}

/** A turn, as lines of the log. */
export interface FoundTurn {
  /** What reached the kernel. */
  readonly input: JsonObject;
  /** The last intent of the strategy in the market up to here, and what had reached the kernel then; `undefined`: none is near. */
  readonly asked: { readonly input: JsonObject; readonly text: string } | undefined;
}

/** The name of the log in the folder of a run. */
const RUN_LOG_FILE = 'log.jsonl';

const CHUNK_BYTES = 1 << 16;
/** A line that is longer is not looked behind. */
const LINE_BYTES_MAX = 1 << 22;
/** How far behind the place of the instant is read. */
const READ_BYTES_MAX = 1 << 24;

/** The turn of `atMs` that is sought; `undefined`: the log has none. */
export function findTurn(folder: string, atMs: number, sought: SoughtTurn): FoundTurn | undefined {
  const file = join(folder, RUN_LOG_FILE);
  if (!existsSync(file)) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    const place = placeOf(descriptor, fstatSync(descriptor).size, atMs);
    let found: FoundTurn | undefined;
    // Quotes wait for their lane: what asked for them is mostly near, and seldom far before.
    for (const back of BACK_BYTES) {
      found = turnFrom(descriptor, Math.max(0, place - back), atMs, sought);
      if (found?.asked !== undefined || place <= back) break;
    }
    return found;
  } finally {
    closeSync(descriptor);
  }
}

const BACK_BYTES = [0, 1 << 18, 1 << 21, 1 << 24] as const;

/** A place before the first line of `atMs`. */
function placeOf(descriptor: number, size: number, atMs: number): number {
  let [low, high] = [0, size];
  while (high - low > CHUNK_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const time = timeAfter(descriptor, middle);
    if (time === undefined || time >= atMs) high = middle;
    else low = middle;
  }
  return low;
}

/** The time of the first line with one that begins behind `offset`. */
function timeAfter(descriptor: number, offset: number): number | undefined {
  for (let bytes = CHUNK_BYTES; bytes <= LINE_BYTES_MAX; bytes *= 4) {
    const buffer = Buffer.alloc(bytes);
    const count = readSync(descriptor, buffer, 0, bytes, offset);
    const found = /\n\{"t":\[([0-9.]+),/.exec(buffer.toString('latin1', 0, count));
    if (found !== null) return Number(found[1]);
    if (count < bytes) return undefined;
  }
  return undefined;
}

function turnFrom(
  descriptor: number,
  from: number,
  atMs: number,
  { wanted, intent, symbol }: SoughtTurn,
): FoundTurn | undefined {
  let input = '';
  let isFound = false;
  let asked: { readonly input: string; readonly line: string } | undefined;
  for (const line of linesFrom(descriptor, from)) {
    const time = /^\{"t":\[([0-9.]+),/.exec(line)?.[1];
    if (time !== undefined) {
      if (isFound || Number(time) > atMs) break;
      input = line;
    }
    if (isFound) continue;
    if (line.includes(intent) && line.includes(symbol)) asked = { input, line };
    isFound = time !== undefined && Number(time) < atMs ? false : line.includes(wanted);
  }
  const began = isFound ? entryOf(input) : undefined;
  if (began === undefined) return undefined;
  if (asked === undefined) return { input: began, asked: undefined };
  const askedIn = asked.input === input ? began : entryOf(asked.input);
  const text = entryOf(asked.line)?.['intent'];
  const isWhole = askedIn !== undefined && typeof text === 'string';
  return { input: began, asked: isWhole ? { input: askedIn, text } : undefined };
}

/** `undefined`: a line that is cut off. */
function entryOf(line: string): JsonObject | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Whole lines from the first that begins at or behind `from`. */
function* linesFrom(descriptor: number, from: number): Generator<string> {
  let rest = '';
  let isFirst = from > 0;
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let at = from; at - from < READ_BYTES_MAX; ) {
    const count = readSync(descriptor, buffer, 0, buffer.length, at);
    if (count === 0) break;
    at += count;
    const parts = (rest + buffer.toString('latin1', 0, count)).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (!isFirst) yield Buffer.from(part, 'latin1').toString('utf8');
      isFirst = false;
    }
  }
}
