import { describe, expect, test } from 'vitest';
import { resolveSettings } from '../../../src/exchange/index.ts';
import { planOf } from '../../simulation/plan.ts';
import { quirksOf, replayLine } from '../../simulation/seed.ts';
import type { Fault, FaultId } from '../../simulation/types.ts';

const SEEDS = 400;
const FAULTS: readonly Fault[] = Array.from({ length: 20 }, (_none, at) => ({
  id: `F${at + 1}`,
  what: 'nothing',
  strike: () => undefined,
}));
const PLANS = Array.from({ length: SEEDS }, (_none, at) => planOf(at + 1, FAULTS));

describe('the plan of a seed', () => {
  test('is the same twice and another one for another seed', () => {
    expect(planOf(17, FAULTS)).toEqual(PLANS[16]);
    expect(planOf(18, FAULTS)).not.toEqual({ ...PLANS[16], seed: 18 });
  });

  test('has each fault in about half of the seeds, and none at all in some', () => {
    for (const { id } of FAULTS) {
      const count = PLANS.filter((plan) => id in plan.faults).length;
      expect(count).toBeGreaterThan(SEEDS * 0.4);
      expect(count).toBeLessThan(SEEDS * 0.6);
    }
    expect(PLANS.filter((plan) => Object.keys(plan.faults).length === 0).length).toBeGreaterThan(3);
  });

  test('keeps the choice of the others when the catalogue grows', () => {
    const more = planOf(5, [...FAULTS, { id: 'F99', what: 'new', strike: () => undefined }]);
    const known = Object.keys(more.faults).filter((id) => id !== 'F99');
    expect(known).toEqual(Object.keys(PLANS[4]?.faults ?? {}));
  });

  test('lasts twenty virtual minutes on average', () => {
    const minutes = PLANS.reduce((sum, plan) => sum + plan.faultsForMs + plan.healedForMs, 0) / 60_000;
    expect(minutes / SEEDS).toBeGreaterThanOrEqual(20);
  });

  test('draws both values of every ambiguity, and settings that make an exchange', () => {
    const drawn = new Set(PLANS.flatMap((plan) => Object.keys(plan.ambiguities)));
    // A1 and A16 have one value that a bot can trade under.
    expect(drawn.size).toBeGreaterThanOrEqual(17);
    for (const { settings } of PLANS.slice(0, 50)) expect(() => resolveSettings(settings)).not.toThrow();
    expect(PLANS.some(({ signatures }) => signatures === 'real')).toBe(true);
    expect(PLANS.filter(({ signatures }) => signatures === 'real').length).toBeLessThan(SEEDS * 0.04);
  });
});

describe('a line that runs a seed again', () => {
  test('names what is left of it, and is read back', () => {
    const faults: readonly FaultId[] = ['F4', 'F6'];
    const line = replayLine({ seed: 9, faults, quirks: { A4: 'delta', A10: 'kept' } });
    expect(line).toBe('npm run prove -- swarm --seed 9 --faults F4,F6 --quirks A4=delta,A10=kept');
    expect(quirksOf(['A4=delta', 'A10=kept'])).toEqual({ A4: 'delta', A10: 'kept' });
    expect(replayLine({ seed: 9, faults: [], quirks: {} })).toBe(
      'npm run prove -- swarm --seed 9 --faults none --quirks none',
    );
    expect(quirksOf([])).toEqual({});
    expect(replayLine({ seed: 9 })).toBe('npm run prove -- swarm --seed 9');
  });
});
