/**
 * @module
 * Keeps every raw frame and every REST answer with its receive time, before anyone acts on it, in `raw-*.jsonl.zst` of
 * a tape. Recording costs one line of text; packing, writing and flushing happen off the event loop. When the disk
 * falls too far behind, frames are left out and a gap marker says how many. Does not read tapes back.
 *
 *   record ─► lines ─► block of 200 or 1 s ─► packed ─► written ─► on the disk ─► sealed each 64 MiB or hour
 */
import { type Clock, type Log, messageOf, type Timer } from '../core/index.ts';
import { BLOCK_RECORDS_MAX, packBlock, type RawAnswer, type RawRecord } from './format/raw-file.ts';
import { createTapeFolder, fileName, type TapeFolder } from './format/tape-folder.ts';
import { RawSegment } from './raw-segment.ts';

/** The longest a line waits for its block, in milliseconds. */
const BLOCK_MS = 1_000;
/** Characters that may wait for the disk; beyond them frames are left out. */
const WAITING_CHARS_MAX = 32 * 1024 * 1024;
/** A segment is sealed at this size or age, whichever comes first. */
const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;
const SEGMENT_MS_MAX = 3_600_000;
/** Blocks that go to the disk with one flush. */
const BLOCKS_A_FLUSH = 64;

/** What is recorded where. */
export interface RecorderOptions {
  /** Made if it is not there; one per run. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** What is recorded, in words. */
  readonly description?: string;
}

/** A recorder at work. */
export interface Recorder {
  /** The tape it writes: rows and other files join it. */
  readonly tape: TapeFolder;
  /** Takes one frame. Costs one line of text; never throws. */
  record(text: string, receivedAtMs: number): void;
  /** Takes one answer over REST, or the lack of one. */
  recordAnswer(answer: RawAnswer, receivedAtMs: number): void;
  /** Frames and answers kept, and those left out because the disk was too slow or failed. */
  stats(): { readonly recorded: number; readonly leftOut: number };
  /** Writes what waits and seals the tape; writers of rows that joined must be closed before. */
  close(): Promise<void>;
}

/** Lines that belong into one block. */
interface Block {
  readonly lines: string[];
  readonly records: RawRecord[];
  chars: number;
}

/** Opens a recorder. @throws ProtocolError when there is a tape in the folder, or the file system's error. */
export function createRecorder(options: RecorderOptions): Recorder {
  return new TapeRecorder(options);
}

class TapeRecorder implements Recorder {
  readonly tape: TapeFolder;
  readonly #log: Log;
  readonly #timer: Timer;
  #open: Block = { lines: [], records: [], chars: 0 };
  readonly #blocks: Block[] = [];
  #waitingChars = 0;
  #segment: RawSegment | undefined;
  #segments = 0;
  #recorded = 0;
  #leftOut = 0;
  /** Left out, and not yet told by a marker. */
  #unmarked = 0;
  #writing: Promise<void> | undefined;

  constructor({ folder, clock, log, description = 'streams and answers of a run' }: RecorderOptions) {
    this.tape = createTapeFolder({ folder, markets: [], source: { kind: 'recorded', description } });
    this.#log = log;
    this.#timer = clock.every(BLOCK_MS, () => this.#cutBlock());
  }

  record(text: string, receivedAtMs: number): void {
    this.#take({ atMs: receivedAtMs, frame: text });
  }

  recordAnswer(answer: RawAnswer, receivedAtMs: number): void {
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
    if (this.#waitingChars > WAITING_CHARS_MAX) {
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
    const line = `${JSON.stringify(record)}\n`;
    const block = this.#open;
    block.lines.push(line);
    block.records.push(record);
    block.chars += line.length;
    this.#waitingChars += line.length;
    if (block.lines.length >= BLOCK_RECORDS_MAX) this.#cutBlock();
  }

  /** What waits becomes a block, and blocks are written if they are not already. */
  #cutBlock(): void {
    if (this.#open.lines.length > 0) {
      this.#blocks.push(this.#open);
      this.#open = { lines: [], records: [], chars: 0 };
    }
    if (this.#blocks.length === 0) return;
    this.#writing ??= this.#writeBlocks().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes until nothing waits. Never rejects: what fails is told and counted. */
  async #writeBlocks(): Promise<void> {
    for (;;) {
      const blocks = this.#blocks.splice(0, BLOCKS_A_FLUSH);
      if (blocks.length === 0) return;
      const records = blocks.flatMap((block) => block.records);
      try {
        await this.#writeOut(blocks, records);
      } catch (cause) {
        this.#lose(records);
        this.#log.error('frames could not be recorded', {
          folder: this.tape.folder,
          error: messageOf(cause),
        });
      } finally {
        for (const { chars } of blocks) this.#waitingChars -= chars;
      }
    }
  }

  async #writeOut(blocks: readonly Block[], records: readonly RawRecord[]): Promise<void> {
    const packed = await Promise.all(
      blocks.map(({ lines, records: own }) => packBlock(lines, own[0]?.atMs ?? 0)),
    );
    const atMs = records[0]?.atMs ?? 0;
    const segment = await this.#segmentAt(atMs);
    await segment.append(Buffer.concat(packed), records);
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

  #lose(records: readonly RawRecord[]): void {
    for (const record of records) {
      const lost = 'gap' in record ? record.gap : 1;
      this.#unmarked += lost;
      if ('gap' in record) continue;
      this.#recorded--;
      this.#leftOut++;
    }
  }
}
