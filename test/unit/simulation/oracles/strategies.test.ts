/** @module The oracle of strategies that have ended: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES as STRATEGIES } from '../../../simulation/oracles/strategies.ts';
import type { SimulationPlan } from '../../../simulation/types.ts';
import { MadeRun, type WriteOptions } from './made-run.ts';

const order: WriteOptions = { nonce: 0n };

function audit(one: MadeRun, type: string, fields: Readonly<Record<string, unknown>>): MadeRun {
  return one.tell({ kind: 'audit', life: 1, event: { type, atMs: 0, fields } });
}

describe('strategies (I17)', () => {
  test('that ended place nothing until they are started again', () => {
    const one = audit(new MadeRun(STRATEGIES).live(), 'StrategyFailed', { strategy: 's1' });
    one.record(order);
    expect(one.broken).toEqual(['I17']);
    audit(one, 'StrategyStarted', { strategy: 's1' }).record({ nonce: 1n });
    expect(one.broken).toEqual(['I17']);
  });

  const withOrders = (faults: SimulationPlan['faults']): MadeRun => {
    const made = new MadeRun(STRATEGIES, { plan: { faults } }).live();
    const requestId = made.record(order);
    made.post(order);
    made
      .rests(order, 77n)
      .row('outcome', { requestId, outcome: 'executed', nonceConsumed: true, proof: 'answer' });
    return audit(made.pass(100), 'StrategyFailed', { strategy: 's1' });
  };

  test.each([
    ['a calm run', {}],
    ['a run in which strategies alone do wrong', { F61: 1, F67: 1 }],
  ])('that ended in %s have no orders a second later', (_what, faults) => {
    expect(withOrders(faults).pass(999).block().broken).toEqual([]);
    expect(withOrders(faults).pass(1_000).block().block().broken).toEqual(['I17']);
    const canceled = withOrders(faults);
    canceled.venue.orders.clear();
    expect(canceled.pass(1_000).block().broken).toEqual([]);
  });

  test('that ended where requests get lost have none ten seconds after nothing is in the way of their cancel', () => {
    const one = withOrders({ F4: 1, F61: 1 }).pass(1_000).block().pass(9_999).block();
    expect(one.broken).toEqual([]);
    one.isPaused = true;
    one.pass(1_000).block();
    one.isPaused = false;
    expect(one.block().pass(9_999).block().broken).toEqual([]);
    expect(one.pass(1).block().broken).toEqual(['I17']);
  });
});
