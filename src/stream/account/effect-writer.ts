/**
 * @module
 * Writes fills and ledger entries down together with the cursors they move to: one record at a time, all that waits in
 * the next one (obligation O97). Entries are shown at once and stored behind; after a crash the history is read again
 * from the stored cursor, so nothing is lost and nothing counts twice.
 */
import type { Fill, LedgerEntry } from '../../domain/index.ts';
import type { EffectJournal } from '../ports.ts';

/** Stores effects in order. */
export class EffectWriter {
  readonly #effects: EffectJournal;
  readonly #onFailure: (thrown: unknown) => void;
  #epoch: string | undefined;
  #fills: Fill[] = [];
  #ledger: LedgerEntry[] = [];
  #running: Promise<void> | undefined;
  #hasFailed = false;

  constructor(effects: EffectJournal, onFailure: (thrown: unknown) => void) {
    this.#effects = effects;
    this.#onFailure = onFailure;
  }

  /** Has a record been refused? Then nothing is written any more. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Forgets what belongs to another epoch, durably. What waits is of that epoch and is dropped. */
  async beginEpoch(epoch: string): Promise<void> {
    this.#fills = [];
    this.#ledger = [];
    await this.#running;
    this.#epoch = epoch;
    try {
      await this.#effects.resetEpoch(epoch);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Goes on in the epoch of the stored cursors. */
  resumeEpoch(epoch: string): void {
    this.#epoch = epoch;
  }

  addFill(fill: Fill): void {
    this.#fills.push(fill);
    this.#run();
  }

  addLedgerEntry(entry: LedgerEntry): void {
    this.#ledger.push(entry);
    this.#run();
  }

  /** Resolves when all that was added before is durable, or writing has failed. */
  async flush(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #run(): void {
    if (this.#running !== undefined || this.#hasFailed) return;
    this.#running = this.#drain().finally(() => {
      this.#running = undefined;
    });
  }

  async #drain(): Promise<void> {
    // One turn later, so that a page or a burst of frames becomes one record.
    await Promise.resolve();
    while (this.#epoch !== undefined && this.#fills.length + this.#ledger.length > 0) {
      const record = { epoch: this.#epoch, fills: this.#fills, ledger: this.#ledger };
      this.#fills = [];
      this.#ledger = [];
      try {
        await this.#effects.recordEffects(record);
      } catch (thrown) {
        return this.#fail(thrown);
      }
    }
  }

  #fail(thrown: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#onFailure(thrown);
  }
}
