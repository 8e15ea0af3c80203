/** @module Custom feeds of a configuration, joined: their sources of all kinds, started and ended with the run. */
import type { Config } from '../../../config/index.ts';
import { type Clock, type Log, must } from '../../../core/index.ts';
import type { FactSink } from '../../../domain/index.ts';
import { createHttpFeed, createWsFeed } from '../../../wire/gateway/index.ts';
import { type NamedFeed, startFeeds } from '../../../wire/stream/index.ts';
import { createFileFeed } from './file-feed.ts';

/** The names of the feeds of `config`, in the order in which a tape has them. */
export function feedNamesOf({ feeds }: Pick<Config, 'feeds'>): readonly string[] {
  return feeds.map(({ name }) => name);
}

/** Starts the feeds of a configuration; values reach `sink` as facts. The function it returns ends them. */
export function startConfiguredFeeds(
  {
    config,
    clock,
    log,
  }: { readonly config: Pick<Config, 'feeds'>; readonly clock: Clock; readonly log: Log },
  sink: FactSink,
): () => void {
  const feeds = config.feeds.map((feed): NamedFeed => ({ name: feed.name, source: sourceOf(feed, clock) }));
  return startFeeds({ feeds, sink, log }).stop;
}

function sourceOf(feed: Config['feeds'][number], clock: Clock): NamedFeed['source'] {
  const { kind, pollInterval, idleTimeout, subscribe } = feed;
  if (kind === 'file')
    return createFileFeed({ path: must(feed.file, 'a file'), periodMs: pollInterval, clock });
  const url = must(feed.url, 'an address');
  if (kind === 'http') return createHttpFeed({ url, periodMs: pollInterval, clock });
  return createWsFeed({ url, subscribe, silenceMs: idleTimeout, clock });
}
