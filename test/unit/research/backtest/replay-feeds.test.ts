/** @module Custom feeds on a tape: the bot is told each value in its place, the venue never sees one. */
import { describe, expect, test } from 'vitest';
import { seededRandom, unixMs, VirtualClock } from '../../../../src/core/index.ts';
import type { Fact } from '../../../../src/domain/index.ts';
import { Replay } from '../../../../src/research/backtest/replay/replay.ts';
import { EVENT, type EventRow, FLAG_END } from '../../../../src/tape/format/index.ts';
import { createFactColumns, tapeMarketOf } from '../../../../src/tape/recorder/index.ts';
import { memoryTape } from '../../../support/memory-tape.ts';
import { rowByRow } from '../../../support/row-by-row.ts';
import { aMarket } from '../../../support/trading-builders.ts';

describe('a tape with feeds', () => {
  test('tells values between the trades they came between', () => {
    const market = aMarket();
    const rows: EventRow[] = [];
    const columns = createFactColumns({ write: (row) => void rows.push({ ...row }) }, [tapeMarketOf(market)]);
    columns.takeFeed(1, 0, unixMs(1_000));
    columns.takeFeed(0, 1, unixMs(2_000));
    expect(rows.map(({ kind, flags, market: place, id }) => [kind, flags, place, id])).toEqual([
      [EVENT.feed, FLAG_END, 1, 0],
      [EVENT.feed, FLAG_END, 0, 1],
    ]);
    const tape = memoryTape([tapeMarketOf(market)], rows, {
      names: ['mood', 'rate'],
      lines: ['{"x":0.1}', '[1,2]'],
    });
    const facts: Fact[] = [];
    const venueRows: number[] = [];
    const venue = rowByRow({
      dueUs: Number.POSITIVE_INFINITY,
      leadUs: 0,
      onRow: (kind: number) => void venueRows.push(kind),
      passRows: () => false,
    });
    const clock = new VirtualClock(0);
    const replay = new Replay({
      clock,
      tape: { ...tape, batches: () => tape.batches(), markets: [market] },
      feed: { kind: 'constant', us: 500 },
      random: seededRandom(1),
      toUs: tape.toUs,
      venue,
      sink: (fact) => void facts.push(fact),
    });
    replay.skipTo(tape.fromUs);
    replay.feedVenue(Number.POSITIVE_INFINITY);
    expect(replay.botAtUs).toBe(1_000_500);
    clock.moveTo(1_000);
    replay.feedBot();
    clock.moveTo(2_000);
    replay.feedBot();
    expect(venueRows).toEqual([]);
    expect(facts).toEqual([
      { type: 'FeedReceived', feed: 'rate', value: { x: 0.1 }, atMs: 1_000 },
      { type: 'FeedReceived', feed: 'mood', value: [1, 2], atMs: 2_000 },
    ]);
  });
});
