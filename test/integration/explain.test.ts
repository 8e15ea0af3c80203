/** What `ballast explain` says of a whole bot, held against the records of the exchange; and what it says of wrong questions. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { describeExplanation, explain, questionOf } from '../../src/bot/explain/index.ts';
import {
  disturbed,
  type Explained,
  type ExplainedWorld,
  explainAll,
  explainedRun,
} from '../support/explained-run.ts';

let world: ExplainedWorld;
let explained: Explained;

beforeAll(async () => {
  world = await explainedRun(disturbed({ seed: 3, forMs: 40_000 }));
  explained = explainAll(world);
  return () => world.remove();
}, 120_000);

test('every order, fill, denial and second without a quote of a run is explained, as the exchange has it', () => {
  expect(explained).toMatchObject({ problems: [] });
  expect(explained.orders).toBeGreaterThan(100);
  expect(explained.fills).toBeGreaterThan(10);
  expect(explained.denials).toBeGreaterThan(0);
  expect(explained.reasons['haltedByPerson']).toBeGreaterThanOrEqual(8);
  expect(explained.gapSeconds + explained.quotedSeconds).toBeGreaterThan(60);
});

test('a write is explained with its record, its proven outcome and the orders that came of it', () => {
  const [order = ''] = world.records.orders;
  const steps = explain(world.files, { what: 'order', id: order }).steps;
  const id = String(steps.find(({ step }) => step === 'write')?.facts['requestId']);
  const written = explain(world.files, { what: 'write', id });
  expect(written.answer).toMatch(/^A write \((place|replace)\) of lane .*; its outcome: executed\.$/);
  expect(written.steps.find(({ step }) => step === 'receipt')?.facts['orders']).toContain(order);
});

test('the text is of 80 columns and begins with the question and the answer', () => {
  const [fill] = world.records.fills.keys();
  const lines = describeExplanation(explain(world.files, { what: 'fill', id: fill ?? '' })).split('\n');
  expect(lines[0]).toBe(`fill ${fill}`);
  expect(lines.filter((line) => line.length > 80 && line.trim().includes(' ') && !/0x|"/.test(line))).toEqual(
    [],
  );
});

test('what is unknown is named with what is nearest to it', () => {
  const [order = ''] = world.records.orders;
  const ask =
    (...words: string[]) =>
    () =>
      explain(world.files, questionOf(words));
  expect(ask('order', `${order}9`)).toThrow(
    /expected the id of an order or an intent .* the nearest is [0-9]+/,
  );
  expect(ask('fill', '99999999-0-0')).toThrow(/the nearest is [0-9]+-[0-9]+-[0-9]+/);
  expect(ask('gap', 'BTC-USB', 'bid', '2026-01-06T11:47:20Z')).toThrow(/the nearest is BTC-USD/);
  expect(ask('gap', 'BTC-USD', 'bid', '2020-01-01T00:00:00Z')).toThrow(/expected a time within/);
  expect(ask('gap', 'BTC-USD', 'bid', '2020-01-01 00:00')).toThrow(/and a time/);
  expect(ask('orders', '1')).toThrow(/most like it: order/);
  expect(() => explain({ ...world.files, journal: undefined }, questionOf(['order', order]))).toThrow(
    /a run that keeps none/,
  );
});

test('without a log of the run the rest is told, and what is missing is named', () => {
  const [order = ''] = world.records.orders;
  const { steps, absent } = explain({ ...world.files, folder: '/nowhere' }, questionOf(['order', order]));
  expect(steps.map(({ step }) => step)).toEqual(
    expect.arrayContaining(['checks', 'write', 'receipt', 'order']),
  );
  expect(absent).toEqual([expect.stringContaining('record.enabled')]);
});

test('a row of the journal that was changed is found by its hash, and not believed', () => {
  const [order = ''] = world.records.orders;
  const file = join(world.files.folder, 'changed.journal.sqlite');
  writeFileSync(file, readFileSync(world.files.journal ?? ''));
  const database = new DatabaseSync(file);
  database.exec("UPDATE records SET body = replace(body, '\"nonce\"', '\"nonce\" ') WHERE type = 'write'");
  database.close();
  expect(() => explain({ ...world.files, journal: file }, questionOf(['order', order]))).toThrow(
    /does not fit the hash of the one before it/,
  );
});

test('a block of the log that is cut off at its end is left out', () => {
  const order = [...world.records.orders].at(-1) ?? '';
  const before = explain(world.files, questionOf(['order', order]));
  const file = join(world.files.folder, 'log.jsonl.zst');
  appendFileSync(file, readFileSync(file).subarray(0, 50));
  expect(explain(world.files, questionOf(['order', order]))).toEqual(before);
});
