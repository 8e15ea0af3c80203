/**
 * @module
 * Lines in sealed blocks, as the log of a run has them: a seal holds the hash of its block and of the seal before it, so a
 * flipped byte is found and a truncated end is cut at the last seal. This is how they are sealed, and the one way to read
 * them back: packed (`name.zst`), or as text as older versions left them.
 *
 *   lines · {"seal": 1, "lines": n, "sha256": ...} · lines · {"seal": 2, ...}
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { messageOf, ReadFault } from './errors.ts';
import { BlockFault, type BlocksEnd, type ReadBytes, readLineBlocks } from './line-blocks.ts';

const SEAL_START = '{"seal":';
const CHUNK_BYTES = 1 << 20;

/** Makes the seals of a file, block by block. */
export class Sealer {
  #head = '';
  #seals = 0;

  /** The line, without its end, that seals `block`: `lines` whole lines. */
  seal(block: Uint8Array | string, lines: number): string {
    this.#head = createHash('sha256').update(this.#head).update(block).digest('hex');
    return `${SEAL_START}${++this.#seals},"lines":${lines},"sha256":"${this.#head}"}`;
  }
}

/** The path of the packed file, where there is one or `path` is not there; else `path`, which is text. */
export function sealedLinesAt(path: string): { readonly path: string; readonly isPacked: boolean } {
  const packed = `${path}.zst`;
  const isText = existsSync(path) && !existsSync(packed);
  return isText ? { path, isPacked: false } : { path: packed, isPacked: true };
}

/** How a file of sealed lines ended. */
export interface SealedEnd {
  /** Lines after the last seal, which were cut. */
  truncatedLines: number;
}

/**
 * The lines of each block whose seal fits, block by block, without the seals.
 * @throws ReadFault where it cannot be read; BlockFault where a seal or a block does not fit.
 */
export function* readSealedLines(at: string, end: SealedEnd): Generator<readonly string[]> {
  const { path, isPacked } = sealedLinesAt(at);
  const sealer = new Sealer();
  let block: string[] = [];
  let seals = 0;
  let cut = 0;
  const onCut = (lines: number): void => {
    cut = lines;
  };
  for (const line of isPacked ? packedLines(path, onCut) : textLines(path)) {
    if (!line.startsWith(SEAL_START)) {
      block.push(line);
      continue;
    }
    seals++;
    if (line !== sealer.seal(`${block.join('\n')}\n`, block.length))
      throw new BlockFault(`expected block ${seals} to fit its seal, got other bytes than were written`);
    yield block;
    block = [];
  }
  end.truncatedLines = block.length + cut;
}

/** The lines of whole blocks. `onCut` hears how many lines the block has that is not whole. */
function* packedLines(path: string, onCut: (lines: number) => void): Generator<string> {
  const end: BlocksEnd = { wholeBytes: 0, blocks: 0, truncated: undefined };
  const descriptor = openFile(path);
  try {
    const readAt = bytesOf(descriptor);
    try {
      for (const { text } of readLineBlocks(readAt, end)) {
        const lines = text.split('\n');
        lines.pop();
        yield* lines;
      }
    } catch (thrown) {
      if (!(thrown instanceof BlockFault && isEmptyFrom(readAt, end.wholeBytes))) throw thrown;
      // After a power cut a file may be longer than what was written of it.
      end.truncated = 'a block';
    }
    // One of the lines is the seal.
    if (end.truncated !== undefined) onCut(Math.max(1, (end.truncatedLines ?? 2) - 1));
  } finally {
    closeSync(descriptor);
  }
}

function isEmptyFrom(readAt: ReadBytes, from: number): boolean {
  for (let at = from; ; at += CHUNK_BYTES) {
    const bytes = readAt(at, CHUNK_BYTES);
    if (bytes.some((byte) => byte !== 0)) return false;
    if (bytes.length < CHUNK_BYTES) return true;
  }
}

/** Complete lines; what follows the last line end is part of a truncated line, and is one more. */
function* textLines(path: string): Generator<string> {
  const descriptor = openFile(path);
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const count = readSync(descriptor, buffer, 0, buffer.length, null);
      if (count === 0) break;
      const parts = (rest + decoder.decode(buffer.subarray(0, count), { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads pieces of an open file, each into memory of its own. */
export function bytesOf(descriptor: number): ReadBytes {
  const { size } = fstatSync(descriptor);
  return (position, length) => {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - position)));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, position));
  };
}

function openFile(path: string): number {
  try {
    if (statSync(path).isDirectory()) throw new ReadFault('there is a folder');
    return openSync(path, 'r');
  } catch (cause) {
    throw cause instanceof ReadFault ? cause : new ReadFault(messageOf(cause));
  }
}
