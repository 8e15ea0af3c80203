/** @module What of the safety writes may pass the line of their lane as it is. */
import { describe, expect, test } from 'vitest';
import type { LaneId, OrderId, SafetyCommand } from '../../../../src/domain/index.ts';
import { Lanes, SAFETY_LANE } from '../../../../src/research/venue/lanes.ts';
import { BTC, LANE } from '../../../support/trading-builders.ts';

const cancel = (...numbers: readonly string[]): SafetyCommand => ({
  kind: 'cancel',
  orders: numbers.map((number) => ({ symbol: BTC, orderId: number as OrderId })),
});

describe('Lanes', () => {
  test('let a safety write pass while its lane is free and nothing waits', () => {
    const lanes = new Lanes([LANE]);
    for (const command of [
      cancel('1'),
      { kind: 'cancelAll' },
      { kind: 'scheduleCancel', triggerAtMs: 0 },
    ] as const) {
      expect(lanes.isNextAlone(command)).toBe(true);
      lanes.join(command);
      expect(lanes.isNextAlone(cancel('2'))).toBe(false);
      expect(lanes.nextSafety()).toEqual(command);
      expect(lanes.isNextAlone(cancel('2'))).toBe(true);
    }
    lanes.take(SAFETY_LANE);
    expect(lanes.isNextAlone(cancel('1'))).toBe(false);
    lanes.take(LANE);
    lanes.free(SAFETY_LANE);
    expect(lanes.isNextAlone(cancel('1'))).toBe(true);
  });

  test('let cancels of several orders join the line, where each counts once', () => {
    const lanes = new Lanes([LANE]);
    expect(lanes.isNextAlone(cancel('1', '2', '1'))).toBe(false);
    expect(lanes.isNextAlone(cancel())).toBe(false);
    lanes.join(cancel('1', '2', '1'));
    expect(lanes.nextSafety()).toEqual(cancel('1', '2'));
  });

  test('error: a lane that is not there is named', () => {
    expect(() => new Lanes([LANE]).isFree('other' as LaneId)).toThrow('a lane of lane-1, got other');
  });
});
