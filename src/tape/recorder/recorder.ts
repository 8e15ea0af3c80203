/**
 * @module
 * Keeps every raw frame and every REST answer with its receive time in `raw-*.jsonl.zst` of a tape. A block is packed at
 * once, so that a disk that stalls for a minute costs some megabytes; if it still falls too far behind, frames are left
 * out and a gap marker says how many. Does not read tapes back.
 *
 *   record ─► block of 200 lines or 1 s ─► packed ─► each second: written, on the disk ─► sealed each 64 MiB or hour
 */
import { type Clock, type Log, messageOf, type Timer } from '../../core/index.ts';
import type { RawSummary } from '../format/index.ts';
import {
  BLOCK_RECORDS_MAX,
  fileName,
  packBlock,
  RawCounter,
  type RawKind,
  type RawRecord,
  type RecordedAnswer,
  type TapeFolder,
} from '../format/index.ts';
import { BlockBytes } from './block-bytes.ts';
import { RawSegment } from './raw-segment.ts';

/** The longest a line waits for its block, in milliseconds. */
const BLOCK_MS = 1_000;
/** Packed bytes that are written before their second is over. */
const EARLY_BYTES = 4 * 1024 * 1024;
/** Bytes that a block has room for at first. */
const BLOCK_BYTES = 1 << 19;
/** Bytes that may wait, as text before they are packed and packed afterwards; beyond them frames are left out. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** A segment is sealed at this size or age, whichever comes first. */
const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;
const SEGMENT_MS_MAX = 3_600_000;

/** What a recorder needs. */
interface RecorderOptions {
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Receives log lines. */
  readonly log: Log;
  /** Default 64 MiB. */
  readonly waitingBytesMax?: number;
}

/** A recorder at work. */
export interface TapeRecorder {
  /** The tape it writes: rows and other files join it. */
  readonly tape: TapeFolder;
  /** Takes one frame, as text. Never throws. */
  record(text: string, receivedAtMs: number): void;
  /** Takes one frame in UTF-8, which it does not keep. Never throws. */
  recordBytes(frame: Uint8Array, receivedAtMs: number): void;
  /** Takes one answer over REST, or the lack of one. */
  recordAnswer(answer: RecordedAnswer, receivedAtMs: number): void;
  /** So many frames and answers were lost before they came here. */
  leaveOut(count: number): void;
  /** Frames and answers kept, and those left out because the disk was too slow or failed. */
  stats(): { readonly recorded: number; readonly leftOut: number };
  /** Writes what waits and seals the tape; writers of rows that joined must be closed before. */
  close(): Promise<void>;
}

/** A block on its way to the disk. */
interface Block {
  readonly content: RawSummary;
  readonly packed: Buffer;
}

/** Opens a recorder of a tape that has been begun. */
export function createRecorder(tape: TapeFolder, options: RecorderOptions): TapeRecorder {
  return new RowRecorder(tape, options);
}

class RowRecorder implements TapeRecorder {
  readonly tape: TapeFolder;
  readonly #log: Log;
  readonly #timer: Timer;
  readonly #waitingMax: number;
  readonly #open = new BlockBytes(BLOCK_BYTES);
  #content = new RawCounter();
  #blocks: Block[] = [];
  /** Of {@link #blocks} and of those that are being written. */
  #packedBytes = 0;
  #segment: RawSegment | undefined;
  #segments = 0;
  #recorded = 0;
  #lastMs = 0;
  #leftOut = 0;
  /** Left out, and not yet reported by a marker. */
  #unmarked = 0;
  #writing: Promise<void> | undefined;

  constructor(tape: TapeFolder, { clock, log, waitingBytesMax }: RecorderOptions) {
    this.tape = tape;
    this.#log = log;
    this.#waitingMax = waitingBytesMax ?? WAITING_BYTES_MAX;
    this.#timer = clock.every(BLOCK_MS, () => this.#write());
  }

  record(text: string, receivedAtMs: number): void {
    this.recordBytes(Buffer.from(text, 'utf8'), receivedAtMs);
  }

  recordBytes(frame: Uint8Array, atMs: number): void {
    if (!this.#isTaken(atMs)) return;
    this.#open.text(`{"atMs":${atMs},"frame":"`);
    this.#open.escaped(frame);
    this.#open.text('"}');
    this.#endRecord('frame', atMs);
  }

  recordAnswer(answer: RecordedAnswer, atMs: number): void {
    if (!this.#isTaken(atMs)) return;
    this.#open.text(JSON.stringify({ atMs, answer } satisfies RawRecord));
    this.#endRecord('answer', atMs);
  }

  leaveOut(count: number): void {
    this.#leftOut += count;
    this.#unmarked += count;
  }

  stats(): { readonly recorded: number; readonly leftOut: number } {
    return { recorded: this.#recorded, leftOut: this.#leftOut };
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    this.#markLosses(this.#lastMs);
    this.#write();
    await this.#writing;
    if (this.#unmarked > 0) this.tape.note(`${this.#unmarked} records at the end could not be written`);
    await this.#segment?.seal(this.tape);
    this.#segment = undefined;
    this.tape.close();
  }

  /** Whether there is room for one more; where some were left out before it, a marker says so. */
  #isTaken(atMs: number): boolean {
    if (this.#packedBytes + this.#open.length > this.#waitingMax) {
      this.leaveOut(1);
      return false;
    }
    this.#markLosses(atMs);
    return true;
  }

  #markLosses(atMs: number): void {
    const gap = this.#unmarked;
    if (gap === 0) return;
    this.#unmarked = 0;
    this.#open.text(JSON.stringify({ atMs, gap } satisfies RawRecord));
    this.#endLine('gap', atMs, gap);
  }

  #endRecord(kind: 'frame' | 'answer', atMs: number): void {
    this.#endLine(kind, atMs, 1);
    this.#recorded++;
  }

  #endLine(kind: RawKind, atMs: number, count: number): void {
    this.#open.endLine();
    this.#lastMs = atMs;
    this.#content.count(kind, atMs, count);
    if (this.#open.lines >= BLOCK_RECORDS_MAX) this.#cutBlock();
  }

  /** What waits becomes a block. */
  #cutBlock(): void {
    const { lines, content: raw } = this.#open;
    if (lines === 0) return;
    const content = this.#content.summary();
    const packed = packBlock(raw, lines, content.fromMs);
    this.#open.clear();
    this.#content = new RawCounter();
    this.#blocks.push({ content, packed });
    this.#packedBytes += packed.length;
    if (this.#packedBytes >= EARLY_BYTES) this.#startWriting();
  }

  #write(): void {
    this.#cutBlock();
    this.#startWriting();
  }

  #startWriting(): void {
    if (this.#blocks.length === 0) return;
    this.#writing ??= this.#writeBlocks().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes until nothing waits. Never rejects: what fails is reported and counted. */
  async #writeBlocks(): Promise<void> {
    for (;;) {
      const blocks = this.#blocks;
      this.#blocks = [];
      const [first] = blocks;
      if (first === undefined) return;
      const packed = Buffer.concat(blocks.map((block) => block.packed));
      try {
        const segment = await this.#segmentAt(first.content.fromMs);
        await segment.append(
          packed,
          blocks.map(({ content }) => content),
        );
      } catch (cause) {
        for (const { content } of blocks) this.#lose(content);
        this.#log.error('frames could not be recorded', {
          folder: this.tape.folder,
          error: messageOf(cause),
        });
      } finally {
        this.#packedBytes -= packed.length;
      }
    }
  }

  /** The segment that a record of `atMs` belongs to. */
  async #segmentAt(atMs: number): Promise<RawSegment> {
    const open = this.#segment;
    if (open !== undefined && open.bytes < SEGMENT_BYTES_MAX && atMs - open.beganMs < SEGMENT_MS_MAX)
      return open;
    this.#segment = undefined;
    await open?.seal(this.tape);
    this.#segments++;
    const name = fileName('raw', this.#segments, '.jsonl.zst');
    this.#segment = await RawSegment.begin(this.tape.folder, name, atMs);
    return this.#segment;
  }

  #lose({ frames, answers, leftOut }: RawSummary): void {
    const lost = frames + answers;
    this.#recorded -= lost;
    this.#leftOut += lost;
    // A marker that was lost is reported again by the next one.
    this.#unmarked += lost + leftOut;
  }
}
