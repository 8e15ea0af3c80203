/**
 * @module
 * One `raw-*.jsonl.zst` file: every frame and answer as it came, one JSON line each, in packed blocks of at most {@link
 * BLOCK_RECORDS_MAX} lines (`core/line-blocks.ts`).
 */
import { BlockFault, isRecord, type LineBlock, packLines, parseJson } from '../../core/index.ts';
import type { RawSummary } from './manifest.ts';

/** Lines of a block at most. */
export const BLOCK_RECORDS_MAX = 200;

/** Of zstd: blocks are packed once and kept for long. */
const LEVEL = 3;

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

/** `lines` in UTF-8, each with its end, as one block. */
export function packBlock(raw: Uint8Array, lines: number, firstMs: number): Buffer {
  return packLines({ raw, lines, firstMs, level: LEVEL });
}

/** The records of a block. @throws BlockFault when a line is none, or there are more or fewer than the head says. */
export function recordsOf({ position, lines: records, text }: LineBlock): readonly RawRecord[] {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length !== records)
    throw new BlockFault(`byte ${position}: expected ${records} whole lines, got ${lines.length}`);
  return lines.map((line, index) => {
    const value = parseJson(line);
    if (isRecord(value) && typeof value['atMs'] === 'number' && KINDS.some((kind) => kind in value))
      return value as unknown as RawRecord;
    throw new BlockFault(`byte ${position}, line ${index + 1}: expected a frame, an answer or a gap`);
  });
}

const KINDS = ['frame', 'answer', 'gap'] as const;

/** What a line can be. */
export type RawKind = (typeof KINDS)[number];

/** Counts records while they are written or read. */
export class RawCounter {
  #frames = 0;
  #answers = 0;
  #leftOut = 0;
  #fromMs: number | undefined;
  #toMs = 0;

  /** Takes one record. */
  add(record: RawRecord): void {
    if ('frame' in record) this.count('frame', record.atMs, 1);
    else if ('answer' in record) this.count('answer', record.atMs, 1);
    else this.count('gap', record.atMs, record.gap);
  }

  /** Takes so many of a kind. */
  count(kind: RawKind, atMs: number, count: number): void {
    this.#fromMs ??= atMs;
    this.#toMs = atMs;
    if (kind === 'frame') this.#frames += count;
    else if (kind === 'answer') this.#answers += count;
    else this.#leftOut += count;
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
