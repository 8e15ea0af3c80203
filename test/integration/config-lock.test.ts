/** The lock that `ballast config check --lock` writes, and the commands that obey it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';
import { sweepScene } from '../support/sweep-scene.ts';

const scene = sweepScene(1);
const folder = mkdtempSync(join(tmpdir(), 'ballast-lock-'));
afterAll(() => {
  scene.remove();
  rmSync(folder, { recursive: true, force: true });
});

const ran = join(folder, 'ran');
const lock = join(folder, 'bot.yaml.lock.json');
const at = (name: string): string => join(folder, name);
const marking = (words: string): string =>
  `require('node:fs').appendFileSync(${JSON.stringify(ran)}, ${JSON.stringify(words)});\n`;

/** What it loads is named by a literal, by a name in a variable, and only where a file says so. */
const STRATEGY = `import { defineStrategy, param } from 'ballast/strategy';
import { existsSync } from 'node:fs';
import './literal.cjs';
const name = './computed.cjs';
await import(name);
if (existsSync(${JSON.stringify(at('asked'))})) await import(name.replace('computed', 'foreign'));
export default defineStrategy({ name: 'own', parameters: param.object({ a: param.integer({ min: 0 }) }), create: () => ({}) });
`;

const CONFIG = {
  environment: { name: 'sim' },
  markets: [{ symbol: 'BTC-USD' }],
  strategies: [
    { name: 'own', module: './own.ts', markets: ['BTC-USD'], parameters: { a: 1 }, sha256: 'any' },
  ],
  risk: { capital: '10000' },
  record: { folder: './runs' },
  journal: { folder: './journal' },
  sweep: { method: 'grid', parameters: { 'own.a': { values: [1, 2] } }, windows: 1, trainFraction: 0.5 },
};

beforeEach(async () => {
  for (const name of ['asked', 'ran', 'bot.yaml.lock.json']) rmSync(at(name), { force: true });
  writeFileSync(at('own.ts'), STRATEGY);
  for (const name of ['literal', 'computed', 'foreign']) writeFileSync(at(`${name}.cjs`), marking(name));
  writeFileSync(at('bot.yaml'), JSON.stringify(CONFIG));
});

const run = (...args: readonly string[]) =>
  ballast(args, { cwd: folder, env: { BALLAST_STATE_HOME: at('state') } });

async function locked(): Promise<void> {
  const { exitCode, stdout, stderr } = await run('config', 'check', 'bot.yaml', '--lock', '--json');
  expect(exitCode, stderr).toBe(0);
  expect(JSON.parse(stdout).lock).toEqual({ file: lock, files: 3 });
  rmSync(ran, { force: true });
}

/** Everything that loads the strategies of a configuration. */
const COMMANDS: readonly (readonly string[])[] = [
  ['config', 'check', 'bot.yaml'],
  ['run', 'bot.yaml', '--duration', '1s'],
  ['run', 'bot.yaml', '--mode', 'paper', '--duration', '1s'],
  ['paper', 'bot.yaml', '--tape', scene.tape, '--speed', 'max'],
  ['demo', '--config', 'bot.yaml', '--duration', '1s'],
  ['backtest', 'bot.yaml', '--tape', scene.tape],
  ['sweep', 'bot.yaml', '--tape', scene.tape, '--out', at('out')],
];

describe('a locked configuration', () => {
  test('is that of the files that were loaded, whatever they are named by', async () => {
    await locked();
    expect(Object.keys(JSON.parse(readFileSync(lock, 'utf8')).files)).toEqual([
      'computed.cjs',
      'literal.cjs',
      'own.ts',
    ]);
    const { exitCode, stderr } = await run('config', 'check', 'bot.yaml');
    expect(exitCode, stderr).toBe(0);
    expect(readFileSync(ran, 'utf8')).toBe('literalcomputed');
  });

  test.each(COMMANDS)('refuses changed code before any of it runs: %s %s', async (...args) => {
    await locked();
    writeFileSync(at('computed.cjs'), `${marking('changed')}// changed\n`);
    const { exitCode, stderr } = await run(...args);
    expect(stderr).toContain('STRATEGY_CODE_UNLOCKED');
    expect(stderr).toContain('computed.cjs is changed');
    expect(exitCode).toBe(78);
    expect(existsSync(ran)).toBe(false);
  });

  test.each(COMMANDS)('without a lock obeys sha256 alike: %s %s', async (...args) => {
    const { stdout } = await run('config', 'check', 'bot.yaml', '--json');
    const { sha256 } = JSON.parse(stdout).strategies[0];
    writeFileSync(
      at('bot.yaml'),
      JSON.stringify({ ...CONFIG, strategies: [{ ...CONFIG.strategies[0], sha256 }] }),
    );
    rmSync(ran, { force: true });
    writeFileSync(at('literal.cjs'), marking('changed'));
    const { exitCode, stderr } = await run(...args);
    expect(stderr).toContain('sha256');
    expect(exitCode).toBe(78);
    expect(existsSync(ran)).toBe(false);
  });

  test('refuses a file that joined, one that is gone, and one that only a run asks for', async () => {
    await locked();
    writeFileSync(at('asked'), '');
    const foreign = await run('config', 'check', 'bot.yaml');
    expect(foreign).toMatchObject({ exitCode: 78 });
    expect(foreign.stderr).toContain('STRATEGY_IMPORT_UNPINNED');
    expect(readFileSync(ran, 'utf8')).not.toContain('foreign');
    rmSync(at('asked'));
    rmSync(at('computed.cjs'));
    expect((await run('config', 'check', 'bot.yaml')).stderr).toContain('computed.cjs cannot be read');
    writeFileSync(at('computed.cjs'), marking('computed'));
    writeFileSync(at('own.ts'), `import './foreign.cjs';\n${STRATEGY}`);
    const joined = await run('config', 'check', 'bot.yaml');
    expect(joined.stderr).toContain('own.ts is changed, foreign.cjs is added');
    expect(joined.exitCode).toBe(78);
  });

  test('that is no lock is an error, and a pipe is one at once', async () => {
    for (const text of ['', '{}', '{"schema":1,"files":{"own.ts":"x"}}', '[]']) {
      writeFileSync(lock, text);
      const { exitCode, stderr } = await run('config', 'check', 'bot.yaml');
      expect(stderr).toContain('STRATEGY_LOCK_UNREADABLE');
      expect(exitCode).toBe(78);
    }
  });
});
