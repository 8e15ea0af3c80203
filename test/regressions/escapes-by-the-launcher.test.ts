/**
 * Symptom: what a plugin that never lets go of its thread is told by went to the terminal raw, from the channel on which the
 * launcher hears of it; a plugin can send there too.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';

test('text of a plugin does not steer the terminal by way of the launcher', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-launcher-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 's.ts'),
    `for (const message of [1, 'x', { loading: { text: 'a\\u001b[2J\\u202eb\\u009bc\\n', withinMs: 0 } }])
  process.send?.(message);
for (;;);
`,
  );
  const config = {
    environment: { name: 'sim' },
    markets: [{ symbol: 'BTC-USD' }],
    strategies: [{ name: 's', module: './s.ts', markets: ['BTC-USD'] }],
    risk: { capital: '10000' },
  };
  writeFileSync(join(folder, 'bot.yaml'), JSON.stringify(config));
  const { exitCode, stderr } = await ballast(['config', 'check', 'bot.yaml'], { cwd: folder });
  expect(exitCode).toBe(78);
  expect(stderr).toBe(`${String.raw`a\u001b[2J\u202eb\u009bc`}\n`);
});
