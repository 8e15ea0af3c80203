/**
 * @module
 * How far the exchange's log goes, as far as that is known. A frame that names a position far beyond waits until the
 * exchange's own answer says that the log goes there: a jump is no loss (obligation O95), but one wrong number must
 * not be taken for a place in the log, since all that is true would count as older than it.
 */
import { type Clock, type Log, type Metrics, messageOf } from '../../../core/index.ts';
import type { AccountSelection, Seq } from '../../../domain/index.ts';
import {
  type DecodeContext,
  DOUBT_ANSWERS_MAX,
  DOUBT_PAUSE_MS,
  decodePositions,
  LogReach,
} from '../../protocol/index.ts';
import type { HistoryReader } from '../ports.ts';

/** Mostly the first answer proves a position: it is there before anybody need pull quotes. */
const DOUBT_MS_MAX = 500;
/** Frames that wait at most. */
const WAITING_MAX = 10_000;

/** What it is made of. */
export interface LogEndOptions {
  readonly selection: AccountSelection;
  readonly history: Pick<HistoryReader, 'positions'>;
  readonly markets: DecodeContext;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Metrics;
  /** Something has waited for so long that its account is not current. */
  onDoubt(why: string): void;
  /** A position was named that the log does not reach. */
  onBeyond(why: string): void;
}

interface Waiting {
  readonly seq: Seq | undefined;
  readonly run: () => void;
}

/** See the module. */
export class LogEnd {
  readonly #options: LogEndOptions;
  readonly #reach: LogReach;
  #waiting: Waiting[] = [];
  /** Counts connections: an answer to a question of an older one settles nothing. */
  #generation = 0;

  constructor(options: LogEndOptions) {
    this.#options = options;
    this.#reach = new LogReach(options.clock);
  }

  /** True once the exchange itself has said how far its log goes. */
  get isKnown(): boolean {
    return this.#reach.known !== undefined;
  }

  /** True if the log may have come as far. */
  mayBe(seq: Seq): boolean {
    return this.#reach.mayBe(seq);
  }

  /** True while something waits: what it would show is not known yet. */
  get isDoubting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Runs `run`, at once unless the log is not known to go as far as `seq`; all that comes behind it waits too. */
  pass(seq: Seq | undefined, run: () => void): void {
    if (this.#waiting.length === 0 && this.#reach.mayBe(seq)) {
      // Of a first frame nothing is known: it is held until the exchange itself has said where its log ends.
      if (this.isKnown) this.#reach.advance(seq);
      run();
      return;
    }
    if (this.#waiting.length >= WAITING_MAX) {
      this.#options.onBeyond('too many frames wait for a position of the log');
      return;
    }
    this.#waiting.push({ seq, run });
    if (this.#waiting.length > 1) return;
    const { clock, meter } = this.#options;
    meter.count('stream_doubted_positions_total');
    const generation = this.#generation;
    clock.after(DOUBT_MS_MAX, () => {
      if (this.#generation === generation && this.isDoubting)
        this.#options.onDoubt(`position ${this.#waiting[0]?.seq} of the log is not proven yet`);
    });
    this.#ask().catch((thrown: unknown) => this.#options.onBeyond(messageOf(thrown)));
  }

  /** The exchange itself says that its log goes so far. */
  note(seq: Seq): void {
    this.#reach.advance(seq);
    this.#release();
  }

  /** The connection is gone, and with it what waits. */
  clear(): void {
    this.#generation++;
    this.#waiting = [];
  }

  /** Another ledger: nothing is known of its log. */
  forget(): void {
    this.clear();
    this.#reach.forget();
  }

  #release(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (!this.#reach.mayBe(first.seq)) return;
      this.#waiting.shift();
      this.#reach.advance(first.seq);
      first.run();
    }
  }

  async #ask(): Promise<void> {
    const { history, selection, markets, clock } = this.#options;
    const generation = this.#generation;
    for (let answers = 0; this.#waiting.length > 0; ) {
      const read = await history.positions(selection, undefined);
      if (this.#generation !== generation) return;
      const decoded = read.kind === 'body' ? decodePositions(read.text, markets, read.seq) : undefined;
      if (decoded?.ok === true) this.note(decoded.value.seq);
      if (read.kind === 'body' && ++answers >= DOUBT_ANSWERS_MAX && this.#waiting.length > 0)
        return this.#giveUp();
      if (this.#waiting.length > 0)
        await new Promise<void>((resolve) => clock.after(DOUBT_PAUSE_MS, resolve));
      if (this.#generation !== generation) return;
    }
  }

  #giveUp(): void {
    const why = `a frame names position ${this.#waiting[0]?.seq}, and the log ends at ${this.#reach.known ?? 'no known one'}`;
    this.#options.log.warn(why);
    this.#options.onBeyond(why);
  }
}
