/** @module Firings of the dead man's switch as a continuous control (denials.md M12). */
import { expect, test } from 'vitest';
import { monitorLimits, RiskMonitor } from '../../../../src/bot/risk/index.ts';
import { AccountState, MarketState } from '../../../../src/domain/index.ts';
import { takeChanges } from '../../../support/changes.ts';
import { atMs, usd } from '../../../support/trading-builders.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function aWorld() {
  const account = new AccountState();
  const monitor = new RiskMonitor(monitorLimits(usd(100_000), 6), { account, markets: new MarketState() });
  const fire = (ms: number, isLapse = true) => {
    account.fold({ type: 'SwitchFired', atMs: atMs(ms), isLapse });
    return takeChanges(account).flatMap((change) => monitor.observe(change, ms));
  };
  return { monitor, fire };
}

test('M12: the second firing within an hour halts the account, the first does not', () => {
  const { fire } = aWorld();
  expect(fire(0)).toEqual([]);
  expect(fire(HOUR_MS - 1)).toMatchObject([
    { control: 'M12', scope: { kind: 'account' }, trading: { state: 'halted' }, isCanceling: true },
  ]);
});

test('M12: firings an hour apart are no pattern', () => {
  const { fire } = aWorld();
  expect([fire(0), fire(HOUR_MS), fire(2 * HOUR_MS)]).toEqual([[], [], []]);
});

test('M12: counts again once a person has let trading go on', () => {
  const { fire, monitor } = aWorld();
  fire(0);
  expect(fire(MINUTE_MS)).toHaveLength(1);
  monitor.rebase({ kind: 'account' });
  expect(fire(2 * MINUTE_MS)).toEqual([]);
  expect(fire(3 * MINUTE_MS)).toHaveLength(1);
});

test('M12: what fired without a missing renewal is no lapse: a fence, an emergency, a cancel of others (O79)', () => {
  const { fire } = aWorld();
  const after = [1, 2, 3].map((minutes) => fire(minutes * MINUTE_MS, false));
  expect([...after, fire(4 * MINUTE_MS)]).toEqual([[], [], [], []]);
});

test('M12: two triggers of one outage count once', () => {
  const { fire } = aWorld();
  expect([fire(0), fire(29_999)]).toEqual([[], []]);
});
