import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadRun, type SweepDocument } from '../../src/report/index.ts';
import { aBidder, aBookScene } from '../support/book-scene.ts';

/** What a strategy did wrong was a report of zeros and exit code 0. */
describe('the outcome of a strategy', () => {
  const BACKTEST = ['backtest', 'one.yaml', '--tape', 'tape'] as const;

  test.each([
    ['onStart', "() => ({ onStart() { throw new TypeError('boom'); } })"],
    ['onBook', "() => { let n = 0; return { onBook() { if (n++ === 60) throw new TypeError('boom'); } }; }"],
    [
      'onTimer',
      "(c) => ({ onStart() { c.startTimer('t', 500); }, onTimer() { throw new TypeError('boom'); } })",
    ],
    ['onSave', "() => ({ onSave() { throw new TypeError('boom'); } })"],
    ['onStop', aBidder("onStop() { throw new TypeError('boom'); },")],
  ])('that throws in %s is failed, with an exit code of its own', async (handler, create) => {
    const scene = await aBookScene(create);
    const { exitCode, stdout } = await scene.run(...BACKTEST, '--json');
    expect(exitCode).toBe(79);
    expect(JSON.parse(stdout).outcomes).toMatchObject([
      {
        strategy: 'one',
        state: 'failed',
        error: {
          name: 'TypeError',
          message: `${handler} threw: boom`,
          at: expect.stringMatching(/^2026-01-06T/),
        },
      },
    ]);
  });

  test('that never quotes says why, also when it ends itself', async () => {
    const scene = await aBookScene("(c) => ({ onTrade() {}, onBook() { c.stop('enough'); } })");
    const { exitCode, stdout } = await scene.run(...BACKTEST);
    expect(exitCode).toBe(79);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /outcome one: never quoted .*onTrade was not called: no trade of BTC-USD came; it ended before the run: enough/,
    );
  });

  test('that quotes and ends itself is stopped, which is no fault', async () => {
    const scene = await aBookScene(
      `(context) => {
        let n = 0;
        const bidder = (${aBidder()})(context, { offset: 10 });
        return { onBook(view) { bidder.onBook(view); if (n++ === 50) context.stop('done'); } };
      }`,
    );
    const { exitCode, stdout } = await scene.run(...BACKTEST, '--json');
    expect([exitCode, JSON.parse(stdout).outcomes]).toMatchObject([
      0,
      [{ state: 'stopped', reason: 'done' }],
    ]);
  });

  test('is a failure in a sweep, ranked last, and the best run is ready to use', async () => {
    const create = `(context, parameters) => {
      const bidder = (${aBidder()})(context, parameters);
      return { onBook(view) { if (parameters.offset > 20) throw new Error('too far'); bidder.onBook(view); } };
    }`;
    const more = 'sweep:\n  parameters:\n    one.offset: { values: [30, 10, 20] }\n  trainFraction: 0\n';
    const scene = await aBookScene(create, { more });
    const { exitCode, stdout } = await scene.run(
      ...['sweep', 'one.yaml', '--tape', 'tape', '--out', 'swept', '--workers', '1', '--json'],
    );
    expect(exitCode).toBe(0);
    const document = JSON.parse(stdout) as SweepDocument;
    expect(document.rows.map(({ failure }) => failure)).toEqual([
      expect.stringContaining('one failed: onBook threw: too far'),
      null,
      null,
    ]);
    const best = document.windows[0]?.best?.parameters['one.offset'];
    expect(readFileSync(join(scene.folder, 'swept', 'best-1.yaml'), 'utf8')).toContain(`offset: ${best}`);
    const record = loadRun(join(scene.folder, 'swept', 'best-1'));
    expect(record.parameters['strategies.one.parameters.offset']).toBe(best);
    const again = await scene.run('backtest', 'swept/best-1.yaml', '--out', 'again');
    expect([again.exitCode, again.stderr]).toEqual([0, '']);
    expect(loadRun(join(scene.folder, 'again')).counts).toEqual(record.counts);
  });

  test('ends a run in which no strategy is left', async () => {
    const scene = await aBookScene("(c) => ({ onBook() { c.stop('enough'); } })");
    const { exitCode, stdout } = await scene.run(...['run', 'one.yaml', '--duration', '90s', '--json']);
    expect([exitCode, JSON.parse(stdout).stopReason]).toEqual([
      79,
      expect.stringContaining('no strategy is left: strategy one stopped: enough'),
    ]);
  });

  test('a span outside of the tape is refused', async () => {
    const scene = await aBookScene(aBidder());
    const { exitCode, stderr } = await scene.run(...BACKTEST, '--from', '2027-01-06T00:00:00Z');
    expect([exitCode, stderr]).toEqual([64, expect.stringContaining('TAPE_SPAN_OUTSIDE')]);
  });
});
