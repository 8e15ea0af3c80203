/** Symptom: a strategy that called `process.exit(0)` ended the bot with 0, and a supervisor took it for done. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';

const CONFIG = `
environment: { name: sim }
risk: { capital: 10000 }
markets: [{ symbol: BTC-USD }]
strategies: [{ name: exits, module: exits.ts, markets: [BTC-USD] }]
record: { enabled: false }
`;

test.each([
  ['process.exit(0)', 'exit code'],
  ['process.exit(143)', 'exit code'],
  ['(process as any).reallyExit(0)', 'exit code 0'],
  ['setTimeout(() => process.exit(0), 1)', 'exit code'],
  ['process.removeAllListeners("exit"), process.exit(0)', 'exit code 0'],
  ['process.abort()', 'SIGABRT'],
])('%s is exit code 80', async (ends, how) => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-exits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'bot.yaml'), CONFIG);
  writeFileSync(
    join(folder, 'exits.ts'),
    `import { defineStrategy, param } from 'ballast/strategy';
export default defineStrategy({
  name: 'exits',
  parameters: param.object({}),
  create: () => ({ onBook() { ${ends}; } }),
});
`,
  );
  const { exitCode, stderr } = await ballast(['run', 'bot.yaml', '--mode', 'sim', '--json'], {
    cwd: folder,
    env: { BALLAST_STATE_HOME: folder },
  });
  expect(exitCode).toBe(80);
  expect(stderr).toContain(`ballast: the process ended by ${how}`);
});
