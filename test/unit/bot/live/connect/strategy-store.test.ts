import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileStrategyStore } from '../../../../../src/bot/live/connect/strategy-store.ts';
import { silentLog } from '../../../../../src/core/index.ts';
import type { StrategyId } from '../../../../../src/domain/index.ts';

const ladder = 'ladder' as StrategyId;
let folder: string;
let journal: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-store-'));
  journal = join(folder, 'deep', 'a-bot.journal.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('fileStrategyStore', () => {
  test('gives back what was saved last, in another life too', () => {
    const store = fileStrategyStore(journal, silentLog);
    expect(store.load(ladder)).toBeUndefined();
    store.save(ladder, '{"fills":1}');
    store.save(ladder, '{"fills":2}');
    expect(fileStrategyStore(journal, silentLog).load(ladder)).toBe('{"fills":2}');
    expect(store.load('other' as StrategyId)).toBeUndefined();
  });

  test('replaces the file as a whole and keeps it to its owner', () => {
    fileStrategyStore(journal, silentLog).save(ladder, '{}');
    const place = join(folder, 'deep', 'a-bot-strategies');
    expect(readdirSync(place)).toEqual(['ladder.json']);
    expect(statSync(join(place, 'ladder.json')).mode & 0o777).toBe(0o600);
  });

  test('logs a disk that does not take it and lets the bot go on', () => {
    const error = sinon.spy();
    writeFileSync(join(folder, 'deep'), 'a file where a folder should be');
    fileStrategyStore(journal, { ...silentLog, error }).save(ladder, '{}');
    sinon.assert.calledOnceWithMatch(error, 'the state of a strategy could not be saved');
  });
});
