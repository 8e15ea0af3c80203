/** @module The health vector, item by item (dead-mans-switch.md). */
import { describe, expect, test } from 'vitest';
import { evaluateHealth, type HealthInputs, NOTHING_OUTSIDE } from '../../../../src/bot/kernel/health.ts';
import { redReasons } from '../../../../src/bot/kernel/index.ts';

const GREEN: HealthInputs = {
  unresolvedWriteMs: 5_000,
  privateStreamAgeMs: 10_000,
  backfillingMs: 10_000,
  riskTickAgeMs: 1_000,
  ownersWithoutPulse: [],
  journalProblem: undefined,
  clockJumpMs: -499,
  mismatchedMarkets: [],
  loopDelayP99Ms: 499,
  queues: [{ name: 'inbox', size: 80, sizeMax: 100 }],
  maxQueueUtilization: 0.8,
  grantLeftMs: 80_001,
  switchTimeoutMs: 20_000,
  halts: [],
};

describe('evaluateHealth', () => {
  test('is green at the very edge of every limit', () => {
    expect(redReasons(evaluateHealth(GREEN))).toEqual([]);
    expect(evaluateHealth(GREEN).items.map((item) => item.id)).toEqual([
      'H1',
      'H2',
      'H3',
      'H4',
      'H5',
      'H6',
      'H7',
      'H8',
      'H9',
      'H10',
    ]);
  });

  test.each<readonly [string, Partial<HealthInputs>, string]>([
    ['H1', { unresolvedWriteMs: 5_001 }, 'a write is unresolved for 5001 ms'],
    ['H2', { privateStreamAgeMs: 10_001 }, 'private stream silent for 10001 ms'],
    ['H2', { privateStreamAgeMs: undefined }, 'private stream silent for: not known'],
    ['H2', { backfillingMs: 10_001 }, 'backfilling for 10001 ms'],
    ['H3', { riskTickAgeMs: 1_001 }, 'limits were last looked at 1001 ms ago'],
    ['H4', { ownersWithoutPulse: ['maker'] }, 'failed with orders out: maker'],
    ['H5', { journalProblem: 'disk full' }, 'journal: disk full'],
    ['H6', { clockJumpMs: 500 }, 'clock offset jumped by 500 ms'],
    ['H6', { clockJumpMs: undefined }, 'clock offset jumped by: not known'],
    ['H7', { mismatchedMarkets: ['BTC'] }, "positions differ from the exchange's: BTC"],
    ['H8', { loopDelayP99Ms: 500 }, 'event loop delayed by 500 ms'],
    ['H8', { queues: [{ name: 'inbox', size: 81, sizeMax: 100 }] }, '81 wait in the inbox, which holds 100'],
    ['H9', { grantLeftMs: 80_000 }, 'grant ends in 80000 ms, 80000 ms are needed'],
    ['H9', { grantLeftMs: undefined }, 'grant ends in unknown ms, 80000 ms are needed'],
  ])('%s alone is red for %j', (id, change, reason) => {
    const health = evaluateHealth({ ...GREEN, ...change });
    expect(health.isHealthy).toBe(false);
    expect(redReasons(health)).toEqual([`${id}: ${reason}`]);
  });

  test('a halt that only a person ends is red, and does not hold the switch back', () => {
    const health = evaluateHealth({ ...GREEN, halts: ['account by M12'] });
    expect(health.isHealthy).toBe(false);
    expect(health.items.filter(({ isHealthy }) => !isHealthy)).toEqual([
      { id: 'H10', isHealthy: false, reason: 'halted until a person resumes it: account by M12' },
    ]);
    expect(redReasons(health)).toEqual([]);
  });

  test('what does not apply to a run is green', () => {
    expect(evaluateHealth({ ...GREEN, ...NOTHING_OUTSIDE }).isHealthy).toBe(true);
  });
});
