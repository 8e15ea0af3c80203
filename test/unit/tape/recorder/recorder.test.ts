import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { SystemClock, silentLog, VirtualClock } from '../../../../src/core/index.ts';
import {
  createRowsWriter,
  createTapeFolder,
  openTape,
  repairTape,
  type TapeFolder,
} from '../../../../src/tape/format/index.ts';
import { createRecorder } from '../../../../src/tape/recorder/recorder.ts';
import { someRows, tapeMarket, withTapeFolder } from '../format/tapes.ts';

const SEGMENT = 'raw-00001.jsonl.zst';

/** A tape without markets. */
const begun = (folder: string): TapeFolder =>
  createTapeFolder({ folder, markets: [], source: { kind: 'recorded', description: 'a test' } });

/** All records of a tape. */
function recordsIn(folder: string): unknown[] {
  return [...openTape(folder).raw()];
}

/** A sealed tape of `count` frames. */
async function recordFrames(folder: string, count: number): Promise<void> {
  const recorder = createRecorder(begun(folder), { clock: new VirtualClock(0), log: silentLog });
  for (let at = 0; at < count; at++) recorder.record(`{"channel":"book","seq":${at}}`, 1_000 + at);
  await recorder.close();
}

/** A machine that does other things too may take a while to write. */
const WAIT = { timeout: 20_000 };

describe('createRecorder', () => {
  test('keeps every frame letter for letter, in order, with its receive time', () =>
    withTapeFolder(async (folder) => {
      const clock = new VirtualClock(1000);
      const recorder = createRecorder(begun(folder), { clock, log: silentLog });
      const frames = ['{"channel":"book"}', 'line\nbreak "quoted" ü', ''];
      for (const [at, frame] of frames.entries()) recorder.record(frame, 1000 + at);
      await clock.advanceAsync(1_000);
      recorder.record('late', 2000);
      await recorder.close();
      expect(recordsIn(folder)).toEqual([
        ...frames.map((frame, at) => ({ atMs: 1000 + at, frame })),
        { atMs: 2000, frame: 'late' },
      ]);
      expect(recorder.stats()).toEqual({ recorded: 4, leftOut: 0 });
    }));

  test('keeps answers over REST, and the lack of one, among the frames', () =>
    withTapeFolder(async (folder) => {
      const recorder = createRecorder(begun(folder), { clock: new VirtualClock(0), log: silentLog });
      recorder.record('frame', 1);
      const answer = { method: 'POST', path: '/v1/exchange', status: 200, body: '{"status":"executed"}' };
      recorder.recordAnswer(answer, 2);
      recorder.recordAnswer({ method: 'GET', path: '/v1/time', body: 'lost: timed out' }, 3);
      await recorder.close();
      expect(recordsIn(folder)).toEqual([
        { atMs: 1, frame: 'frame' },
        { atMs: 2, answer },
        { atMs: 3, answer: { method: 'GET', path: '/v1/time', body: 'lost: timed out' } },
      ]);
      expect(openTape(folder).manifest.files[0]?.raw).toEqual({
        frames: 1,
        answers: 2,
        leftOut: 0,
        fromMs: 1,
        toMs: 3,
      });
    }));

  test('puts at most 200 frames into a block, each a zstd frame behind a skippable one (ecosystem E10)', () =>
    withTapeFolder(async (folder) => {
      await recordFrames(folder, 450);
      const bytes = readFileSync(join(folder, SEGMENT));
      const blocks: { records: number; text: string }[] = [];
      for (let at = 0; at < bytes.length; ) {
        expect(bytes.readUInt32LE(at) & 0xffff_fff0).toBe(0x184d_2a50);
        expect(bytes.readUInt32LE(at + 4)).toBe(24);
        const next = at + 32 + bytes.readUInt32LE(at + 8);
        const text = zstdDecompressSync(bytes.subarray(at + 32, next)).toString('utf8');
        blocks.push({ records: bytes.readUInt32LE(at + 24), text });
        at = next;
      }
      expect(blocks.map(({ records }) => records)).toEqual([200, 200, 50]);
      expect(
        blocks
          .map(({ text }) => text)
          .join('')
          .split('\n'),
      ).toHaveLength(451);
    }));

  test('has a frame on the disk a second later, whether more come or not', () =>
    withTapeFolder(async (folder) => {
      const clock = new SystemClock();
      const recorder = createRecorder(begun(folder), { clock, log: silentLog });
      recorder.record('alone', 5);
      await vi.waitUntil(() => recordsIn(folder).length === 1, WAIT);
      expect(openTape(folder).manifest.sealed).toBe(false);
      await recorder.close();
      expect(openTape(folder)).toMatchObject({ truncated: [], manifest: { sealed: true } });
    }));

  test('leaves frames out with a marker when the disk cannot follow', () =>
    withTapeFolder(async (folder) => {
      const clock = new VirtualClock(0);
      const recorder = createRecorder(begun(folder), { clock, log: silentLog, waitingBytesMax: 1_000_000 });
      const large = 'x'.repeat(100_000);
      for (let i = 0; i < 40; i++) recorder.record(large, i);
      const { recorded, leftOut } = recorder.stats();
      expect(leftOut).toBeGreaterThan(0);
      clock.advance(1_000);
      await vi.waitUntil(() => {
        recorder.record('after', 99);
        return recorder.stats().recorded > recorded;
      }, WAIT);
      await recorder.close();
      expect(recordsIn(folder).slice(-2)).toEqual([
        { atMs: 99, gap: recorder.stats().leftOut },
        { atMs: 99, frame: 'after' },
      ]);
      expect(openTape(folder).manifest.files[0]?.raw?.leftOut).toBe(recorder.stats().leftOut);
    }));

  test('goes on with a marker when the folder was gone for a while', () =>
    withTapeFolder(async (folder) => {
      const clock = new VirtualClock(0);
      const errors: string[] = [];
      const log = { ...silentLog, error: (message: string) => void errors.push(message) };
      const recorder = createRecorder(begun(folder), { clock, log });
      writeFileSync(join(folder, SEGMENT), 'in the way');
      recorder.record('lost', 1);
      clock.advance(1_000);
      await vi.waitUntil(() => errors.length === 1, WAIT);
      rmSync(join(folder, SEGMENT));
      recorder.record('kept', 2);
      await recorder.close();
      expect(recordsIn(folder)).toEqual([
        { atMs: 2, gap: 1 },
        { atMs: 2, frame: 'kept' },
      ]);
      expect(recorder.stats()).toEqual({ recorded: 1, leftOut: 1 });
    }));

  test('refuses to write into a run that is there', () =>
    withTapeFolder(async (folder) => {
      await recordFrames(folder, 1);
      const again = { clock: new VirtualClock(0), log: silentLog };
      expect(() => createRecorder(begun(folder), again)).toThrow(
        expect.objectContaining({ code: 'TAPE_EXISTS' }),
      );
      expect(recordsIn(folder)).toHaveLength(1);
    }));

  test('has rows beside the frames once the markets are known', () =>
    withTapeFolder(async (folder) => {
      const recorder = createRecorder(begun(folder), { clock: new VirtualClock(0), log: silentLog });
      recorder.record('frame', 1);
      recorder.tape.declare([tapeMarket('BTC-USD')]);
      const rows = createRowsWriter(recorder.tape);
      for (const row of someRows(9)) rows.write(row);
      rows.close();
      await recorder.close();
      expect(openTape(folder)).toMatchObject({ rows: 9, markets: [tapeMarket('BTC-USD')] });
      expect(recordsIn(folder)).toHaveLength(1);
    }));
});

describe('raw records whose writer was killed', () => {
  /** As a kill leaves it: the manifest of before, and a file that it does not know. */
  async function killed(folder: string, count: number): Promise<string> {
    const recorder = createRecorder(begun(folder), { clock: new VirtualClock(0), log: silentLog });
    const manifest = readFileSync(join(folder, 'manifest.json'));
    for (let at = 0; at < count; at++) recorder.record(`frame ${at}`, at);
    await recorder.close();
    writeFileSync(join(folder, 'manifest.json'), manifest);
    return join(folder, SEGMENT);
  }

  test('are read to the last whole block, and the rest is named', () =>
    withTapeFolder(async (folder) => {
      const path = await killed(folder, 450);
      truncateSync(path, readFileSync(path).length - 3);
      expect(recordsIn(folder)).toHaveLength(400);
      expect(openTape(folder).truncated).toMatchObject([
        { name: SEGMENT, what: 'a block is missing after block 2' },
      ]);
    }));

  test('are cut and sealed by a repair, which says so in the manifest', () =>
    withTapeFolder(async (folder) => {
      const path = await killed(folder, 210);
      appendFileSync(path, 'half a block');
      expect(repairTape(folder)).toMatchObject([{ cutBytes: 12 }]);
      const { manifest, truncated } = openTape(folder);
      expect(truncated).toEqual([]);
      expect(manifest.sealed).toBe(true);
      expect(manifest.notes).toEqual([
        `${SEGMENT}: the head of a block is missing after block 2; 12 bytes were cut`,
      ]);
      expect(recordsIn(folder)).toHaveLength(210);
    }));
});

describe('sealed raw records', () => {
  test('are refused with their file when one byte changed, whichever', () =>
    withTapeFolder(async (folder) => {
      await recordFrames(folder, 3);
      const path = join(folder, SEGMENT);
      const bytes = readFileSync(path);
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(bytes.readUInt8(at) ^ 16, at);
        writeFileSync(path, changed);
        expect(() => recordsIn(folder), `byte ${at}`).toThrow(SEGMENT);
      }
    }));
});
