/**
 * @module Cases of a hostile world: the faults that their pages tell in words, between real processes (scenarios of
 * `npm run prove -- hostile`), and ends that a supervisor must not take for a good one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BALLAST, ENVIRONMENT } from '../support/ballast-process.ts';
import { aCase } from '../support/case-folder.ts';
import { runHostile } from '../support/hostile/judge.ts';
import { SCENARIOS } from '../support/hostile/scenarios.ts';
import { ROOT } from '../support/processes.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

/** Cases by what their page promises, and the scenarios that are it; in the order in which they run. */
const HOSTILE = [
  { name: 'H1', page: '/v1/account/fills` is read again', scenarios: ['lost-fills'] },
  { name: 'H2', page: 'no write on a book older than 2 s', scenarios: ['late-market'] },
  { name: 'H3', page: 'a deadline for joining; then a new connection', scenarios: ['lagged-beyond'] },
  { name: 'H4', page: '`inventoryLots` = `positionLots`', scenarios: ['epoch'] },
  { name: 'H5', page: 'health turns red and the run ends', scenarios: ['revoked'] },
];

const BOT = `
environment: { name: sim }
risk: { capital: 10000 }
markets: [{ symbol: BTC-USD }]
record: { enabled: false }
`;
const MAKER = `  - name: maker
    module: '${join(ROOT, 'strategies/ping-pong/index.ts')}'
    markets: [BTC-USD]
    parameters: { size: 0.003, maxInventory: 0.03, halfSpreadPpm: 300 }
`;

describe.skipIf(!hasShared('cases') || process.platform !== 'linux')('cases of a hostile world', () => {
  test('H1 to H5: a bot heals, or says what only a person can clear', async () => {
    for (const { name, page } of HOSTILE)
      expect(readFileSync(sharedPath('cases', name, 'README.md'), 'utf8')).toContain(page);
    const names = HOSTILE.flatMap(({ scenarios }) => scenarios);
    const judged = await runHostile(
      SCENARIOS.filter(({ name }) => names.includes(name)),
      { seed: 5 },
    );
    for (const one of judged.filter(({ name }) => names.includes(name))) {
      const isHealed = one.healedS !== null || one.verdict.startsWith('person:');
      expect(isHealed, `${one.name}: ${one.verdict}`).toBe(true);
    }
    expect(judged.length).toBeGreaterThanOrEqual(names.length);
  });

  test('S1: a device as log file is refused by name', async () => {
    const { folder, run } = aCase('S1');
    writeFileSync(join(folder, 'bot.yaml'), `${BOT}strategies:\n${MAKER}log: { file: /dev/full }\n`);
    const { exitCode, stderr } = await run('run', 'bot.yaml', '--mode', 'sim', '--json');
    expect(exitCode).toBe(78);
    expect(stderr).toContain('CONFIG_LOG_FILE_UNUSABLE');
    expect(stderr).toContain('/dev/full');
  });

  test('S2: a bot whose lines nobody reads hears SIGTERM and ends proven', async () => {
    const { folder } = aCase('S2');
    writeFileSync(join(folder, 'bot.yaml'), `${BOT}strategies:\n${MAKER}log: { level: debug }\n`);
    const [command, ...args] = BALLAST;
    const child = spawn(command, [...args, 'run', 'bot.yaml', '--mode', 'sim'], {
      cwd: folder,
      env: { ...ENVIRONMENT, BALLAST_STATE_HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exit = once(child, 'exit');
    // A pipe holds 64 KiB: they are full once more has come than one read takes.
    await once(child.stderr, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    child.kill('SIGTERM');
    const [code] = await exit;
    expect(code).toBe(143);
  });

  test('S5: a strategy that ends the process is exit 80, said aloud', async () => {
    const { folder, run } = aCase('S5');
    writeFileSync(
      join(folder, 'bot.yaml'),
      `${BOT}strategies:
  - { name: exits, module: exits.ts, markets: [BTC-USD] }
${MAKER}`,
    );
    const { exitCode, stderr } = await run('run', 'bot.yaml', '--mode', 'sim', '--json');
    expect(exitCode).toBe(80);
    expect(stderr).toContain('ballast: the process ended by');
  });
});
