/** Losses by day, peak and minute (M4): what is found, what a restart keeps, and who lets go. */
import { describe, expect, test } from 'vitest';
import { Losses, type LossReaction } from '../../../../src/bot/risk/losses.ts';
import { quantums } from '../../../../src/domain/index.ts';

const DAY_MS = 86_400_000;
const LIMITS = { dailyMax: quantums(100n), drawdownMax: quantums(150n), minuteMax: quantums(60n) };
const PEOPLE: LossReaction = { haltRatioPpm: undefined, cooldownMs: undefined, collateralDecimals: 6 };
/** Noon of a day, and so many seconds later. */
const at = (s: number, day = 20_000) => day * DAY_MS + 43_200_000 + s * 1_000;

function lossesAt(totals: readonly (readonly [number, bigint])[], reaction: Partial<LossReaction> = {}) {
  const losses = new Losses(LIMITS, { ...PEOPLE, ...reaction });
  const states = totals.map(([atMs, total]) => losses.look(atMs, total)?.state);
  return { losses, states };
}

describe('losses', () => {
  test.each([
    [
      'within a minute',
      [
        [0, 0n],
        [30, -60n],
        [40, -61n],
      ],
      'loss within a minute of 0.000061 is above 0.00006',
    ],
    [
      'of a day, slowly',
      [
        [0, 0n],
        [100, -50n],
        [200, -100n],
        [300, -101n],
      ],
      'loss of the day of 0.000101 is above 0.0001',
    ],
    [
      'from the peak',
      [
        [0, 0n],
        [100, 60n],
        [200, 10n],
        [300, -40n],
        [400, -91n],
      ],
      'drawdown from the peak of 0.000151 is above 0.00015',
    ],
  ] as const)('%s are found above their limit, not at it', (_what, course, reason) => {
    const { losses, states } = lossesAt(course.map(([s, total]) => [at(s), total] as const));
    expect(states.slice(0, -1).every((state) => state === undefined)).toBe(true);
    expect(states.at(-1)).toBe('reducing');
    expect(losses.look(at(1_000), 0n)?.reason).toContain(reason);
  });

  test('a day begins at midnight UTC, a peak does not', () => {
    const { losses, states } = lossesAt([
      [at(0), 0n],
      [at(100), -50n],
      [at(200), -90n],
      [at(0, 20_001), -95n],
      [at(100, 20_001), -140n],
    ]);
    expect(states).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(losses.usage()).toMatchObject({ daily: 45n, drawdown: 140n });
    expect(losses.look(at(200, 20_001), -151n)?.reason).toContain('drawdown');
  });

  test('a multiple halts, and a profit does not let it trade again', () => {
    const { states } = lossesAt(
      [
        [at(0), 0n],
        [at(100), -101n],
        [at(200), -150n],
        [at(300), -201n],
        [at(400), 50n],
      ],
      { haltRatioPpm: 2_000_000n },
    );
    expect(states).toEqual([undefined, 'reducing', 'reducing', 'halted', 'halted']);
  });

  test('what was lost before a restart counts, whatever the profit begins at', () => {
    const { losses } = lossesAt([
      [at(0), 0n],
      [at(100), 40n],
      [at(200), -50n],
    ]);
    const saved = JSON.parse(JSON.stringify(losses.save()));
    const next = new Losses(LIMITS, PEOPLE);
    next.restore(saved);
    expect(next.save()).toEqual(saved);
    expect(next.look(at(300), 0n)).toBeUndefined();
    expect(next.usage()).toMatchObject({ daily: 50n, drawdown: 90n, minute: 0n });
    expect(next.look(at(400), -51n)?.reason).toContain('loss of the day of 0.000101 is above 0.0001');
    // The next day only the peak is left.
    const later = new Losses(LIMITS, PEOPLE);
    later.restore(saved);
    later.look(at(0, 20_001), 0n);
    expect(later.usage()).toMatchObject({ daily: 0n, drawdown: 90n });
  });

  test('a cooldown lets go, a person at once, and both count from zero', () => {
    const { losses } = lossesAt(
      [
        [at(0), 0n],
        [at(100), -101n],
      ],
      { cooldownMs: 60_000 },
    );
    expect(losses.isOver(at(159))).toBe(false);
    expect(losses.isOver(at(160))).toBe(true);
    losses.rebase();
    expect(losses.look(at(161), -101n)).toBeUndefined();
    expect(losses.usage()).toMatchObject({ daily: 0n, drawdown: 0n, minute: 0n });
  });
});
