/**
 * @module
 * Several processes of one machine at one gateway: each keeps a file in a folder of that gateway fresh, and takes its share
 * of the request budgets by the number of fresh files. A process that is killed stops to freshen its file, and the others
 * have its share seconds later. Nothing is locked, and a disk that fails leaves each with what the gateway reports.
 */
import { readdir, readFile, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  type Clock,
  formatJson,
  isRecord,
  type Log,
  makeFolder,
  messageOf,
  PRIVATE_FOLDER,
  parseJson,
  sha256,
  type Timer,
} from '../../../core/index.ts';
import type { BucketName, BudgetSharing } from '../../../wire/gateway/index.ts';

/** One process that uses the budgets. */
export interface BudgetSeat {
  readonly runId: string;
  /** Name of the bot. */
  readonly name: string;
  readonly processId: number;
  /** Address of its account, whose writes it is charged for; absent: it writes nothing. */
  readonly account?: string | undefined;
}

/** What a seat is taken for. */
export interface SharedBudgetOptions {
  /** Folder of the user's state; `undefined`: the user's own. */
  readonly stateHome: string | undefined;
  /** URL of the gateway. */
  readonly baseUrl: string;
  /** Where requests leave from, unless it is this machine: an outgoing proxy has an address, and so a budget, of its own. */
  readonly proxy: string | undefined;
  readonly seat: BudgetSeat;
  readonly clock: Clock;
  readonly log: Log;
}

/** A seat among those that share. */
export interface SharedBudget extends BudgetSharing {
  /** The others that share a budget, by their names. */
  others(bucket: BucketName): readonly BudgetSeat[];
  /** Freshens the seat and looks for the others now, which else happens each second; resolves when it is done. */
  look(): Promise<void>;
  /** Gives the seat up; again, this does nothing. */
  close(): Promise<void>;
}

/** How often the own file is freshened and the others are looked for, ms. */
const LOOK_MS = 1_000;
/** A file that was not freshened for so long is of a process that is gone, or that stands still, ms. */
const FRESH_MS = 5_000;
/** An older one is removed, ms. */
const KEPT_MS = 600_000;
const FILE_BYTES_MAX = 4_096;

/** Takes a seat. Resolves when the others are known. */
export async function shareBudget(options: SharedBudgetOptions): Promise<SharedBudget> {
  const shared = new FolderBudget(options);
  await shared.open();
  return shared;
}

class FolderBudget implements SharedBudget {
  readonly #options: SharedBudgetOptions;
  readonly #folder: string;
  readonly #file: string;
  /** What the files of others hold, by name; they do not change. */
  readonly #known = new Map<string, BudgetSeat>();
  #others: readonly BudgetSeat[] = [];
  readonly #changed: (() => void)[] = [];
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: SharedBudgetOptions) {
    this.#options = options;
    const { stateHome, baseUrl, proxy = '' } = options;
    const root = stateHome === undefined ? join(homedir(), '.ballast') : join(stateHome, 'ballast');
    const { host } = new URL(baseUrl);
    const name = `${host.replace(/[^a-z0-9.]+/gi, '-')}-${sha256(`${host} ${proxy}`).slice(0, 16)}`;
    this.#folder = join(root, 'budgets', name);
    this.#file = `${options.seat.runId}.json`;
  }

  async open(): Promise<void> {
    await this.look();
    this.#timer = this.#options.clock.every(LOOK_MS, () => void this.look());
  }

  look(): Promise<void> {
    this.#looking ??= this.#tryLook().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  sharers(bucket: BucketName): number {
    return 1 + this.others(bucket).length;
  }

  others(bucket: BucketName): readonly BudgetSeat[] {
    const own = this.#options.seat.account?.toLowerCase();
    return bucket === 'ip'
      ? this.#others
      : this.#others.filter(({ account }) => account !== undefined && account.toLowerCase() === own);
  }

  onChange(changed: () => void): void {
    this.#changed.push(changed);
  }

  async close(): Promise<void> {
    if (this.#timer === undefined) return;
    this.#timer.cancel();
    this.#timer = undefined;
    await this.#looking;
    await rm(join(this.#folder, this.#file), { force: true }).catch(() => undefined);
    // Fails where others have a seat.
    await rmdir(this.#folder).catch(() => undefined);
  }

  /** A disk that fails takes the others out of sight, and nothing from the run. */
  async #tryLook(): Promise<void> {
    try {
      await this.#freshen();
      this.#take(await this.#seats());
      this.#isFailing = false;
    } catch (cause) {
      if (!this.#isFailing)
        this.#options.log.warn('others that use the request budget cannot be seen', {
          folder: this.#folder,
          error: messageOf(cause),
        });
      this.#isFailing = true;
      this.#take([]);
    }
  }

  async #freshen(): Promise<void> {
    const file = join(this.#folder, this.#file);
    const now = this.#options.clock.nowMs() / 1_000;
    try {
      await utimes(file, now, now);
    } catch {
      makeFolder(this.#folder, PRIVATE_FOLDER);
      await writeFile(file, `${formatJson({ schema: 1, ...this.#options.seat })}\n`, { mode: 0o600 });
      await utimes(file, now, now);
    }
  }

  async #seats(): Promise<readonly BudgetSeat[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.json'));
    const found: BudgetSeat[] = [];
    for (const name of names.sort()) {
      if (name === this.#file) continue;
      const ageMs = await this.#ageMs(name);
      const seat = ageMs < FRESH_MS ? await this.#seatIn(name) : undefined;
      if (seat !== undefined) found.push(seat);
      if (ageMs > KEPT_MS) await this.#forget(name);
    }
    return found;
  }

  /** Since it was freshened; a clock that was set back makes it no younger. Infinite: it is gone. */
  async #ageMs(name: string): Promise<number> {
    try {
      const { mtimeMs, size } = await stat(join(this.#folder, name));
      if (size > FILE_BYTES_MAX) return Number.POSITIVE_INFINITY;
      return Math.abs(this.#options.clock.nowMs() - mtimeMs);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  async #seatIn(name: string): Promise<BudgetSeat | undefined> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    try {
      const read: unknown = parseJson(await readFile(join(this.#folder, name), 'utf8'));
      if (!isSeat(read)) return undefined;
      this.#known.set(name, read);
      return read;
    } catch {
      // In the making, or gone by now: the next look finds out.
      return undefined;
    }
  }

  async #forget(name: string): Promise<void> {
    this.#known.delete(name);
    await rm(join(this.#folder, name), { force: true }).catch(() => undefined);
  }

  #take(others: readonly BudgetSeat[]): void {
    const before = this.#others.map(({ runId }) => runId).join(' ');
    this.#others = others;
    if (before === others.map(({ runId }) => runId).join(' ')) return;
    this.#options.log.info('the request budget is shared', {
      sharers: 1 + others.length,
      with: others.map(({ name }) => name).join(', '),
    });
    for (const changed of this.#changed) changed();
  }
}

function isSeat(read: unknown): read is BudgetSeat {
  if (!isRecord(read) || read['schema'] !== 1) return false;
  const { runId, name, processId, account } = read;
  return (
    typeof runId === 'string' &&
    typeof name === 'string' &&
    typeof processId === 'number' &&
    (account === undefined || typeof account === 'string')
  );
}
