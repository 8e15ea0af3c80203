/** @module Custom feeds as facts: JSON from a source, faults told once, nothing after the end. */
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../../src/core/index.ts';
import type { Fact } from '../../../../src/domain/index.ts';
import { startFeeds } from '../../../../src/wire/stream/index.ts';
import type { FeedEvents } from '../../../../src/wire/stream/ports.ts';

/** A feed whose source is the test, and what became of it. */
function aFeed() {
  const facts: Fact[] = [];
  const warnings: unknown[] = [];
  let events: FeedEvents | undefined;
  let isClosed = false;
  const feeds = startFeeds({
    feeds: [
      {
        name: 'mood',
        source: {
          open(given) {
            events = given;
            return () => {
              isClosed = true;
            };
          },
        },
      },
    ],
    sink: (fact) => facts.push(fact),
    log: { ...silentLog, warn: (_text, fields) => void warnings.push(fields) },
  });
  return { facts, warnings, feeds, tell: events as unknown as FeedEvents, isClosed: () => isClosed };
}

describe('startFeeds', () => {
  test('makes a fact of each JSON text, with the time it came', () => {
    const { facts, tell, feeds } = aFeed();
    tell.onText('{"score":0.25}', 1_000);
    tell.onText('17', 2_000);
    expect(facts).toEqual([
      { type: 'FeedReceived', feed: 'mood', value: { score: 0.25 }, atMs: 1_000 },
      { type: 'FeedReceived', feed: 'mood', value: 17, atMs: 2_000 },
    ]);
    expect(feeds.stats()).toEqual({ mood: { values: 2, faults: 0 } });
  });

  test('tells a fault once until a value comes again, and counts each', () => {
    const { facts, warnings, tell, feeds } = aFeed();
    tell.onText('<html>', 1_000);
    tell.onFault('no answer within 10000 ms');
    tell.onText(' '.repeat(256 * 1024 + 1), 1_000);
    expect(warnings).toEqual([{ feed: 'mood', why: expect.stringMatching(/^expected JSON/) }]);
    tell.onText('{"$n":"1"}', 1_000);
    tell.onText('1', 2_000);
    tell.onFault('closed');
    expect(warnings.length).toBe(2);
    expect(facts.length).toBe(1);
    expect(feeds.stats()).toEqual({ mood: { values: 1, faults: 5 } });
  });

  test('hands on nothing after its end', () => {
    const { facts, tell, feeds, isClosed } = aFeed();
    feeds.stop();
    tell.onText('1', 1_000);
    expect([facts, isClosed()]).toEqual([[], true]);
  });
});
