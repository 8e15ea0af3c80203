/**
 * @module
 * Looks at positions and fills that differ again when it has lasted too long to be a matter of order. At the first sync of
 * an epoch a lasting difference is a position older than the history: it is taken over as published, and said; afterwards
 * it is a finding.
 */
import type { Clock, Log, Timer } from '../../core/index.ts';
import { MISMATCH_MS_MAX, type PositionAudit, type PositionMismatch } from './position-audit.ts';

/** The patience of the audit. */
export class AuditWatch {
  readonly #audit: PositionAudit;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Gets a lasting difference, or `undefined` when there is none any more. */
  readonly #onVerdict: (mismatch: PositionMismatch | undefined) => void;
  #timer: Timer | undefined;
  #hasSynced = false;

  constructor(options: {
    readonly audit: PositionAudit;
    readonly clock: Clock;
    readonly log: Log;
    readonly onVerdict: (mismatch: PositionMismatch | undefined) => void;
  }) {
    this.#audit = options.audit;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#onVerdict = options.onVerdict;
  }

  /** Was the account synced in this process and epoch? From then on every position must be explained by fills. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  noteSynced(): void {
    this.#hasSynced = true;
  }

  beginEpoch(): void {
    this.#hasSynced = false;
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** Do positions and fills agree now? When they do not, a verdict follows. */
  isClean(): boolean {
    if (this.#audit.findings(this.#clock.monotonicMs()).isClean) return true;
    this.#timer ??= this.#clock.after(MISMATCH_MS_MAX, () => this.#judge());
    return false;
  }

  #judge(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.monotonicMs();
    if (!this.#hasSynced) {
      for (const adopted of this.#audit.adopt(nowMs)) {
        this.#log.warn('took over a position that no fill explains', { ...adopted });
      }
    }
    this.#onVerdict(this.#audit.findings(nowMs).lasting[0]);
  }
}
