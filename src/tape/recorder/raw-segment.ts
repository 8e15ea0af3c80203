/** @module One file of raw records while it is written: durable batch by batch, off the event loop. */
import { createHash, type Hash } from 'node:crypto';
import { close, fdatasync, ftruncate, open, writeFile } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RawSummary, TapeFolder } from '../format/index.ts';
import { RawCounter } from '../format/index.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
const sync = promisify(fdatasync);
const cut = promisify(ftruncate);
/** Writes all bytes to an open file, however many calls the system needs. */
const writeWhole = promisify(writeFile);

/** A file of raw records. Calls do not overlap: the recorder makes one at a time. */
export class RawSegment {
  readonly name: string;
  readonly beganMs: number;
  readonly #descriptor: number;
  readonly #hash: Hash = createHash('sha256');
  readonly #counter = new RawCounter();
  bytes = 0;

  private constructor(name: string, descriptor: number, beganMs: number) {
    this.name = name;
    this.#descriptor = descriptor;
    this.beganMs = beganMs;
  }

  /** Begins the file; it must not exist. */
  static async begin(folder: string, name: string, beganMs: number): Promise<RawSegment> {
    // To append: after a write that failed half-way and was cut off, the next one begins where the file ends.
    return new RawSegment(name, await openFile(join(folder, name), 'ax', 0o600), beganMs);
  }

  /** Writes whole blocks and waits until they are on the disk. On failure the file is as it was before. */
  async append(blocks: Buffer, content: Iterable<RawSummary>): Promise<void> {
    try {
      await writeWhole(this.#descriptor, blocks);
      await sync(this.#descriptor);
    } catch (cause) {
      await cut(this.#descriptor, this.bytes);
      throw cause;
    }
    this.bytes += blocks.length;
    this.#hash.update(blocks);
    for (const summary of content) this.#counter.addAll(summary);
  }

  /** Closes it and hands it to the manifest. */
  async seal(tape: TapeFolder): Promise<void> {
    await closeFile(this.#descriptor);
    const { name, bytes } = this;
    tape.seal({ name, kind: 'raw', bytes, sha256: this.#hash.digest('hex'), raw: this.#counter.summary() });
  }
}
