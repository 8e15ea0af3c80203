/** @module The same decisions give the same hash, others another one. */
import { describe, expect, test } from 'vitest';
import { DecisionHash } from '../../../../src/bot/replay/index.ts';
import type { Intent } from '../../../../src/bot/strategy/index.ts';
import {
  approve,
  type IntentId,
  lots,
  type OrderId,
  type StrategyId,
  ticks,
} from '../../../../src/domain/index.ts';
import { aFill, aSpec, BTC, LANE, MAKER, START_MS } from '../../../support/trading-builders.ts';

function aHash(): DecisionHash {
  return new DecisionHash({ now: () => START_MS, intentOf: (orderId) => `run-${orderId}` as IntentId });
}

function quote(priceTicks: number): Intent {
  const level = { priceTicks: ticks(priceTicks), sizeLots: lots(1) };
  return { kind: 'quote', symbol: BTC, target: { bids: [level], asks: [] }, options: {} };
}

function hashOf(...steps: readonly ((hash: DecisionHash) => void)[]): string {
  const hash = aHash();
  for (const step of steps) step(hash);
  expect(hash.count).toBe(steps.length);
  return hash.hex();
}

const INTENT = 'a-1' as IntentId;
const IDS = { newest: INTENT };

describe('DecisionHash', () => {
  test('is the same for the same decisions of two runs, whatever the runs are called', () => {
    const of = (run: string) =>
      hashOf(
        (hash) => hash.intent(MAKER, { newest: `${run}-1` as IntentId }, quote(100)),
        (hash) =>
          hash.approved(
            approve({
              lane: LANE,
              command: { kind: 'place', orders: [aSpec({ intentId: `${run}-1` as IntentId })] },
            }),
          ),
        (hash) => hash.safety({ kind: 'cancel', orders: [{ symbol: BTC, orderId: '3' as OrderId }] }),
        (hash) => hash.fill(aFill()),
      );
    expect(of('one')).toBe(of('two'));
  });

  test.each([
    ['a price', (hash: DecisionHash) => hash.intent(MAKER, IDS, quote(101))],
    ['a strategy', (hash: DecisionHash) => hash.intent('other' as StrategyId, IDS, quote(100))],
    ['a kind', (hash: DecisionHash) => hash.intent(MAKER, IDS, { kind: 'cancelAll', symbol: BTC })],
  ])('is another one for %s', (_what, step) => {
    expect(hashOf(step)).not.toBe(hashOf((hash) => hash.intent(MAKER, IDS, quote(100))));
  });

  test('is another one in another order', () => {
    const a = (hash: DecisionHash) => hash.intent(MAKER, IDS, quote(100));
    const b = (hash: DecisionHash) => hash.safety({ kind: 'cancelAll' });
    expect(hashOf(a, b)).not.toBe(hashOf(b, a));
  });

  test('takes intents that throw when they are read', () => {
    const thrower = {
      kind: 'quote',
      get symbol(): never {
        throw new Error('not for you');
      },
    } as unknown as Intent;
    expect(hashOf((hash) => hash.intent(MAKER, IDS, thrower))).toHaveLength(64);
  });

  test('goes on past its buffer, and its state can be asked for in between', () => {
    const steps = Array.from({ length: 3_000 }, (_none, at) => (hash: DecisionHash) => {
      hash.intent(MAKER, IDS, quote(1_000 + at));
      if (at === 1_500) hash.hex();
    });
    expect(hashOf(...steps)).toBe(hashOf(...steps.map((step) => step)));
    expect(hashOf(...steps)).not.toBe(
      hashOf(...steps.slice(1), (hash) => hash.safety({ kind: 'cancelAll' })),
    );
  });
});
