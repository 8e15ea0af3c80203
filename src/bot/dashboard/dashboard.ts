/** @module The dashboard of a run: the messages that its pages are fed with, the files they are made of, and past reports. */
import { type Clock, type Fields, formatJson, type Log, secrets } from '../../core/index.ts';
import { Feed, type FeedReader } from './feed.ts';
import { type PageFile, pageFiles } from './page-files.ts';
import { Reports } from './reports.ts';
import { type PastView, pastOf, type RunPicture, type ViewSources, viewOf } from './view.ts';

/** Which run it is. */
export interface ViewedRun {
  readonly runId: string;
  readonly name: string;
  readonly mode: string;
  readonly environment: string;
  /** The account or vault that is traded, for people; absent: none that is named. */
  readonly account?: string | undefined;
  /** Unix ms. */
  readonly startedAtMs: number;
}

/** Entries that are kept of a run, numbered. */
interface Entries<Entry> {
  page(
    from: number | undefined,
    limit: number,
  ): { readonly entries: readonly Entry[]; readonly next: number; readonly missed: number };
}

/** A row of the journal or a line of the log, as it is shown. */
export interface ShownEntry {
  /** Its number among those of its kind. */
  readonly n: number;
  /** Unix ms. */
  readonly atMs: number;
  /** `event` for a row of the journal, else the level of the line. */
  readonly level: 'event' | 'info' | 'warn' | 'error';
  /** Type of the row, or the message of the line. */
  readonly text: string;
  /** The fields as JSON; cut where they are long. */
  readonly detail: string;
  /** What explains it, as `ballast explain` is asked; absent: nothing does. */
  readonly question?: string;
}

/** A message of the feed; also the answer to who asks once. */
export interface FeedMessage {
  readonly run: ViewedRun;
  /** Unix ms. */
  readonly atMs: number;
  /** Absent: the run starts. */
  readonly view?: RunPicture | undefined;
  /** The past; in the first message alone. */
  readonly past?: PastView | undefined;
  /** Rows and lines since the message before, oldest first. */
  readonly events: readonly ShownEntry[];
  readonly lines: readonly ShownEntry[];
}

/** What a dashboard shows. */
export interface DashboardOptions {
  readonly run: ViewedRun;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Entries<{
    readonly type: string;
    readonly atMs: number;
    readonly fields: Fields;
    readonly correlationId?: string;
  }>;
  readonly lines: Entries<{
    readonly level: 'info' | 'warn' | 'error';
    readonly message: string;
    readonly atMs: number;
    readonly fields: Fields;
  }>;
  /** `undefined`: the run starts. */
  started(): ViewSources | undefined;
}

/** See the module. */
export interface Dashboard {
  /** The files of the page by path. Nothing of the run is in them. */
  files(): ReadonlyMap<string, PageFile>;
  /** The run now. */
  message(): FeedMessage;
  /** Feeds a reader from now on; it is told of its end by {@link leave}. */
  join(reader: FeedReader): void;
  leave(reader: FeedReader): void;
  readonly reports: Reports;
  /** The run is over. */
  close(): void;
}

/** How far the first message looks back, and how many entries of a kind it has. */
const LOOKED_BACK = 2_000;
const FIRST_ENTRIES = 100;
/** Of one kind in one message. */
const ENTRIES_MAX = 60;
/** Rows that each order makes, dozens a second: they are in the journal, and what they lead to has its own place. */
const ROUTINE: ReadonlySet<string> = new Set([
  'OrderChanged',
  'CommandApproved',
  'LedgerApplied',
  'FillApplied',
  'QuoteGapBegan',
]);
/** A side without an order for a shorter time, ms, is what each change of a quote leaves. */
const GAP_MS_MIN = 1_000;
const DETAIL_MAX = 600;

/** Makes a dashboard. Nothing happens before a page is opened. */
export function createDashboard(options: DashboardOptions): Dashboard {
  return new RunDashboard(options);
}

class RunDashboard implements Dashboard {
  readonly #options: DashboardOptions;
  readonly #feed: Feed;
  readonly reports: Reports;
  /** Where the next message begins. */
  #nextEvent: number | undefined;
  #nextLine: number | undefined;

  constructor(options: DashboardOptions) {
    this.#options = options;
    this.reports = new Reports(options.clock);
    this.#feed = new Feed({
      clock: options.clock,
      first: () => frameOf({ ...this.message(), past: this.#past() }),
      next: () => this.#next(),
      onFault: (error) => options.log.error('the dashboard failed; its pages try again', { error }),
    });
  }

  files(): ReadonlyMap<string, PageFile> {
    return pageFiles();
  }

  message(): FeedMessage {
    const { events, lines } = this.#options;
    return this.#message(
      shownEvents(events.page(undefined, LOOKED_BACK)).slice(-FIRST_ENTRIES),
      shownLines(lines.page(undefined, FIRST_ENTRIES)),
    );
  }

  join(reader: FeedReader): void {
    // Those of the first message may come again with the next one: who reads looks at their numbers.
    this.#nextEvent ??= this.#options.events.page(undefined, 0).next;
    this.#nextLine ??= this.#options.lines.page(undefined, 0).next;
    this.#feed.join(reader);
  }

  leave(reader: FeedReader): void {
    this.#feed.leave(reader);
    if (!this.#feed.isIdle) return;
    this.#nextEvent = undefined;
    this.#nextLine = undefined;
  }

  close(): void {
    this.#feed.close();
    this.reports.close();
  }

  #next(): string {
    const events = this.#options.events.page(this.#nextEvent, LOOKED_BACK);
    const lines = this.#options.lines.page(this.#nextLine, ENTRIES_MAX);
    this.#nextEvent = events.next;
    this.#nextLine = lines.next;
    return frameOf(this.#message(shownEvents(events).slice(-ENTRIES_MAX), shownLines(lines)));
  }

  #message(events: readonly ShownEntry[], lines: readonly ShownEntry[]): FeedMessage {
    const { run, clock, started } = this.#options;
    const sources = started();
    const { runId, name, mode, environment, account, startedAtMs } = run;
    return {
      run: { runId, name, mode, environment, account, startedAtMs },
      atMs: clock.nowMs(),
      ...(sources === undefined ? {} : { view: viewOf(sources) }),
      ...{ events, lines },
    };
  }

  #past(): PastView | undefined {
    const sources = this.#options.started();
    return sources === undefined ? undefined : pastOf(sources);
  }
}

/** One message as an event of the stream. */
function frameOf(message: FeedMessage): string {
  return `data: ${secrets.scrub(formatJson(message))}\n\n`;
}

function shownEvents({
  entries,
  next,
}: ReturnType<DashboardOptions['events']['page']>): readonly ShownEntry[] {
  return entries.flatMap(({ type, atMs, fields, correlationId }, at) =>
    isRoutine(type, fields)
      ? []
      : [
          {
            ...{ n: next - entries.length + at, atMs, level: 'event' as const, text: type },
            detail: detailOf(fields),
            ...(type === 'IntentDenied' && correlationId !== undefined
              ? { question: `denial ${correlationId}` }
              : {}),
          },
        ],
  );
}

function isRoutine(type: string, { forMs }: Fields): boolean {
  return ROUTINE.has(type) || (type === 'QuoteGapEnded' && Number(forMs) < GAP_MS_MIN);
}

function shownLines({ entries, next }: ReturnType<DashboardOptions['lines']['page']>): readonly ShownEntry[] {
  return entries.map(({ message, level, atMs, fields }, at) => ({
    ...{ n: next - entries.length + at, atMs, level, text: message },
    detail: detailOf(fields),
  }));
}

function detailOf(fields: Fields): string {
  const text = Object.keys(fields).length === 0 ? '' : formatJson(fields);
  return text.length <= DETAIL_MAX ? text : `${text.slice(0, DETAIL_MAX)}…`;
}
