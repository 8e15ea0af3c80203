/**
 * @module
 * Keeps every raw frame and every REST answer with its receive time, before anyone acts on it, in `raw-*.jsonl.zst` of
 * a tape. Recording costs one line of text; packing, writing and flushing happen off the event loop. A block is packed
 * at once, so that a disk that stalls for a minute costs some megabytes; if it still falls too far behind, frames
 * are left out and a gap marker says how many. Does not read tapes back.
 *
 *   record ─► lines ─► block of 200 or 1 s ─► packed ─► written ─► on the disk ─► sealed each 64 MiB or hour
 */
import { type Clock, type Log, messageOf, type Timer } from '../../core/index.ts';
import type { RawSummary } from '../format/index.ts';
import {
  BLOCK_RECORDS_MAX,
  createTapeFolder,
  fileName,
  packBlock,
  RawCounter,
  type RawRecord,
  type RecordedAnswer,
  type TapeFolder,
} from '../format/index.ts';
import { RawSegment } from './raw-segment.ts';

/** The longest a line waits for its block, in milliseconds. */
const BLOCK_MS = 1_000;
/** Bytes that may wait, as text before they are packed and packed afterwards; beyond them frames are left out. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
/** A segment is sealed at this size or age, whichever comes first. */
const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;
const SEGMENT_MS_MAX = 3_600_000;

/** What is recorded where. */
export interface RecorderOptions {
  /** Made if it is not there; one per run. */
  readonly folder: string;
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Receives log lines. */
  readonly log: Log;
  /** What is recorded, in words. */
  readonly description?: string;
  /** Default 64 MiB. */
  readonly waitingBytesMax?: number;
}

/** A recorder at work. */
export interface TapeRecorder {
  /** The tape it writes: rows and other files join it. */
  readonly tape: TapeFolder;
  /** Takes one frame. Costs one line of text; never throws. */
  record(text: string, receivedAtMs: number): void;
  /** Takes one answer over REST, or the lack of one. */
  recordAnswer(answer: RecordedAnswer, receivedAtMs: number): void;
  /** Frames and answers kept, and those left out because the disk was too slow or failed. */
  stats(): { readonly recorded: number; readonly leftOut: number };
  /** Writes what waits and seals the tape; writers of rows that joined must be closed before. */
  close(): Promise<void>;
}

/** Lines that belong into one block. */
class Lines {
  readonly texts: string[] = [];
  readonly content = new RawCounter();
  chars = 0;

  add(record: RawRecord): number {
    const line = `${JSON.stringify(record)}\n`;
    this.texts.push(line);
    this.content.add(record);
    this.chars += line.length;
    return line.length;
  }
}

/** A block on its way to the disk. */
interface Block {
  readonly content: RawSummary;
  readonly packed: Promise<Buffer>;
}

/** Opens a recorder. @throws ProtocolError when there is a tape in the folder, or the file system's error. */
export function createRecorder(options: RecorderOptions): TapeRecorder {
  return new RowRecorder(options);
}

class RowRecorder implements TapeRecorder {
  readonly tape: TapeFolder;
  readonly #log: Log;
  readonly #timer: Timer;
  readonly #waitingMax: number;
  #open = new Lines();
  readonly #blocks: Block[] = [];
  #waitingBytes = 0;
  #segment: RawSegment | undefined;
  #segments = 0;
  #recorded = 0;
  #leftOut = 0;
  /** Left out, and not yet reported by a marker. */
  #unmarked = 0;
  #writing: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    const { folder, clock, log, description = 'streams and answers of a run' } = options;
    this.tape = createTapeFolder({ folder, markets: [], source: { kind: 'recorded', description } });
    this.#log = log;
    this.#waitingMax = options.waitingBytesMax ?? WAITING_BYTES_MAX;
    this.#timer = clock.every(BLOCK_MS, () => this.#cutBlock());
  }

  record(text: string, receivedAtMs: number): void {
    this.#take({ atMs: receivedAtMs, frame: text });
  }

  recordAnswer(answer: RecordedAnswer, receivedAtMs: number): void {
    this.#take({ atMs: receivedAtMs, answer });
  }

  stats(): { readonly recorded: number; readonly leftOut: number } {
    return { recorded: this.#recorded, leftOut: this.#leftOut };
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    this.#cutBlock();
    await this.#writing;
    if (this.#unmarked > 0) this.tape.note(`${this.#unmarked} records at the end could not be written`);
    await this.#segment?.seal(this.tape);
    this.#segment = undefined;
    this.tape.close();
  }

  #take(record: RawRecord): void {
    if (this.#waitingBytes > this.#waitingMax) {
      this.#leftOut++;
      this.#unmarked++;
      return;
    }
    if (this.#unmarked > 0) {
      this.#append({ atMs: record.atMs, gap: this.#unmarked });
      this.#unmarked = 0;
    }
    this.#append(record);
    this.#recorded++;
  }

  #append(record: RawRecord): void {
    this.#waitingBytes += this.#open.add(record);
    if (this.#open.texts.length >= BLOCK_RECORDS_MAX) this.#cutBlock();
  }

  /** What waits becomes a block, and blocks are written if they are not already. */
  #cutBlock(): void {
    if (this.#open.texts.length > 0) {
      this.#blocks.push(this.#pack(this.#open));
      this.#open = new Lines();
    }
    if (this.#blocks.length === 0) return;
    this.#writing ??= this.#writeBlocks().finally(() => {
      this.#writing = undefined;
    });
  }

  #pack({ texts, content: counter, chars }: Lines): Block {
    const content = counter.summary();
    const packed = packBlock(texts, content.fromMs)
      .finally(() => {
        this.#waitingBytes -= chars;
      })
      .then((bytes) => {
        this.#waitingBytes += bytes.length;
        return bytes;
      });
    // Reported where it is written; until then it is not read.
    packed.catch(() => undefined);
    return { content, packed };
  }

  /** Writes until nothing waits. Never rejects: what fails is reported and counted. */
  async #writeBlocks(): Promise<void> {
    for (;;) {
      const blocks = this.#blocks.splice(0);
      if (blocks.length === 0) return;
      const settled = await Promise.allSettled(blocks.map((block) => block.packed));
      const bytes = settled.reduce(
        (sum, one) => sum + (one.status === 'fulfilled' ? one.value.length : 0),
        0,
      );
      try {
        const packed = Buffer.concat(settled.map(wholeOrThrow));
        const segment = await this.#segmentAt(blocks[0]?.content.fromMs ?? 0);
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
        this.#waitingBytes -= bytes;
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

function wholeOrThrow(settled: PromiseSettledResult<Buffer>): Buffer {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
