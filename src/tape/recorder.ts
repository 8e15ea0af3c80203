/**
 * @module
 * Keeps every raw frame with its receive time, before anyone acts on it: one JSON line a frame in `raw-<n>.jsonl`
 * segments of one folder per run. Writing never blocks a frame: lines wait in memory and leave in batches; when the
 * disk falls too far behind, frames are left out and a gap marker says how many. Does not read tapes back.
 */
import { closeSync, mkdirSync, openSync, write } from 'node:fs';
import { join } from 'node:path';
import { type Clock, type Log, messageOf, type Timer } from '../core/index.ts';

/** How often waiting lines are written, in milliseconds. */
const FLUSH_MS = 250;
/** Characters that may wait for the disk; beyond them frames are left out. */
const WAITING_CHARS_MAX = 32 * 1024 * 1024;
/** Characters of a segment before the next one is begun. */
const SEGMENT_CHARS_MAX = 64 * 1024 * 1024;

/** What is recorded where. */
export interface RecorderOptions {
  /** Made if it is not there; one per run. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** A recorder at work. */
export interface Recorder {
  /** Takes one frame. Costs one string concatenation; never throws. */
  record(text: string, receivedAtMs: number): void;
  /** Frames written, and frames left out because the disk was too slow or failed. */
  stats(): { readonly recorded: number; readonly leftOut: number };
  /** Writes what waits and closes the segment. */
  close(): Promise<void>;
}

/** Opens a recorder. @throws the file system's error when the folder cannot be made. */
export function createRecorder({ folder, clock, log }: RecorderOptions): Recorder {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let waiting: string[] = [];
  let waitingChars = 0;
  let segment = 0;
  let segmentChars = SEGMENT_CHARS_MAX;
  let descriptor: number | undefined;
  let recorded = 0;
  let leftOut = 0;
  let unmarked = 0;
  let writing: Promise<void> = Promise.resolve();

  const nextSegment = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    segment++;
    segmentChars = 0;
    descriptor = openSync(join(folder, `raw-${String(segment).padStart(5, '0')}.jsonl`), 'ax', 0o600);
  };
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const text = waiting.join('');
    waiting = [];
    try {
      if (segmentChars >= SEGMENT_CHARS_MAX || descriptor === undefined) nextSegment();
      if (descriptor !== undefined) await writeAll(descriptor, text);
      segmentChars += text.length;
    } catch (cause) {
      log.error('frames could not be recorded', { folder, error: messageOf(cause) });
      unmarked++;
    } finally {
      waitingChars -= text.length;
    }
  };
  const queueFlush = (): Promise<void> => {
    writing = writing.then(flush);
    return writing;
  };
  const timer: Timer = clock.every(FLUSH_MS, () => void queueFlush());

  return {
    record(text, receivedAtMs) {
      if (waitingChars > WAITING_CHARS_MAX) {
        leftOut++;
        unmarked++;
        return;
      }
      const gap = unmarked > 0 ? `{"gap":${unmarked},"atMs":${receivedAtMs}}\n` : '';
      unmarked = 0;
      const line = `${gap}{"atMs":${receivedAtMs},"frame":${JSON.stringify(text)}}\n`;
      waiting.push(line);
      waitingChars += line.length;
      recorded++;
    },
    stats: () => ({ recorded, leftOut }),
    async close() {
      timer.cancel();
      await queueFlush();
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Writes all of `text`, however many calls the system needs. */
function writeAll(descriptor: number, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(text, 'utf8');
    const step = (from: number): void => {
      write(descriptor, bytes, from, bytes.length - from, null, (error, count) => {
        if (error !== null) reject(error);
        else if (from + count < bytes.length) step(from + count);
        else resolve();
      });
    };
    step(0);
  });
}
