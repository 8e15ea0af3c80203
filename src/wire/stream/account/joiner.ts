/**
 * @module
 * Reads both histories of an account up to a common goal, with the patience that takes (obligations O101, O118). Decides
 * nothing about frames.
 */
import type { Clock, Log, Metrics, Random } from '../../../core/index.ts';
import { type AccountSelection, type Cursor, type Seq, seqOfCursor } from '../../../domain/index.ts';
import { type DecodeContext, type Decoded, decodeFill, decodeLedgerEntry } from '../../protocol/index.ts';
import { Backoff } from '../backoff.ts';
import { type AppliedIds, isCursor } from '../cursors.ts';
import type { HistoryReader, PageQuery, PageResult } from '../ports.ts';
import type { AccountFacts } from './account-facts.ts';
import { type PagerSteps, type WalkGoal, type WalkResult, walkHistory } from './history-walk.ts';
import type { HistorySeen } from './unfounded.ts';

/** What a joiner is made of. */
export interface JoinerOptions {
  readonly selection: AccountSelection;
  readonly history: HistoryReader;
  readonly markets: DecodeContext;
  readonly facts: AccountFacts;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly meter: Metrics;
}

/** How a join ended; `done`: with the fills up to the bound `upper`. */
export type JoinResult = WalkResult;

/** Who waits for a join. */
export interface JoinCaller {
  /** True while the caller still waits. */
  isCurrent(): boolean;
  /** From where: after the newest entry, again after the last one that is known to have none missing before it, or from the start. */
  readonly from: 'newest' | 'proven' | 'start';
  /** Keeps all that the histories show. */
  readonly seen?: HistorySeen;
  /** It got on; `statedMs`: the exchange asked to wait for so long. */
  readonly onProgress?: (statedMs?: number) => void;
}

/** Where a history ends. */
export interface HistoryEnd {
  /** Epoch of the ledger: one run of the exchange's log. */
  readonly epoch: string;
  readonly seq: Seq;
}

const PAUSE_MS_FIRST = 100;
const PAUSE_MS_MAX = 2_000;
/** This many pauses in a row are worth a warning. */
const PAUSES_WORTH_A_WORD = 10;

/** Reads histories for the resync. */
export class Joiner {
  readonly #options: JoinerOptions;

  constructor(options: JoinerOptions) {
    this.#options = options;
  }

  /** Reads fills and ledger up to `goal`, applying as it goes. */
  async join(goal: WalkGoal, caller: JoinCaller): Promise<JoinResult> {
    const { facts, history, markets, selection } = this.#options;
    const source = caller.from === 'newest' ? 'join' : 'audit';
    const results = await Promise.all([
      this.#walk(goal, {
        name: 'fills',
        applied: facts.fills,
        caller,
        read: (query) => history.fills(selection, query),
        decode: (raw) => decodeFill(raw, markets),
        apply: (entries) => {
          for (const fill of entries) caller.seen?.fills.set(fill.id, fill);
          facts.applyFills(entries, source);
        },
      }),
      this.#walk(goal, {
        name: 'ledger',
        applied: facts.ledger,
        caller,
        read: (query) => history.ledger(selection, query),
        decode: (raw) => decodeLedgerEntry(raw, markets),
        apply: (entries) => {
          for (const entry of entries) caller.seen?.ledger.set(entry.id, entry);
          facts.applyLedger(entries, source);
        },
      }),
    ]);
    const changed = results.find(({ kind }) => kind === 'epochChanged');
    return changed ?? results.find(({ kind }) => kind === 'abandoned') ?? results[0];
  }

  /** Which epoch the history is of and where it ends, at or past `minSeq`; `undefined` when no caller waits any more. */
  async endAt(minSeq: Seq, caller: JoinCaller): Promise<HistoryEnd | undefined> {
    const { isCurrent } = caller;
    const pause = this.#pauseOf('fills', caller).pause;
    for (;;) {
      const result = await this.#options.history.fills(this.#options.selection, { limit: 1, minSeq });
      if (!isCurrent()) return undefined;
      if (result.kind === 'page' && isCursor(result.upper))
        return { epoch: result.epoch, seq: seqOfCursor(result.upper) };
      const why = result.kind === 'retry' ? result.why : 'the epoch or the end of the history is not told';
      if (!(await pause(why, result.kind === 'retry' ? result.afterMs : undefined))) return undefined;
    }
  }

  async #walk<Entry extends { readonly id: Cursor }>(
    goal: WalkGoal,
    source: {
      readonly name: string;
      readonly applied: AppliedIds;
      readonly caller: JoinCaller;
      readonly read: (query: PageQuery) => Promise<PageResult<unknown>>;
      readonly decode: (raw: unknown) => Decoded<Entry>;
      readonly apply: (entries: readonly Entry[]) => void;
    },
  ): Promise<JoinResult> {
    const { name, applied, caller, apply } = source;
    const steps: PagerSteps<Entry> = {
      read: source.read,
      decode: source.decode,
      cursor: () => startOf(applied, caller.from),
      isCurrent: caller.isCurrent,
      apply,
      ...this.#pauseOf(name, caller),
    };
    // An audit that reads from the beginning since nothing was proven, or it all again, does so until something is.
    const isWhole = caller.from === 'newest' && steps.cursor() === undefined;
    const result = await walkHistory(steps, goal);
    if (isWhole && result.kind === 'done') applied.noteRead(seqOfCursor(result.upper as Cursor));
    return result;
  }

  #pauseOf(
    name: string,
    { isCurrent, onProgress }: JoinCaller,
  ): Pick<PagerSteps<never>, 'pause' | 'progress'> {
    const { clock, random, log, meter } = this.#options;
    const backoff = new Backoff({ firstMs: PAUSE_MS_FIRST, maxMs: PAUSE_MS_MAX, random });
    return {
      progress: () => {
        backoff.reset();
        onProgress?.();
      },
      pause: async (why, statedMs) => {
        if (!isCurrent()) return false;
        const pauseMs = Math.max(backoff.next(), statedMs ?? 0);
        if (statedMs !== undefined) onProgress?.(statedMs);
        meter.count('stream_history_retries_total');
        if (backoff.attempts === PAUSES_WORTH_A_WORD)
          log.warn('history is slow to come', { history: name, why });
        await new Promise<void>((resolve) => {
          clock.after(pauseMs, resolve);
        });
        return isCurrent();
      },
    };
  }
}

function startOf({ newest, compareAfter }: AppliedIds, from: JoinCaller['from']): Cursor | undefined {
  if (from === 'start') return undefined;
  return from === 'proven' ? compareAfter : newest;
}
