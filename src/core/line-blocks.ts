/**
 * @module
 * Lines of text in packed blocks, as tapes and logs of runs keep them: each block a zstd frame behind a skippable one of 24
 * bytes, so that `zstd -dc` gives the lines, a torn end is cut at the last whole block, and a place is found without
 * reading what is before it. Blocks are decoded one by one: Node 24's decoder silently stops after the first of several
 * frames.
 *
 *   magic, 24 │ packed length, raw length, first time (8), lines, CRC-32 │ zstd frame │ magic, 24 │ …
 */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A run of bytes of a file; fewer than asked for at its end. The next call may overwrite it. */
export type ReadBytes = (position: number, length: number) => Uint8Array;

const MAGIC = 0x184d2a5b;
const PAYLOAD_BYTES = 24;
const HEAD_BYTES = 8 + PAYLOAD_BYTES;
/** What the CRC covers: the payload before it, then the packed bytes. */
const CRC_AT = HEAD_BYTES - 4;
/** No block may claim more: lines are capped by what writes them. */
const RAW_BYTES_MAX = 1_073_741_824;
/** How every head begins. */
const BEGINNING = headBeginning();
/** Read at once while a head is looked for. */
const SEARCH_BYTES = 1 << 16;

/** A block as it was read. */
export interface LineBlock {
  /** Where it begins in the file. */
  readonly position: number;
  /** Number of lines. */
  readonly lines: number;
  /** Its lines, as text, each with its end. */
  readonly text: string;
}

/** How a file ended. */
export interface BlocksEnd {
  /** After the last complete block. */
  wholeBytes: number;
  /** Number of complete blocks. */
  blocks: number;
  /** Absent: the file ends with a whole block. */
  truncated: string | undefined;
  /** Lines of the block that is not whole, where its head is there. */
  truncatedLines?: number;
}

/** A block that is not as it was written, with its location in the file. */
export class BlockFault extends Error {
  readonly foreign: boolean;

  constructor(message: string, foreign = false) {
    super(message);
    this.foreign = foreign;
  }
}

/** What a block is made of. */
export interface BlockContent {
  /** Its lines, each with its end, in UTF-8. */
  readonly raw: Uint8Array;
  readonly lines: number;
  /** Time of its first line, Unix ms. */
  readonly firstMs: number;
  /** Of zstd: 1 is fast, 3 smaller. */
  readonly level: number;
}

/** `content` as one block. */
export function packLines({ raw, lines, firstMs, level }: BlockContent): Buffer {
  const packed = zstdCompressSync(raw, {
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const head = Buffer.alloc(HEAD_BYTES);
  BEGINNING.copy(head);
  head.writeUInt32LE(packed.length, 8);
  head.writeUInt32LE(raw.length, 12);
  head.writeBigInt64LE(BigInt(Math.floor(firstMs)), 16);
  head.writeUInt32LE(lines, 24);
  head.writeUInt32LE(crc32(packed, crc32(head.subarray(8, CRC_AT))), CRC_AT);
  return Buffer.concat([head, packed]);
}

/** The blocks of a file in order, from one that begins at `from`. A file that ends within a block is truncated: `end` reports it. @throws BlockFault */
export function* readLineBlocks(readAt: ReadBytes, end: BlocksEnd, from = 0): Generator<LineBlock> {
  for (let position = from; ; ) {
    const head = Buffer.from(readAt(position, HEAD_BYTES));
    if (head.length === 0) return;
    if (head.length < HEAD_BYTES) {
      end.truncated = 'the head of a block';
      return;
    }
    if (!isBeginning(head))
      throw new BlockFault(`byte ${position}: expected the head of a block`, position === 0);
    const length = head.readUInt32LE(8);
    if (length > RAW_BYTES_MAX)
      throw new BlockFault(`byte ${position}: a block of ${length} bytes is not possible`);
    const packed = readAt(position + HEAD_BYTES, length);
    if (packed.length < length) {
      end.truncated = 'a block';
      end.truncatedLines = head.readUInt32LE(24);
      return;
    }
    const block = unpack(head, packed, position);
    end.blocks += 1;
    end.wholeBytes = position + HEAD_BYTES + length;
    yield block;
    position = end.wholeBytes;
  }
}

/** A block that was found by its place. */
export interface FoundBlock {
  readonly position: number;
  /** Time of its first line, Unix ms. */
  readonly firstMs: number;
}

/** The first whole block that begins at `from` or behind it; `undefined`: none does. */
export function findLineBlock(readAt: ReadBytes, from: number): FoundBlock | undefined {
  for (let at = from; ; ) {
    // What was read may be overwritten by the look at a block.
    const bytes = Buffer.from(readAt(at, SEARCH_BYTES));
    for (let found = bytes.indexOf(BEGINNING); found >= 0; found = bytes.indexOf(BEGINNING, found + 1)) {
      const firstMs = timeOfBlock(readAt, at + found);
      if (firstMs !== undefined) return { position: at + found, firstMs };
    }
    if (bytes.length < SEARCH_BYTES) return undefined;
    at += bytes.length - BEGINNING.length + 1;
  }
}

/** The time of the whole block at `position`; `undefined`: there is none, whatever the bytes look like. */
function timeOfBlock(readAt: ReadBytes, position: number): number | undefined {
  const head = Buffer.from(readAt(position, HEAD_BYTES));
  if (head.length < HEAD_BYTES || !isBeginning(head)) return undefined;
  const length = head.readUInt32LE(8);
  if (length > RAW_BYTES_MAX) return undefined;
  const packed = readAt(position + HEAD_BYTES, length);
  const isWhole =
    packed.length === length && crc32(packed, crc32(head.subarray(8, CRC_AT))) === head.readUInt32LE(CRC_AT);
  return isWhole ? Number(head.readBigInt64LE(16)) : undefined;
}

function isBeginning(head: Buffer): boolean {
  return head.readUInt32LE(0) === MAGIC && head.readUInt32LE(4) === PAYLOAD_BYTES;
}

function headBeginning(): Buffer {
  const beginning = Buffer.alloc(8);
  beginning.writeUInt32LE(MAGIC, 0);
  beginning.writeUInt32LE(PAYLOAD_BYTES, 4);
  return beginning;
}

function unpack(head: Buffer, packed: Uint8Array, position: number): LineBlock {
  const place = `byte ${position}`;
  if (crc32(packed, crc32(head.subarray(8, CRC_AT))) !== head.readUInt32LE(CRC_AT))
    throw new BlockFault(`${place}: the bytes of this block do not fit their CRC`);
  const rawLength = head.readUInt32LE(12);
  if (rawLength > RAW_BYTES_MAX)
    throw new BlockFault(`${place}: ${rawLength} bytes of text are not possible`);
  let text: Buffer;
  try {
    text = zstdDecompressSync(packed, { maxOutputLength: Math.max(1, rawLength) });
  } catch (cause) {
    throw new BlockFault(
      `${place}: this block cannot be unpacked (${cause instanceof Error ? cause.message : ''})`,
    );
  }
  if (text.length !== rawLength)
    throw new BlockFault(`${place}: expected ${rawLength} bytes of text, got ${text.length}`);
  return { position, lines: head.readUInt32LE(24), text: text.toString('utf8') };
}
