/** @module Cases of durations, lost output and plugins that do not load: each command gives what its page expects. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shellEnd } from '../support/ballast-process.ts';
import { aCase, type CaseFolder } from '../support/case-folder.ts';
import { LiveRig } from '../support/live-rig.ts';
import { hasShared } from '../support/shared.ts';

/** Words of the pages that have new names. */
function renamed({ folder }: CaseFolder, file: string, ...words: readonly (readonly [string, string])[]) {
  const path = join(folder, file);
  const text = words.reduce((before, [from, to]) => before.replace(from, to), readFileSync(path, 'utf8'));
  writeFileSync(path, text);
}

const STUDY = [
  ['positionMaxOfCapital: 3', 'maxPositionNotional: 300%'],
  ['takerFee: 0', 'takerFeeBps: 0'],
  ['makerFee: 0', 'makerFeeBps: 0'],
] as const;

describe.skipIf(!hasShared('cases'))('cases of the doors of bots', () => {
  test('F3: 597 hours last', async () => {
    const { folder, run } = aCase('F3');
    const imported = await run(...'import csv trades --mapping trades.yaml --out tape'.split(' '));
    expect(imported.exitCode).toBe(0);
    // `timeout` ends with 124 what would have gone on.
    const commands = ['sim --port 0 --duration 597h', 'paper ob.yaml --tape tape --duration 597h'];
    const ends = await Promise.all(
      commands.map((command) => shellEnd(`timeout 10 "$0" "$1" ${command}`, { cwd: folder })),
    );
    for (const { exitCode, stdout, stderr } of ends) {
      expect(exitCode).toBe(124);
      expect(`${stdout}${stderr}`).not.toMatch(/time limit|TimeoutOverflow/);
    }
  });

  test.each([
    ['sample.yaml', 'samplePeriod', 'sampleInterval'],
    ['feed.yaml', 'period', 'pollInterval'],
  ])('F20: a length of nothing is a finding: %s', async (file, from, to) => {
    const scene = aCase('F20');
    renamed(scene, file, [from, to]);
    const { exitCode, stderr } = await scene.run('config', 'check', file);
    expect(exitCode).toBe(78);
    expect(stderr).toMatch(new RegExp(`${file}:5:\\d+: .*${to}: expected a duration from .* got "0s"`));
  });

  test('F18: standard output on a full disk is exit 1', async () => {
    const scene = aCase('F18');
    renamed(scene, 'hold.yaml', ...STUDY);
    renamed(scene, 'scripted.ts', ['market.sizeOf', 'market.lotsOf']);
    for (const command of [
      'bars hold.yaml --csv base.csv --size-decimals 4 --json',
      'config check hold.yaml',
    ]) {
      const full = await shellEnd(`"$0" "$1" ${command} > /dev/full`, { cwd: scene.folder });
      expect(full.exitCode).toBe(1);
      expect(full.stderr).toContain(
        'OUTPUT_UNWRITABLE: expected to write the result to standard output, got ENOSPC',
      );
      const left = await shellEnd(`{ "$0" "$1" ${command}; echo $? >&2; } | true`, { cwd: scene.folder });
      expect(left.stderr.trim()).toBe('0');
    }
  });

  test('F9: a folder of npm init names the remedy; CommonJS loads', async () => {
    const { folder, run } = aCase('F9');
    const npm = await run('config', 'check', 'npm/p.yaml');
    expect(npm.exitCode).toBe(78);
    expect(npm.stderr).toContain(
      `${join(folder, 'npm/package.json')} makes it CommonJS: write "type": "module"`,
    );
    expect(await run('config', 'check', 'cjs.yaml')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('F10: an error of syntax has its line', async () => {
    const { folder, run } = aCase('F10');
    const { exitCode, stderr } = await run('config', 'check', 'p.yaml');
    expect(exitCode).toBe(78);
    expect(stderr).toContain(`${join(folder, 'syn.ts')}:2:79: Expected ',', got ':'`);
  });

  test('F11: a plugin that never ends loading, or ends the process, is an error', async () => {
    const { run } = aCase('F11');
    const [hang, exit] = await Promise.all(
      ['hang', 'exit'].map((name) => run('config', 'check', `${name}.yaml`)),
    );
    expect(hang).toMatchObject({
      exitCode: 78,
      stderr: expect.stringMatching(/STRATEGY_LOAD_FAILED: .*hang\.ts .*still loading/),
    });
    expect(exit).toMatchObject({
      exitCode: 78,
      stderr: expect.stringMatching(/STRATEGY_LOAD_FAILED: .*exit\.ts:1:9: .*ends the process/),
    });
  });

  test('F21: an axis in a wrong form says the right ones', async () => {
    const scene = aCase('F21');
    renamed(scene, 'sweep.yaml', ...STUDY);
    const { exitCode, stderr } = await scene.run('config', 'check', 'sweep.yaml');
    expect(exitCode).toBe(78);
    expect(stderr).toContain('expected `values`, or `from`, `to` and `step`, got a list of 2');
  });

  test('Q10: the doctor says what a run refuses, whichever comes first', async () => {
    const scene = aCase('Q10');
    renamed(scene, 'buy.ts', ['view.sizeOf', 'view.lotsOf']);
    const rig = await LiveRig.start({ seed: 10 });
    onTestFinished(() => rig.end());
    const buy = { name: 'buy', module: join(scene.folder, 'buy.ts'), markets: ['BTC-USD'] };
    const bot = await rig.bot('bot', {
      strategies: [buy],
      risk: { capital: 10000, minSwitchTimeLeft: '1s', postOnly: false },
    });
    expect(await bot.run(['--duration', '6s']).toEnd(60_000)).toMatchObject({ code: 0 });
    const isRefused = async (): Promise<void> => {
      const run = bot.run();
      expect(await run.toEnd(30_000)).toMatchObject({ code: 77 });
      expect(run.errors).toContain('PREFLIGHT_ORPHAN_POSITION');
    };
    const isFound = async (): Promise<void> => {
      const { code, rows } = await bot.examine();
      expect(code).toBe(1);
      expect(rows.get('positions')?.detail).toContain('PREFLIGHT_ORPHAN_POSITION');
    };
    for (const order of [
      [isRefused, isFound],
      [isFound, isRefused],
    ]) {
      rmSync(join(bot.folder, 'journal'), { recursive: true });
      for (const step of order) await step();
    }
    bot.configure({ strategies: [buy], risk: { capital: 100_000_000_000, minSwitchTimeLeft: '1s' } });
    expect((await bot.examine()).rows.get('capital')?.status).toBe('warn');
  });

  test('N6: a bound in a wrong form names module, parameter and the right one', async () => {
    const { folder, run } = aCase('N6');
    const { exitCode, stderr } = await run('config', 'check', 'p.yaml');
    expect(exitCode).toBe(78);
    expect(stderr).toMatch(/s\.ts:2:\d+: parameter period: .*'1ms', got 1/);
    expect(stderr).toContain(folder);
  });

  test('N8: a limit beyond its bound has file, line and key', async () => {
    const { run } = aCase('N8');
    const { exitCode, stderr } = await run('config', 'check', 'collar.yaml');
    expect(exitCode).toBe(78);
    expect(stderr).toContain(
      'collar.yaml:6:16: risk.priceCollar: expected a decimal from 0 to 0.1, got "0.2"',
    );
  });
});
