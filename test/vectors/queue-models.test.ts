import { describe, expect, test } from 'vitest';
import { logRule, powerRule, riskAverseRule } from '../../src/research/venue/models/queue-rules.ts';
import { hasShared, readSharedJson } from '../support/shared.ts';

const PATH = ['vectors', 'strategy-formulas.json'] as const;

interface QueueCase {
  readonly case: string;
  readonly front: number;
  readonly prevQty: number;
  readonly newQty: number;
  readonly frontAfter: Readonly<Record<string, number>>;
}

const RULES = {
  'risk-averse': riskAverseRule,
  'power n=1': powerRule(1),
  'power n=2': powerRule(2),
  'power n=3': powerRule(3),
  log: logRule,
};

describe.skipIf(!hasShared(...PATH))('queue positions as hftbacktest publishes them', () => {
  test.each(Object.keys(RULES) as (keyof typeof RULES)[])('%s', (name) => {
    const { queueModels } = readSharedJson<{ queueModels: readonly QueueCase[] }>(...PATH);
    expect(queueModels.length).toBeGreaterThan(2);
    for (const { case: label, front, prevQty, newQty, frontAfter } of queueModels) {
      const level = { before: Number(prevQty), after: Number(newQty) };
      const after = RULES[name](Number(front), level.before - level.after, level);
      expect(after, label).toBeCloseTo(Number(frontAfter[name]), 9);
    }
  });
});
