/**
 * @module
 * A custom feed from a file that another program appends to: each line is a value. Begins with the last line in
 * the file, which is the current value; continues with what is appended. A file that became shorter starts again.
 */
import { open } from 'node:fs/promises';
import { type Clock, messageOf, ReadFault, type Timer } from '../../../core/index.ts';

/** Bytes that are read at a time. */
const CHUNK_BYTES = 64 * 1024;
/** Bytes of a line without its end. */
const LINE_BYTES_MAX = 1024 * 1024;

/** What a feed reports. The shape is that of the stream layer's port. */
export interface FileFeedListener {
  /** A text came; `receivedAtMs`: local time, Unix ms. */
  onText(text: string, receivedAtMs: number): void;
  /** The source has no value at present, and why. */
  onFault(why: string): void;
}

/** A feed from a file. */
export interface FileFeedOptions {
  /** The file's path. */
  readonly path: string;
  /** How often the file is looked at. */
  readonly periodMs: number;
  readonly clock: Clock;
}

/** A source that can be opened; the function it returns ends it. */
export function createFileFeed(options: FileFeedOptions): { open(listener: FileFeedListener): () => void } {
  return {
    open(listener) {
      const feed = new FileFeed(options, listener);
      return () => feed.end();
    },
  };
}

class FileFeed {
  readonly #options: FileFeedOptions;
  readonly #listener: FileFeedListener;
  #timer: Timer | undefined;
  #isEnded = false;
  #isFirst = true;
  #position = 0;
  /** Bytes of a line that has not ended yet. */
  #rest = Buffer.alloc(0);

  constructor(options: FileFeedOptions, listener: FileFeedListener) {
    this.#options = options;
    this.#listener = listener;
    void this.#look();
  }

  end(): void {
    this.#isEnded = true;
    this.#timer?.cancel();
  }

  async #look(): Promise<void> {
    const { path, periodMs, clock } = this.#options;
    try {
      const lines = await this.#newLines(path);
      const fresh = this.#isFirst ? lines.slice(-1) : lines;
      this.#isFirst = false;
      if (!this.#isEnded) for (const line of fresh) this.#listener.onText(line, clock.nowMs());
    } catch (cause) {
      if (!this.#isEnded) this.#listener.onFault(messageOf(cause));
    }
    if (!this.#isEnded) this.#timer = clock.after(periodMs, () => void this.#look());
  }

  /** Lines that ended since the last look; empty ones are left out. */
  async #newLines(path: string): Promise<readonly string[]> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size < this.#position) {
        this.#position = 0;
        this.#rest = Buffer.alloc(0);
      }
      const lines: string[] = [];
      while (this.#position < size) {
        const { bytesRead, buffer } = await file.read(
          Buffer.alloc(CHUNK_BYTES),
          0,
          CHUNK_BYTES,
          this.#position,
        );
        if (bytesRead === 0) break;
        this.#position += bytesRead;
        this.#cut(Buffer.concat([this.#rest, buffer.subarray(0, bytesRead)]), lines);
      }
      return lines;
    } finally {
      await file.close();
    }
  }

  #cut(bytes: Buffer, lines: string[]): void {
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const text = bytes.toString('utf8', from, end).trim();
      if (text !== '') lines.push(text);
      from = end + 1;
    }
    this.#rest = Buffer.from(bytes.subarray(from));
    if (this.#rest.length > LINE_BYTES_MAX) {
      this.#rest = Buffer.alloc(0);
      throw new ReadFault(`expected lines below ${LINE_BYTES_MAX} bytes, got more`);
    }
  }
}
