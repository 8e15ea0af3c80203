/**
 * @module
 * A channel with a history: fills, ledger, events. Live frames are delivered at once while nothing is missing;
 * after a disconnect, a `lagged` frame or a new ledger they wait until the pages in between were read, and everything
 * is delivered once, by id (openapi.yaml; obligations O99 to O102, O109, O110).
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
import { type Cursor, compareCursors, type Seq } from '../../domain/index.ts';
import { type PageAnswer, type PageCall, pageOf } from '../../wire/gateway/index.ts';
import {
  type Decoded,
  type PeopleSchema,
  type RawFrame,
  readForPeople,
  type SubscriptionParams,
} from '../../wire/protocol/index.ts';
import { AppliedIds, Backoff, isCursor, type WalkGoal, walkHistory } from '../../wire/stream/index.ts';
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
  /** The last entry that was delivered: the cursor of the next walk. */
  #last: Cursor | undefined;
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
    if (typeof source.from === 'object') {
      this.#epoch = source.from.epoch;
      this.#last = source.from.after as Cursor;
      this.#applied.resumeAt(this.#last);
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
      if (this.#isLive) this.#tell(entry);
      else if (this.#buffer.length < BUFFERED_MAX) this.#buffer.push(entry);
      else this.#source.reconnect('too many frames while history was read');
    } catch (thrown) {
      // Something of the history was in it: only the pages show what.
      this.#log.warn('a frame could not be read', { channel: this.params.channel, why: messageOf(thrown) });
      this.#source.reconnect('a frame that cannot be read');
    }
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
    this.#last = undefined;
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
      if (!this.#isPlaced) {
        // What comes after the bound waits in the buffer already.
        if (await this.#place(goal, isCurrent)) continue;
        return;
      }
      const result = await walkHistory<Placed<Entry>>(this.#steps(isCurrent, isWanted), goal);
      if (!isCurrent() || result.kind === 'abandoned') return;
      if (result.kind === 'epochChanged') return this.#source.reconnect('the history is of another ledger');
    }
    this.#isJoining = false;
    this.#isLive = true;
    const held = this.#buffer.sort((a, b) => compareCursors(a.id, b.id));
    this.#buffer = [];
    for (const entry of held) this.#tell(entry);
    this.#source.audience.state('live', 'joined with its history');
  }

  /** Without a cursor the listener's history begins at the bound of a first page (openapi.yaml). */
  async #place(goal: WalkGoal, isCurrent: () => boolean): Promise<boolean> {
    const { pause } = this.#patience(isCurrent);
    for (;;) {
      const page = await this.#read({ limit: 1, minSeq: goal.minSeq });
      if (!isCurrent()) return false;
      if (page.kind === 'page' && page.epoch === goal.epoch && isCursor(page.upper)) {
        this.#applied.resumeAt(page.upper);
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
  ): Parameters<typeof walkHistory<Placed<Entry>>>[0] {
    return {
      read: (query) => this.#read(query),
      decode: (raw) => this.#decode(raw),
      cursor: () => this.#last,
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
      progress: () => backoff.reset(),
      pause: async (why: string, statedMs: number | undefined): Promise<boolean> => {
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
    if (!this.#applied.take(entry.id)) return;
    if (this.#last === undefined || compareCursors(entry.id, this.#last) > 0) this.#last = entry.id;
    if (isWanted) this.#source.audience.tell(entry);
  }
}
