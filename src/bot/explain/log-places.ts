/**
 * @module
 * Places in the log of a run: lines stand in the order of time, so that of an instant is found by halving. A packed log has
 * the time of each block in its head; one that older versions left is text.
 */
import { fstatSync } from 'node:fs';
import {
  BlockFault,
  type BlocksEnd,
  bytesOf,
  findLineBlock,
  type ReadBytes,
  readLineBlocks,
} from '../../core/index.ts';

/** A log in which places can be found. */
export interface LogPlaces {
  /** A place before the first line of `atMs`. */
  placeOf(atMs: number): number;
  /** Whole lines from the first that begins at or behind `place`, to the end or where the file is damaged. */
  from(place: number): Generator<string>;
}

/** Where halving ends: the rest is read. */
const NEAR_BYTES = 1 << 16;
const CHUNK_BYTES = 1 << 16;
/** A line that is longer is not looked behind. */
const LINE_BYTES_MAX = 1 << 22;

/** The places of a packed log. */
export function packedLines(descriptor: number): LogPlaces {
  const readAt = bytesOf(descriptor);
  const { size } = fstatSync(descriptor);
  return {
    placeOf: (atMs) => halved(size, atMs, (middle) => findLineBlock(readAt, middle)?.firstMs),
    *from(place) {
      const first = findLineBlock(readAt, place);
      if (first === undefined) return;
      try {
        const end: BlocksEnd = { wholeBytes: 0, blocks: 0, truncated: undefined };
        for (const { text } of readLineBlocks(readAt, end, first.position)) yield* linesIn(text);
      } catch (thrown) {
        if (!(thrown instanceof BlockFault)) throw thrown;
      }
    },
  };
}

function* linesIn(text: string): Generator<string> {
  const lines = text.split('\n');
  lines.pop();
  yield* lines;
}

/** The places of a log that is text. */
export function textLines(descriptor: number): LogPlaces {
  const readAt = bytesOf(descriptor);
  const { size } = fstatSync(descriptor);
  return {
    placeOf: (atMs) => halved(size, atMs, (middle) => timeAfter(readAt, middle)),
    from: (place) => linesFrom(readAt, place),
  };
}

/** The last place of which the time is before `atMs`, nearly. `timeFrom`: of the first entry behind a place. */
function halved(size: number, atMs: number, timeFrom: (place: number) => number | undefined): number {
  let [low, high] = [0, size];
  while (high - low > NEAR_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const time = timeFrom(middle);
    if (time === undefined || time >= atMs) high = middle;
    else low = middle;
  }
  return low;
}

/** The time of the first line with one that begins behind `offset`. */
function timeAfter(readAt: ReadBytes, offset: number): number | undefined {
  for (let length = CHUNK_BYTES; length <= LINE_BYTES_MAX; length *= 4) {
    const bytes = Buffer.from(readAt(offset, length));
    const found = /\n\{"t":\[([0-9.]+),/.exec(bytes.toString('latin1'));
    if (found !== null) return Number(found[1]);
    if (bytes.length < length) return undefined;
  }
  return undefined;
}

function* linesFrom(readAt: ReadBytes, from: number): Generator<string> {
  let rest = '';
  let isFirst = from > 0;
  for (let at = from; ; ) {
    const bytes = Buffer.from(readAt(at, CHUNK_BYTES));
    if (bytes.length === 0) break;
    at += bytes.length;
    const parts = (rest + bytes.toString('latin1')).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (!isFirst) yield Buffer.from(part, 'latin1').toString('utf8');
      isFirst = false;
    }
  }
}
