import { expect, test } from 'vitest';
import type { LogEntry } from '../../../../src/bot/replay/index.ts';
import { formatEntry } from '../../../../src/bot/replay/line.ts';
import { LineLog, type LineWriter } from '../../../../src/bot/replay/run-log.ts';
import { must, type UnixMs } from '../../../../src/core/index.ts';
import { bookOf, type LaneId, type MarketSymbol } from '../../../../src/domain/index.ts';

const SYMBOL = 'BTC-USD' as MarketSymbol;
const AT_MS = 1_001 as UnixMs;

function bookEntry(isShown: boolean, at: LogEntry['at']): LogEntry {
  const book = bookOf({ symbol: SYMBOL, bids: [[10, 1]], asks: [[11, 2 ** 40]] }, { receivedAtMs: AT_MS });
  return { at, event: { kind: 'book', book, isShown } };
}

/** Lines as they come, as far as there is room. */
function writerWith(room: { hasRoom: boolean }): { readonly writer: LineWriter; readonly lines: string[] } {
  const lines: string[] = [];
  const take = (line: string, isOwed: boolean): boolean => {
    if (room.hasRoom || isOwed) lines.push(line);
    return room.hasRoom || isOwed;
  };
  return {
    lines,
    writer: {
      line: (text, _atMs, isOwed) => take(text, isOwed),
      numbers(template, { bidTicks, bidLots, askTicks, askLots }) {
        const lists = [bidTicks, bidLots, askTicks, askLots].map((list) => list.join(','));
        const parts = template.split('\0');
        return take(parts.map((part, at) => part + (lists[at] ?? '')).join(''), false);
      },
      waiting: 0,
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
  };
}

test('a book that is written down in parts is the line of its entry', () => {
  const { writer, lines } = writerWith({ hasRoom: true });
  const log = new LineLog(writer);
  log.begin('first', 1);
  const entries = [
    bookEntry(true, { nowMs: AT_MS, monotonicMs: 1.25 }),
    bookEntry(false, undefined),
  ] as const;
  for (const { at, event } of entries) log.note(at, event);
  log.end('last');
  expect(lines).toEqual(['first', ...entries.map(formatEntry), 'last']);
});

test('where there is no room market data are left out, which a gap says, and nothing else is', () => {
  const room = { hasRoom: true };
  const { writer, lines } = writerWith(room);
  const log = new LineLog(writer);
  const at = { nowMs: AT_MS, monotonicMs: 1 };
  const book = bookEntry(true, at);
  const stale: LogEntry = {
    at,
    event: { kind: 'fact', fact: { type: 'MarketStale', symbol: SYMBOL, reason: '' } },
  };
  const synced: LogEntry = {
    at,
    event: { kind: 'fact', fact: { type: 'AccountSynced', seq: 1n as never, epoch: '1' } },
  };
  const ready: LogEntry = {
    at: undefined,
    event: { kind: 'ready', lane: 'trading' as LaneId, isReady: true },
  };
  const gap = (events: number): string => formatEntry({ at: undefined, event: { kind: 'gap', events } });
  const note = (entry: LogEntry): void => log.note(entry.at, entry.event);
  // Before the first line nothing is written, and nothing lost.
  note(ready);
  expect(lines).toEqual([]);
  log.begin('first', 1);
  room.hasRoom = false;
  for (const entry of [book, stale, synced, book]) note(entry);
  room.hasRoom = true;
  note(book);
  log.end('last');
  expect(lines).toEqual([
    'first',
    formatEntry(ready),
    gap(2),
    formatEntry(synced),
    gap(1),
    formatEntry(book),
    'last',
  ]);
  expect(must(lines[2], 'the gap')).toBe('{"gap":2}');
});
