import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogEntry, RunLogHeader } from '../../../../src/bot/replay/index.ts';
import { openRunLog, RUN_LOG_FILE, readRunLog } from '../../../../src/bot/replay/run-log-file.ts';
import {
  type BlocksEnd,
  must,
  readLineBlocks,
  silentLog,
  type UnixMs,
  VirtualClock,
} from '../../../../src/core/index.ts';
import type { LaneId, MarketSymbol } from '../../../../src/domain/index.ts';
import { writeLogLines } from '../../../../src/tape/recorder/index.ts';

const HEADER: RunLogHeader = {
  schema: 1,
  version: '0.1.0',
  runId: 'run',
  mode: 'sim',
  seed: 7,
  collateralDecimals: 6,
  config: { file: 'demo.yaml', text: 'markets: []' },
  strategies: [],
  operatorLane: 'trading' as LaneId,
  madeAt: { nowMs: 1_000 as UnixMs, monotonicMs: 0.5 },
  isProving: true,
};

const ENTRIES: readonly LogEntry[] = [
  {
    at: { nowMs: 1_001 as UnixMs, monotonicMs: 1.25 },
    event: { kind: 'fact', fact: { type: 'AccountSynced', seq: 18_446_744_073_709_551_615n as never } },
  },
  { at: undefined, event: { kind: 'ready', lane: 'trading' as LaneId, isReady: true } },
  { at: undefined, event: { kind: 'decision', what: 'safety', text: 'cancelAll' } },
  {
    at: { nowMs: 1_002 as UnixMs, monotonicMs: 2 },
    event: {
      kind: 'book',
      isShown: true,
      book: {
        symbol: 'BTC-USD' as MarketSymbol,
        receivedAtMs: 1_002 as UnixMs,
        isFresh: true,
        bidTicks: Float64Array.of(10, 9),
        bidLots: Float64Array.of(1, 2),
        askTicks: Float64Array.of(11),
        askLots: Float64Array.of(3),
        ...{ bidCount: 2, askCount: 1 },
      },
    },
  },
];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A log of two blocks with one entry pair each; the second holds the end when it is closed in order. */
async function write(isClosed: boolean): Promise<string> {
  const clock = new VirtualClock(0);
  const writer = openRunLog(writeLogLines({ folder, name: RUN_LOG_FILE, clock, log: silentLog }));
  writer.begin(HEADER);
  for (const { at, event } of ENTRIES.slice(0, 2)) writer.log.note(at, event);
  clock.advance(500);
  for (const { at, event } of ENTRIES.slice(2)) writer.log.note(at, event);
  await writer.close();
  const file = join(folder, 'log.jsonl.zst');
  if (isClosed) return file;
  truncateSync(file, statSync(file).size - 3);
  return file;
}

const read = (): readonly LogEntry[] => [...readRunLog(folder).entries()];

describe('the log of a run on disk', () => {
  test('comes back as it was written, with every digit', async () => {
    await write(true);
    const reader = readRunLog(folder);
    expect(reader.header).toEqual(HEADER);
    expect([...reader.entries()]).toEqual(ENTRIES);
    expect(reader.end).toEqual({ isComplete: true, truncatedLines: 0 });
  });

  test('is cut at its last seal when the process was killed, and says how much is left out', async () => {
    await write(false);
    const reader = readRunLog(folder);
    expect([...reader.entries()]).toEqual(ENTRIES.slice(0, 2));
    expect(reader.end).toEqual({ isComplete: false, truncatedLines: 3 });
  });

  test('is read as text too, as older versions left it, to its last seal', async () => {
    const file = await write(true);
    const end: BlocksEnd = { wholeBytes: 0, blocks: 0, truncated: undefined };
    const bytes = readFileSync(file);
    const blocks = [...readLineBlocks((at, length) => bytes.subarray(at, at + length), end)];
    rmSync(file);
    const text = join(folder, 'log.jsonl');
    writeFileSync(text, blocks.map((block) => block.text).join(''));
    expect(read()).toEqual(ENTRIES);
    writeFileSync(text, `${must(blocks[0], 'a block').text}{"ready":"trading","is":true}\n{"t":[10`);
    const reader = readRunLog(folder);
    expect([...reader.entries()]).toEqual(ENTRIES.slice(0, 2));
    expect(reader.end).toEqual({ isComplete: false, truncatedLines: 2 });
  });

  test('is cut, not refused, where a power cut left room behind it', async () => {
    const file = await write(true);
    writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(4_096)]));
    const reader = readRunLog(folder);
    expect([...reader.entries()]).toEqual(ENTRIES);
    expect(reader.end).toEqual({ isComplete: true, truncatedLines: 1 });
  });

  test('is refused when one byte is another, wherever it stands', async () => {
    const file = await write(true);
    const bytes = readFileSync(file);
    for (let at = 0; at < bytes.length; at += 7) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      writeFileSync(file, flipped);
      expect(() => {
        const reader = readRunLog(folder);
        const entries = [...reader.entries()];
        // A seal that is none any more leaves its block without one: that block is cut, and so said.
        if (reader.end.isComplete) return entries;
        throw new Error(`cut: ${reader.end.truncatedLines}`);
      }, `byte ${at} of ${bytes.length}`).toThrow();
    }
  });

  test('is named when it is not there, of another version, or no log at all', async () => {
    expect(read).toThrow(/expected the log of a run at/);
    const file = join(folder, 'log.jsonl.zst');
    writeFileSync(file, '');
    expect(read).toThrow(/expected a sealed header/);
    const clock = new VirtualClock(0);
    rmSync(file);
    const writer = openRunLog(writeLogLines({ folder, name: RUN_LOG_FILE, clock, log: silentLog }));
    writer.begin({ ...HEADER, schema: 2 as 1 });
    await writer.close();
    expect(read).toThrow(/expected a log of version 1/);
  });
});
