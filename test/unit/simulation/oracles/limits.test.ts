/** @module The oracles of one order's limits and of the safety lane: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES as LIMITS } from '../../../simulation/oracles/order-limits.ts';
import { ORACLES as SAFETY_LANE } from '../../../simulation/oracles/safety-lane.ts';
import { MadeRun, orderBody, SAFETY, type WriteOptions } from './made-run.ts';

const order: WriteOptions = { nonce: 0n };

describe('limits of one order (I10)', () => {
  const broken = (fields: Readonly<Record<string, unknown>>, faults = {}): readonly string[] => {
    const one = new MadeRun(LIMITS, { plan: { faults } }).live().block();
    one.record({ nonce: 0n, body: orderBody(fields) });
    return one.broken;
  };

  test('are its worth (P2): a tenth of the capital', () => {
    expect(broken({ size: '0.0100' })).toEqual([]);
    expect(broken({ size: '0.0101' })).toEqual(['I10']);
  });

  test.each([
    ['97000.0', []],
    ['103000.0', []],
    ['96900.0', ['I10']],
    ['103100.0', ['I10']],
  ])('are its price (P3): %s is within 3 percent of the market, or not', (price, expected) => {
    expect(broken({ price })).toEqual(expected);
  });

  test('follow a price that was set between two blocks', () => {
    const one = new MadeRun(LIMITS).live().block();
    one.venue.indexTicks = 600_000;
    one.log({ kind: 'indexPrice' }).record({ nonce: 0n, body: orderBody({ price: '60000.0' }) });
    expect(one.broken).toEqual([]);
  });

  test('are not known where the units of a market change (F39)', () => {
    expect(broken({ size: '0.0101' }, { F39: 1 })).toEqual([]);
  });
});

describe('the safety lane (I23)', () => {
  const blocked = (forMs: number): MadeRun => {
    const one = new MadeRun(SAFETY_LANE).live();
    const requestId = one.record(order);
    one.post(order);
    one
      .rests(order, 77n)
      .row('outcome', { requestId, outcome: 'executed', nonceConsumed: true, proof: 'answer' });
    one.record({ nonce: 1n });
    one.post({ nonce: 1n });
    return one.pass(forMs);
  };
  const cancelAll = (one: MadeRun): MadeRun =>
    one.row('write', {
      ...{ kind: 'write', lane: 'safety', scope: `agent:${SAFETY}`, nonce: { $big: '0' } },
      ...{ requestId: '0x01', bytes: '0x01', command: { kind: 'cancelAll' } },
    });

  test('cancels while a trading lane is blocked', () => {
    expect(blocked(12_000).block().broken).toEqual([]);
    expect(blocked(12_001).block().block().broken).toEqual(['I23']);
    expect(cancelAll(blocked(6_000)).pass(20_000).block().broken).toEqual([]);
  });

  test('has nothing to do at an empty book, and cannot while the process stands still', () => {
    const empty = blocked(12_001);
    empty.venue.orders.clear();
    expect(empty.block().broken).toEqual([]);
    const still = blocked(12_001);
    still.isPaused = true;
    expect(still.block().broken).toEqual([]);
    still.isPaused = false;
    expect(still.pass(6_000).block().broken).toEqual([]);
  });

  test('is excused once it has halted itself', () => {
    const halted = blocked(1_000).tell({
      ...{ kind: 'log', life: 1, level: 'error', message: 'lane halted' },
      fields: { lane: 'safety' },
    } as const);
    expect(halted.pass(30_000).block().broken).toEqual([]);
  });
});
