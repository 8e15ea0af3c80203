/**
 * @module
 * The history of custom feeds as frames of a tape, to be merged with a market's: files `<feed>.jsonl`, a line
 * `{"atMs": 1700000000000, "value": ...}` with any JSON value.
 */
import { isRecord, messageOf } from '../../core/index.ts';
import { EVENT, RECORDING_NAMES } from '../format/index.ts';
import { findFiles } from './find-files.ts';
import { RANK } from './frame.ts';
import { SeenAtOnce } from './ids.ts';
import type { ImportCounts } from './import-counts.ts';
import type { ImportRequest, OpenedImport } from './importer.ts';
import { type RecordedLine, readRecordedLines } from './lines.ts';
import { malformed, quoted } from './location.ts';
import { mergeStreams } from './merge-streams.ts';
import type { Recorded } from './recorded.ts';
import { recordedUs } from './recorded-time.ts';

const NAMES = RECORDING_NAMES.feed;
const EXPECTED_NAME = '<feed>.jsonl, with the name that the configuration gives the feed';

/** The statistics of one feed. */
export interface FeedStatistics {
  /** Number of values. */
  readonly values: number;
  /** First time, Unix ms. */
  readonly firstMs: number;
  /** Last time, Unix ms. */
  readonly lastMs: number;
}

/** Looks for the files; their content is read by `run` only. */
export async function openFeedImport(request: ImportRequest, counts: ImportCounts): Promise<OpenedImport> {
  const { files, ignored } = await findFiles({
    paths: request.paths,
    patterns: NAMES,
    expected: EXPECTED_NAME,
    counts,
  });
  const feeds = files.map(({ parts }) => parts['feed'] ?? '');
  const statistics: Record<string, FeedStatistics> = {};
  return {
    markets: [],
    feeds,
    files: files.map(({ path }) => path),
    ignored,
    silenceMs: Number.POSITIVE_INFINITY,
    async run(order, records) {
      const streams = files.map(({ path }, feed) => valuesOf(path, feed));
      const values = mergeStreams(streams, ({ exchangeUs }) => exchangeUs);
      const seen = new SeenAtOnce(counts);
      await records.read(values, ({ feed, exchangeUs, line }) => {
        seen.take(`${feed} ${line}`, exchangeUs);
        const name = feeds[feed] ?? '';
        const atMs = exchangeUs / 1_000;
        const before = statistics[name] ?? { values: 0, firstMs: atMs };
        statistics[name] = { ...before, values: before.values + 1, lastMs: atMs };
        const times = { exchangeUs, receivedUs: exchangeUs };
        order.add({ ...times, rank: RANK.price, market: feed, rows: [[EVENT.feed, 0, 0, 0]], line });
      });
    },
    statistics: () => statistics,
  };
}

interface Value extends Recorded {
  /** Index of the feed. */
  readonly feed: number;
  /** The value as JSON on one line. */
  readonly line: string;
}

async function* valuesOf(path: string, feed: number): AsyncGenerator<Value> {
  for await (const line of readRecordedLines(path)) yield valueAt(line, feed);
}

function valueAt({ place: at, text }: RecordedLine, feed: number): Value {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw malformed(at, 'a line of JSON', `${quoted(text)} (${messageOf(cause)})`);
  }
  const atMs = isRecord(parsed) ? parsed['atMs'] : undefined;
  const value = isRecord(parsed) ? parsed['value'] : undefined;
  if (typeof atMs !== 'number' || !Number.isInteger(atMs) || atMs < 0 || value === undefined)
    throw malformed(at, 'atMs in whole Unix ms and a value', quoted(text));
  const exchangeUs = recordedUs(at, String(atMs), { name: 'atMs', unit: 'ms' });
  return { feed, place: at, exchangeUs, line: JSON.stringify(value) };
}
