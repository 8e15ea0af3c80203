/**
 * @module
 * The real journal under SIGKILL and on a full disk, in processes of their own: J23 to J27, which only the file has, and
 * the n-th write that finds no room. What was acknowledged is there afterwards, and nothing else but the transaction that
 * was under way.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { journalPath } from '../../../src/bot/journal/index.ts';
import { encodeRecord } from '../../../src/bot/journal/records.ts';
import type { JournalState } from '../../../src/bot/journal/state.ts';
import { JournalStore } from '../../../src/bot/journal/store.ts';
import { must, type Random, seededRandom } from '../../../src/core/index.ts';
import { BINDING, SCOPE } from '../../../test/unit/bot/journal/support.ts';
import { groupOf, ROWS_MAX, stateAfter, writeOf } from './files-content.ts';

/** What a part of the crash run showed. */
export interface PartResult {
  readonly cases: number;
  readonly violations: readonly string[];
  /** How often each thing came. */
  readonly counts: Readonly<Record<string, number>>;
}

const FILE_STEPS = ['J23', 'J24', 'J25', 'J26', 'J27'] as const;
const OCCURRENCES_MAX = 4;
/** A step takes about so long: the kill falls anywhere in it, or a little behind. */
const INTO_MS_MAX = 8;
/** Lives on one folder: each goes on from what the one before left. */
const LIVES = 5;
/** The files of a full disk grow to so many KiB, one after the other. */
const FULL_KIB = { first: 4, last: 260 } as const;
/** More than a file may have before it is put aside. */
const FULL_FILE_WRITES = 3 * ROWS_MAX;

/** Kills a process `kills` times in each step of the file. */
export async function killInFiles(kills: number, seed: number): Promise<PartResult> {
  const random = seededRandom(`files ${seed}`);
  const violations: string[] = [];
  const counts: Record<string, number> = {};
  for (const step of FILE_STEPS) {
    for (let done = 0; done < kills; done += LIVES) {
      const folder = mkdtempSync(join(tmpdir(), 'ballast-crash-'));
      const path = journalPath(folder, BINDING);
      let known = -1;
      for (let life = 1; life <= Math.min(LIVES, kills - done); life++) {
        const durable = Math.max(known, await killedIn(step, path, random));
        const name = `${step} crash`;
        counts[name] = (counts[name] ?? 0) + 1;
        const found = look(path, { durable, contentOf: groupOf });
        if (typeof found === 'string') violations.push(`${step}, life ${life}: ${found}`);
        else known = found;
      }
      rmSync(folder, { recursive: true });
    }
  }
  return { cases: kills * FILE_STEPS.length, violations, counts };
}

/** Lets a journal run into the end of the disk at every size of `everyKib`, a new one and one that is about to be put aside. */
export async function fillDisks(everyKib: number): Promise<PartResult> {
  const violations: string[] = [];
  const counts: Record<string, number> = {};
  let cases = 0;
  for (let kib = FULL_KIB.first; kib <= FULL_KIB.last; kib += everyKib) {
    for (const [what, known] of [
      ['grows', -1],
      ['is put aside', FULL_FILE_WRITES - 1],
    ] as const) {
      const folder = mkdtempSync(join(tmpdir(), 'ballast-full-'));
      const path = journalPath(folder, BINDING);
      fill(path, known);
      const { last, end } = await runInto(path, kib);
      const durable = Math.max(known, last);
      counts[`${what}: ${end}`] = (counts[`${what}: ${end}`] ?? 0) + 1;
      cases++;
      if (!end.startsWith('named JOURNAL_')) violations.push(`${what}, ${kib} KiB: ${end}`);
      const found = look(path, { durable, contentOf: writeOf });
      if (typeof found === 'string') violations.push(`${what}, ${kib} KiB: ${found}`);
      rmSync(folder, { recursive: true });
    }
  }
  return { cases, violations, counts };
}

/** A journal with the writes up to `last`. */
function fill(path: string, last: number): void {
  if (last < 0) return;
  const store = new JournalStore({ path, version: '1', walBytes: 0, rowsMax: 1e6, ...BINDING });
  for (let n = 0; n <= last; n++) store.append(writeOf(n).map(encodeRecord));
  store.close();
}

/** Kills a child at a drawn instant of `step`; gives the last write that it said is durable. */
async function killedIn(step: string, path: string, random: Random): Promise<number> {
  const { child, lines } = started(['kill', path]);
  let durable = -1;
  let left = random.integer(1, OCCURRENCES_MAX);
  for await (const line of lines) {
    if (line.startsWith('durable')) durable = Number(line.split(' ')[1]);
    if (line !== step || --left > 0) continue;
    // What it says until it is dead counts too.
    setTimeout(() => child.kill('SIGKILL'), random.next() * INTO_MS_MAX);
  }
  await ended(child);
  return durable;
}

async function runInto(path: string, kib: number): Promise<{ last: number; end: string }> {
  const script = join(import.meta.dirname, 'files-child.ts');
  const command = `ulimit -S -f ${kib} && exec "${process.execPath}" "${script}" full "${path}"`;
  const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  let last = -1;
  let end = 'no word';
  for await (const line of createInterface({ input: must(child.stdout, 'an output') })) {
    if (line.startsWith('durable')) last = Number(line.split(' ')[1]);
    else end = line;
  }
  await ended(child);
  return { last, end };
}

function started(args: readonly string[]) {
  const script = join(import.meta.dirname, 'files-child.ts');
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, lines: createInterface({ input: must(child.stdout, 'an output') }) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Opens what was left: the number of its last write, or what is wrong with it. */
export function look(
  path: string,
  expected: { readonly durable: number; readonly contentOf: typeof groupOf },
): number | string {
  const { durable, contentOf } = expected;
  let state: JournalState;
  try {
    const store = new JournalStore({ path, version: '1', walBytes: 0, rowsMax: 1e6, ...BINDING });
    store.close();
    state = store.state;
  } catch (error) {
    return `it cannot be opened: ${String(error)}`;
  }
  const found = Number(state.highestNonce(SCOPE) ?? -1n);
  if (found < durable) return `write ${durable} was acknowledged, the last one is ${found}`;
  if (found > durable + 1) return `write ${durable + 1} is the last that can be there, got ${found}`;
  const isAsWritten = imageOf(state) === imageOf(stateAfter(found, contentOf));
  return isAsWritten ? found : `another state after write ${found}`;
}

function imageOf(state: JournalState): string {
  return JSON.stringify(state.image(), (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}
