/**
 * @module
 * A channel with a history: fills, ledger, events. Live frames are delivered at once while nothing is missing;
 * after a disconnect, a `lagged` frame or a new ledger they wait until the pages in between were read, and everything
 * is delivered once, by id (openapi.yaml; obligations O99 to O102, O109, O110). An entry far beyond the log waits as
 * well, until pages of the exchange reach it: its place may be false, and the true one would be passed over.
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
  DOUBT_ANSWERS_MAX,
  DOUBT_PAUSE_MS,
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

/** A topic with history. */
export class HistoryTopic<Entry extends { readonly id: string }> implements Topic {
  readonly params: SubscriptionParams;
  readonly #source: HistorySource<Entry>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #random: Random;
  #applied = new AppliedIds();
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
      if (this.#isLive && this.#reach.mayBe(seqOfCursor(entry.id))) this.#tell(entry);
      else if (this.#isLive) this.#doubt(entry);
      else if (this.#buffer.length < BUFFERED_MAX) this.#buffer.push(entry);
      else this.#source.reconnect('too many frames while history was read');
    } catch (thrown) {
      // Something of the history was in it: only the pages show what.
      this.#log.warn('a frame could not be read', { channel: this.params.channel, why: messageOf(thrown) });
      this.#source.reconnect('a frame that cannot be read');
    }
  }

  /** An entry far beyond the log: pages of now say whether it is there. */
  #doubt(entry: Placed<Entry>): void {
    if (this.#epoch === undefined) return;
    this.#buffer.push(entry);
    this.#source.audience.state('stale', `the log is not known to reach the entry ${entry.id}`);
    this.#join({ epoch: this.#epoch });
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
    let doubts = 0;
    for (let goal = this.#goal; goal !== undefined; goal = this.#goal) {
      this.#goal = undefined;
      // Of a first page what comes after the bound waits in the buffer already.
      const isDone = this.#isPlaced
        ? await this.#walkTo(goal, isCurrent, isWanted)
        : await this.#place(goal, isCurrent);
      if (!isDone) return;
      const beyond = this.#buffer.find(({ id }) => !this.#reach.mayBe(seqOfCursor(id)));
      if (beyond === undefined) continue;
      if (++doubts > DOUBT_ANSWERS_MAX) {
        const why = `an entry names the place ${beyond.id}, and the log ends at ${this.#reach.known}`;
        return this.#source.reconnect(why);
      }
      // The pages may be of a replica that is late.
      if (!(await this.#patience(isCurrent).pause('an entry is beyond it', DOUBT_PAUSE_MS))) return;
      this.#goal ??= { epoch: goal.epoch };
    }
    this.#deadline.end(true);
    this.#isJoining = false;
    this.#isLive = true;
    const held = this.#buffer.sort((a, b) => compareCursors(a.id, b.id));
    this.#buffer = [];
    for (const entry of held) this.#tell(entry);
    this.#source.audience.state('live', 'joined with its history');
  }

  /** Reads the pages up to `goal`; false: nobody waits for them any more. */
  async #walkTo(
    goal: WalkGoal,
    isCurrent: () => boolean,
    isWanted: (entry: Entry) => boolean,
  ): Promise<boolean> {
    const result = await walkHistory<Placed<Entry>>(this.#steps(isCurrent, isWanted, goal), goal);
    if (!isCurrent() || result.kind === 'abandoned') return false;
    if (result.kind === 'epochChanged') {
      this.#source.reconnect('the history is of another ledger');
      return false;
    }
    this.#reach.advance(seqOfCursor(result.upper as Cursor));
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

  #steps(
    isCurrent: () => boolean,
    isWanted: (entry: Entry) => boolean,
    { upper, minSeq = upper === undefined ? undefined : seqOfCursor(upper as Cursor) }: WalkGoal,
  ): Parameters<typeof walkHistory<Placed<Entry>>>[0] {
    return {
      read: (query) => this.#read(query),
      decode: (raw) => this.#decode(raw),
      // What was told cannot be of a place beyond the position that the walk goes to.
      cursor: () => (minSeq === undefined ? this.#applied.newest : this.#applied.lastUpTo(minSeq)),
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
