import { describe, expect, test } from 'vitest';
import { minimize } from '../../simulation/minimize.ts';

const ITEMS = Array.from({ length: 30 }, (_none, at) => at);

describe('minimize', () => {
  test.each([[[]], [[7]], [[0, 29]], [[3, 4, 19]]])('finds the %j that a failure needs', async (needed) => {
    let runs = 0;
    const kept = await minimize({
      items: ITEMS,
      fails: async (items) => {
        runs++;
        return needed.every((item) => items.includes(item));
      },
      runsMax: 100,
    });
    expect(kept).toEqual(needed);
    expect(runs).toBeLessThanOrEqual(60);
  });

  test('keeps what fails when its runs are used up', async () => {
    let runs = 0;
    const kept = await minimize({
      items: ITEMS,
      fails: async (items) => {
        runs++;
        return items.includes(5) && items.includes(25);
      },
      runsMax: 5,
    });
    expect(runs).toBe(5);
    expect(kept).toEqual(expect.arrayContaining([5, 25]));
  });
});
