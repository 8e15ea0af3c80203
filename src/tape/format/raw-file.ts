/**
 * @module
 * One `raw-*.jsonl.zst` file: every frame and answer as it came, one JSON line each, in zstd frames of at most {@link
 * BLOCK_RECORDS_MAX} lines. Before each zstd frame is a skippable one of 24 bytes, so that `zstd -dc` gives the
 * lines and this reader finds the location of a fault. Blocks are decoded one by one: Node 24's decoder silently stops
 * after the first of several frames.
 *
 *   magic, 24 │ packed length, raw length, first time (8), records, CRC-32 │ zstd frame │ magic, 24 │ …
 */
import { constants, crc32, zstdCompress, zstdDecompressSync } from 'node:zlib';
import { isRecord, parseJson } from '../../core/index.ts';
import type { ReadAt } from './arrow-fault.ts';
import type { RawSummary } from './manifest.ts';

/** Lines of a block at most. */
export const BLOCK_RECORDS_MAX = 200;

const MAGIC = 0x184d2a5b;
const PAYLOAD_BYTES = 24;
const HEAD_BYTES = 8 + PAYLOAD_BYTES;
/** What the CRC covers: the payload before it, then the packed bytes. */
const CRC_AT = HEAD_BYTES - 4;
/** No block may claim more: lines are capped by the transport. */
const RAW_BYTES_MAX = 1_073_741_824;

const ZSTD = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};

/** An answer over REST as it is recorded. */
export interface RecordedAnswer {
  /** HTTP method. */
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Absent: no answer came, `body` says why. */
  readonly status?: number;
  /** Body as text. */
  readonly body: string;
}

/** One line. `gap`: this many frames and answers before it could not be written. */
export type RawRecord =
  | { readonly atMs: number; readonly frame: string }
  | { readonly atMs: number; readonly answer: RecordedAnswer }
  | { readonly atMs: number; readonly gap: number };

/** `lines` (each with its end) as one block, packed off the event loop. */
export function packBlock(lines: readonly string[], firstMs: number): Promise<Buffer> {
  const raw = Buffer.from(lines.join(''), 'utf8');
  return new Promise((resolve, reject) => {
    zstdCompress(raw, ZSTD, (error, packed) => {
      if (error === null)
        resolve(Buffer.concat([blockHead(packed, raw.length, firstMs, lines.length), packed]));
      else reject(error);
    });
  });
}

function blockHead(packed: Uint8Array, rawLength: number, firstMs: number, records: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(PAYLOAD_BYTES, 4);
  head.writeUInt32LE(packed.length, 8);
  head.writeUInt32LE(rawLength, 12);
  head.writeBigInt64LE(BigInt(Math.floor(firstMs)), 16);
  head.writeUInt32LE(records, 24);
  head.writeUInt32LE(crc32(packed, crc32(head.subarray(8, CRC_AT))), CRC_AT);
  return head;
}

/** A block as it was read. */
export interface RawBlock {
  /** Where it begins in the file. */
  readonly position: number;
  /** Number of lines. */
  readonly records: number;
  /** Its lines, as text. */
  readonly text: string;
}

/** How a file ended. */
export interface RawEnd {
  /** After the last complete block. */
  wholeBytes: number;
  /** Number of complete blocks. */
  blocks: number;
  /** Absent: the file ends with a whole block. */
  truncated: string | undefined;
}

/** A block that is not as it was written, with its location in the file. */
export class RawFault extends Error {
  readonly foreign: boolean;

  constructor(message: string, foreign = false) {
    super(message);
    this.foreign = foreign;
  }
}

/** The blocks of a file in order. A file that ends within a block is truncated: `end` reports it. @throws RawFault */
export function* readRawFile(readAt: ReadAt, end: RawEnd): Generator<RawBlock> {
  for (let position = 0; ; ) {
    const head = Buffer.from(readAt(position, HEAD_BYTES));
    if (head.length === 0) return;
    if (head.length < HEAD_BYTES) {
      end.truncated = 'the head of a block';
      return;
    }
    if (head.readUInt32LE(0) !== MAGIC || head.readUInt32LE(4) !== PAYLOAD_BYTES)
      throw new RawFault(`byte ${position}: expected the head of a block`, position === 0);
    const length = head.readUInt32LE(8);
    if (length > RAW_BYTES_MAX)
      throw new RawFault(`byte ${position}: a block of ${length} bytes is not possible`);
    const packed = readAt(position + HEAD_BYTES, length);
    if (packed.length < length) {
      end.truncated = 'a block';
      return;
    }
    const block = unpackBlock(head, packed, position);
    end.blocks += 1;
    end.wholeBytes = position + HEAD_BYTES + length;
    yield block;
    position = end.wholeBytes;
  }
}

function unpackBlock(head: Buffer, packed: Uint8Array, position: number): RawBlock {
  const place = `byte ${position}`;
  if (crc32(packed, crc32(head.subarray(8, CRC_AT))) !== head.readUInt32LE(CRC_AT))
    throw new RawFault(`${place}: the bytes of this block do not fit their CRC`);
  const rawLength = head.readUInt32LE(12);
  if (rawLength > RAW_BYTES_MAX) throw new RawFault(`${place}: ${rawLength} bytes of text are not possible`);
  let text: Buffer;
  try {
    text = zstdDecompressSync(packed, { maxOutputLength: Math.max(1, rawLength) });
  } catch (cause) {
    throw new RawFault(
      `${place}: this block cannot be unpacked (${cause instanceof Error ? cause.message : ''})`,
    );
  }
  if (text.length !== rawLength)
    throw new RawFault(`${place}: expected ${rawLength} bytes of text, got ${text.length}`);
  return { position, records: head.readUInt32LE(24), text: text.toString('utf8') };
}

/** The records of a block. @throws RawFault when a line is none, or there are more or fewer than the head says. */
export function recordsOf({ position, records, text }: RawBlock): readonly RawRecord[] {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length !== records)
    throw new RawFault(`byte ${position}: expected ${records} whole lines, got ${lines.length}`);
  return lines.map((line, index) => {
    const value = parseJson(line);
    if (isRecord(value) && typeof value['atMs'] === 'number' && KINDS.some((kind) => kind in value))
      return value as unknown as RawRecord;
    throw new RawFault(`byte ${position}, line ${index + 1}: expected a frame, an answer or a gap`);
  });
}

const KINDS = ['frame', 'answer', 'gap'] as const;

/** Counts records while they are written or read. */
export class RawCounter {
  #frames = 0;
  #answers = 0;
  #leftOut = 0;
  #fromMs: number | undefined;
  #toMs = 0;

  /** Takes one record. */
  add(record: RawRecord): void {
    this.#fromMs ??= record.atMs;
    this.#toMs = record.atMs;
    if ('frame' in record) this.#frames += 1;
    else if ('answer' in record) this.#answers += 1;
    else this.#leftOut += record.gap;
  }

  /** Appends what another has counted. */
  addAll({ frames, answers, leftOut, fromMs, toMs }: RawSummary): void {
    this.#fromMs ??= fromMs;
    this.#toMs = toMs;
    this.#frames += frames;
    this.#answers += answers;
    this.#leftOut += leftOut;
  }

  /** What was counted so far. */
  summary(): RawSummary {
    return {
      frames: this.#frames,
      answers: this.#answers,
      leftOut: this.#leftOut,
      fromMs: this.#fromMs ?? 0,
      toMs: this.#toMs,
    };
  }
}
