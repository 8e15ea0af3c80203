/** @module Cases of keys, foreign code and foreign text: each command gives what its page expects. */
import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shellEnd } from '../support/ballast-process.ts';
import { aCase } from '../support/case-folder.ts';
import { LiveRig } from '../support/live-rig.ts';
import { hasShared } from '../support/shared.ts';
import { ROOT } from '../tidy/source.ts';

const STEERING = /(?![\n\t])\p{Cc}|\u202e/u;

describe.skipIf(!hasShared('cases'))('cases of secrets and foreign code', () => {
  test('S3: changed code is refused in whatever form it is imported', async () => {
    const { folder } = aCase('S3');
    const { stdout } = await shellEnd(`BALLAST=${ROOT} "$0" pin.mjs`, { cwd: folder });
    expect(stdout.trim().split('\n')).toHaveLength(5);
    expect(stdout).not.toMatch(/TAKEN|RAN/);
  });

  test('S4: a run of somebody else runs no code that it names', async () => {
    const { folder, run } = aCase('S4');
    const ran = join(folder, 'ran');
    writeFileSync(
      join(folder, 's.ts'),
      `import { defineStrategy, param } from 'ballast/strategy';
import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(ran)}, '');
export default defineStrategy({ name: 's', parameters: param.object({}), create: () => ({}) });
`,
    );
    const config = {
      environment: { name: 'sim' },
      markets: [{ symbol: 'BTC-USD' }],
      strategies: [{ name: 's', module: './s.ts', markets: ['BTC-USD'] }],
      risk: { capital: '10000' },
      record: { folder: './tapes' },
    };
    writeFileSync(join(folder, 'bot.yaml'), JSON.stringify(config));
    expect(await run('run', 'bot.yaml', '--duration', '1s')).toMatchObject({ exitCode: 0 });
    const [name = ''] = readdirSync(join(folder, 'tapes'));
    rmSync(ran);
    const asked = join('tapes', name);
    for (const args of [
      ['replay', asked],
      ['replay', asked, '--what-if'],
      ['calibrate', asked],
    ]) {
      const { exitCode, stderr } = await run(...args);
      expect(stderr).toContain('REPLAY_CODE_NOT_ASKED_FOR');
      expect(exitCode).toBe(77);
    }
    appendFileSync(join(folder, 's.ts'), '// changed\n');
    const { exitCode, stderr } = await run('replay', asked, '--run-code');
    expect(stderr).toContain('REPLAY_CODE_CHANGED');
    expect(exitCode).toBe(77);
    expect(existsSync(ran)).toBe(false);
  });

  test('S6: the name of a market does not steer the terminal', async () => {
    const { run } = aCase('S6');
    const imported = await run(...'import csv trades --mapping escape.yaml --out tape'.split(' '));
    const info = await run('tape', 'info', 'tape');
    expect(info.stdout).toContain('A\\u001b[2J\\u001b]0;OWNED\\u0007');
    for (const { stdout, stderr } of [imported, info]) expect(`${stdout}${stderr}`).not.toMatch(STEERING);
  });

  test('S7: a key in a wrong place is not printed', async () => {
    const { folder, run } = aCase('S7');
    const key = 'c0ffee'.repeat(11).slice(0, 64);
    const base = {
      environment: { name: 'x', baseUrl: 'http://127.0.0.1:1' },
      account: { address: `0x${'ab'.repeat(20)}` },
      markets: [{ symbol: 'BTC-USD' }],
      wallets: [{ name: 'a', role: 'trading', keyFile: 'a.key' }],
      strategies: [{ name: 's', module: './s.ts', markets: ['BTC-USD'] }],
      risk: { capital: '10000' },
    };
    const write = (name: string, part: unknown) =>
      writeFileSync(join(folder, name), JSON.stringify({ ...base, ...(part as object) }));
    write('address.yaml', { account: { address: `0x${key}` } });
    write('file.yaml', { wallets: [{ ...base.wallets[0], keyFile: `0x${key}` }] });
    const ends = await Promise.all([
      run('keys', 'approve', 'bot.yaml', `0x${key}`),
      run('config', 'check', 'address.yaml'),
      run('run', 'file.yaml', '--mode', 'live'),
    ]);
    for (const { exitCode, stdout, stderr } of ends) {
      expect(exitCode).toBeGreaterThan(0);
      expect(stderr).toContain('this looks like a private key');
      expect(`${stdout}${stderr}`).not.toContain(key.slice(0, 12));
    }
  });

  test('S8: live does not begin with a debugger open', async () => {
    const rig = await LiveRig.start({ seed: 8 });
    onTestFinished(() => rig.end());
    const { config, folder } = await rig.bot('bot', {});
    const { exitCode, stderr } = await shellEnd(
      `BALLAST_STATE_HOME=${folder} NODE_OPTIONS=--inspect=127.0.0.1:0 "$0" "$1" run ${config} --mode live`,
    );
    expect(exitCode).toBe(77);
    expect(stderr).toContain('PREFLIGHT_DEBUGGER_OPEN');
  });
});
