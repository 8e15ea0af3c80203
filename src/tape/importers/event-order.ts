/**
 * @module
 * Puts the events of a recording into the order of exchange time and marks its holes. Recorded streams are each in
 * order but run ahead of one another (2.6 s when seen), so events wait in a window before they are handed out.
 *
 *   reader → normaliser → inOrder (window, first levels, holes) → startingAt → driver
 */
import { type UnixMs, unixMs } from '../../core/index.ts';
import {
  HOLE_MS_MIN,
  type RecordedEvent,
  type RecordedLevelsEvent,
  type RecordedMarkEvent,
  type RecordingCounters,
} from './recorded-market.ts';

/** How far one stream may run ahead of another, in milliseconds of exchange time. */
const WINDOW_MS = 5_000;
/** The most events that wait; beyond it the oldest is handed out early. */
const WINDOW_EVENTS_MAX = 20_000;

const RANK = { mark: 0, trade: 1, levels: 2, hole: 3 } as const;

/**
 * Hands out `source` by exchange time. Drops trades and marks before the first levels, moves events that are later
 * than the window to the time of the one before them, puts a hole where nothing was recorded; counts all of it.
 */
export async function* inOrder(
  source: AsyncIterable<RecordedEvent>,
  counters: RecordingCounters,
): AsyncGenerator<RecordedEvent> {
  const finish = new Finish(counters);
  const window: RecordedEvent[] = [];
  let head = 0;
  let newestMs = 0;
  for await (const event of source) {
    insert(window, event, head);
    newestMs = Math.max(newestMs, event.atMs);
    for (let first = window[head]; first !== undefined; first = window[head]) {
      if (first.atMs > newestMs - WINDOW_MS && window.length - head <= WINDOW_EVENTS_MAX) break;
      head++;
      yield* finish.next(first);
    }
    if (head > 1_024) {
      window.splice(0, head);
      head = 0;
    }
  }
  for (const event of window.slice(head)) yield* finish.next(event);
}

/** Puts `event` behind all that are not after it, looking from the end and not before `head`. */
function insert(window: RecordedEvent[], event: RecordedEvent, head: number): void {
  let at = window.length;
  for (let before = window[at - 1]; at > head && before !== undefined; before = window[at - 1]) {
    if (before.atMs < event.atMs) break;
    if (before.atMs === event.atMs && RANK[before.kind] <= RANK[event.kind]) break;
    at--;
  }
  window.splice(at, 0, event);
}

/** The last look at an event before it is handed out. */
class Finish {
  readonly #counters: RecordingCounters;
  /** Time of the event handed out last; `undefined` until the first levels. */
  #lastAtMs: UnixMs | undefined;

  constructor(counters: RecordingCounters) {
    this.#counters = counters;
  }

  *next(event: RecordedEvent): Generator<RecordedEvent> {
    const lastAtMs = this.#lastAtMs;
    if (lastAtMs === undefined && event.kind !== 'levels') {
      if (event.kind === 'trade') this.#counters.tradesDropped++;
      if (event.kind === 'mark') this.#counters.marksDropped++;
      return;
    }
    let ordered = event;
    if (lastAtMs !== undefined && event.atMs < lastAtMs) {
      this.#counters.lateMoved++;
      ordered = { ...event, atMs: lastAtMs };
    }
    if (lastAtMs !== undefined && ordered.atMs - lastAtMs > HOLE_MS_MIN) {
      this.#counters.holes++;
      this.#counters.holesMs += ordered.atMs - lastAtMs;
      yield { kind: 'hole', atMs: lastAtMs, untilMs: ordered.atMs };
    }
    this.#lastAtMs = ordered.atMs;
    if (ordered.kind === 'levels') this.#counters.levels++;
    if (ordered.kind === 'trade') this.#counters.trades++;
    if (ordered.kind === 'mark') this.#counters.marks++;
    yield ordered;
  }
}

/**
 * `source` from `startAtMs` on: the mark, the levels and the rest of a hole that stand then come first, with that
 * time. What is left out is counted all the same.
 */
export function startingAt(
  source: AsyncIterable<RecordedEvent>,
  startAtMs: number,
): AsyncIterable<RecordedEvent> {
  return { [Symbol.asyncIterator]: () => fromStart(source, unixMs(startAtMs)) };
}

async function* fromStart(source: AsyncIterable<RecordedEvent>, atMs: UnixMs): AsyncGenerator<RecordedEvent> {
  let mark: RecordedMarkEvent | undefined;
  let levels: RecordedLevelsEvent | undefined;
  let holeUntilMs = atMs;
  let hasStarted = false;
  for await (const event of source) {
    if (!hasStarted && event.atMs < atMs) {
      if (event.kind === 'mark') mark = event;
      if (event.kind === 'levels') levels = event;
      if (event.kind === 'hole') holeUntilMs = event.untilMs;
      continue;
    }
    if (!hasStarted) {
      hasStarted = true;
      if (mark !== undefined) yield { ...mark, atMs };
      if (levels !== undefined) yield { ...levels, atMs };
      if (holeUntilMs > atMs) yield { kind: 'hole', atMs, untilMs: holeUntilMs };
    }
    yield event;
  }
}

/** Two streams that are each in order as one; at the same time `first` comes first. Ends when both have ended. */
export async function* mergeByTime<A extends { readonly atMs: number }, B extends { readonly atMs: number }>(
  first: AsyncGenerator<A>,
  second: AsyncGenerator<B>,
): AsyncGenerator<A | B> {
  try {
    let a = await first.next();
    let b = await second.next();
    while (a.done !== true || b.done !== true) {
      if (a.done !== true && (b.done === true || a.value.atMs <= b.value.atMs)) {
        yield a.value;
        a = await first.next();
      } else if (b.done !== true) {
        yield b.value;
        b = await second.next();
      }
    }
  } finally {
    await first.return(undefined);
    await second.return(undefined);
  }
}
