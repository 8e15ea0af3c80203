/** @module A short switch with the default of `minSwitchTimeLeft` was accepted, and the bot never quoted. */
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/index.ts';

const config = (heartbeat: string, timeout: string, minSwitchTimeLeft?: string) =>
  parseConfig(
    JSON.stringify({
      environment: { name: 'sim' },
      markets: [{ symbol: 'BTC-USD' }],
      strategies: [{ name: 'one', module: 'one.ts', markets: ['BTC-USD'] }],
      risk: { capital: 1000, ...(minSwitchTimeLeft === undefined ? {} : { minSwitchTimeLeft }) },
      deadMansSwitch: { heartbeat, timeout },
    }),
    '/here/bot.yaml',
  );

test('what placing needs of the switch is less than what a healthy switch always has', () => {
  expect(() => config('1s', '3s')).toThrow(/risk\.minSwitchTimeLeft[\s\S]*1000ms[\s\S]*5000ms/);
  expect(() => config('1s', '3s', '1001ms')).toThrow(/risk\.minSwitchTimeLeft/);
  expect(config('1s', '3s', '1s').config.deadMansSwitch.timeout).toBe(3000);
  expect(config('5s', '20s').config.deadMansSwitch.timeout).toBe(20_000);
});
