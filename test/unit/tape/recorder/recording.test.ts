import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { readSealedLines, silentLog, type UnixMs } from '../../../../src/core/index.ts';
import { bookOf, type MarketSymbol } from '../../../../src/domain/index.ts';
import { openTape } from '../../../../src/tape/format/index.ts';
import { type Recording, startRecording } from '../../../../src/tape/recorder/index.ts';
import { verifyTape } from '../../../../src/tape/tools/index.ts';
import { tapeMarket, withTapeFolder } from '../format/tapes.ts';

const SYMBOL = 'BTC-USD' as MarketSymbol;
/** A machine that does other things too may take a while. */
const WAIT = { timeout: 30_000 };

function start(folder: string, handOverBytes?: number): Recording {
  const options = { folder, logName: 'log.jsonl', log: silentLog, description: 'a test' };
  return startRecording(handOverBytes === undefined ? options : { ...options, handOverBytes });
}

function show(recording: Recording, at: number): void {
  const atMs = (1_000 + at) as UnixMs;
  const book = bookOf({ symbol: SYMBOL, bids: [[100, at + 1]], asks: [[101, 1]] }, { receivedAtMs: atMs });
  recording.fact({ type: 'BookUpdated', book }, atMs);
}

const linesOf = (folder: string): readonly string[] =>
  [...readSealedLines(join(folder, 'log.jsonl'), { truncatedLines: 0 })].flat();

describe('startRecording', () => {
  test('keeps frames, answers, rows and the log of the run', () =>
    withTapeFolder(async (folder) => {
      const recording = start(folder);
      recording.begin([tapeMarket(SYMBOL)], ['mood']);
      for (let at = 0; at < 500; at++) {
        recording.frame(`{"channel":"book","n":${at}}`, 1_000 + at, false);
        show(recording, at);
        recording.log.line(`{"n":${at}}`, 1_000 + at, true);
      }
      recording.answer({ method: 'GET', path: '/v1/time', status: 200, body: '"ü"' }, 2_000);
      recording.feed(0, '{"x": 1}', 2_001);
      await recording.log.close();
      await recording.close();
      const check = verifyTape(folder);
      expect(check).toMatchObject({
        sealed: true,
        frames: 500,
        answers: 1,
        leftOut: 0,
        findings: [],
        gaps: [],
      });
      expect(recording.stats()).toEqual({ rows: check.rows, recorded: 501, leftOut: 0 });
      expect([...openTape(folder).raw()].slice(-2)).toEqual([
        { atMs: 1_499, frame: '{"channel":"book","n":499}' },
        { atMs: 2_000, answer: { method: 'GET', path: '/v1/time', status: 200, body: '"ü"' } },
      ]);
      expect(openTape(folder).feedLine(0)).toBe('{"x": 1}');
      expect(linesOf(folder)).toEqual(Array.from({ length: 500 }, (_, at) => `{"n":${at}}`));
      expect([recording.lost(), recording.trouble()]).toEqual([undefined, undefined]);
    }));

  test('tells what a thread that does not follow has cost, and loses nothing of accounts and of the log', () =>
    withTapeFolder(async (folder) => {
      const recording = start(folder, 1 << 14);
      recording.begin([tapeMarket(SYMBOL)], []);
      show(recording, 0);
      // At once: the thread has no time between them.
      for (let at = 0; at < 2_000; at++) {
        recording.frame(`{"channel":"book","n":${at}}`, 1_000 + at, false);
        show(recording, at);
        if (at % 10 === 0) recording.frame(`{"channel":"fills","n":${at}}`, 1_000 + at, true);
        recording.log.line(`{"n":${at}}`, 1_000 + at, true);
      }
      const { leftOut } = recording.stats();
      expect(leftOut).toBeGreaterThan(0);
      expect(recording.trouble()).toContain('does not follow');
      await vi.waitUntil(() => recording.log.waiting === 0, WAIT);
      // There is room again.
      recording.frame('{"channel":"book","after":1}', 4_000, false);
      show(recording, 5);
      await recording.log.close();
      await recording.close();
      const check = verifyTape(folder);
      const stats = recording.stats();
      expect(check).toMatchObject({ sealed: true, leftOut: stats.leftOut, findings: [] });
      expect(check.frames).toBe(stats.recorded);
      const whats = check.gaps.map(({ what }) => what).join('\n');
      expect(whats).toContain('frames and answers were left out before');
      expect(whats).toContain(`${SYMBOL} is not known from`);
      const fills = [...openTape(folder).raw()].filter(
        (one) => 'frame' in one && one.frame.includes('fills'),
      );
      expect(fills).toHaveLength(200);
      expect(linesOf(folder)).toEqual(Array.from({ length: 2_000 }, (_, at) => `{"n":${at}}`));
      expect(recording.lost()).toContain(`${stats.leftOut} frames and answers were left out`);
    }));

  test('is a state when its thread ends, and the run need not care', () =>
    withTapeFolder(async (folder) => {
      const said: string[] = [];
      const log = { ...silentLog, error: (message: string) => void said.push(message) };
      const recording = startRecording({ folder, logName: 'log.jsonl', log, description: 'a test' });
      // The thread cannot begin.
      rmSync(folder, { recursive: true });
      await vi.waitUntil(() => recording.trouble() !== undefined, WAIT);
      expect(recording.trouble()).toContain('the thread that records has ended');
      expect(said).toHaveLength(1);
      recording.begin([tapeMarket(SYMBOL)], []);
      recording.frame('{"channel":"fills"}', 1, true);
      recording.frame('{"channel":"book"}', 1, false);
      show(recording, 1);
      expect(recording.log.line('{}', 1, true)).toBe(true);
      await recording.log.flush();
      await recording.log.close();
      await recording.close();
      expect(recording.stats()).toEqual({ rows: 0, recorded: 0, leftOut: 2 });
      expect(recording.lost()).toContain(
        '2 frames and answers were left out; the thread that records has ended',
      );
    }));

  test('has what it took in its files within a second or so, for whom a kill leaves them', () =>
    withTapeFolder(async (folder) => {
      const recording = start(folder);
      recording.begin([tapeMarket(SYMBOL)], []);
      recording.frame('{"channel":"book"}', 1_000, false);
      recording.log.line('{"n":1}', 1_000, true);
      await recording.log.flush();
      await vi.waitUntil(() => [...openTape(folder).raw()].length === 1, WAIT);
      expect(linesOf(folder)).toEqual(['{"n":1}']);
      expect(openTape(folder).manifest.sealed).toBe(false);
      await recording.close();
      expect(openTape(folder).manifest.sealed).toBe(true);
    }));
});
