/**
 * @module
 * Reads one history without a gap from the last applied entry to a fixed bound (obligations O99 to O101, O105, O106, O109,
 * O110). The bound comes from a `lagged` frame, or from a first page that is forced past a position. Waits and asks the
 * same question again as long as it must; ends only with the bound reached, an epoch that changed, or no caller waiting.
 *
 *   no bound ─▶ first page (min-seq) ─▶ epoch, upper ─┐
 *   lagged ──────────────────▶ epoch, upper ──────────┴▶ pages after = last id, fixed bounds ─▶ until hasMore is false
 *
 * Both directions of sorting are understood (ambiguity A7): descending pages are collected and applied in one go, since a
 * cursor stored half way would hide what is below it.
 */
import { isRecord } from '../../../core/index.ts';
import { type Cursor, compareCursors, type Seq, seqOfCursor } from '../../../domain/index.ts';
import { type Decoded, PAGE_LIMIT_MAX } from '../../protocol/index.ts';
import { isCursor } from '../cursors.ts';
import type { PageQuery, PageResult } from '../ports.ts';

/** Where a walk is to end. */
export interface WalkGoal {
  /** Epoch of the ledger: one run of the exchange's log. */
  readonly epoch: string;
  /** The bound of a `lagged` frame. */
  readonly upper?: string;
  /** The position the bound must have reached, when there is none yet. */
  readonly minSeq?: Seq;
}

/** What a walk reads from and writes to. */
export interface PagerSteps<Entry extends { readonly id: Cursor }> {
  /** Reads one page. */
  read(query: PageQuery): Promise<PageResult<unknown>>;
  /** Decodes one entry. */
  decode(raw: unknown): Decoded<Entry>;
  /** The last applied entry. */
  cursor(): Cursor | undefined;
  /** Applies entries in ascending order; ones that were applied before are passed over. */
  apply(entries: readonly Entry[]): void;
  /** True while a caller waits for this walk. Asked after every read, before anything is applied. */
  isCurrent(): boolean;
  /** Waits before the same question is asked again; `false` when no caller waits for this walk any more. */
  pause(why: string, statedMs: number | undefined): Promise<boolean>;
  /** Called after each useful page: the pauses start over. */
  progress(): void;
}

/** How a walk ended. `abandoned`: no caller waits for it. */
export type WalkResult =
  | { readonly kind: 'done'; readonly upper: string }
  | { readonly kind: 'epochChanged' }
  | { readonly kind: 'abandoned' };

type Page = Extract<PageResult<unknown>, { kind: 'page' }>;
type Answer = { readonly kind: 'page'; readonly page: Page } | Exclude<WalkResult, { kind: 'done' }>;

/** Pages of one walk: at 1,000 entries each this is more than any account has. */
const PAGES_MAX = 100_000;
/** The head is asked for so often where it shows no entry; then the listing is read from there, whatever its direction. */
const HEADS_MAX = 3;

/** Walks one history to `goal`. */
export async function walkHistory<Entry extends { readonly id: Cursor }>(
  steps: PagerSteps<Entry>,
  goal: WalkGoal,
): Promise<WalkResult> {
  const walk = new Walk(steps, goal);
  return await walk.run();
}

class Walk<Entry extends { readonly id: Cursor }> {
  readonly #steps: PagerSteps<Entry>;
  readonly #goal: WalkGoal;
  readonly #start: Cursor | undefined;
  /** Entries whose direction is not known yet, or descending ones that wait for the end. */
  #held: Entry[] = [];
  #direction: 'unknown' | 'up' | 'down' = 'unknown';
  /** The last id seen, in the order of the pages. */
  #last: Cursor | undefined;
  /** The pages begin where the listing begins, and not after the stored cursor. */
  #isFromHead: boolean;
  /** One entry from the beginning of the listing, when it was asked for. */
  #head: Page | undefined;

  constructor(steps: PagerSteps<Entry>, goal: WalkGoal) {
    this.#steps = steps;
    this.#goal = goal;
    this.#start = steps.cursor();
    this.#last = this.#start;
    this.#isFromHead = this.#start === undefined;
  }

  async run(): Promise<WalkResult> {
    const { upper } = this.#goal;
    if (upper !== undefined && this.#start !== undefined) return await this.#resume(upper);
    const first = await this.#firstPage(this.#start === undefined ? PAGE_LIMIT_MAX : 1);
    if (first.kind !== 'page') return first;
    if (this.#start === undefined) return await this.#followFrom(first.page, first.page.upper);
    this.#head = first.page;
    return await this.#resume(first.page.upper);
  }

  /** The first page, again until its bound is at or past the position it must include (obligation O109). */
  async #firstPage(limit: number): Promise<Answer> {
    const { epoch, upper } = this.#goal;
    const minSeq = upper === undefined ? this.#goal.minSeq : seqOfCursor(upper);
    for (;;) {
      const answer = await this.#ask({ limit, minSeq });
      if (answer.kind !== 'page') return answer;
      if (answer.page.epoch !== epoch) return { kind: 'epochChanged' };
      if (minSeq === undefined || seqOfCursor(answer.page.upper) >= minSeq) return answer;
      const why = `the history ends at ${answer.page.upper}, before ${minSeq}`;
      if (!(await this.#steps.pause(why, undefined))) return { kind: 'abandoned' };
    }
  }

  /** From the stored cursor to `upper`. */
  async #resume(upper: string): Promise<WalkResult> {
    const answer = await this.#ask(this.#query(this.#start, upper));
    if (answer.kind !== 'page') return answer;
    // After the cursor there are older entries: the listing descends.
    const order = this.#orderOf(answer.page.entries[0]) ?? 0;
    if (order < 0) return await this.#descend();
    return await this.#followFrom(answer.page, upper);
  }

  /**
   * The last page was read. Pages after the cursor that showed nothing, one or several of them, are the end of an
   * ascending listing; of a descending one they say nothing: its first page shows it.
   */
  async #end(upper: string): Promise<WalkResult> {
    if (this.#isFromHead || this.#direction !== 'unknown') return this.#finish(upper);
    for (let asked = 0; asked < HEADS_MAX; asked++) {
      const head: Answer =
        this.#head === undefined ? await this.#firstPage(1) : { kind: 'page', page: this.#head };
      if (head.kind !== 'page') return head;
      const { entries, hasMore } = head.page;
      const order = this.#orderOf(entries[0]);
      const isEmpty = entries.length === 0 && !hasMore;
      if (order !== undefined || isEmpty)
        return (order ?? 0) > 0 ? await this.#descend() : this.#finish(upper);
      this.#head = undefined;
      const why = `the head of the history up to ${upper} shows no entry`;
      if (!(await this.#steps.pause(why, undefined))) return { kind: 'abandoned' };
    }
    return await this.#descend();
  }

  /**
   * Above 0: the entry is after the stored cursor; below 0: before it. `undefined`: it is no entry. Its id is
   * enough: the oldest entry may be of a market that is not there any more.
   */
  #orderOf(raw: unknown): number | undefined {
    const id = isRecord(raw) ? raw['id'] : undefined;
    if (typeof id !== 'string' || !isCursor(id) || this.#start === undefined) return undefined;
    return compareCursors(id, this.#start);
  }

  /** A listing that seems to descend is read from its start; its entries show whether that was right. */
  async #descend(): Promise<WalkResult> {
    this.#last = undefined;
    this.#direction = 'unknown';
    this.#isFromHead = true;
    this.#held = [];
    const first = await this.#firstPage(PAGE_LIMIT_MAX);
    return first.kind === 'page' ? await this.#followFrom(first.page, first.page.upper) : first;
  }

  async #followFrom(first: Page, upper: string): Promise<WalkResult> {
    let page = first;
    for (let count = 0; count < PAGES_MAX; count++) {
      const flaw = this.#take(page.entries);
      if (flaw !== undefined && !(await this.#steps.pause(flaw, undefined))) return { kind: 'abandoned' };
      if (flaw === undefined) this.#steps.progress();
      // What comes after the cursor is older; newer entries are before it.
      if (this.#direction === 'down' && !this.#isFromHead) return await this.#descend();
      const isAtStart = this.#direction === 'down' && this.#hasReachedStart();
      if (flaw === undefined && (!page.hasMore || isAtStart)) return await this.#end(upper);
      const after = flaw === undefined ? (page.next as Cursor | null) : this.#last;
      const answer = await this.#nextPage(after ?? undefined, upper);
      if (answer.kind !== 'page') return answer;
      page = answer.page;
    }
    return { kind: 'abandoned' };
  }

  /** The page after `after`; a cursor that does not move on is asked for again, slowly, and never believed. */
  async #nextPage(after: Cursor | undefined, upper: string): Promise<Answer> {
    for (;;) {
      const answer = await this.#ask(this.#query(after, upper));
      if (answer.kind !== 'page') return answer;
      const { next, hasMore } = answer.page;
      const isStuck = hasMore && (next === null || next === after);
      if (!isStuck && answer.page.upper === upper) return answer;
      const why = isStuck
        ? `the cursor ${next} does not advance`
        : `the bound ${upper} became ${answer.page.upper}`;
      if (!(await this.#steps.pause(why, undefined))) return { kind: 'abandoned' };
    }
  }

  #query(after: Cursor | undefined, upper: string): PageQuery {
    return { after, epoch: this.#goal.epoch, upper, limit: PAGE_LIMIT_MAX };
  }

  /** Asks one question until it is answered. */
  async #ask(query: PageQuery): Promise<Answer> {
    for (;;) {
      const result = await this.#steps.read(query);
      if (!this.#steps.isCurrent()) return { kind: 'abandoned' };
      if (result.kind === 'epochChanged') return result;
      if (result.kind === 'page') {
        if (isCursor(result.upper)) return { kind: 'page', page: result };
        if (!(await this.#steps.pause(`the bound ${result.upper} is no place`, undefined))) {
          return { kind: 'abandoned' };
        }
      } else if (!(await this.#steps.pause(result.why, result.afterMs))) return { kind: 'abandoned' };
    }
  }

  /** Takes the entries of a page; returns what is wrong with one of them. */
  #take(raw: readonly unknown[]): string | undefined {
    const entries: Entry[] = [];
    for (const item of raw) {
      const decoded = this.#steps.decode(item);
      if (!decoded.ok) return decoded.error.message;
      if (!isCursor(decoded.value.id)) return `the entry ${decoded.value.id} is at no place`;
      entries.push(decoded.value);
    }
    for (const entry of entries) {
      const order = this.#last === undefined ? 0 : compareCursors(entry.id, this.#last);
      if (this.#direction === 'unknown' && order !== 0) this.#direction = order > 0 ? 'up' : 'down';
      this.#last = entry.id;
      this.#held.push(entry);
    }
    if (this.#direction === 'up') this.#release();
    return undefined;
  }

  #hasReachedStart(): boolean {
    return (
      this.#start !== undefined && this.#last !== undefined && compareCursors(this.#last, this.#start) <= 0
    );
  }

  #finish(upper: string): WalkResult {
    this.#release();
    return { kind: 'done', upper };
  }

  #release(): void {
    if (this.#held.length === 0) return;
    this.#steps.apply(this.#held.sort((a, b) => compareCursors(a.id, b.id)));
    this.#held = [];
  }
}
