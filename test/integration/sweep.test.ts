/** A sweep over a tape, on threads: the same set after a kill, the results of each thread those of a backtest alone. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig, parseConfig } from '../../src/config/index.ts';
import { BotError } from '../../src/core/index.ts';
import { describeSweep, heatMapOf, type SweepDocument, sweepCsv } from '../../src/report/index.ts';
import { runConfiguredBacktest } from '../../src/research/backtest/index.ts';
import { sweepConfiguration } from '../../src/research/sweep/index.ts';
import { configText, sweepScene } from '../support/sweep-scene.ts';

const scene = sweepScene();
afterAll(() => scene.remove());

const sweep = (out: string, source = loadConfig(scene.config)): Promise<SweepDocument> =>
  sweepConfiguration({ source, tape: scene.tape, out: join(scene.folder, out), seed: 3, workers: 2 });

describe('a sweep', () => {
  test('is the same after it was killed, and writes its results as they come', async () => {
    const whole = await sweep('whole');
    expect(whole.rows).toHaveLength(6);
    expect(whole.rows.every(({ statistics }) => statistics !== null && statistics['fills'] !== null)).toBe(
      true,
    );
    expect(whole.windows).toHaveLength(1);
    expect(whole.windows[0]?.outOfSample?.statistics).toBeTruthy();
    // Killed as it wrote the fourth result: three lines are whole.
    const file = join(scene.folder, 'whole', 'results.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines).toHaveLength(8);
    truncateSync(file, lines.slice(0, 3).join('\n').length + 30);
    expect(await sweep('whole')).toEqual(whole);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(7);
  });

  test('gives for a combination what a backtest of it gives', async () => {
    const { rows, windows } = await sweep('whole');
    const row = rows.find(({ parameters }) => parameters['ladder.halfSpreadPpm'] === '60');
    const text = configText()
      .replace('halfSpreadPpm: 100', 'halfSpreadPpm: 60')
      .replace('skewPpm: 20', 'skewPpm: 0');
    const { train } = windows[0] ?? { train: { fromMs: 0, toMs: 0 } };
    const alone = await runConfiguredBacktest({
      ...{ source: parseConfig(text, scene.config), tape: scene.tape, seed: 3 },
      ...train,
    });
    expect(row?.parameters['ladder.skewPpm']).toBe('0');
    expect(row?.decisionHash).toBe(alone.decisionHash);
    expect(alone.record.fills.length).toBeGreaterThan(0);
  });

  test('uses known results for another method over the same values', async () => {
    await sweep('whole');
    const before = readFileSync(join(scene.folder, 'whole', 'results.jsonl'), 'utf8');
    const text = configText(
      '{ method: nsga2, trials: 6, population: 4 }'.slice(2, -2).replaceAll(', ', '\n  '),
    );
    const { rows } = await sweep('whole', parseConfig(text, scene.config));
    expect(rows).toHaveLength(6);
    expect(readFileSync(join(scene.folder, 'whole', 'results.jsonl'), 'utf8')).toBe(before);
  });

  test('is told as a table, as CSV and as a heat map', async () => {
    const document = await sweep('whole');
    expect(describeSweep(document)).toContain('out of sample');
    const csv = sweepCsv(document).trim().split('\n');
    expect(csv[0]).toBe(
      'window,ladder.halfSpreadPpm,ladder.skewPpm,pnl,maxDrawdown,sharpe,sortino,calmar,turnover,returnOnTurnoverBps,fills,meanInventory,denied,rejected,haltedSeconds,noQuoteSeconds,failure,error',
    );
    expect(csv).toHaveLength(7);
    expect(heatMapOf(document)?.match(/class="number/g)).toHaveLength(6);
  });

  test.each([
    ['SWEEP_MISSING', 'a section sweep', configText().slice(0, configText().indexOf('sweep:'))],
    [
      'SWEEP_PARAMETER_UNKNOWN',
      'sweep.parameters.maker.skewPpm',
      configText().replace('ladder.skewPpm', 'maker.skewPpm'),
    ],
    [
      'SWEEP_VALUE_INVALID',
      'ladder.halfSpreadPpm = wide',
      configText().replace('[20, 60, 200]', '[20, wide]'),
    ],
    ['CONFIG_INVALID', 'sweep.parameters', configText().replace('ladder.skewPpm:', 'skew:')],
  ])('error: %s says where, and runs nothing', async (code, words, text) => {
    const thrown = await Promise.resolve()
      .then(() => sweep('bad', parseConfig(text, scene.config)))
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(BotError);
    expect((thrown as BotError).code).toBe(code);
    expect((thrown as BotError).describe()).toContain(words);
  });

  test('error: a damaged line of results is named, nothing is run on top of it', async () => {
    await sweep('whole');
    const file = join(scene.folder, 'whole', 'results.jsonl');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"key"', '"kee"'));
    await expect(sweep('whole')).rejects.toMatchObject({ code: 'SWEEP_RESULTS_DAMAGED' });
    writeFileSync(file, text);
  });
});
