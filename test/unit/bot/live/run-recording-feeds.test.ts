/** @module Custom feeds on the tape of a run: rows in their place among those of the market, values as lines beside them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRunRecording } from '../../../../src/bot/live/output/run-recording.ts';
import { silentLog, unixMs, VirtualClock } from '../../../../src/core/index.ts';
import { EVENT, openTape } from '../../../../src/tape/format/index.ts';
import { rowsOf } from '../../../../src/tape/tools/index.ts';
import { aMarket } from '../../../support/trading-builders.ts';

test('keeps the values of the feeds it was told of, and leaves others out', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'recording-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'run');
  const clock = new VirtualClock(unixMs(1_700_000_000_000));
  const recording = openRunRecording({ folder, clock, log: silentLog, description: 'a test' });
  recording.begin([aMarket()], ['mood', 'rate']);
  const received = (feed: string, value: unknown) =>
    recording.take({ type: 'FeedReceived', feed, value, atMs: clock.nowMs() });
  received('rate', { x: 1 });
  received('unknown', 1);
  received('mood', [0.1]);
  await recording.close();
  const tape = openTape(folder);
  expect(tape.feeds).toEqual(['mood', 'rate']);
  const rows = [...rowsOf(tape.batches())].map(({ kind, market, id }) => [kind, market, tape.feedLine(id)]);
  expect(rows).toEqual([
    [EVENT.feed, 1, '{"x":1}'],
    [EVENT.feed, 0, '[0.1]'],
  ]);
});
