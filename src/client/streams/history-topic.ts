/**
 * @module
 * A channel with a history: fills, ledger, events. Live frames are delivered at once while nothing is missing;
 * after a disconnect, a `lagged` frame or a new ledger they wait until the pages in between were read, and everything
 * is delivered once, by id (openapi.yaml; obligations O99 to O102, O109, O110). The id of an entry far beyond
 * the log, or before what was delivered, may be false: pages up to now say under which id it happened.
 *
 *   acknowledged ─▶ marker frame (position q) ─▶ pages up to q ─▶ waiting frames merged ─▶ live
 *   lagged ───────▶ pages up to its bound ──────────────────────▶        "
 */
import {
  type Clock,
  FieldError,
  type Log,
  messageOf,
  ProtocolError,
  type Random,
  type Timer,
} from '../../core/index.ts';
import { type Cursor, compareCursors, type Seq, seqOfCursor } from '../../domain/index.ts';
import { type PageAnswer, type PageCall, pageOf } from '../../wire/gateway/index.ts';
import {
  type Decoded,
  LogReach,
  type PeopleSchema,
  type RawFrame,
  readForPeople,
  type SubscriptionParams,
} from '../../wire/protocol/index.ts';
import {
  AppliedIds,
  Backoff,
  isCursor,
  JoinDeadline,
  type WalkGoal,
  walkHistory,
} from '../../wire/stream/index.ts';
import type { ApiError } from '../errors.ts';
import type { Session } from '../session.ts';
import type { Audience, Topic } from './topic.ts';

/** Where a history begins for a listener. */
export type ResumePosition =
  /** With what happens from now on. */
  | 'now'
  /** With the oldest entry. */
  | 'start'
  /** After the last entry that was processed; of another ledger it counts as `start`. */
  | { readonly epoch: string; readonly after: string };

/** What a history topic works with. */
export interface HistorySource<Entry extends { readonly id: string }> {
  /** Channel and parameters. */
  readonly params: SubscriptionParams;
  /** The client's session. */
  readonly session: Session;
  /** Listeners of the topic. */
  readonly audience: Audience<Entry>;
  /** Read that gives missing entries. */
  readonly endpoint: 'fills' | 'ledger' | 'events';
  /** Query parameters of the read. */
  readonly query: Readonly<Record<string, string | number>>;
  /** Decodes one entry. */
  readonly shape: PeopleSchema<Entry>;
  /** Where delivery starts. */
  readonly from: ResumePosition;
  /** Which entries of a page belong to the subscription, where pages hold every account's. */
  pageFilter?(): Promise<(entry: Entry) => boolean>;
  /** Requests a frame that names a log position after now; `onMarker` receives it. */
  readonly markers: { request(): void; release(): void };
  /** Closes the connection and opens a new one. */
  reconnect(why: string): void;
}

const BUFFERED_MAX = 10_000;
const MARKER_PAUSE_MS = 3_000;
const PAUSE_MS_FIRST = 100;
const PAUSE_MS_MAX = 2_000;

type Placed<Entry> = Entry & { readonly id: Cursor };
type Steps<Entry extends Placed<unknown>> = Parameters<typeof walkHistory<Entry>>[0];

/** A topic with history. */
export class HistoryTopic<Entry extends { readonly id: string }> implements Topic {
  readonly params: SubscriptionParams;
  readonly #source: HistorySource<Entry>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #random: Random;
  #applied = new AppliedIds();
  /** From here on entries are read again: one of them may have come under a false id. */
  #againFromSeq: Seq | undefined;
  readonly #reach: LogReach;
  readonly #deadline: JoinDeadline;
  #epoch: string | undefined;
  /** True once the start of this listener's history is known. */
  #isPlaced = false;
  #isLive = false;
  #isJoining = false;
  #generation = 0;
  #goal: WalkGoal | undefined;
  #buffer: Placed<Entry>[] = [];
  #markerTimer: Timer | undefined;

  constructor(source: HistorySource<Entry>) {
    this.params = source.params;
    this.#source = source;
    const { clock, log, random } = source.session.parts;
    this.#clock = clock;
    this.#log = log;
    this.#random = random.fork(`history ${source.endpoint}`);
    this.#reach = new LogReach(clock);
    this.#deadline = new JoinDeadline(clock, (waitedMs) =>
      source.reconnect(`the history could not be joined within ${waitedMs} ms`),
    );
    if (typeof source.from === 'object') {
      this.#epoch = source.from.epoch;
      this.#applied.resumeAt(source.from.after as Cursor);
      this.#isPlaced = true;
    }
    if (source.from === 'start') this.#isPlaced = true;
  }

  onAcknowledged(epoch: string): void {
    if (this.#epoch !== undefined && this.#epoch !== epoch) this.#beginLedger(epoch);
    this.#epoch = epoch;
    this.#askForMarker();
  }

  /** The first frame after the subscription is at this position: the pages must reach it. */
  onMarker(seq: Seq): void {
    if (this.#markerTimer === undefined || this.#epoch === undefined) return;
    this.#stopMarker();
    this.#join({ epoch: this.#epoch, minSeq: seq });
  }

  onFrame(frame: RawFrame): void {
    const { shape } = this.#source;
    try {
      const entry = this.#placed(readForPeople(shape, frame['data'], 'data'));
      if (this.#isLive && this.#isInOrder(entry)) this.#tell(entry);
      else if (this.#isLive) this.#doubt(entry);
      else if (this.#buffer.length < BUFFERED_MAX) this.#buffer.push(entry);
      else this.#source.reconnect('too many frames while history was read');
    } catch (thrown) {
      // Something of the history was in it: only the pages show what.
      this.#log.warn('a frame could not be read', { channel: this.params.channel, why: messageOf(thrown) });
      this.#source.reconnect('a frame that cannot be read');
    }
  }

  /** True for an entry that comes after the last one, and to which the log may have come, or that was delivered already. */
  #isInOrder({ id }: Placed<Entry>): boolean {
    const { newest } = this.#applied;
    const isNext = newest === undefined || compareCursors(id, newest) > 0;
    return isNext ? this.#reach.mayBe(seqOfCursor(id)) : this.#applied.remembers(id);
  }

  /** An entry whose id may be false: pages up to a position of now have it, from before that id on. */
  #doubt({ id }: Placed<Entry>): void {
    this.#isLive = false;
    this.#againFromSeq = seqOfCursor(id);
    this.#source.audience.state('stale', `the entry ${id} is not in the order of the log`);
    this.#askForMarker();
  }

  onLagged({ epoch, upper }: { readonly epoch: string; readonly upper: string }): void {
    if (this.#epoch === undefined) return;
    this.#source.audience.state('stale', 'the server lagged and dropped frames');
    if (epoch === this.#epoch && isCursor(upper)) this.#join({ epoch, upper });
    else this.#source.reconnect('lagged into another ledger');
  }

  onDown(why: string): void {
    this.#generation++;
    this.#stopMarker();
    this.#isLive = false;
    this.#isJoining = false;
    this.#deadline.end(false);
    this.#goal = undefined;
    this.#buffer = [];
    this.#source.audience.state('stale', why);
  }

  onRefused(error: ApiError): void {
    this.#source.audience.refused(error);
  }

  close(): void {
    this.onDown('closed');
  }

  #beginLedger(epoch: string): void {
    this.#applied = new AppliedIds();
    this.#againFromSeq = undefined;
    this.#reach.forget();
    // All of a new ledger happened after the subscription.
    this.#isPlaced = true;
    this.#source.audience.reset(epoch);
  }

  #askForMarker(): void {
    this.#stopMarker();
    const { markers } = this.#source;
    markers.request();
    this.#markerTimer = this.#clock.every(MARKER_PAUSE_MS, () => markers.request());
  }

  #stopMarker(): void {
    if (this.#markerTimer === undefined) return;
    this.#markerTimer.cancel();
    this.#markerTimer = undefined;
    this.#source.markers.release();
  }

  #join(goal: WalkGoal): void {
    this.#isLive = false;
    // A walk that is under way may have passed what is missing now: it is done once more after it.
    this.#goal = goal;
    if (this.#isJoining) return;
    this.#isJoining = true;
    this.#deadline.restart();
    const generation = this.#generation;
    this.#walk(() => this.#generation === generation).catch((thrown: unknown) => {
      this.#log.error('history could not be joined', { why: messageOf(thrown) });
      if (this.#generation === generation) this.#source.reconnect('joining the history failed');
    });
  }

  async #walk(isCurrent: () => boolean): Promise<void> {
    const isWanted = (await this.#source.pageFilter?.()) ?? (() => true);
    if (!isCurrent()) return;
    for (let goal = this.#goal; goal !== undefined; goal = this.#goal) {
      this.#goal = undefined;
      const steps = this.#steps(isCurrent, isWanted, goal);
      // Of a first page what comes after the bound waits in the buffer already.
      if (!(this.#isPlaced ? await this.#walkTo(goal, steps) : await this.#place(goal, isCurrent))) return;
    }
    this.#deadline.end(true);
    this.#isJoining = false;
    this.#isLive = true;
    for (const entry of this.#buffer.splice(0).sort((a, b) => compareCursors(a.id, b.id))) {
      if (!this.#reach.mayBe(seqOfCursor(entry.id))) return this.#doubt(entry);
      this.#tell(entry);
    }
    this.#source.audience.state('live', 'joined with its history');
  }

  /** Reads the pages up to `goal`; false: nobody waits for them any more. */
  async #walkTo(goal: WalkGoal, steps: Steps<Placed<Entry>>): Promise<boolean> {
    const result = await walkHistory(steps, goal);
    if (!steps.isCurrent() || result.kind === 'abandoned') return false;
    if (result.kind === 'epochChanged') {
      this.#source.reconnect('the history is of another ledger');
      return false;
    }
    this.#reach.advance(seqOfCursor(result.upper as Cursor));
    this.#againFromSeq = undefined;
    return true;
  }

  /** Without a cursor the listener's history begins at the bound of a first page (openapi.yaml). */
  async #place(goal: WalkGoal, isCurrent: () => boolean): Promise<boolean> {
    const { pause } = this.#patience(isCurrent);
    for (;;) {
      const page = await this.#read({ limit: 1, minSeq: goal.minSeq });
      if (!isCurrent()) return false;
      if (page.kind === 'page' && page.epoch === goal.epoch && isCursor(page.upper)) {
        this.#applied.resumeAt(page.upper);
        this.#reach.advance(seqOfCursor(page.upper));
        this.#isPlaced = true;
        return true;
      }
      if (page.kind !== 'retry') {
        this.#source.reconnect('the history is of another ledger');
        return false;
      }
      if (!(await pause(page.why, page.afterMs))) return false;
    }
  }

  /** After this entry pages are read: none that was delivered can be later in the log than what is read up to. */
  #cursorOf({ upper, minSeq }: WalkGoal): Cursor | undefined {
    const endSeq = upper === undefined ? minSeq : seqOfCursor(upper as Cursor);
    const seq = this.#againFromSeq ?? endSeq;
    return seq === undefined ? this.#applied.newest : this.#applied.lastBefore(seq);
  }

  #steps(
    isCurrent: () => boolean,
    isWanted: (entry: Entry) => boolean,
    goal: WalkGoal,
  ): Steps<Placed<Entry>> {
    return {
      read: (query) => this.#read(query),
      decode: (raw) => this.#decode(raw),
      cursor: () => this.#cursorOf(goal),
      apply: (entries) => {
        for (const entry of entries) this.#tell(entry, isWanted(entry));
      },
      isCurrent,
      ...this.#patience(isCurrent),
    };
  }

  #patience(isCurrent: () => boolean) {
    const backoff = new Backoff({ firstMs: PAUSE_MS_FIRST, maxMs: PAUSE_MS_MAX, random: this.#random });
    return {
      progress: () => {
        backoff.reset();
        this.#deadline.restart();
      },
      pause: async (why: string, statedMs: number | undefined): Promise<boolean> => {
        if (statedMs !== undefined) this.#deadline.restart(statedMs);
        this.#log.debug('history waits', { history: this.#source.endpoint, why });
        await new Promise<void>((resolve) => {
          this.#clock.after(Math.max(backoff.next(), statedMs ?? 0), resolve);
        });
        return isCurrent();
      },
    };
  }

  async #read({ minSeq, ...page }: PageCall): Promise<PageAnswer> {
    const { session, endpoint, query } = this.#source;
    const call = { endpoint, query: { ...query, ...page }, minSeq, isUrgent: true } as const;
    return pageOf(await session.gateway.client.get(call));
  }

  #decode(raw: unknown): Decoded<Placed<Entry>> {
    try {
      return { ok: true, value: this.#placed(readForPeople(this.#source.shape, raw, 'entry')) };
    } catch (thrown) {
      if (thrown instanceof ProtocolError) return { ok: false, error: thrown };
      throw thrown;
    }
  }

  #placed(entry: Entry): Placed<Entry> {
    if (isCursor(entry.id)) return entry as Placed<Entry>;
    throw new FieldError('id', '<seq>-<sub>-<idx>', entry.id);
  }

  #tell(entry: Placed<Entry>, isWanted = true): void {
    this.#reach.advance(seqOfCursor(entry.id));
    if (this.#applied.take(entry.id) && isWanted) this.#source.audience.tell(entry);
  }
}
