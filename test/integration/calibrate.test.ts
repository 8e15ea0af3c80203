import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queueMarket } from '../../scripts/prove/calibration/queue-market.ts';
import { loadConfig, parseConfig } from '../../src/config/index.ts';
import { SystemClock, silentLog } from '../../src/core/index.ts';
import { replayWhatIf, runConfiguredBacktest } from '../../src/research/backtest/index.ts';
import { calibrateRun } from '../../src/research/calibration/index.ts';
import { paperOnTape } from '../../src/research/paper/index.ts';
import { sweepConfiguration } from '../../src/research/sweep/index.ts';
import { createTapeWriter } from '../../src/tape/format/index.ts';

const LADDER = join(import.meta.dirname, '..', '..', 'strategies', 'two-sided-ladder', 'index.ts');

/** A ladder of one order a side that joins the touch. */
function configText(fillModel: string): string {
  return `environment: { name: sim }
markets: [{ symbol: QUEUE-USD, leverage: 5 }]
strategies:
  - name: ladder
    module: ${LADDER}
    markets: [QUEUE-USD]
    parameters: { levels: 1, size: 0.1, maxInventory: 2, touch: join, halfSpreadPpm: 20, minHalfSpreadPpm: 0, levelSpacingPpm: 10, skewPpm: 0, requoteTicks: 0, requoteInterval: 100ms }
risk: { capital: 1000000, maxSameSideFillsPer10s: 100000, maxTurnoverPer10s: 100000% }
paper: { collateral: 1000000, fillModel: ${fillModel}, feedLatency: in-data, entryLatency: 5ms, responseLatency: 3ms, makerFeeBps: 0, takerFeeBps: 3 }
`;
}

describe('a calibration of a run on paper', () => {
  const root = mkdtempSync(join(tmpdir(), 'ballast-calibrate-'));
  const [tape, config, runs] = [join(root, 'tape'), join(root, 'run.yaml'), join(root, 'runs')];
  let run = '';

  beforeAll(async () => {
    const { levels } = queueMarket({ seed: 3, durationUs: 50_000_000, everyUs: 10_000, cancelBias: 0 });
    const market = { symbol: 'QUEUE-USD', priceDecimals: 2, sizeDecimals: 1, tickStep: 1, lotStep: 1 };
    const source = { kind: 'made', description: 'strangers by chance' };
    const writer = createTapeWriter({ folder: tape, source, markets: [{ ...market, depth: 'levels' }] });
    for (const row of levels) writer.write(row);
    writer.close();
    writeFileSync(config, configText('queue-risk-averse'));
    await paper({ recordFolder: runs });
    run = join(runs, readdirSync(runs)[0] ?? '');
  });

  const paper = (parts: {
    readonly recordFolder?: string;
    readonly calibration?: string;
    readonly tape?: string;
  }) =>
    paperOnTape({
      source: loadConfig(config),
      clock: new SystemClock(),
      log: silentLog,
      seed: 7,
      recordFolder: undefined,
      stop: {
        reason: undefined,
        requested: new Promise(() => undefined),
        request: () => undefined,
        dispose: () => undefined,
      },
      beganAtMs: 0,
      show: () => () => undefined,
      tape,
      speed: 'max',
      ...parts,
    });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test('finds latencies and model of the run, and a backtest prints the band of it', async () => {
    const calibration = await calibrateRun({ folder: run, tape });
    expect(calibration.trained.actualFills).toBeGreaterThan(15);
    expect(Math.abs((calibration.entry?.p50Us ?? 0) - 5_000)).toBeLessThanOrEqual(1_000);
    expect(Math.abs((calibration.response?.p50Us ?? 0) - 3_000)).toBeLessThanOrEqual(1_000);
    expect(calibration.errors.sizePart).toBeLessThan(0.2);
    const file = join(root, 'calibration.json');
    writeFileSync(file, JSON.stringify(calibration));
    const { record } = await runConfiguredBacktest({ source: loadConfig(config), tape, calibration: file });
    expect(record.assumptions[1]).toContain('drawn from');
    expect(record.band?.low).toBeLessThan(record.band?.high ?? 0n);
    expect(record.band?.basis).toContain('out of sample');
    const plain = await runConfiguredBacktest({ source: loadConfig(config), tape });
    expect(plain.record.band).toBeUndefined();
    expect(plain.record.runId).not.toBe(record.runId);
  });

  test('paper, sweeps and what-if replays take it as a backtest does, and tell its band', async () => {
    const calibration = join(root, 'calibration.json');
    const [source, parts] = [loadConfig(config), { tape, seed: 7, calibration }];
    const { record } = await runConfiguredBacktest({ source, ...parts });
    const onPaper = await paper({ calibration });
    expect(onPaper.record.assumptions.slice(0, 2)).toEqual(record.assumptions.slice(0, 2));
    expect(onPaper.record.band?.basis).toBe(record.band?.basis);
    expect(Number(onPaper.report.band?.low)).toBeLessThanOrEqual(Number(onPaper.report.pnl));
    expect(Number(onPaper.report.band?.high)).toBeGreaterThanOrEqual(Number(onPaper.report.pnl));

    const axes =
      'sweep: { method: grid, trainFraction: 0, parameters: { ladder.levels: { values: [1, 2] } } }\n';
    const swept = parseConfig(`${configText('queue-risk-averse')}${axes}`, config);
    const sweep = (more: object) =>
      sweepConfiguration({ source: swept, tape, seed: 7, workers: 1, out: join(root, 'sweep'), ...more });
    const [row] = (await sweep({ calibration })).rows;
    expect(row?.decisionHash).toBe((await runConfiguredBacktest({ source, ...parts })).decisionHash);
    expect(row?.statistics?.['pnlLow']).toBeLessThan(row?.statistics?.['pnlHigh'] ?? 0);
    // Results with other models are other results.
    const [without] = (await sweep({})).rows;
    expect(without?.key).not.toBe(row?.key);
    expect(without?.statistics).not.toHaveProperty('pnlLow');

    const { simulated, actual } = await replayWhatIf({ folder: run, calibration });
    expect(simulated.band?.basis).toBe(record.band?.basis);
    expect(simulated.assumptions[1]).toContain('drawn from');
    expect(actual.band).toBeUndefined();
  });

  test('a what-if replay queues by the step of the book that the run saw', async () => {
    const fresh = mkdtempSync(join(root, 'coarse-'));
    const [coarse, folder] = [join(fresh, 'tape'), join(fresh, 'runs')];
    const { levels } = queueMarket({ seed: 3, durationUs: 5_000_000, everyUs: 10_000, cancelBias: 0 });
    const market = { symbol: 'QUEUE-USD', priceDecimals: 2, sizeDecimals: 1, tickStep: 1, lotStep: 1 };
    const source = { kind: 'made', description: 'every tenth tick' };
    const writer = createTapeWriter({
      ...{ folder: coarse, source },
      markets: [{ ...market, bookStep: 10, depth: 'levels' }],
    });
    for (const row of levels) writer.write(row);
    writer.close();
    const { record } = await paper({ tape: coarse, recordFolder: folder });
    const { simulated } = await replayWhatIf({ folder: join(folder, readdirSync(folder)[0] ?? '') });
    expect(record.counts.ordersBetweenLevels).toBeDefined();
    expect(simulated.counts.ordersBetweenLevels).toBeDefined();
  });

  test('a file that is no calibration, and a tape of another time, are refused', async () => {
    const file = join(root, 'wrong.json');
    writeFileSync(file, '{"schema":"ballast-calibration","version":1,"fillModel":{"name":"luck"}}');
    const source = loadConfig(config);
    await expect(runConfiguredBacktest({ source, tape, calibration: file })).rejects.toThrow('fill model');
    const other = join(mkdtempSync(join(root, 'other-')), 'tape');
    const { levels } = queueMarket({ seed: 3, durationUs: 1_000_000, everyUs: 10_000, cancelBias: 0 });
    const market = { symbol: 'QUEUE-USD', priceDecimals: 2, sizeDecimals: 1, tickStep: 1, lotStep: 1 };
    const writer = createTapeWriter({
      folder: other,
      source: { kind: 'made', description: 'a day later' },
      markets: [{ ...market, depth: 'levels' }],
    });
    const later = 86_400_000_000;
    for (const row of levels)
      writer.write({ ...row, exchangeUs: row.exchangeUs + later, receivedUs: row.receivedUs + later });
    writer.close();
    await expect(calibrateRun({ folder: run, tape: other })).rejects.toThrow('another time');
  });
});
