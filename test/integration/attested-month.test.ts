/** Thirty days of a whole bot on virtual time, attested run by run and as one, with nothing left over. */
import { expect, test } from 'vitest';
import { attestedDays } from '../support/attested-month.ts';

test('thirty days of three strategies on one netted market leave no unit unexplained', async () => {
  const days = await attestedDays({ seed: 1, days: 30 });
  // Each run is attested and verified, each statement says of each strategy what its bot holds, and at no second of any
  // life is a lot nobody's.
  expect(days.problems).toEqual([]);
  expect(days.attested).toBeGreaterThan(40);
  expect(days.crashed).toBeGreaterThan(3);
  expect(days.compared).toBeGreaterThan(1_000);
  expect(days.liquidations).toBeGreaterThan(0);
  expect(days.fills).toBeGreaterThan(500);
  const kinds = ['deposit', 'withdrawal', 'transfer', 'trade', 'funding', 'liquidation_fee'];
  expect([...days.kinds]).toEqual(expect.arrayContaining([...kinds, 'maker_rebate', 'taker_fee']));
  const { statement } = days.whole;
  expect(statement).toMatchObject({ residual: '0', disagreements: [] });
  expect(statement.owners.map(({ owner }) => owner)).toEqual(['account', 'errands', 'ladder', 'pinger']);
  const changes = statement.owners.reduce((sum, { change }) => sum + BigInt(change), 0n);
  expect(`${changes}`).toBe(statement.equityChange);
  // Whatever the strategies did not earn is cash that came or went.
  const [account] = statement.owners;
  expect(account?.lines.map(({ line }) => line).sort()).toEqual(['transfers', 'value']);
  expect(account?.lines.find(({ line }) => line === 'value')?.amount).toBe('0');
  for (const { line, entries } of statement.lines)
    if (line !== 'value') expect(new Set(entries).size, line).toBe(entries.length);
}, 600_000);
