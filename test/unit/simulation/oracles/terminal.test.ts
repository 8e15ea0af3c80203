/** @module The oracle of ended orders: right runs pass, wrong ones do not. */
import { describe, expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/terminal.ts';
import { MadeRun } from './made-run.ts';

const ORDER = {
  orderId: '7',
  symbol: 'BTC-USD',
  side: 'buy',
  priceTicks: 999_000,
  remainingLots: 30,
} as const;

function told(one: MadeRun, status: string): MadeRun {
  const fields = { orderId: ORDER.orderId, status };
  return one.tell({ kind: 'audit', life: 1, event: { type: 'OrderChanged', atMs: 0, fields } });
}

function run(openOrders: readonly (typeof ORDER)[]): MadeRun {
  return new MadeRun(ORACLES, { view: { openOrders } }).live().pass(1_000);
}

describe('terminal is terminal (I4, obligation O82)', () => {
  test('breaks when an order works that was told to have ended', () => {
    const one = told(run([ORDER]), 'canceled').block();
    expect(one.broken).toEqual(['I4']);
  });

  test('holds while an ended order is gone, and while a working one works', () => {
    expect(told(run([]), 'filled').block().broken).toEqual([]);
    expect(told(run([ORDER]), 'working').block().broken).toEqual([]);
  });

  test('forgets with a new ledger, and with a new life', () => {
    const ledger = told(run([ORDER]), 'canceled').log({ kind: 'epoch', epoch: 'e2' });
    expect(told(ledger.pass(1_000), 'canceled').block().broken).toEqual([]);
    expect(
      told(run([ORDER]), 'canceled')
        .live()
        .block().broken,
    ).toEqual([]);
  });
});
