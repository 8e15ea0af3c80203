/**
 * Symptom: `ballast backtest --set ladder.size=1 maker.yaml` said that it had got no arguments: an option that may be
 * repeated took everything after it.
 */
import { expect, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';

test.each([
  [['backtest', '--set', 'ladder.size=1', 'nowhere/maker.yaml'], 'CONFIG_UNREADABLE'],
  [['run', '--set', 'ladder.size=1', 'nowhere/bot.yaml'], 'CONFIG_UNREADABLE'],
  [['examine', '--only', 'gap', '--market', 'BTC-USD', 'nowhere/strategy.ts'], 'STRATEGY_FILE_UNREADABLE'],
])('ballast %j finds its argument', async (args, code) => {
  const { exitCode, stderr } = await ballast(args);
  expect(stderr).toContain(code);
  expect(exitCode).not.toBe(0);
});
