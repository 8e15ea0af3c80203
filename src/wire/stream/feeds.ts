/**
 * @module
 * Custom feeds: values from outside the exchange (a sentiment score, another venue's price) as facts. A source gives
 * texts, this makes JSON values of them. What it does not do: checking a value, or doubting a market because a feed is
 * silent; a strategy that trades on a feed looks at the time of its latest value.
 */
import { type Log, messageOf, ReadFault, unixMs } from '../../core/index.ts';
import type { FactSink } from '../../domain/index.ts';
import type { FeedSource } from './ports.ts';

/** The longest text of a value. */
const FEED_CHARS_MAX = 256 * 1024;

/** A feed by its name. */
export interface NamedFeed {
  /** Name of the feed in the configuration. */
  readonly name: string;
  readonly source: FeedSource;
}

/** What feeds are made of. */
export interface FeedsOptions {
  readonly feeds: readonly NamedFeed[];
  readonly sink: FactSink;
  readonly log: Log;
}

/** Feeds at work. */
export interface Feeds {
  /** By name: values handed on, and texts that were no value. */
  stats(): Readonly<Record<string, { readonly values: number; readonly faults: number }>>;
  /** Ends all sources; nothing is handed on after it. */
  stop(): void;
}

/** Opens all sources. Values go to the sink as `FeedReceived`; a fault is logged once until a value comes again. */
export function startFeeds({ feeds, sink, log }: FeedsOptions): Feeds {
  const counts: Record<string, { values: number; faults: number }> = {};
  let isStopped = false;
  const closes = feeds.map(({ name, source }) => {
    const count = { values: 0, faults: 0 };
    counts[name] = count;
    let isFaulty = false;
    const fault = (why: string): void => {
      if (isStopped) return;
      count.faults++;
      if (!isFaulty) log.warn('a feed cannot be read', { feed: name, why });
      isFaulty = true;
    };
    return source.open({
      onText(text, receivedAtMs) {
        if (isStopped) return;
        const value = readValue(text);
        if (typeof value === 'string') {
          fault(value);
          return;
        }
        if (isFaulty) log.info('a feed can be read again', { feed: name });
        isFaulty = false;
        count.values++;
        sink({ type: 'FeedReceived', feed: name, value: value.json, atMs: unixMs(receivedAtMs) });
      },
      onFault: fault,
    });
  });
  return {
    stats: () => counts,
    stop() {
      isStopped = true;
      for (const close of closes) close();
    },
  };
}

/** The log of a run writes integers beyond 2^53 under this key; a value that has it would come back as another. */
const RESERVED_KEY = '$n';

function refuseReserved(key: string, value: unknown): unknown {
  if (key === RESERVED_KEY) throw new ReadFault(`the key ${RESERVED_KEY} is taken`);
  return value;
}

/** The JSON value of a text, or what is wrong with it. */
function readValue(text: string): { readonly json: unknown } | string {
  if (text.length > FEED_CHARS_MAX)
    return `expected at most ${FEED_CHARS_MAX} characters, got ${text.length}`;
  try {
    // Plain numbers: what a strategy sees must come back from a tape as it was.
    return { json: JSON.parse(text, refuseReserved) };
  } catch (cause) {
    return `expected JSON (${messageOf(cause)})`;
  }
}
