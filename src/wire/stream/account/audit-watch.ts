/**
 * @module
 * Looks at positions and fills that differ again when it has lasted too long to be a matter of order. What the ledger says
 * that the exchange moved is followed, also where it happened between two runs. At the first sync of an epoch a lasting
 * difference beyond that is a position older than the history: it is taken over as published, and said; afterwards it is
 * a finding.
 */
import type { Clock, Log, Timer } from '../../../core/index.ts';
import type { AdoptedPosition, PositionMismatch, PositionMove } from '../../../domain/index.ts';
import { type AccountAudit, MISMATCH_MS_MAX, MOVED_MS } from './account-audit.ts';

/** The patience of the audit. */
export class AuditWatch {
  readonly #audit: AccountAudit;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Gets a lasting difference, or `undefined` when there is none any more. */
  readonly #onVerdict: (mismatch: PositionMismatch | undefined) => void;
  /** Gets what the exchange moved without a fill. */
  readonly #onMoved: (moves: readonly PositionMove[]) => void;
  /** Gets what was taken over. */
  readonly #onAdopted: (adopted: AdoptedPosition) => void;
  /** True once the history was read again in full: only what it does not explain then is older than it. */
  readonly #mayAdopt: () => boolean;
  #timer: Timer | undefined;
  #hasSynced = false;
  /** The books go on from those of a run before: what differs is younger than they are. */
  #isResumed = false;

  constructor(options: {
    readonly audit: AccountAudit;
    readonly clock: Clock;
    readonly log: Log;
    readonly onVerdict: (mismatch: PositionMismatch | undefined) => void;
    readonly onMoved: (moves: readonly PositionMove[]) => void;
    readonly onAdopted: (adopted: AdoptedPosition) => void;
    readonly mayAdopt: () => boolean;
  }) {
    this.#audit = options.audit;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#onVerdict = options.onVerdict;
    this.#onMoved = options.onMoved;
    this.#onAdopted = options.onAdopted;
    this.#mayAdopt = options.mayAdopt;
  }

  /** True once the account was synced in this process and epoch. From then on every position must be explained by fills. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  noteSynced(): void {
    this.#hasSynced = true;
  }

  beginEpoch(): void {
    this.#hasSynced = false;
    this.#isResumed = false;
  }

  /** What was stored before was shown, of this ledger; `undefined`: nothing was. */
  resume(epoch: string | undefined): string | undefined {
    this.#isResumed = epoch !== undefined;
    return epoch;
  }

  /** Fills may be missing from now on: no difference counts until the history is there again. */
  interrupt(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#audit.interrupt();
  }

  /** True if positions and fills agree now, where the history is complete. When they do not, a verdict follows. */
  isClean(): boolean {
    const nowMs = this.#clock.monotonicMs();
    // The history was just read from its beginning: all fills before a settlement are there.
    if (!this.#hasSynced && !this.#isResumed) this.#tell(this.#audit.closed(nowMs));
    if (this.#audit.findings(nowMs).isClean) return true;
    this.#timer ??= this.#clock.after(this.#audit.isMoving ? MOVED_MS : MISMATCH_MS_MAX, () => this.#judge());
    return false;
  }

  /** The exchange was asked: what still differs is judged now. */
  judgeNow(): void {
    const { lasting } = this.#audit.findings(this.#clock.monotonicMs());
    if (this.#timer === undefined || (lasting.length === 0 && !this.#audit.isMoving)) return;
    this.#timer.cancel();
    this.#judge();
  }

  #judge(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.monotonicMs();
    if (this.#hasSynced || this.#isResumed) this.#tell(this.#audit.moved(nowMs));
    if (!this.#hasSynced && this.#mayAdopt()) {
      for (const adopted of this.#audit.adopt(nowMs)) {
        this.#log.warn('adopted a position without matching fills', { ...adopted });
        this.#onAdopted(adopted);
      }
    }
    this.#onVerdict(this.#audit.findings(nowMs).lasting[0]);
  }

  #tell(moves: readonly PositionMove[]): void {
    for (const move of moves) this.#log.warn('the exchange moved a position without a fill', { ...move });
    if (moves.length > 0) this.#onMoved(moves);
  }
}
