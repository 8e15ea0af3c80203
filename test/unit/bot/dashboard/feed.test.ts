/** The feed of a dashboard: made only while somebody reads, once for all, and never waiting for anybody. */
import { describe, expect, test } from 'vitest';
import { Feed, type FeedReader } from '../../../../src/bot/dashboard/feed.ts';
import { unixMs, VirtualClock } from '../../../../src/core/index.ts';

class Reader implements FeedReader {
  readonly texts: string[] = [];
  waitingBytes = 0;
  isDropped = false;
  write(text: string): void {
    this.texts.push(text);
  }
  waiting(): number {
    return this.waitingBytes;
  }
  drop(): void {
    this.isDropped = true;
  }
}

function aFeed() {
  const clock = new VirtualClock(unixMs(1_000_000));
  let made = 0;
  const faults: unknown[] = [];
  const broken = { isBroken: false };
  const feed = new Feed({
    clock,
    first: () => 'first',
    next: () => {
      if (broken.isBroken) throw new Error('a bug in what is shown');
      return `${++made}`;
    },
    onFault: (thrown) => faults.push(thrown),
  });
  return { clock, feed, faults, broken, made: () => made };
}

describe('the feed', () => {
  test('makes nothing before the first reader comes and after the last one has gone', async () => {
    const { clock, feed, made } = aFeed();
    await clock.advance(10_000);
    expect(made()).toBe(0);
    const reader = new Reader();
    feed.join(reader);
    await clock.advance(2_000);
    expect(reader.texts).toEqual(['first', '1', '2', '3', '4']);
    feed.leave(reader);
    expect(feed.isIdle).toBe(true);
    await clock.advance(10_000);
    expect(made()).toBe(4);
    feed.join(reader);
    await clock.advance(500);
    expect(made()).toBe(5);
  });

  test('makes one text for all readers', async () => {
    const { clock, feed, made } = aFeed();
    const readers = [new Reader(), new Reader(), new Reader()];
    for (const reader of readers) feed.join(reader);
    await clock.advance(1_000);
    expect(made()).toBe(2);
    for (const reader of readers) expect(reader.texts).toEqual(['first', '1', '2']);
  });

  test('drops a reader that does not keep up, and goes on for the others', async () => {
    const { clock, feed } = aFeed();
    const [slow, quick] = [new Reader(), new Reader()];
    feed.join(slow);
    feed.join(quick);
    slow.waitingBytes = 2_000_000;
    await clock.advance(1_000);
    expect([slow.isDropped, slow.texts]).toEqual([true, ['first']]);
    expect([quick.isDropped, quick.texts]).toEqual([false, ['first', '1', '2']]);
  });

  test('a fault of what is shown drops the readers, is told, and never reaches the run', async () => {
    const { clock, feed, faults, broken } = aFeed();
    const readers = [new Reader(), new Reader()];
    for (const reader of readers) feed.join(reader);
    broken.isBroken = true;
    await clock.advance(2_000);
    expect(faults).toHaveLength(1);
    expect(readers.map(({ isDropped }) => isDropped)).toEqual([true, true]);
    broken.isBroken = false;
    const again = new Reader();
    feed.join(again);
    await clock.advance(500);
    expect(again.texts).toEqual(['first', '1']);
  });

  test('has eight readers at most: the oldest leaves for a new one', () => {
    const { feed } = aFeed();
    const readers = Array.from({ length: 9 }, () => new Reader());
    for (const reader of readers) feed.join(reader);
    expect(readers.map(({ isDropped }) => isDropped)).toEqual([true, ...Array<boolean>(8).fill(false)]);
    feed.close();
    expect(readers.every(({ isDropped }) => isDropped)).toBe(true);
    expect(feed.isIdle).toBe(true);
  });
});
