/**
 * @module
 * Reports of runs that have ended, made by a thread of their own: the bot goes on meanwhile. A browser opens a report by a
 * path that is good once and for a minute, so the token stands in no address.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BotError, type Clock, ownModule, secureBytes, type Timer, toHex } from '../../core/index.ts';

/** A folder of a run holds this once its record is whole. */
const RECORD_FILE = 'record.json';
/** How long a page waits for its browser, ms, and how many do. */
const KEPT_MS = 60_000;
const KEPT_MAX = 4;
/** A thread that takes longer is given up, ms. */
const MAKING_MS_MAX = 60_000;
const MEGABYTES_MAX = 1_024;

/** True if a report of the run in `folder` can be made. */
export function hasReport(folder: string): boolean {
  return existsSync(join(folder, RECORD_FILE));
}

/** See the module. */
export class Reports {
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly page: string; readonly timer: Timer }>();
  #making: Promise<string> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes the page of the run in `folder`; the ticket that {@link take} gives it for. @throws BotError `REPORT_...`. */
  async make(folder: string): Promise<string> {
    if (this.#making !== undefined) throw refusal('expected one report at a time, got a second one');
    this.#making = this.#pageOf(folder);
    try {
      const page = await this.#making;
      const ticket = toHex(secureBytes(16)).slice(2);
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size >= KEPT_MAX) this.take(oldest);
      const timer = this.#clock.after(KEPT_MS, () => this.#kept.delete(ticket));
      this.#kept.set(ticket, { page, timer });
      return ticket;
    } finally {
      this.#making = undefined;
    }
  }

  /** The page of a ticket, once; `undefined`: there is none. */
  take(ticket: string): string | undefined {
    const found = this.#kept.get(ticket);
    found?.timer.cancel();
    this.#kept.delete(ticket);
    return found?.page;
  }

  /** Forgets all pages: the run is over. */
  close(): void {
    for (const ticket of this.#kept.keys()) this.take(ticket);
  }

  #pageOf(folder: string): Promise<string> {
    const worker = new Worker(ownModule('bot/dashboard/report-worker'), {
      ...{ workerData: { folder }, execArgv: [] },
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES_MAX },
    });
    return new Promise<string>((resolve, reject) => {
      const giveUp = this.#clock.after(MAKING_MS_MAX, () => {
        reject(refusal(`expected a report within ${MAKING_MS_MAX / 1000} s, got none`));
        void worker.terminate();
      });
      const end = (why: string) => {
        giveUp.cancel();
        reject(refusal(`expected a report of the run in ${folder}, got ${why}`));
      };
      worker.on('message', (told: { readonly page?: string; readonly why?: string }) => {
        giveUp.cancel();
        if (told.page === undefined) end(told.why ?? 'nothing');
        else resolve(told.page);
      });
      worker.on('error', ({ message }) => end(message));
      worker.on('exit', () => end('the end of its thread'));
    });
  }
}

function refusal(message: string): BotError {
  return new BotError({
    code: 'REPORT_NOT_MADE',
    message,
    remedy: 'Ask again in a moment, or make it with `ballast report` from the folder of the run.',
  });
}
