/** @module The section `feeds`: each kind with what it needs, errors with their places. */
import { describe, expect, test } from 'vitest';
import { feedsSection } from '../../../src/config/feeds-section.ts';

/** What is wrong with feeds, as `path: expected`. */
function wrong(...feeds: readonly object[]): readonly string[] {
  const result = feedsSection.safeParse(feeds);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('feeds', () => {
  test('take an address or a file, and have a period', () => {
    const feeds = [
      { name: 'rate', kind: 'http', url: 'https://rates.example/v1?of=btc', pollInterval: '30s' },
      { name: 'mood', kind: 'ws', url: 'wss://mood.example', subscribe: ['{"op":"sub"}'] },
      { name: 'desk', kind: 'file', file: 'desk.jsonl' },
    ];
    expect(feedsSection.parse(feeds)).toMatchObject([
      { pollInterval: 30_000 },
      { pollInterval: 5_000 },
      { subscribe: [] },
    ]);
  });

  test('error: an address of another kind, or none', () => {
    expect(wrong({ name: 'a', kind: 'http', url: 'wss://x.example' })).toEqual([
      '0.url: an http or https address for http, a ws or wss one for ws',
    ]);
    expect(wrong({ name: 'a', kind: 'ws' })).toEqual([
      '0.url: an http or https address for http, a ws or wss one for ws',
    ]);
    expect(wrong({ name: 'a', kind: 'file' })).toEqual(['0.file: a path']);
  });

  test('error: two of one name', () => {
    const one = { name: 'a', kind: 'file', file: 'a' };
    expect(wrong(one, one)).toEqual(['1.name: a name that no other feed has']);
  });
});
