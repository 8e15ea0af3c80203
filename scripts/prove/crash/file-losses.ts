/**
 * @module
 * The steps that only the file of the real journal has, J23 to J27, under a power loss: blocks that were not synced are
 * kept from the disk, any of them, and so are names in the folder, the later ones first. What was acknowledged is there
 * afterwards, and nothing else but the transaction that was under way (invariant I20).
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalPath } from '../../../src/bot/journal/index.ts';
import { encodeRecord } from '../../../src/bot/journal/records.ts';
import { JournalStore } from '../../../src/bot/journal/store.ts';
import { must, type Random, seededRandom } from '../../../src/core/index.ts';
import { anAudit, mixed } from '../../../test/unit/bot/journal/bytes.ts';
import { BINDING } from '../../../test/unit/bot/journal/support.ts';
import { look, type PartResult } from './files.ts';
import { groupOf, ROWS_MAX } from './files-content.ts';

/** The files of a folder by name, in the order in which they were made. */
type Folder = ReadonlyMap<string, Buffer>;

/** What a step found and left, and what it had been told is durable. */
interface Stretch {
  readonly before: Folder;
  readonly after: Folder;
  /** Number of the last write that was acknowledged before it; -1: none. */
  readonly durable: number;
}

const WRITES_MAX = 30;
/** Rows of two writes for each, and more than a file may have. */
const FULL_WRITES = ROWS_MAX;
/** Of a write-ahead log. */
const HEADER_BYTES = 32;
const HEADER_SHARE = 0.8;
const NOTHING = Buffer.alloc(0);

/** One journal in a folder of its own. */
class Bench {
  readonly #path: string;
  readonly #random: Random;
  #store: JournalStore | undefined;
  #last = -1;

  constructor(path: string, random: Random) {
    this.#path = path;
    this.#random = random;
  }

  /** Lays the files down as they are when `step` is torn. */
  at(step: FileStep): Stretch {
    return STEPS[step](this);
  }

  open(): void {
    this.#store = new JournalStore({
      path: this.#path,
      version: '1',
      walBytes: 0,
      rowsMax: ROWS_MAX,
      ...BINDING,
    });
  }

  close(): void {
    this.#store?.close();
    this.#store = undefined;
  }

  get store(): JournalStore {
    return must(this.#store, 'an open journal');
  }

  write(): void {
    this.store.append(groupOf(++this.#last).map(encodeRecord));
  }

  /** Any number of writes, from one on, some of them moved into the file already. */
  writeSome(atLeast = 1): void {
    const count = atLeast + this.#random.integer(0, WRITES_MAX);
    const moved = this.#random.integer(0, 2 * count);
    for (let n = 0; n < count; n++) {
      this.write();
      if (this.#random.chance(0.2)) this.note();
      if (n === moved) this.store.checkpoint();
    }
  }

  note(): void {
    this.store.appendAudit([anAudit(this.#last)]);
  }

  /** A step between two looks at the folder. */
  stretch(work: () => void): Stretch {
    const durable = this.#last;
    const before = this.#look();
    work();
    return { before, after: this.#look(), durable };
  }

  #look(): Folder {
    const folder = join(this.#path, '..');
    const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
    return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  }
}

/** Each step as the work that is torn. */
const STEPS = {
  // Pages are moved into the file.
  J23: (bench: Bench) => {
    bench.open();
    bench.writeSome();
    return bench.stretch(() => bench.store.checkpoint());
  },
  // The log may be overwritten from here on, first by what nobody waits for.
  J24: (bench: Bench) => {
    bench.open();
    bench.writeSome();
    bench.store.checkpoint();
    return bench.stretch(() => bench.note());
  },
  // It is, by a write.
  J25: (bench: Bench) => {
    bench.open();
    bench.writeSome();
    bench.store.checkpoint();
    return bench.stretch(() => bench.write());
  },
  // A full file is put aside, and a new one takes its state over.
  J26: (bench: Bench) => {
    bench.open();
    bench.writeSome(FULL_WRITES);
    bench.close();
    return bench.stretch(() => bench.open());
  },
  // The first write of the new file.
  J27: (bench: Bench) => {
    bench.open();
    bench.writeSome(FULL_WRITES);
    bench.close();
    bench.open();
    return bench.stretch(() => bench.write());
  },
} as const;

type FileStep = keyof typeof STEPS;

/** Loses power `losses` times in each step of the file. */
export function loseInFiles(losses: number, seed: number): PartResult {
  const violations: string[] = [];
  const counts: Record<string, number> = {};
  for (const step of Object.keys(STEPS) as FileStep[]) {
    for (let n = 1; n <= losses; n++) {
      const random = seededRandom(`loss ${seed} ${step} ${n}`);
      const found = lose(step, random);
      const name = `${step} powerLoss`;
      counts[name] = (counts[name] ?? 0) + 1;
      if (found !== undefined) violations.push(`${name} ${n}: ${found} (--only file-steps --from ${seed})`);
    }
  }
  return { cases: losses * Object.keys(STEPS).length, violations, counts };
}

/** One loss; gives what is wrong with what is left. */
function lose(step: FileStep, random: Random): string | undefined {
  const made = mkdtempSync(join(tmpdir(), 'ballast-loss-'));
  const left = mkdtempSync(join(tmpdir(), 'ballast-left-'));
  const bench = new Bench(journalPath(made, BINDING), random);
  try {
    const stretch = bench.at(step);
    const path = journalPath(left, BINDING);
    for (const [name, content] of kept(stretch, random)) writeFileSync(join(path, '..', name), content);
    const found = look(path, { durable: stretch.durable, contentOf: groupOf });
    return typeof found === 'string' ? found : undefined;
  } finally {
    bench.close();
    rmSync(made, { recursive: true });
    rmSync(left, { recursive: true });
  }
}

/** SQLite syncs the new header of a log that it begins again before any frame behind it, whatever `synchronous` is. */
function isBegunAgain(name: string, from: Buffer, to: Buffer): boolean {
  return (
    name.endsWith('-wal') &&
    from.length > 0 &&
    !from.subarray(0, HEADER_BYTES).equals(to.subarray(0, HEADER_BYTES))
  );
}

/** What the disk has of a step. */
function kept({ before, after }: Stretch, random: Random): Folder {
  const chance = random.next();
  const torn = (from: Buffer, to: Buffer) => mixed(from, to, () => random.chance(chance));
  const isHeaderThere = random.chance(HEADER_SHARE);
  const archive = [...after.keys()].find((name) => !before.has(name) && !name.endsWith('-wal'));
  if (archive === undefined)
    return new Map(
      [...after].map(([name, content]) => {
        const from = before.get(name) ?? NOTHING;
        if (!isBegunAgain(name, from, content)) return [name, torn(from, content)];
        const headed = Buffer.concat([content.subarray(0, HEADER_BYTES), from.subarray(HEADER_BYTES)]);
        return [name, isHeaderThere ? torn(headed, content) : from];
      }),
    );
  const [name = '', full = NOTHING] = must([...before][0], 'a file that is put aside');
  const moved = [archive, full] as const;
  const first = after.get(name) ?? NOTHING;
  const log = after.get(`${name}-wal`) ?? NOTHING;
  // SQLite syncs the first page of a new file before it begins the log.
  const stages: readonly (readonly (readonly [string, Buffer])[])[] = [
    [[name, full]],
    [moved],
    [moved, [name, NOTHING]],
    [moved, [name, first]],
    [moved, [name, first], [`${name}-wal`, torn(NOTHING, log)]],
  ];
  return new Map(must(stages[random.integer(0, stages.length - 1)], 'a stage'));
}
