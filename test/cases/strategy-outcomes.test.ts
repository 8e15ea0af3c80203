/** @module Cases of what a run's result says of its strategies: each command gives what the page of its case expects. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadRun, type SweepDocument } from '../../src/report/index.ts';
import { aCase, type CaseFolder } from '../support/case-folder.ts';
import { Processes, until } from '../support/processes.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

/** The case with its tape: an hour of StandX. */
async function aRecordedCase(name: string): Promise<CaseFolder> {
  const scene = aCase(name);
  const folder = sharedPath('data', 'standx-btcusd-20260106');
  const files = ['book', 'trades'].map((kind) => join(folder, `${kind}_2026-01-06_08.csv.gz`));
  const { stderr, exitCode } = await scene.run('import', 'standx', ...files, '--out', 'tape');
  expect([exitCode, stderr]).toEqual([0, '']);
  return scene;
}

describe.skipIf(!hasShared('cases'))('cases of results', () => {
  test('Q1: five slices of ten lots, joined, one a second', async () => {
    const scene = await aRecordedCase('Q1');
    const to = ['--to', '2026-01-06T08:01:00Z'];
    await scene.run('backtest', 'twap-bt.yaml', '--tape', 'tape', ...to, '--out', 'run');
    const record = loadRun(join(scene.folder, 'run'));
    const rested = record.quotes.filter(({ event }) => event === 'rested').slice(0, 5);
    expect(rested.map(({ sizeLots }) => sizeLots)).toEqual([10, 10, 10, 10, 10]);
    const [first] = rested;
    const afterS = rested.map(({ atMs }) => Math.round((atMs - (first?.atMs ?? 0)) / 1_000));
    expect(afterS).toEqual([0, 1, 2, 3, 4]);
    expect((first?.atMs ?? Number.NaN) - record.fromMs).toBeLessThan(1_100);
  });

  const TO = ['--tape', 'tape', '--to', '2026-01-06T08:02:00Z'];

  test('Q2: a run that ends while its strategy has failed says so', async () => {
    const scene = await aRecordedCase('Q2');
    const processes = new Processes();
    onTestFinished(() => processes.endAll());
    for (const command of ['run run.yaml --mode sim', 'paper throws.yaml --tape tape --speed 4']) {
      const run = processes.ballast([...command.split(' '), '--json'], { cwd: scene.folder });
      // Its last pause is the longest: whenever it is stopped then, it has failed and does not run.
      await until(
        () => `the third failure of ${command}: ${run.errors}`,
        () => run.errors.includes('starts again in 30000 ms') || undefined,
        { withinMs: 30_000 },
      );
      run.signal('SIGTERM');
      expect({ command, code: (await run.toEnd(30_000)).code }).toEqual({ command, code: 79 });
      expect(run.document().strategies.maker).toMatchObject({
        ...{ state: 'failed', failures: expect.any(Number) },
        reason: expect.stringContaining('onBook threw: Cannot read properties of undefined'),
      });
    }
  });

  test('Q2: a strategy that throws is a failure of a backtest and of a sweep', async () => {
    const scene = await aRecordedCase('Q2');
    const { exitCode, stdout } = await scene.run('backtest', 'throws.yaml', ...TO, '--json');
    const failed = { strategy: 'maker', state: 'failed', error: { name: 'TypeError' } };
    expect([exitCode, JSON.parse(stdout).outcomes]).toMatchObject([79, [failed]]);
    const sweep = await scene.run('sweep', 'throws-sweep.yaml', '--tape', 'tape', '--out', 'swept', '--json');
    expect(sweep.exitCode).not.toBe(0);
    const { rows } = JSON.parse(sweep.stdout) as SweepDocument;
    expect(rows.map(({ failure }) => failure?.startsWith('maker failed: onBook threw'))).toEqual([
      true,
      true,
    ]);
  });

  test('Q3: the diff of two runs names the parameter that differs', async () => {
    const scene = await aRecordedCase('Q3');
    const runs = { a: 'ema-maker.yaml', b: 'ema250.yaml' };
    for (const [name, file] of Object.entries(runs)) await scene.run('backtest', file, ...TO, '--out', name);
    const { stdout } = await scene.run('report', 'diff', 'a', 'b');
    expect(stdout).toMatch(/strategies\.maker\.parameters\.halfSpreadPpm +a: 100\n +b: 250/);
  });

  test('Q8: log lines have the time of the tape, and are shown on request', async () => {
    const scene = await aRecordedCase('Q8');
    const { stdout, stderr } = await scene.run('backtest', 'say.yaml', ...TO, '--verbose', '--logs');
    expect(stdout).toMatch(/^2026-01-06T08:0\d:.* info c: book 1$/m);
    const times = [...stderr.matchAll(/"time":"(?<time>[^"]+)".*"msg":"book/g)].map(
      ({ groups }) => groups?.['time'],
    );
    expect(times.length).toBeGreaterThan(1);
    expect(times.every((time) => time?.startsWith('2026-01-06T08:0'))).toBe(true);
  });

  test('Q9: a backtest calls onStop', async () => {
    const scene = await aRecordedCase('Q9');
    const { stderr } = await scene.run('backtest', 'st.yaml', ...TO, '--verbose');
    expect([...stderr.matchAll(/"msg":"(?<word>START|STOP)/g)].map(({ groups }) => groups?.['word'])).toEqual(
      [...['START', 'STOP']],
    );
  });

  test('Q11: denials by code in text, document, page and record', async () => {
    const scene = await aRecordedCase('Q11');
    const files = ['--out', 'run', '--html', 'page.html'];
    const { stdout } = await scene.run('backtest', 'cross.yaml', ...TO, ...files);
    const code = 'RISK_POST_ONLY_WOULD_CROSS';
    expect(stdout).toMatch(new RegExp(`^denied +\\d+ times ${code} of c in BTC-USD$`, 'm'));
    expect(readFileSync(join(scene.folder, 'page.html'), 'utf8')).toContain(code);
    const record = loadRun(join(scene.folder, 'run'));
    const denied = record.tallies.filter(({ kind }) => kind === 'denial');
    expect(denied).toMatchObject([{ code, count: record.counts.denied }]);
  });

  test('N1: rejections by reason; M5 holds a maker of the touch only when that is asked for', async () => {
    const scene = aCase('N1');
    await scene.run(
      ...['import', 'csv', 'books', '--mapping', 'books.yaml', '--size-decimals', '3', '--out', 'tape'],
    );
    const { stdout } = await scene.run('backtest', 'touch.yaml', '--tape', 'tape');
    expect(stdout).toMatch(/^rejected +\d+ times PostOnlyWouldCross of touch in BTC-USD$/m);
    expect(stdout).not.toMatch(/^halted +M5/m);
    const file = join(scene.folder, 'touch.yaml');
    const config = readFileSync(file, 'utf8').replace(
      '{ capital',
      '{ countPostOnlyRejections: true, capital',
    );
    writeFileSync(file, config);
    const held = await scene.run('backtest', 'touch.yaml', '--tape', 'tape');
    expect(held.stdout).toMatch(/^halted +M5 of touch: 2 times, 1 min 59 s$/m);
  });

  test('N8: a maker over candles says why it never quotes', async () => {
    const scene = aCase('N8');
    await scene.run(...['import', 'csv', 'good', '--mapping', 'candles.yaml', '--out', 'tape']);
    const { exitCode, stdout } = await scene.run('backtest', 'see.yaml', '--tape', 'tape');
    expect(exitCode).toBe(79);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('onBook was not called: no order book of BTC-USD came');
  });

  test('Q7: candles of five minutes over books and trades, and a word where there are none', async () => {
    const scene = await aRecordedCase('Q7');
    const to = ['--to', '2026-01-06T08:20:00Z'];
    const { stderr } = await scene.run('backtest', 'count.yaml', '--tape', 'tape', ...to, '--verbose');
    const counts = [...stderr.matchAll(/"count":(?<count>\d+)/g)].map(({ groups }) =>
      Number(groups?.['count']),
    );
    expect(counts.at(-1)).toBe(4);
    expect(counts.every((count, at) => count >= (counts[at - 1] ?? 0))).toBe(true);
    const run = await scene.run('run', 'count.yaml', '--duration', '12s', '--verbose');
    expect(run.stderr).toMatch(/"count":[1-9]|no candles of 5m of BTC-USD so far/);
  });
});
