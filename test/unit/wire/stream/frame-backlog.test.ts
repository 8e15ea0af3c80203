/** Frames that come faster than they are read: the newest of each market, in order, and nothing else is held back. */
import { describe, expect, test } from 'vitest';
import { seededRandom, silentLog, VirtualClock } from '../../../../src/core/index.ts';
import { createMetrics } from '../../../../src/core/telemetry/index.ts';
import { FrameBacklog, type FrameBacklogOptions } from '../../../../src/wire/stream/frame-backlog.ts';

const book = (symbol: string, at: number, isSnapshot = false): string =>
  JSON.stringify({ channel: 'book', isSnapshot, seq: at, data: { symbol, bids: [], asks: [] } });

interface Read {
  readonly text: string;
  readonly channel: string;
  readonly symbol: string;
  readonly at: number;
}

function aBacklog(readMs: number, options: Partial<FrameBacklogOptions> = {}) {
  const clock = new VirtualClock(1_790_000_000_000);
  const meter = createMetrics();
  const backlog = new FrameBacklog({ clock, log: silentLog, meter, ...options });
  const reads: Read[] = [];
  const read = (text: string): void => {
    const frame = JSON.parse(text);
    reads.push({ text, channel: frame.channel, symbol: frame.data?.symbol ?? '', at: frame.seq });
    clock.moveTo(clock.monotonicMs() + readMs);
  };
  return { clock, meter, backlog, reads, read, take: (text: string) => backlog.take(text, 0, read) };
}

describe('frames that come faster than they are read', () => {
  test('wait for nothing where reading takes no time', () => {
    const { backlog, reads, take } = aBacklog(0);
    for (let at = 0; at < 1_000; at++) take(book('BTC-USD', at));
    expect(reads).toHaveLength(1_000);
    expect(backlog.load()).toMatchObject({ isOverloaded: false, waiting: 0, coalesced: { book: 0, bbo: 0 } });
  });

  test.each([1, 2, 3, 4, 5])(
    'leave the newest book of each market, and every other frame: seed %i',
    (seed) => {
      const random = seededRandom(`backlog ${seed}`);
      const traded = new Set(['M0', 'M1']);
      const { clock, backlog, reads, take } = aBacklog(1, { traded });
      const newest = new Map<string, number>();
      const others: number[] = [];
      for (let at = 0; at < 5_000; at++) {
        if (random.chance(0.02)) {
          others.push(at);
          take(JSON.stringify({ channel: 'fills', seq: at, data: {} }));
          // It passed everything that waits.
          expect(reads.at(-1)).toMatchObject({ channel: 'fills', at });
        } else {
          const symbol = `M${random.integer(0, 29)}`;
          newest.set(symbol, at);
          take(book(symbol, at, random.chance(0.01)));
        }
        clock.advance(random.chance(0.1) ? 1 : 0);
      }
      const load = backlog.load();
      expect(load.isOverloaded).toBe(true);
      expect(load.coalesced.book).toBeGreaterThan(1_000);
      expect(load.waiting).toBeLessThanOrEqual(30);
      clock.advance(1_000);
      expect(reads.filter(({ channel }) => channel === 'fills').map(({ at }) => at)).toEqual(others);
      for (const [symbol, at] of newest) {
        const own = reads.filter((one) => one.symbol === symbol).map((one) => one.at);
        expect(own, symbol).toEqual(own.toSorted((one, other) => one - other));
        expect(own.at(-1), symbol).toBe(at);
      }
      const read = (isTraded: boolean) =>
        reads.filter(({ symbol }) => symbol !== '' && traded.has(symbol) === isTraded).length;
      // Per market, those that a strategy trades are read several times as often.
      expect(read(true) / 2).toBeGreaterThan((2 * read(false)) / 28);
      expect(load.coalesced.book + reads.length).toBeGreaterThanOrEqual(5_000 - 30);
      clock.advance(10_000);
      expect(backlog.load()).toMatchObject({ isOverloaded: false, overloadedMs: 0, waiting: 0, lagMs: 0 });
    },
  );

  test('leave half of the time of the loop to everything else', () => {
    const { clock, reads, take } = aBacklog(1);
    let freeMs = 0;
    for (let at = 0; at < 10_000; at++) {
      take(book(`M${at % 50}`, at));
      const beforeMs = clock.monotonicMs();
      const count = reads.length;
      clock.advance(0.5);
      freeMs += clock.monotonicMs() - beforeMs - (reads.length - count);
    }
    expect(freeMs / clock.monotonicMs()).toBeGreaterThan(0.4);
  });

  test('never lose a snapshot, and a control frame finds all that came before it', () => {
    const { backlog, reads, take } = aBacklog(20);
    take(book('A', 1));
    take(book('A', 2));
    take(book('B', 3));
    expect(reads.map(({ at }) => at)).toEqual([1]);
    take(book('A', 4, true));
    expect(reads.map(({ at }) => at)).toEqual([1, 4]);
    backlog.flush();
    expect(reads.map(({ at }) => at)).toEqual([1, 4, 3]);
  });

  test('are forgotten with their connection', () => {
    const { clock, backlog, reads, read, take } = aBacklog(20);
    for (let at = 1; at <= 3; at++) take(book('A', at));
    backlog.drop(read);
    clock.advance(1_000);
    expect(reads.map(({ at }) => at)).toEqual([1]);
    for (let at = 4; at <= 6; at++) take(book('B', at));
    backlog.stop();
    clock.advance(1_000);
    expect(reads.at(-1)?.at).toBe(4);
  });

  test('are not read where no strategy reads the market', () => {
    const { meter, reads, take } = aBacklog(0, { unread: new Set(['B']) });
    take(book('A', 1));
    take(book('B', 2));
    take(JSON.stringify({ channel: 'bbo', seq: 3, data: { symbol: 'B' } }));
    expect(reads.map(({ at }) => at)).toEqual([1, 3]);
    expect(meter.snapshot().counters.stream_unread_frames_total).toBe(1);
  });
});
