/**
 * @module
 * The two files of a real journal with bytes cut off, zeroed, turned over, or kept from the disk by a power loss, as
 * many as are asked for; each is opened and judged (invariant I20).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, seededRandom } from '../../../src/core/index.ts';
import {
  aSession,
  ByteJudge,
  changed,
  diskSteps,
  type Finding,
  flipped,
  type JournalBytes,
  LAYOUTS,
  torn,
} from '../../../test/unit/bot/journal/bytes.ts';
import type { PartResult } from './files.ts';

/** How much is tried. */
export interface ByteWork {
  readonly seed: number;
  /** Bits turned over. */
  readonly flips: number;
  /** Lengths at which files are cut, and zeroed from: half of them in the last part of the log, half anywhere. */
  readonly cuts: number;
  /** Sets of blocks that a power loss kept from the disk. */
  readonly losses: number;
}

const ROUNDS = 24;
/** The last part of a log: about two transactions. */
const LAST_PART_BYTES = 16_384;

/** Does the work. */
export function tryBytes(work: ByteWork): PartResult {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bytes-'));
  const random = seededRandom(`bytes ${work.seed}`);
  const tally = new Tally();
  const records = aSession(ROUNDS);
  const judge = new ByteJudge(folder, records);
  const places = LAYOUTS.flatMap((layout) => {
    const bytes = judge.bytes(layout);
    return filesOf(bytes).map((file) => ({ layout, bytes, file }));
  });
  for (const { layout, bytes, file } of places) {
    const share = (count: number) => Math.ceil(count / places.length);
    const { length } = bytes[file];
    for (let n = 0; n < share(work.flips); n++) {
      const bit = random.integer(0, 8 * length - 1);
      tally.note(
        `${layout}, ${file}, bit ${bit}`,
        judge.judge(changed(bytes, file, (content) => flipped(content, bit))),
      );
    }
    for (const at of cutsOf(length, share(work.cuts), random)) {
      const cut = changed(bytes, file, (content) => content.subarray(0, at));
      const zeros = changed(bytes, file, (content) => content.fill(0, at));
      tally.note(`${layout}, ${file}, cut at ${at}`, judge.judge(cut));
      tally.note(`${layout}, ${file}, zeros from ${at}`, judge.judge(zeros));
    }
  }
  for (const step of diskSteps(folder, records)) {
    for (let n = 0; n < Math.ceil(work.losses / 4); n++) {
      const chance = random.next();
      const kept = torn(step, () => random.chance(chance));
      tally.note(`${step.name}, loss ${n}`, judge.judge(kept, step.durable));
    }
  }
  rmSync(folder, { recursive: true });
  return tally.result();
}

/** Lengths to cut a file at: each byte of its last part when there are enough of them. */
function cutsOf(length: number, count: number, random: Random): readonly number[] {
  const half = Math.ceil(count / 2);
  const last = Math.min(LAST_PART_BYTES, length);
  const atEnd =
    half >= last
      ? Array.from({ length: last }, (_none, n) => length - 1 - n)
      : Array.from({ length: half }, () => length - random.integer(1, last));
  return [...atEnd, ...Array.from({ length: half }, () => random.integer(0, length))];
}

function filesOf(bytes: JournalBytes): readonly (keyof JournalBytes)[] {
  return bytes.wal.length === 0 ? ['main'] : ['main', 'wal'];
}

class Tally {
  readonly #counts: Record<string, number> = {};
  readonly #violations: string[] = [];
  #cases = 0;

  note(what: string, finding: Finding): void {
    this.#cases++;
    if (finding.startsWith('violation')) this.#violations.push(`${what}: ${finding}`);
    else this.#counts[finding] = (this.#counts[finding] ?? 0) + 1;
  }

  result(): PartResult {
    return { cases: this.#cases, violations: this.#violations, counts: this.#counts };
  }
}
