import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aBidder, aBookScene } from '../support/book-scene.ts';

/** Denials were a number, halts were in no report, parameters were a hash, and log lines had the time of the machine. */
describe('a backtest says', () => {
  const BACKTEST = ['backtest', 'one.yaml', '--tape', 'tape'] as const;
  /** Prices that fall with each book: who joins the bid comes too late. */
  const falling = { bidAt: (at: number) => 50_000 - at };

  test('what was denied, by code and hour, in text, document, page and record', async () => {
    const scene = await aBookScene(aBidder().replace('bestBidTicks - offset', 'bestAskTicks'));
    const { stdout } = await scene.run(...BACKTEST, '--html', 'page.html', '--out', 'run');
    expect(stdout).toMatch(/^denied +\d+ times RISK_POST_ONLY_WOULD_CROSS of one in BTC-USD$/m);
    const page = readFileSync(join(scene.folder, 'page.html'), 'utf8');
    expect(page).toContain('<td class="name">RISK_POST_ONLY_WOULD_CROSS</td>');
    const report = await scene.run('report', 'run', '--json');
    const { course, orders } = JSON.parse(report.stdout);
    expect(course.denials).toMatchObject([
      { code: 'RISK_POST_ONLY_WOULD_CROSS', strategy: 'one', symbol: 'BTC-USD', count: orders.denied },
    ]);
    expect(course.denials[0].byHour).toEqual([
      { hour: '2026-01-06T00:00:00.000Z', count: orders.denied, seconds: 0 },
    ]);
  });

  test('that a control held the strategy, and for how long; post-only rejections hold it only when asked', async () => {
    const create = aBidder().replace('bestBidTicks - offset', 'bestBidTicks');
    const more = 'paper: { entryLatency: 150ms }\n';
    const scene = await aBookScene(create, { ...falling, more });
    const free = JSON.parse((await scene.run(...BACKTEST, '--json')).stdout);
    expect(free.course.rejections).toMatchObject([{ code: 'PostOnlyWouldCross' }]);
    expect(free.course.halts.filter(({ code }: { code: string }) => code === 'M5')).toEqual([]);
    const risk = 'risk: { countPostOnlyRejections: true, ';
    const config = readFileSync(join(scene.folder, 'one.yaml'), 'utf8').replace('risk: { ', risk);
    const held = await aBookScene(create, { ...falling, more });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(held.folder, 'one.yaml'), config);
    const { stdout, exitCode } = await held.run(...BACKTEST, '--json');
    const document = JSON.parse(stdout);
    expect(exitCode).toBe(79);
    expect(document.course.halts).toMatchObject([{ code: 'M5', strategy: 'one', count: 1 }]);
    expect(document.course.halts[0].seconds).toBeGreaterThan(5);
    expect(document.outcomes).toMatchObject([{ state: 'halted', control: 'M5' }]);
  });

  test('which parameter two runs differ in, and takes one from the command line', async () => {
    const scene = await aBookScene(aBidder());
    await scene.run(...BACKTEST, '--out', 'a');
    await scene.run(...BACKTEST, '--out', 'b', '--set', 'one.offset=25');
    const { stdout } = await scene.run('report', 'diff', 'a', 'b');
    expect(stdout).toMatch(/strategies\.one\.parameters\.offset a: 10\n +b: 25/);
    const wrong = await scene.run(...BACKTEST, '--set', 'two.offset=25');
    expect([wrong.exitCode, wrong.stderr]).toEqual([64, expect.stringContaining('CONFIG_SET_INVALID')]);
  });

  test('what its strategy logged, with the time of the tape, and calls onStop', async () => {
    const logging =
      "onStart() { context.log.info('START'); }, onStop(why) { context.log.warn('STOP ' + why); },";
    const scene = await aBookScene(aBidder(logging));
    const { stdout, stderr } = await scene.run(...BACKTEST, '--verbose', '--out', 'run');
    expect(stderr).toMatch(/"time":"2026-01-06T00:00:00\.\d{3}Z","strategy":"one","msg":"START"/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /warning 2026-01-06T00:00:09\.9\d\dZ one: STOP end of the tape/,
    );
    const { stdout: logs } = await scene.run('report', 'run', '--logs');
    expect(logs).toMatch(/^2026-01-06T00:00:00\.\d{3}Z info one: START$/m);
  });
});
