/**
 * @module
 * A file of sealed lines while it is written (`core/sealed-lines.ts`), packed block by block. What waits is written twice a
 * second. A disk that fails, or does not follow, is logged and ends the file, never the run.
 */
import { close, open, writeFile } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Clock,
  type Log,
  makeFolder,
  messageOf,
  PRIVATE_FOLDER,
  packLines,
  Sealer,
  type Timer,
} from '../../core/index.ts';
import { BlockBytes } from './block-bytes.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
/** Writes all bytes to an open file, however many calls the system needs. */
const writeWhole = promisify(writeFile);

/** How often what waits is written. */
const FLUSH_MS = 500;
/** Of text, before it is packed whenever that is. */
const BLOCK_BYTES_MAX = 1 << 20;
/** Packed bytes that may wait for the disk. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** Of zstd: these lines repeat themselves so much that a higher level gains little. */
const LEVEL = 1;

/** Takes lines. */
export interface SealedFile {
  /** Adds a line, without its end. `atMs`: its time, 0: it has none. */
  line(text: string | Uint8Array, atMs: number): void;
  /** Adds the line in `template`, with a list of numbers in place of each NUL. */
  numbers(template: string | Uint8Array, lists: readonly Float64Array[], atMs: number): void;
  /** Lines that wait to be packed. */
  readonly waiting: number;
  /** Writes what waits. */
  flush(): Promise<void>;
  /** Writes what waits and closes the file. */
  close(): Promise<void>;
}

/** Begins the file `name.zst` in `folder` with its first line. */
export function createSealedFile(options: {
  readonly folder: string;
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
}): SealedFile {
  return new PackedFile(options);
}

class PackedFile implements SealedFile {
  readonly #options: Parameters<typeof createSealedFile>[0];
  readonly #timer: Timer;
  readonly #sealer = new Sealer();
  readonly #open = new BlockBytes(1 << 17);
  #descriptor: number | undefined;
  /** Of the first line that waits, and of the last one that has a time. */
  #firstMs = 0;
  #lastMs = 0;
  #waitingBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(options: Parameters<typeof createSealedFile>[0]) {
    this.#options = options;
    this.#timer = options.clock.every(FLUSH_MS, () => this.#cutBlock());
  }

  get waiting(): number {
    return this.#open.lines;
  }

  line(text: string | Uint8Array, atMs: number): void {
    if (this.#hasFailed) return;
    if (typeof text === 'string') this.#open.text(text);
    else this.#open.raw(text);
    this.#endLine(atMs);
  }

  numbers(template: string | Uint8Array, lists: readonly Float64Array[], atMs: number): void {
    if (this.#hasFailed) return;
    const bytes = typeof template === 'string' ? Buffer.from(template) : template;
    let from = 0;
    for (const list of lists) {
      const place = bytes.indexOf(0, from);
      this.#open.raw(bytes.subarray(from, place));
      this.#open.numbers(list);
      from = place + 1;
    }
    this.#open.raw(bytes.subarray(from));
    this.#endLine(atMs);
  }

  flush(): Promise<void> {
    this.#cutBlock();
    return this.#writing;
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.flush();
    if (this.#descriptor !== undefined) await closeFile(this.#descriptor).catch(() => undefined);
    this.#descriptor = undefined;
  }

  #endLine(atMs: number): void {
    this.#open.endLine();
    if (atMs > 0) this.#lastMs = atMs;
    if (this.#open.lines === 1) this.#firstMs = this.#lastMs;
    if (this.#open.length >= BLOCK_BYTES_MAX) this.#cutBlock();
  }

  #cutBlock(): void {
    const { lines } = this.#open;
    if (lines === 0 || this.#hasFailed) return;
    this.#open.text(this.#sealer.seal(this.#open.content, lines));
    this.#open.endLine();
    const block = packLines({
      ...{ raw: this.#open.content, lines: lines + 1, firstMs: this.#firstMs, level: LEVEL },
    });
    this.#open.clear();
    this.#waitingBytes += block.length;
    if (this.#waitingBytes > WAITING_BYTES_MAX) this.#fail('the disk does not follow');
    else this.#writing = this.#writing.then(() => this.#write(block));
  }

  async #write(block: Buffer): Promise<void> {
    if (this.#hasFailed) return;
    const { folder, name } = this.#options;
    try {
      if (this.#descriptor === undefined) {
        makeFolder(folder, PRIVATE_FOLDER);
        this.#descriptor = await openFile(join(folder, `${name}.zst`), 'ax', 0o600);
      }
      await writeWhole(this.#descriptor, block);
      this.#waitingBytes -= block.length;
    } catch (cause) {
      this.#fail(messageOf(cause));
    }
  }

  #fail(error: string): void {
    this.#hasFailed = true;
    this.#options.log.error('the log of the run ends here: it could not be written', { error });
  }
}
