import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { silentLog, VirtualClock } from '../../../src/core/index.ts';
import { createRecorder } from '../../../src/tape/index.ts';

/** A folder that is gone after `use`. */
async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-recorder-'));
  await use(join(folder, 'run')).finally(() => rmSync(folder, { recursive: true }));
}

/** All recorded lines, parsed. */
function linesOf(folder: string): unknown[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as unknown);
}

describe('createRecorder', () => {
  test('keeps every frame letter for letter, in order, with its receive time', () =>
    withFolder(async (folder) => {
      const clock = new VirtualClock(1000);
      const recorder = createRecorder({ folder, clock, log: silentLog });
      const frames = ['{"channel":"book"}', 'line\nbreak "quoted" ü', ''];
      for (const [at, frame] of frames.entries()) recorder.record(frame, 1000 + at);
      await clock.advanceAsync(300);
      recorder.record('late', 2000);
      await recorder.close();
      expect(linesOf(folder)).toEqual([
        ...frames.map((frame, at) => ({ atMs: 1000 + at, frame })),
        { atMs: 2000, frame: 'late' },
      ]);
      expect(recorder.stats()).toEqual({ recorded: 4, leftOut: 0 });
    }));

  test('leaves frames out with a marker when the disk cannot follow', () =>
    withFolder(async (folder) => {
      const clock = new VirtualClock(0);
      const recorder = createRecorder({ folder, clock, log: silentLog });
      const large = 'x'.repeat(1024 * 1024);
      for (let i = 0; i < 40; i++) recorder.record(large, i);
      const { recorded, leftOut } = recorder.stats();
      expect(leftOut).toBeGreaterThan(0);
      clock.advance(300);
      await vi.waitUntil(() => {
        recorder.record('after', 99);
        return recorder.stats().recorded > recorded;
      });
      await recorder.close();
      expect(linesOf(folder).slice(-2)).toEqual([
        { gap: recorder.stats().leftOut, atMs: 99 },
        { atMs: 99, frame: 'after' },
      ]);
    }));

  test('begins a folder of its own and refuses to write into a run that is there', () =>
    withFolder(async (folder) => {
      const options = { folder, clock: new VirtualClock(0), log: silentLog };
      const first = createRecorder(options);
      first.record('one', 1);
      await first.close();
      const second = createRecorder(options);
      second.record('two', 2);
      await second.close();
      expect(linesOf(folder)).toEqual([{ atMs: 1, frame: 'one' }]);
    }));
});
