/** @module What the page knows: the newest message, the past for its charts, entries, runs, and what a person is doing. */
import type { FeedMessage, ShownEntry } from '../dashboard.ts';

/** How the page stands to the door. */
export type Phase =
  | { readonly kind: 'locked'; readonly why?: string }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** `sinceMs`: Unix ms of this browser. */
  | { readonly kind: 'lost'; readonly sinceMs: number };

/** A run of the list, as the door tells it. */
export interface ListRow {
  readonly runId: string;
  readonly name: string;
  readonly mode: string;
  readonly state: string;
  readonly startedAtMs: number;
  readonly hasReport: boolean;
  readonly ended?: { readonly atMs: number; readonly reason: string; readonly isProven: boolean };
}

/** A dialog that is open. */
export interface Dialog {
  readonly action: string;
  /** What the door answered, in words; absent: not asked yet. */
  readonly answer?: { readonly isGood: boolean; readonly text: string };
  readonly isSent: boolean;
}

/** A question about the past of the run, and what the door answered. */
export interface Explained {
  readonly question: string;
  /** Absent: not answered yet. */
  readonly answer?: string;
  readonly steps: readonly { readonly step: string; readonly atMs: number | null; readonly text: string }[];
  /** Why there is no answer. */
  readonly problem?: string;
}

/** The points of a market's charts; `null`: not known, or nothing there. */
export interface Course {
  readonly at: number[];
  readonly mid: (number | null)[];
  readonly bid: (number | null)[];
  readonly ask: (number | null)[];
  readonly inventory: (number | null)[];
}

/** A fill for a chart. */
export interface ChartFill {
  readonly atMs: number;
  readonly price: number;
  readonly size: number;
  readonly side: 'buy' | 'sell';
  readonly role: 'maker' | 'taker';
}

/** See the module. */
export interface PageState {
  phase: Phase;
  token: string | undefined;
  message: FeedMessage | undefined;
  /** When the newest message came, Unix ms of this browser. */
  heardAtMs: number;
  readonly courses: Map<string, Course>;
  readonly fills: Map<string, ChartFill[]>;
  /** Newest first. */
  events: ShownEntry[];
  lines: ShownEntry[];
  runs: readonly ListRow[] | undefined;
  /** Why a report could not be made; the id of the run whose report is being made. */
  reportProblem: string | undefined;
  making: string | undefined;
  /** The market that is shown; `undefined`: the first. */
  market: string | undefined;
  /** Length of time that charts show, ms. */
  windowMs: number;
  dialog: Dialog | undefined;
  explained: Explained | undefined;
}

const ENTRIES_MAX = 300;
const POINTS_MAX = 8_000;
const FILLS_MAX = 1_000;

/** The page before anything is known. */
export function newState(token: string | undefined): PageState {
  return {
    phase: token === undefined ? { kind: 'locked' } : { kind: 'connecting' },
    ...{ token, message: undefined, heardAtMs: 0, courses: new Map(), fills: new Map() },
    ...{ events: [], lines: [], runs: undefined, reportProblem: undefined, making: undefined },
    ...{ market: undefined, windowMs: 300_000, dialog: undefined, explained: undefined },
  };
}

/** Takes a message of the feed in. */
export function take(state: PageState, message: FeedMessage, nowMs: number): void {
  if (message.run.runId !== state.message?.run.runId) {
    state.courses.clear();
    state.fills.clear();
    state.events = [];
    state.lines = [];
  }
  state.message = message;
  state.heardAtMs = nowMs;
  state.phase = { kind: 'live' };
  if (message.past !== undefined) takePast(state, message.past);
  state.events = withNew(state.events, message.events);
  state.lines = withNew(state.lines, message.lines);
  if (message.view !== undefined) takeView(state, message.view, message.atMs);
}

function withNew(old: ShownEntry[], fresh: readonly ShownEntry[]): ShownEntry[] {
  const newest = old[0]?.n ?? -1;
  const added = fresh.filter(({ n }) => n > newest).reverse();
  return added.length === 0 ? old : [...added, ...old].slice(0, ENTRIES_MAX);
}

function takePast(state: PageState, past: NonNullable<FeedMessage['past']>): void {
  for (const { symbol, mid, inventory } of past.markets) {
    const none = () => past.atMs.map(() => null);
    const isKnown = state.courses.has(symbol);
    if (isKnown) continue;
    state.courses.set(symbol, {
      ...{ at: [...past.atMs], mid: [...mid], bid: none(), ask: none() },
      inventory: [...inventory],
    });
  }
  if (state.fills.size > 0) return;
  for (const fill of past.fills) fillsOf(state, fill.symbol).push(fill);
}

function fillsOf(state: PageState, symbol: string): ChartFill[] {
  const found = state.fills.get(symbol);
  if (found !== undefined) return found;
  const made: ChartFill[] = [];
  state.fills.set(symbol, made);
  return made;
}

function takeView(state: PageState, { status, books }: NonNullable<FeedMessage['view']>, atMs: number): void {
  for (const market of status.markets) {
    const { symbol, bid, ask, position } = market;
    const course = courseOf(state, symbol);
    const last = course.at.at(-1) ?? 0;
    if (atMs <= last) continue;
    const book = books.find((one) => one.symbol === symbol);
    const ownBid = book?.bids.find(({ own }) => own !== undefined)?.price;
    const ownAsk = book?.asks.find(({ own }) => own !== undefined)?.price;
    course.at.push(atMs);
    course.mid.push(bid === undefined || ask === undefined ? null : (Number(bid) + Number(ask)) / 2);
    course.bid.push(ownBid === undefined ? null : Number(ownBid));
    course.ask.push(ownAsk === undefined ? null : Number(ownAsk));
    course.inventory.push(Number(position));
    if (course.at.length > POINTS_MAX)
      for (const column of [course.at, course.mid, course.bid, course.ask, course.inventory])
        column.splice(0, POINTS_MAX / 4);
  }
  for (const fill of status.fills.toReversed()) {
    if (fill.atMs === null) continue;
    const all = fillsOf(state, fill.symbol);
    const { atMs: filledAtMs, side, role } = fill;
    const one = { atMs: filledAtMs, side, role, price: Number(fill.price), size: Number(fill.size) };
    const isThere = all.some(
      (other) => other.atMs === one.atMs && other.price === one.price && other.size === one.size,
    );
    if (!isThere) all.push(one);
    if (all.length > FILLS_MAX) all.splice(0, FILLS_MAX / 4);
  }
}

function courseOf(state: PageState, symbol: string): Course {
  const found = state.courses.get(symbol);
  if (found !== undefined) return found;
  const made: Course = { at: [], mid: [], bid: [], ask: [], inventory: [] };
  state.courses.set(symbol, made);
  return made;
}
