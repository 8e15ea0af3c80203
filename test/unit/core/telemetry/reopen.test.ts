import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenForStop } from '../../../../src/bot/live/index.ts';
import { SystemClock } from '../../../../src/core/index.ts';
import { createLog } from '../../../../src/core/telemetry/index.ts';

test('SIGUSR2, and SIGHUP without a terminal, open the log again after it was rotated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-rotate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.log');
  const log = createLog({ level: 'info', file, isPretty: false });
  const stop = listenForStop(new SystemClock(), { forMs: undefined, onReopen: () => log.reopen() });
  onTestFinished(() => stop.dispose());
  for (const [at, signal] of (['SIGUSR2', 'SIGHUP'] as const).entries()) {
    log.info(`before ${at}`);
    renameSync(file, join(folder, `${at}.log`));
    process.emit(signal, signal);
    log.info(`after ${at}`);
    expect(readFileSync(file, 'utf8')).toContain(`after ${at}`);
    expect(readFileSync(join(folder, `${at}.log`), 'utf8')).not.toContain(`after ${at}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(stop.reason).toBeUndefined();
});

test('without a file SIGUSR2 does nothing and SIGHUP ends the run', () => {
  const stop = listenForStop(new SystemClock(), { forMs: undefined });
  onTestFinished(() => stop.dispose());
  process.emit('SIGUSR2', 'SIGUSR2');
  expect(stop.reason).toBeUndefined();
  process.emit('SIGHUP', 'SIGHUP');
  expect(stop.reason).toEqual({ by: 'signal', signal: 'SIGHUP' });
});
