import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../../src/core/index.ts';
import { WeightLimit } from '../../../../../src/exchange/api/rest/weight-limit.ts';

describe('WeightLimit', () => {
  test('a window is fixed to the minute, whenever its first request comes (GW-RATE)', () => {
    const clock = new VirtualClock(120_000 + 59_000);
    const budget = new WeightLimit(clock, 'ip', 5);
    expect(budget.charge('a', 5)).toMatchObject({ isWithin: true, resetSeconds: 1 });
    expect(budget.charge('a', 1).isWithin).toBe(false);
    clock.advance(1_000);
    expect(budget.charge('a', 1)).toMatchObject({ isWithin: true, header: '"ip";r=4;t=60' });
  });

  test('keys do not share, and a refused request costs nothing', () => {
    const budget = new WeightLimit(new VirtualClock(0), 'account', 4);
    budget.charge('a', 3);
    expect(budget.charge('a', 2)).toMatchObject({ isWithin: false, header: '"account";r=1;t=60' });
    expect(budget.charge('a', 1).isWithin).toBe(true);
    expect(budget.charge('b', 4).isWithin).toBe(true);
  });

  test('a changed quota holds at once and is told (GW-RATE)', () => {
    const budget = new WeightLimit(new VirtualClock(0), 'ip', 10);
    budget.charge('a', 6);
    budget.setQuota(5);
    expect(budget.policy).toBe('"ip";q=5;w=60');
    expect(budget.charge('a', 1)).toMatchObject({ isWithin: false, header: '"ip";r=0;t=60' });
  });
});
